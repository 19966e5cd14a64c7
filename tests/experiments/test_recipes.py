"""Every recipe is complete and possible, and one of each kind runs."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from tests.docs.pages import ROOT, text_of
from tests.training.packed import packed
from tesuji import InputError
from tesuji.arena.play.settings import settings_from
from tesuji.arena.players.network_player import understood
from tesuji.experiments.recipe import BUDGETS, match_table, read_recipe, recipe, recipes
from tesuji.experiments.reproduce import checked, reproduce
from tesuji.interfaces.cli import run

NAMES = sorted(recipes())


@pytest.mark.parametrize("budget", BUDGETS)
@pytest.mark.parametrize("name", NAMES)
def test_networks_exist_and_options_are_valid(name: str, budget: str) -> None:
    checked(recipe(name), budget)


@pytest.mark.parametrize("name", NAMES)
def test_claims_and_errors_speak_of_the_table(name: str) -> None:
    one = recipe(name)
    assert one.title
    for column, error in one.errors.items():
        assert one.table is not None
        assert {column, error} <= set(one.table.columns)
    for claim in one.claims:
        assert len(claim.order) > 1
    assert one.table or one.lost or one.claims, "neither numbers nor claims to hold ours against"


def test_players_of_the_papers_search_as_the_papers_do() -> None:
    """Whatever our own defaults are: whole batches from the first on where the paper has them, else one by one."""
    one = recipe("batch-mcts-table-4")
    settings = {**one.settings, "rows": dict(one.settings["rows"])}
    described = settings_from(
        [f"default-9x9 name=batches {settings['rows']['U 10, vl 3, vll 3, 8 batches']}", "default-9x9 name=plain"],
        match_table(settings),
    )
    batches, plain = (understood(player.options)[0] for player in described.players)
    assert (batches.batch, batches.batch_growth, batches.penalty, batches.c) == (32, 0, "mean", 0.2)
    assert (plain.batch, plain.choice, plain.symmetry, plain.first_play_reduction) == (1, "visits", "none", 0.0)


def test_the_results_have_every_experiment() -> None:
    told = text_of(ROOT / "docs" / "results.md").partition("## The papers' tables")[2].partition("\n## ")[0]
    for one in recipes().values():
        for name in (one.name, *one.covers):
            assert f"`{name}`" in told, f"run {name} at the small budget and write what came out"


def test_every_name_is_told_once() -> None:
    shown = [name for one in recipes().values() for name in (one.name, *one.covers)]
    assert len(shown) == len(set(shown))


@pytest.mark.parametrize("name", ["2021-table-4", "2020-parameters", "agz-structure", "2018-table-1"])
def test_counted_tables_equal_the_papers(name: str, tmp_path: Path) -> None:
    found = reproduce(name, folder=tmp_path / name)
    for key, theirs in found.recipe.table.numbers() if found.recipe.table else []:
        assert found.outcome.cells[key].value == theirs, key
    assert any("equal" in sentence for sentence in found.verdict)
    pairs = re.findall(r"([\d,.]+) / ([\d,.]+)", found.markdown())
    assert pairs
    assert all(theirs == ours for theirs, ours in pairs)  # equal numbers look equal
    assert "<table>" in found.page.read_text()


def test_file_sizes_of_2018_within_half_a_percent(tmp_path: Path) -> None:
    found = reproduce("2018-sizes", folder=tmp_path / "sizes")
    assert found.recipe.table is not None
    for key, theirs in found.recipe.table.numbers():
        assert found.outcome.cells[key].value == pytest.approx(theirs, rel=0.005)
    assert any("differ by at most 76,241." in sentence for sentence in found.verdict)  # no exponents


def test_table_8_agrees(tmp_path: Path) -> None:
    found = reproduce("2021-table-8", folder=tmp_path / "t8")
    assert "2.698" in found.outcome.notes[0]
    assert found.verdict[0].startswith("All cells: ")


def test_a_table_of_speeds(tmp_path: Path) -> None:
    changes = {"rows": ["1", "2"], "network": "se.1.16.8", "size": 5, "seconds": 0.01}
    found = reproduce("batch-mcts-table-8", folder=tmp_path / "speed", changes=changes)
    assert found.outcome.cells["2", "Inferences/s"].value > 0


def test_a_table_of_matches_goes_on_where_it_was(tmp_path: Path) -> None:
    changes = {"games": 2, "rows": {"32": "2"}, "match": {"size": 5, "openings": "none"}, "network": "uniform"}
    told: list[str] = []
    for _ in range(2):
        found = reproduce(
            "batch-mcts-table-5", budget="minutes", folder=tmp_path / "games", changes=changes,
            tell=lambda step: told.append(step.doing),
        )  # fmt: skip
    assert told == ["match 32 Win rate"]  # the second call found it done
    games = next((tmp_path / "games" / "games").rglob("results.jsonl"))
    played = games.read_bytes()
    [command] = found.outcome.commands
    assert run(shlex.split(command)[1:]) == 0  # by hand under the same conditions: nothing is left to play
    assert games.read_bytes() == played
    assert found.outcome.cells["32", "Win rate"].error is not None


TINY = {
    "samples": 32, "points": 1, "train": {"schedule": "cosine", "batch": 8, "validation_games": 4, "loaders": 1},
}  # fmt: skip


def test_a_table_of_trained_networks(tmp_path: Path) -> None:
    data = packed(tmp_path / "train.games", 24)
    changes = {**TINY, "rows": {"64": "4", "96": "8"}, "columns": {"16": "1", "32": "2"}}
    found = reproduce("2021-table-6", budget="minutes", data=[data], folder=tmp_path / "grid", changes=changes)
    assert set(found.outcome.cells) == {(row, column) for row in ("64", "96") for column in ("16", "32")}
    assert len(found.outcome.figures) == 2
    assert any("The paper's formula on our networks" in note for note in found.outcome.notes)
    assert (tmp_path / "grid" / "runs" / "se.1.4" / "best.onnx").exists()


def test_two_tables_share_their_trainings(tmp_path: Path) -> None:
    data = packed(tmp_path / "train.games", 24)
    changes = {**TINY, "rows": {"64": "4"}, "columns": {"16": "1"}}
    logs = []
    for name in ("2021-table-6", "2021-table-7"):
        reproduce(
            name, budget="minutes", data=[data], folder=tmp_path / name, trained=tmp_path / "trained", changes=changes
        )
        (run,) = (tmp_path / "trained").iterdir()
        logs.append((run / "validation.csv").read_bytes())
    assert logs[0] == logs[1]
    assert run.name.startswith("se.1.24.4-")  # the usual name, however it was written
    other = {**changes, "samples": 64}
    reproduce(
        name, budget="minutes", data=[data], folder=tmp_path / "more", trained=tmp_path / "trained", changes=other
    )
    assert len(list((tmp_path / "trained").iterdir())) == 2  # another length is another training


def test_the_front_of_trained_networks_shares_the_trainings_of_their_table(tmp_path: Path) -> None:
    data = packed(tmp_path / "train.games", 24)
    shared: dict[str, Any] = {"data": [data], "trained": tmp_path / "trained", "budget": "minutes"}
    grid = {**TINY, "rows": {"64": "4"}, "columns": {"16": "1", "32": "2"}}
    reproduce("2021-table-7", folder=tmp_path / "table", changes=grid, **shared)
    rows = {"se.16.64": "se.1.4", "se.32.64": "se.2.4"}
    changes = {**TINY, "rows": rows, "seconds": 0.01, "batch": 2, "dominated": ["se.32.64", "se.80.64"]}
    found = reproduce("2021-figure-6", folder=tmp_path / "front", changes=changes, **shared)
    assert len(list((tmp_path / "trained").iterdir())) == 2
    assert all(found.outcome.cells[row, "positions/s here"].value > 0 for row in rows)
    assert [found.outcome.cells[row, "dominated in the paper"].text for row in rows] == ["no", "yes"]
    assert any("of the 1 networks that the paper calls dominated" in one for one in found.verdict)  # se.80.64: not here
    assert "Nothing to compare" not in found.page.read_text()
    assert any(line.startswith("tesuji networks ") and "--batch 2 " in line for line in found.outcome.commands)


def test_a_league_tells_width_by_depth_where_the_paper_does(tmp_path: Path) -> None:
    data = packed(tmp_path / "train.games", 24)
    rows = {"se.48.768.128": "se.1.8.4", "residual.20.256": "residual.2.8"}
    changes = {**TINY, "rows": rows, "games": 2, "match": {"size": 9, "visits": 1, "move_limit": 6, "openings": "none"}}
    found = reproduce("2021-table-11", budget="minutes", data=[data], folder=tmp_path / "cup", changes=changes)
    assert found.outcome.columns == ["w/d", "Games", "Winrate"]
    assert [found.outcome.cells[row, "w/d"].value for row in rows] == [4, 4]
    assert not any(sentence.startswith("w/d") for sentence in found.verdict)


def test_trained_networks_meet(tmp_path: Path) -> None:
    data = packed(tmp_path / "train.games", 24)
    rows = {"se.48.768.128": "se.1.8.4", "residual.20.256": "residual.1.8"}
    changes = {**TINY, "rows": rows, "games": 2, "match": {"size": 9, "visits": 0, "move_limit": 10}}
    found = reproduce("2021-table-9", budget="minutes", data=[data], folder=tmp_path / "cup", changes=changes)
    assert {row for row, _ in found.outcome.cells} == set(rows)
    assert sum(found.outcome.cells[row, "Winrate"].value for row in rows) == pytest.approx(1)


def test_training_needs_data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["reproduce", "2021-figure-1", "--out", str(tmp_path / "x")]) == 2
    assert "give --data FILE" in capsys.readouterr().err
    assert not (tmp_path / "x").exists()


def test_a_folder_of_another_experiment_is_left_alone(tmp_path: Path) -> None:
    reproduce("2018-table-1", folder=tmp_path / "one")
    with pytest.raises(InputError, match="holds 2018-table-1"):
        reproduce("2021-table-8", folder=tmp_path / "one")
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match="other files"):
        reproduce("2021-table-8", folder=tmp_path)


def test_bad_recipes_are_told(tmp_path: Path) -> None:
    path, head = tmp_path / "x.toml", 'title = "x"\npaper = "y"\n'
    path.write_text(
        'title = "x"\npaper = "y"\nkind = "counts"\n[settings]\nrows = ["se.99"]\ncolumns = ["parameters"]\n'
    )
    with pytest.raises(InputError, match=r"no network 'se\.99'"):
        checked(read_recipe(path), "small")
    path.write_text(head + 'kynd = "counts"\n')
    with pytest.raises(InputError, match="did you mean 'kind'"):
        read_recipe(path)
    with pytest.raises(InputError, match="no budget"):
        recipe("2021-table-4").at("0")


def test_the_command_lists_and_refuses(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(["reproduce"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[1:]] == list(recipes())  # in a file one line each
    assert list(recipes()).index("2021-table-2") < list(recipes()).index("2021-table-10")
    (line,) = [line for line in lines if "2021-figure-2" in line]
    assert line.startswith("2021-figure-1 ")
    assert line.rstrip().endswith("--data")
    assert run(["reproduce", "2021-table-44"]) == 2
    assert "did you mean '2021-table-4'" in capsys.readouterr().err
    assert run(["reproduce", "2021-table-8", "--budget", "huge"]) == 2
    assert run(["reproduce", "2021-table-8", "--out", str(tmp_path / "t8")]) == 0
    assert "page:" in capsys.readouterr().out


def test_cloning_and_self_play(tmp_path: Path) -> None:
    data = packed(tmp_path / "train.games", 24)
    fine = {"schedule": "constant", "batch": 4, "steps": 2, "epoch_samples": 8, "validation_games": 2, "loaders": 1}
    changes = {
        **TINY, "network": "toronto.1.8", "positions": 16, "visits": 4, "fine": fine, "tree_positions": 2,
        "engines": {"nobody": "gtp:no-such-engine"}, "match": {"size": 9, "visits": 2, "move_limit": 6},
    }  # fmt: skip
    found = reproduce("9x9-table-1", budget="minutes", data=[data], folder=tmp_path / "nine", changes=changes)
    assert "nobody is not installed here" in found.outcome.notes[0]
    rates = [found.outcome.cells[player, "All games"].value for player in ("BC", "Self-play")]
    assert sum(rates) == pytest.approx(1)
    assert found.outcome.cells["BC", "Self-play"].text[0] in "BW="
    assert len(found.outcome.figures) == 3  # the tree, and a board for each colour
    assert recipe("9x9-figure-3") is found.recipe
