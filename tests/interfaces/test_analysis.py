"""The JSON analysis protocol: fields, actions, errors in KataGo's words, many questions at once."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.interfaces.analysis_talk import QUERY, Talk
from tesuji import InputError
from tesuji.interfaces.analysis import conversation
from tesuji.interfaces.analysis.analyst import Analyst
from tesuji.interfaces.analysis.settings import AnalysisSettings, read_config, read_overrides
from tesuji.interfaces.commands.analysis import settings_from
from tesuji.interfaces.engine.networks import Networks

MOVE_KEYS = [
    *("edgeVisits", "edgeWeight", "lcb", "move", "order", "playSelectionValue", "prior", "pv"),
    *("scoreLead", "scoreMean", "scoreSelfplay", "scoreStdev", "utility", "utilityLcb", "visits"),
    *("weight", "winrate"),
]
ROOT_KEYS = [
    *("currentPlayer", "rawLead", "rawNoResultProb", "rawScoreSelfplay", "rawScoreSelfplayStdev"),
    *("rawStScoreError", "rawStWrError", "rawVarTimeLeft", "rawWinrate", "scoreLead", "scoreSelfplay"),
    *("scoreStdev", "symHash", "thisHash", "utility", "visits", "weight", "winrate"),
]


@pytest.fixture(scope="module")
def analyst(network_file: Path) -> Iterator[Analyst]:
    made = Analyst(Networks(str(network_file)), AnalysisSettings(), threads=2)
    yield made
    made.close()


@pytest.fixture
def talk(analyst: Analyst) -> Talk:
    return Talk(analyst)


def test_an_answer_has_katagos_fields_in_katagos_order(talk: Talk) -> None:
    (answer,) = talk.ask(moves=[["B", "E5"], ["w", "c3"]])
    assert list(answer) == ["id", "isDuringSearch", "moveInfos", "rootInfo", "turnNumber"]
    assert (answer["id"], answer["turnNumber"], answer["isDuringSearch"]) == ("q", 2, False)
    assert answer["rootInfo"]["visits"] == 8
    assert list(answer["rootInfo"]) == ROOT_KEYS
    assert sum(info["visits"] for info in answer["moveInfos"]) == 7
    for order, info in enumerate(answer["moveInfos"]):
        assert list(info) == MOVE_KEYS
        assert info["order"] == order
        assert info["pv"][0] == info["move"]
        assert 0 <= info["winrate"] <= 1
    assert len(answer["rootInfo"]["thisHash"]) == len(answer["rootInfo"]["symHash"]) == 32


def test_one_visit_looks_at_no_move(talk: Talk) -> None:
    (answer,) = talk.ask(maxVisits=1)
    assert answer["moveInfos"] == []
    assert answer["rootInfo"]["visits"] == 1


def test_what_is_asked_for_is_added(talk: Talk) -> None:
    (answer,) = talk.ask(
        moves=[["b", "E5"]],
        includeOwnership=True,
        includeOwnershipStdev=True,
        includeMovesOwnership=True,
        includeMovesOwnershipStdev=True,
        includePolicy=True,
        includePVVisits=True,
        includeNoResultValue=True,
        analysisPVLen=1,
    )
    assert len(answer["ownership"]) == len(answer["ownershipStdev"]) == 81
    assert len(answer["policy"]) == 82
    assert answer["policy"][40] == -1  # the stone at E5
    assert sum(share for share in answer["policy"] if share >= 0) == pytest.approx(1, abs=0.01)
    for info in answer["moveInfos"]:
        assert len(info["ownership"]) == len(info["ownershipStdev"]) == 81
        assert len(info["pv"]) == len(info["pvVisits"]) == len(info["pvEdgeVisits"]) == 1
        assert info["pvVisits"][0] == info["visits"]
        assert info["noResultValue"] == 0


@pytest.mark.parametrize("field", ["winrate", "scoreLead", "utility"])
def test_perspectives_mirror_each_other(talk: Talk, field: str) -> None:
    def told(perspective: str) -> float:
        query = {"moves": [["b", "E5"]], "maxVisits": 1, "overrideSettings": {"reportAnalysisWinratesAs": perspective}}
        value: float = talk.ask(**query)[0]["rootInfo"][field]
        return value

    total = 1 if field == "winrate" else 0
    assert told("BLACK") + told("WHITE") == pytest.approx(total, abs=1e-6)
    assert told("WHITE") == told("SIDETOMOVE")  # White is to move


def test_every_turn_is_answered_once(talk: Talk) -> None:
    moves = [["b", "E5"], ["w", "C3"], ["b", "G3"], ["w", "pass"], ["b", "pass"], ["w", "C7"]]
    answers = talk.ask(moves=moves, analyzeTurns=list(range(7)))
    assert sorted(answer["turnNumber"] for answer in answers) == list(range(7))
    assert [a["rootInfo"]["currentPlayer"] for a in sorted(answers, key=lambda a: a["turnNumber"])] == list("BWBWBWB")


def test_symmetric_positions_share_a_hash(talk: Talk) -> None:
    (one,), (other,) = talk.ask(moves=[["b", "C3"]], maxVisits=1), talk.ask(moves=[["b", "G7"]], maxVisits=1)
    assert one["rootInfo"]["symHash"] == other["rootInfo"]["symHash"]
    assert one["rootInfo"]["thisHash"] != other["rootInfo"]["thisHash"]


def test_moves_can_be_avoided_or_allowed(talk: Talk) -> None:
    limit = {"player": "B", "moves": ["C3", "D4"], "untilDepth": 1}
    (allowed,) = talk.ask(allowMoves=[limit], maxVisits=20)
    assert {info["move"] for info in allowed["moveInfos"]} <= {"C3", "D4"}
    (avoided,) = talk.ask(avoidMoves=[limit], maxVisits=20)
    assert not {info["move"] for info in avoided["moveInfos"]} & {"C3", "D4"}


@pytest.mark.parametrize(
    ("rules", "komi"),
    [("japanese", 6.5), ("Stone_Scoring", 7.5), ("new zealand", 7.0), ({"scoring": "TERRITORY"}, 6.5)],
)
def test_rules_by_name_and_as_objects(talk: Talk, rules: Any, komi: float) -> None:
    answers = talk.ask(rules=rules, maxVisits=1)
    assert "rootInfo" in answers[-1]
    explicit = talk.ask(rules=rules, komi=komi, maxVisits=1)
    assert explicit[-1]["rootInfo"]["thisHash"] == answers[-1]["rootInfo"]["thisHash"]
    assert [answer["field"] for answer in answers[:-1]] == (["rules"] if rules == "Stone_Scoring" else [])


def test_handicap_stones_count_for_white_by_chinese_rules(talk: Talk) -> None:
    stones = [["B", "C3"], ["B", "G7"]]
    (bonus,) = talk.ask(rules="chinese", komi=0.5, initialStones=stones, maxVisits=1)
    (none,) = talk.ask(rules="chinese", komi=2.5, initialStones=stones, whiteHandicapBonus="0", maxVisits=1)
    assert bonus["rootInfo"]["currentPlayer"] == "W"
    assert bonus["rootInfo"]["thisHash"] == none["rootInfo"]["thisHash"]


BAD = [
    ({"boardXSize": 29}, "boardXSize", "Must provide an integer from 2 to 19"),
    ({"boardYSize": 2.5}, "boardYSize", "Must provide an integer from 2 to 19"),
    ({"boardYSize": 13}, "boardYSize", "square"),
    ({"moves": "E5"}, "moves", "array of pairs"),
    ({"moves": [["b"]]}, "moves", "array of pairs"),
    ({"moves": [["x", "E5"]]}, "moves", "Could not parse player: x"),
    ({"moves": [["b", "J99"]]}, "moves", "Could not parse board location: J99"),
    ({"moves": [["b", "E5"], ["w", "E5"]]}, "moves", "Illegal move 1: E5"),
    ({"initialStones": [["b", "pass"]]}, "initialStones", "Could not parse board location"),
    ({"initialPlayer": "green"}, "initialPlayer", 'Must be "b" or "w"'),
    ({"rules": "chess"}, "rules", "Could not parse rules: chess"),
    ({"rules": 7}, "rules", "Must specify rules string"),
    ({"rules": {"ko": "NEVER"}}, "rules", "ko"),
    ({"komi": 7.25}, "komi", "integer or half-integer"),
    ({"komi": 1000}, "komi", "integer or half-integer"),
    ({"maxVisits": 0}, "maxVisits", "Must be an integer from 1 to 2^50"),
    ({"maxVisits": -3}, "maxVisits", "Must be an integer from 1 to 2^50"),
    ({"analysisPVLen": 0}, "analysisPVLen", "Must be an integer from 1 to 1000"),
    ({"analyzeTurns": [1]}, "analyzeTurns", "Invalid turn number: 1"),
    ({"analyzeTurns": "all"}, "analyzeTurns", "Must specify an array of integers"),
    ({"priorities": [1]}, "priorities", "Can only specify when also specifying analyzeTurns"),
    ({"priority": 1, "priorities": [1], "analyzeTurns": [0]}, "priority", "Cannot specify both"),
    ({"includeOwnership": 1}, "includeOwnership", "Must be a boolean"),
    ({"reportDuringSearchEvery": 0}, "reportDuringSearchEvery", "Must be number of seconds"),
    ({"overrideSettings": []}, "overrideSettings", "Must be an object"),
    ({"overrideSettings": {"reportAnalysisWinratesAs": "GREEN"}}, "overrideSettings", "Could not set settings"),
    ({"avoidMoves": [], "allowMoves": []}, "allowMoves", "Cannot specify both allowMoves and avoidMoves"),
    ({"avoidMoves": [{}]}, "avoidMoves", "Must be a list of dicts"),
    ({"whiteHandicapBonus": "M"}, "whiteHandicapBonus", ""),
    ({"moves": [["b", "pass"]] * 10_001}, "moves", "Must have at most 10000 entries"),
    ({"initialStones": [["b", "A1"]] * 10_001}, "initialStones", "Must have at most 10000 entries"),
    ({"analyzeTurns": [0] * 10_001}, "analyzeTurns", "Must have at most 10000 entries"),
    ({"avoidMoves": [{}] * 10_001}, "avoidMoves", "Must have at most 10000 entries"),
]


@pytest.mark.parametrize(("change", "field", "text"), BAD)
def test_bad_fields_are_named(talk: Talk, change: dict[str, Any], field: str, text: str) -> None:
    (answer,) = talk.ask(**change)
    assert list(answer) == ["error", "field", "id"]
    assert (answer["field"], answer["id"]) == (field, "q")
    assert text in answer["error"]


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("{", "could not parse input line as json request"),
        ("[1]", "was not an object"),
        ("{}", 'Request must have a string "id" field'),
        ('{"id":5}', 'Request must have a string "id" field'),
        ('{"id":"a","action":"dance"}', "'action' field must be 'query_version'"),
        ("[" * 100_000, "could not parse input line as json request"),
    ],
)
def test_bad_lines_are_errors_without_a_field(talk: Talk, line: str, text: str) -> None:
    talk.conversation.receive(line)
    assert list(talk.answers[-1]) == ["error"]
    assert text in talk.answers[-1]["error"]


def test_warnings_do_not_stop_a_query(talk: Talk) -> None:
    settings = {"noSuchThing": 1, "wideRootNoise": 0.04, "humanSLRootExploreProbWeightless": 0.5}
    answers = talk.ask(overrideSettings=settings, boardxsize=9)
    assert [sorted(answer) for answer in answers[:2]] == [["field", "id", "warning"]] * 2
    assert answers[0]["warning"] == "Unknown config params: noSuchThing"
    assert answers[1]["field"] == "boardxsize"
    assert "moveInfos" in answers[2]


def test_actions_are_echoed(talk: Talk) -> None:
    talk.send(id="1", action="query_version")
    talk.send(id="2", action="query_models")
    talk.send(id="3", action="clear_cache")
    talk.send(id="4", action="terminate", terminateId="nobody")
    talk.send(id="5", action="terminate_all")
    talk.send(id="6", action="terminate")
    version, models, cache, nobody, everybody, refused = talk.answers
    assert version["version"].split(".")[0] == "1"
    assert models["models"][0]["name"] == "small"
    assert cache == {"action": "clear_cache", "id": "3"}
    assert nobody == {"action": "terminate", "id": "4", "terminateId": "nobody"}
    assert everybody["action"] == "terminate_all"
    assert refused["field"] == "terminateId"


def test_a_query_ends_when_it_is_terminated(talk: Talk) -> None:
    talk.send(**{"id": "long", **QUERY, "maxVisits": 10_000_000, "reportDuringSearchEvery": 0.05})
    talk.until(lambda: len(talk.answers) >= 2)
    assert all(answer["isDuringSearch"] for answer in talk.answers)
    started = time.perf_counter()
    talk.send(id="stop", action="terminate", terminateId="long")
    talk.conversation.wait()
    assert time.perf_counter() - started < 1.0
    echo, last = talk.answers[-2:]
    assert echo["id"] == "stop"
    assert (last["id"], last["isDuringSearch"]) == ("long", False)
    assert last["rootInfo"]["visits"] > 1
    assert sum(answer.get("isDuringSearch") is False for answer in talk.answers) == 1


def test_a_query_that_never_ran_says_so(analyst: Analyst) -> None:
    talk = Talk(analyst)
    urgent = {**QUERY, "maxVisits": 10_000_000, "priority": 5}
    for number in range(200):  # more than are searched at once
        talk.send(**{"id": f"busy {number}", **urgent})
    talk.send(**{"id": "late", **QUERY, "priority": -5})
    talk.send(id="stop", action="terminate", terminateId="late", turnNumbers=[0])
    talk.until(lambda: any(answer.get("noResults") for answer in talk.answers))
    told = next(answer for answer in talk.answers if answer.get("noResults"))
    assert told == {"id": "late", "isDuringSearch": False, "noResults": True, "turnNumber": 0}
    talk.send(id="all", action="terminate_all")
    talk.conversation.wait()
    finals = [answer["id"] for answer in talk.answers if answer.get("isDuringSearch") is False]
    assert sorted(finals) == sorted({f"busy {number}" for number in range(200)} | {"late"})


def test_urgent_questions_come_first(network_file: Path) -> None:
    analyst = Analyst(Networks(str(network_file)), AnalysisSettings(), threads=1)
    talk = Talk(analyst)
    for number in range(300):
        talk.send(**{"id": f"patient {number}", **QUERY, "maxVisits": 40, "priority": 0})
    talk.send(**{"id": "urgent", **QUERY, "maxVisits": 2, "priority": 10})
    talk.conversation.wait()
    analyst.close()
    place = [answer["id"] for answer in talk.answers].index("urgent")
    assert place < 150


def test_time_ends_a_search(talk: Talk) -> None:
    started = time.perf_counter()
    (answer,) = talk.ask(maxVisits=10_000_000, overrideSettings={"maxTime": 0.3})
    assert time.perf_counter() - started < 5
    assert answer["rootInfo"]["visits"] >= 1


def test_human_profiles_get_the_policy_of_people_of_that_rank(talk: Talk) -> None:
    policies = []
    for profile in ("rank_18k", "rank_1d", "preaz_1d", "rank_1d_5k"):
        settings = {"humanSLProfile": profile, "ignorePreRootHistory": False}
        (answer,) = talk.ask(overrideSettings=settings, moves=[["B", "E5"]], includePolicy=True)
        policies.append(answer["humanPolicy"])
        legal = [share for share in answer["humanPolicy"] if share >= 0]
        assert len(answer["humanPolicy"]) == 82
        assert sum(legal) == pytest.approx(1, abs=0.01)
        assert answer["humanPolicy"][40] == -1  # where a stone lies
        assert answer["humanPolicy"] != answer["policy"]
        assert "humanPrior" in answer["moveInfos"][0]
    assert policies[0] != policies[1]
    assert policies[1] == policies[2] == policies[3]


def test_a_profile_nobody_knows_is_an_error(talk: Talk) -> None:
    (answer,) = talk.ask(overrideSettings={"humanSLProfile": "rank_80k"})
    assert "no rank '80k'" in answer["error"]
    (answer,) = talk.ask(overrideSettings={"humanSLProfile": "grandma"})
    assert "Unknown human SL network profile: grandma" in answer["error"]


def test_where_nobody_imitates_people_the_networks_own_policy_stands_in(talk: Talk) -> None:
    (answer,) = talk.ask(
        overrideSettings={"humanSLProfile": "rank_8k"}, boardXSize=5, boardYSize=5, includePolicy=True, maxVisits=2
    )
    assert answer["humanPolicy"] == answer["policy"]


def test_config_files_and_overrides(tmp_path: Path) -> None:
    config = tmp_path / "analysis.cfg"
    config.write_text("# mine\nmaxVisits = 33 # few\nreportAnalysisWinratesAs = SIDETOMOVE\nlogDir = x\n@include y\n")
    assert read_config(config)["maxVisits"] == "33"
    settings = settings_from([config], ["maxVisits=44, gpuToUseThread0=1,analysisPVLen=3"])
    assert (settings.visits, settings.perspective, settings.pv_length) == (44, "SIDETOMOVE", 3)
    assert read_overrides("a=1,2, b = 3") == {"a": "1,2", "b": "3"}
    with pytest.raises(InputError):
        settings_from([], ["maxVisits=none"])
    with pytest.raises(InputError, match="no config file"):
        settings_from([tmp_path / "gone.cfg"], [])


def test_numbers_are_finite_and_lines_are_json(talk: Talk) -> None:
    (answer,) = talk.ask(moves=[["b", "E5"]], maxVisits=30, includePolicy=True)
    assert json.loads(json.dumps(answer, allow_nan=False)) == answer


@pytest.mark.parametrize(("bound", "most"), [("MOST_POSITIONS", 3), ("MOST_CHARACTERS", 400)])
def test_too_many_waiting_questions_are_refused_until_some_are_answered(
    talk: Talk, monkeypatch: pytest.MonkeyPatch, bound: str, most: int
) -> None:
    monkeypatch.setattr(conversation, bound, most)
    query = {**QUERY, "maxVisits": 1_000_000, "moves": [["b", "pass"], ["w", "pass"]], "analyzeTurns": [0, 1]}
    for name in ("first", "second", "third"):
        talk.send(id=name, **query)
    refused = [answer for answer in talk.answers if "error" in answer]
    assert refused[-1]["id"] == "third"
    assert "Too many positions are waiting" in refused[-1]["error"]
    assert refused[-1]["field"] == "analyzeTurns"
    talk.send(id="all", action="terminate_all")
    talk.conversation.wait()
    assert talk.ask(maxVisits=1)[-1]["rootInfo"]["visits"] == 1


def test_ten_thousand_queries_at_once(talk: Talk) -> None:
    line = json.dumps({"id": "many", **QUERY, "maxVisits": 1_000_000})
    started = time.perf_counter()
    for _ in range(10_000):
        talk.conversation.receive(line)
    talk.send(id="all", action="terminate_all")
    talk.conversation.wait()
    assert time.perf_counter() - started < 60
    assert sum(answer.get("isDuringSearch") is False for answer in talk.answers) == 10_000
