"""A query as the client sends it, checked field by field in the protocol's words, and the positions it asks about."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tesuji import Color
from tesuji.base.errors import InputError
from tesuji.interfaces.analysis.messages import QueryError
from tesuji.interfaces.analysis.settings import MOST_VISITS, AnalysisSettings
from tesuji.interfaces.analysis.vertices import Move, check_length, player, stones_and_moves, vertices
from tesuji.interfaces.engine.kata_rules import KataRules, named_rules, rules_from_object

LARGEST = 19
_SWITCHES = {
    "includeMovesOwnership": "moves_ownership",
    "includeMovesOwnershipStdev": "moves_ownership_stdev",
    "includeOwnership": "ownership",
    "includeOwnershipStdev": "ownership_stdev",
    "includePolicy": "policy",
    "includePVVisits": "pv_visits",
    "includeNoResultValue": "no_result_value",
}
KNOWN = {
    *_SWITCHES,
    *("id", "action", "terminateId", "turnNumbers", "boardXSize", "boardYSize", "initialStones", "initialPlayer"),
    *("moves", "rules", "komi", "whiteHandicapBonus", "overrideSettings", "analyzeTurns", "maxVisits"),
    *("analysisPVLen", "rootFpuReductionMax", "rootPolicyTemperature", "avoidMoves", "allowMoves", "priority"),
    *("priorities", "reportDuringSearchEvery", "firstReportDuringSearchAfter"),
}
_RULES = (
    'Must specify rules string, such as "chinese" or "tromp-taylor", or a JSON object with detailed rules parameters.'
)


@dataclass(frozen=True)
class MoveLimit:
    """Moves one player must avoid, or may play alone, during the first moves of every variation."""

    color: Color
    moves: list[int]
    allow: bool
    depth: int


@dataclass(frozen=True)
class Query:
    """What a client asks about one game."""

    id: str
    size: int
    rules: KataRules
    komi: float
    stones: list[Move]
    moves: list[Move]
    first_player: Color | None
    turns: dict[int, int]
    """Turn -> priority."""
    settings: AnalysisSettings
    limits: list[MoveLimit] = field(default_factory=list)
    wanted: frozenset[str] = frozenset()
    """Which of the fields that must be asked for are."""
    every: float | None = None
    first_after: float | None = None
    warnings: list[tuple[str, str]] = field(default_factory=list)
    """Pairs of field and text."""


def parse_query(given: Mapping[str, Any], usual: AnalysisSettings) -> Query:
    """The query of a JSON object that has an id. Raises `QueryError`; fields are looked at in KataGo's order."""
    size = _size(given)
    stones = stones_and_moves(given.get("initialStones", []), "initialStones", size, passes=False)
    if "moves" not in given:
        raise QueryError("Must specify an array of [player,location] pairs", "moves")
    moves = stones_and_moves(given["moves"], "moves", size, passes=True)
    first_player = player(given["initialPlayer"], "initialPlayer") if "initialPlayer" in given else None
    turns = _turns(given, len(moves))
    priorities = _priorities(given, len(turns))
    rules, komi = _rules(given)
    settings, unknown = _settings(given, usual)
    wanted = frozenset(name for key, name in _SWITCHES.items() if key in given and _truth(given, key))
    every, first_after = _reporting(given)
    common = _priority(given)
    return Query(
        id=str(given["id"]),
        size=size,
        rules=rules,
        komi=komi,
        stones=stones,
        moves=moves,
        first_player=first_player,
        turns=dict(zip(turns, priorities or [common] * len(turns), strict=True)),
        settings=settings,
        limits=_limits(given, size),
        wanted=wanted,
        every=every,
        first_after=first_after,
        warnings=_warnings(given, rules, settings, unknown),
    )


def _warnings(
    given: Mapping[str, Any], rules: KataRules, settings: AnalysisSettings, unknown: list[str]
) -> list[tuple[str, str]]:
    warnings = [("overrideSettings", f"Unknown config params: {','.join(unknown)}")] if unknown else []
    if not rules.is_played:
        warnings.append(("rules", f"Rules {rules.as_json()} not supported by this engine, using {rules.rules} instead"))
    if settings.warn_unused:
        warnings += [(key, _UNUSED) for key in sorted(given) if key not in KNOWN]
    return warnings


_UNUSED = (
    "Unexpected or unused field, do you have a typo? (set warnUnusedFields=false in the config to disable this warning)"
)


def _size(given: Mapping[str, Any]) -> int:
    text = f"Must provide an integer from 2 to {LARGEST}"
    width = _whole(given, "boardXSize", 2, LARGEST, text)
    if _whole(given, "boardYSize", 2, LARGEST, text) != width:
        raise QueryError("Only square boards are supported: must be equal to boardXSize", "boardYSize")
    return width


def _whole(given: Mapping[str, Any], key: str, low: int, high: int, text: str) -> int:
    value = given.get(key)
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise QueryError(text, key)
    return value


def _number(given: Mapping[str, Any], key: str, low: float, high: float, text: str) -> float:
    value = given.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise QueryError(text, key)
    return float(value)


def _truth(given: Mapping[str, Any], key: str) -> bool:
    value = given[key]
    if not isinstance(value, bool):
        raise QueryError("Must be a boolean", key)
    return value


