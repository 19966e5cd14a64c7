"""`tesuji bench`: its signature repeats, and tells one behaviour from another."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.search.evaluators import Hash
from tesuji import Game, Search
from tesuji.go import bench
from tesuji.interfaces.cli import run
from tesuji.search import signature
from tesuji.search.bench import Recorded, sharing
from tesuji.training.data.packing import PackedRecord, pack_games

# What `tesuji bench` prints. A commit that changes one of them says why in its message.
RULES_AND_LADDERS = "cce9d605277b"
PLANES_AND_TREE = "2ba061665e4a"


def test_the_signature_is_the_stored_one() -> None:
    told = (
        "the signature of {} was {} and is {}: something behaves otherwise than before. If that was meant, store the "
        "new word in {} and say in the commit what changed; if not, find it with git bisect."
    )
    rules, tree = bench.signature(), signature.signature()
    here = Path(__file__).name
    assert rules == RULES_AND_LADDERS, told.format("rules and ladders", RULES_AND_LADDERS, rules, here)
    assert tree == PLANES_AND_TREE, told.format("planes and tree", PLANES_AND_TREE, tree, here)


def test_the_signature_repeats() -> None:
    assert bench.signature(games=8) == bench.signature(games=8)
    assert signature.signature(2, 40) == signature.signature(2, 40)


@pytest.mark.parametrize("change", [{"c": 0.6}, {"first_play_reduction": 0.3}, {"tau": 0.6}])
def test_the_signature_follows_the_search(change: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    before = signature.signature(4, 150)
    monkeypatch.setattr(signature, "Search", partial(Search, **change))
    assert signature.signature(4, 150) != before


def test_the_command_measures_and_signs(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["bench", "board", "--seconds", "0.01"]) == 0
    shown = capfd.readouterr().out
    assert "moves/s" in shown
    assert f"signature {RULES_AND_LADDERS}-{PLANES_AND_TREE}" in shown


def test_a_search_beside_its_evaluators() -> None:
    told = sharing([Hash(), Hash()], size=5, batch=4, seconds=0.1)
    assert told.alone > 0
    assert told.inside > 0
    assert 0 <= told.waited < 1


def test_threads_that_wait_for_the_tree_are_noticed() -> None:
    """Sixteen threads with answers at no cost can only wait for each other."""
    recorded = [Recorded(9, seed=seed) for seed in range(16)]
    crowd = Search(recorded, visits=20_000, batch=4, threads=16).run(Game(size=9))
    assert crowd.waited > 0
    assert Search(recorded[0], visits=2000, batch=4).run(Game(size=9)).waited == 0


def test_networks_are_measured_in_the_precision_asked_for(capfd: pytest.CaptureFixture[str]) -> None:
    asked = ["bench", "networks", "default-9x9", "--batch", "1", "--seconds", "0.03", "--device", "cpu", "--csv"]
    for precision, shown in (("int8", {"int8"}), ("all", {"fp32", "int8"})):
        assert run([*asked, "--precision", precision]) == 0
        lines = capfd.readouterr().out.splitlines()
        column = lines[0].split(",").index("precision")
        assert {line.split(",")[column] for line in lines[1:]} == shown
    for words, told in (
        (["networks", "--precision", "int9"], "no precision 'int9'; did you mean 'int8'?"),
        (["networks", "--device", "abacus"], "no device 'abacus' here"),
        (["board", "--precision", "fp32"], "board runs none"),
    ):
        assert run(["bench", *words]) == 2
        assert told in " ".join(capfd.readouterr().err.split())


def test_an_unknown_part_is_refused(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["bench", "bord"]) == 2
    assert "no part 'bord'" in capfd.readouterr().err


def test_data_are_measured_on_a_file_of_ones_own(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    game = Game(19)
    game.play(60)
    file = str(tmp_path / "mine.games")
    pack_games([PackedRecord.of(game)], file)
    assert run(["bench", "data", file, "--seconds", "0.01"]) == 0
    assert "positions/s" in capfd.readouterr().out
    assert run(["bench", "data", str(tmp_path / "nothing.games"), "--seconds", "0.01"]) == 2
    assert "nothing.games" in capfd.readouterr().err
    for words in (["data", file, file], ["board", file]):
        assert run(["bench", *words]) == 2
        assert "one packed file is for `tesuji bench data`" in " ".join(capfd.readouterr().err.split())
