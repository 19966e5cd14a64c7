"""Generated lines: sound queries with something wrong in them, all answered in form, none lost."""

import json
import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tesuji.interfaces.analysis.check.pattern import read_answer
from tesuji.interfaces.gtp.check.process import EngineError, EngineProcess

_ODD: list[Any] = [
    *(None, True, False, 0, 1, -1, 2.5, 1e300, 10**30, "", "b", "w", "E5", "pass", "Z99", [], {}, [[]], [None], ["b"]),
    *([["b", "E5"]], [["w", "pass"]], [[1, 2]], {"a": 1}, "\u0000", "é" * 50, "x" * 500, [1, 2, 3], [0], -(2**63)),
]
_POINTS = [f"{column}{row}" for column in "ABCDE" for row in range(1, 6)]
_FIELDS = """rules komi boardXSize boardYSize moves initialStones initialPlayer analyzeTurns maxVisits analysisPVLen
includeOwnership includePolicy includePVVisits includeMovesOwnership avoidMoves allowMoves overrideSettings priority
priorities reportDuringSearchEvery firstReportDuringSearchAfter whiteHandicapBonus rootPolicyTemperature myOwnField"""


@dataclass(frozen=True)
class Told:
    """What the engine said to all of it."""

    answered: int
    errors: int
    warnings: int

    def __str__(self) -> str:
        return f"{self.answered} answers, {self.errors} errors, {self.warnings} warnings, all in form, none lost"


def generated(count: int, seed: int) -> Iterator[tuple[str, str]]:
    """Pairs of id and line; the id is empty where the line has none that could come back."""
    chance = random.Random(seed)
    for number in range(count):
        query = _sound(chance, f"q{number}")
        for _ in range(chance.choice([0, 0, 1, 1, 2, 3])):
            query[chance.choice(_FIELDS.split())] = chance.choice(_ODD)
        if query.get("analyzeTurns") == []:
            del query["analyzeTurns"]  # no turns, no answer: the one query that rightly stays silent
        kind = chance.random()
        text = json.dumps(query)
        if kind < 0.04:
            yield "", text[: chance.randrange(1, len(text))]
        elif kind < 0.06:
            yield "", json.dumps(chance.choice(_ODD[3:]))
        elif kind < 0.08:
            yield "", json.dumps({**query, "id": chance.choice([None, 3, [], {}])})
        elif kind < 0.14:
            action = chance.choice(["query_version", "clear_cache", "terminate", "terminate_all", "dance"])
            about = {"terminateId": f"q{chance.randrange(number + 1)}"} if chance.random() < 0.8 else {}
            yield (
                "" if action == "dance" else f"q{number}",
                json.dumps({"id": f"q{number}", "action": action, **about}),
            )
        else:
            yield f"q{number}", text


def _sound(chance: random.Random, query_id: str) -> dict[str, Any]:
    moves = [["bw"[index % 2], point] for index, point in enumerate(chance.sample(_POINTS, chance.randrange(6)))]
    return {
        "id": query_id,
        "rules": chance.choice(["chinese", "japanese", "tromp-taylor", "aga", "new zealand", {"scoring": "AREA"}]),
        "boardXSize": 5,
        "boardYSize": 5,
        "moves": moves,
        "maxVisits": chance.choice([1, 2, 5]),
    }


def fuzz(command: str | Sequence[str], lines: int, seed: int = 1, patience: float = 60.0) -> Told:
    """Sends generated lines and reads every answer. Raises `EngineError` for one out of form, or missing."""
    with EngineProcess(command) as engine:
        reader = _Reader(engine)
        waiting: list[str] = []
        for number, (about, line) in enumerate(generated(lines, seed)):
            engine.send(line + "\n")
            waiting += [about] if about else []
            reader.nameless += not about
            if number % 200 == 199:  # no client sends for ever without reading
                reader.take_what_is_there()
        engine.end_input()
        reader.to_the_end(patience, lines)
        lost = [about for about in waiting if not reader.ended[about]]
        if lost:
            raise EngineError(f"{len(lost)} lines were never answered, the first with id {lost[0]}")
        if reader.without_id < reader.nameless:
            raise EngineError(f"{reader.nameless - reader.without_id} broken lines were never answered")
        code = engine.exit_code(patience)
        if code:
            raise EngineError(f"exit code {code}")
    return reader.told()


class _Reader:
    def __init__(self, engine: EngineProcess) -> None:
        self._engine = engine
        self.ended: Counter[str] = Counter()
        self.nameless = self.without_id = 0
        self._kinds: Counter[str] = Counter()

    def take_what_is_there(self) -> None:
        while not self._engine.is_silent(0.0):
            self._take(self._engine.line(1.0))

    def to_the_end(self, patience: float, lines: int) -> None:
        deadline = time.monotonic() + patience + 0.05 * lines
        while time.monotonic() < deadline:
            try:
                self._take(self._engine.line(deadline - time.monotonic()))
            except EngineError as fault:
                if "ended" in str(fault):
                    return
                raise
        raise EngineError("the engine goes on for ever")

    def _take(self, line: str) -> None:
        answer = read_answer(line)
        about = answer.get("id")
        kind = next((key for key in ("error", "warning", "action", "isDuringSearch") if key in answer), None)
        if kind is None:
            raise EngineError(f"neither answer nor error: {line[:80]!r}")
        self._kinds[kind] += 1
        if about is None:
            self.without_id += 1
        elif kind != "warning" and not (kind == "isDuringSearch" and answer[kind]):
            self.ended[about] += 1

    def told(self) -> Told:
        kinds = self._kinds
        return Told(kinds["isDuringSearch"] + kinds["action"], kinds["error"], kinds["warning"])