def _rules(given: Mapping[str, Any]) -> tuple[KataRules, float]:
    told = given.get("rules")
    if not isinstance(told, str | dict):
        raise QueryError(_RULES, "rules")
    try:
        rules = named_rules(told) if isinstance(told, str) else rules_from_object(told)
    except InputError as fault:
        raise QueryError(str(fault), "rules") from None
    komi = rules.komi
    if "komi" in given:
        text = "Must be a integer or half-integer from -400.0 to 400.0"
        komi = _number(given, "komi", -400, 400, text)
        if komi * 2 % 1:
            raise QueryError(text, "komi")
    if "whiteHandicapBonus" in given:
        if not isinstance(given["whiteHandicapBonus"], str):
            raise QueryError("Must be a string", "whiteHandicapBonus")
        try:
            bonus = rules_from_object({"whiteHandicapBonus": given["whiteHandicapBonus"]})
        except InputError as fault:
            raise QueryError(str(fault), "whiteHandicapBonus") from None
        rules = replace(rules, white_handicap_bonus=bonus.white_handicap_bonus)
    return rules, komi


def _settings(given: Mapping[str, Any], usual: AnalysisSettings) -> tuple[AnalysisSettings, list[str]]:
    overrides = given.get("overrideSettings", {})
    if not isinstance(overrides, dict):
        raise QueryError("Must be an object", "overrideSettings")
    try:
        settings, unknown = usual.changed(overrides)
    except InputError as fault:
        raise QueryError(f"Could not set settings: {fault}", "overrideSettings") from None
    if "maxVisits" in given:
        visits = _whole(given, "maxVisits", 1, MOST_VISITS, "Must be an integer from 1 to 2^50")
        settings = replace(settings, visits=visits)
    if "analysisPVLen" in given:
        length = _whole(given, "analysisPVLen", 1, 1000, "Must be an integer from 1 to 1000")
        settings = replace(settings, pv_length=length)
    if "rootFpuReductionMax" in given:
        _number(given, "rootFpuReductionMax", 0.0, 2.0, "Must be a number from 0.0 to 2.0")
    if "rootPolicyTemperature" in given:
        text = "Must be a number from 0.01 to 100.0"
        settings = replace(settings, root_temperature=_number(given, "rootPolicyTemperature", 0.01, 100.0, text))
    return settings, unknown


def _turns(given: Mapping[str, Any], last: int) -> list[int]:
    if "analyzeTurns" not in given:
        return [last]
    told = given["analyzeTurns"]
    if not isinstance(told, list) or not all(_is_whole(turn) for turn in told):
        raise QueryError("Must specify an array of integers indicating turns to analyze", "analyzeTurns")
    check_length(told, "analyzeTurns")
    for turn in told:
        if not 0 <= turn <= last:
            raise QueryError(f"Invalid turn number: {turn}", "analyzeTurns")
    return told


def _priorities(given: Mapping[str, Any], count: int) -> list[int] | None:
    if "priorities" not in given:
        return None
    told = given["priorities"]
    if not isinstance(told, list) or not all(_is_whole(priority) for priority in told):
        raise QueryError("Must specify an array of integers indicating priorities", "priorities")
    if "analyzeTurns" not in given:
        raise QueryError("Can only specify when also specifying analyzeTurns", "priorities")
    if len(told) != count:
        raise QueryError("Must be of matching length to analyzeTurns", "priorities")
    for priority in told:
        if abs(priority) > 2**62:
            raise QueryError(f"Invalid priority: {priority}", "priorities")
    return told


def _priority(given: Mapping[str, Any]) -> int:
    if "priority" not in given:
        return 0
    if "priorities" in given:
        raise QueryError("Cannot specify both priority and priorities", "priority")
    return _whole(given, "priority", -(2**62), 2**62, "Must be a number between -2^62 and 2^62")


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _reporting(given: Mapping[str, Any]) -> tuple[float | None, float | None]:
    text = "Must be number of seconds from 0.001 to 1000000.0"
    every = first = None
    if "reportDuringSearchEvery" in given:
        every = first = _number(given, "reportDuringSearchEvery", 0.001, 1e6, text)
    if "firstReportDuringSearchAfter" in given:
        first = _number(given, "firstReportDuringSearchAfter", 0.001, 1e6, text)
        every = math.inf if every is None else every
    return every, first


def _limits(given: Mapping[str, Any], size: int) -> list[MoveLimit]:
    if "allowMoves" in given and "avoidMoves" in given:
        raise QueryError("Cannot specify both allowMoves and avoidMoves", "allowMoves")
    key = "allowMoves" if "allowMoves" in given else "avoidMoves"
    told = given.get(key, [])
    shape = "Must be a list of dicts with subfields 'player', 'moves', 'untilDepth'"
    if not isinstance(told, list):
        raise QueryError(shape, key)
    check_length(told, key)
    if key == "allowMoves" and len(told) > 2:
        raise QueryError("Currently allowMoves only allows at most one entry per player", key)
    limits: list[MoveLimit] = []
    for entry in told:
        if not isinstance(entry, dict) or not {"player", "moves", "untilDepth"} <= entry.keys():
            raise QueryError(shape, key)
        color = player(entry["player"], "player")
        depth = _whole(entry, "untilDepth", 1, 10**9, "Must be a positive integer")
        if key == "allowMoves" and any(limit.color == color for limit in limits):
            raise QueryError("Cannot specify allowMoves more than once for the same player", key)
        limits.append(MoveLimit(color, vertices(entry["moves"], "moves", size), key == "allowMoves", depth))
    return limits
