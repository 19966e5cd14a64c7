"""What an experiment cannot use is told in one line, before it has cost time or claimed a folder."""

import json
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.training.packed import packed, random_record
from tesuji import InputError
from tesuji.experiments import paper_table, provenance, recipe
from tesuji.experiments.reproduce import checked, reproduce
from tesuji.interfaces.cli import run
from tesuji.networks.onnx.export import export
from tesuji.networks.zoo.network import create
from tesuji.training.data.packing import pack_games

MINUTES = ("--budget", "minutes")


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The one line that a command ends with."""
    assert run(["reproduce", *words]) == 2
    return capsys.readouterr().err.strip()


@pytest.mark.parametrize("shared", [(), ("--trained", "trained")])
def test_missing_data(
    shared: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said = refused(capsys, "2021-figure-1", "--data", "nofile.games", "--out", "out", *shared)
    assert said == "tesuji: no data file 'nofile.games'; make one with `tesuji data pack`"
    assert not list(tmp_path.iterdir())


def test_data_that_is_no_packed_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    said = refused(capsys, "2021-figure-1", "--data", str(tmp_path / "notes.txt"), "--out", str(tmp_path / "out"))
    assert "notes.txt" in said
    assert "\n" not in said
    assert not (tmp_path / "out").exists()


def test_data_of_another_board(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, out = packed(tmp_path / "thirteen.games", 4, size=13), str(tmp_path / "out")
    said = refused(capsys, "2021-table-9", *MINUTES, "--data", data, "--out", out)
    assert "holds games of 13x13, and 2021-table-9 is to be played on 9x9" in said
    assert "--size 13" in said
    assert "holds games of 13x13" in refused(
        capsys, "2021-table-9", *MINUTES, "--data", data, "--size", "9", "--out", out
    )
    assert not Path(out).exists()


def test_data_of_two_boards(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "both.games"
    pack_games([random_record(1, 9), random_record(2, 13)], data)
    assert "choose one with --size" in refused(capsys, "2021-figure-1", "--data", str(data))


def test_networks_that_cannot_be_trained_on_the_board(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = packed(tmp_path / "nine.games", 4)
    said = refused(capsys, "2018-match", *MINUTES, "--size", "9", "--data", data)
    assert "are for 19x19" in said
    assert "--size" not in refused(capsys, "2018-match", *MINUTES, "--data", data)  # it would be refused next


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("2021-figure-1", "--networks", "Mobile=default-9x9"), "2021-figure-1 has no use for --networks"),
        (("2021-table-4", "--size", "7"), "2021-table-4 has no use for --size"),
        (("2021-table-4", "--data", "x.games"), "2021-table-4 has no use for --data"),
        (("2021-table-9", "--networks", "se.16.384=default-9x9"), "did you mean 'se.16.384.64'"),
        (("batch-mcts-table-5", *MINUTES, "--networks", "netwrk=default-9x9"), "did you mean 'network'"),
        (("batch-mcts-table-5", *MINUTES, "--networks", "nosuch.onnx"), "no model file 'nosuch.onnx'"),
        (("9x9-table-1", *MINUTES, "--networks", "bc=default-9x9"), "network to give to 9x9-table-1 as 'bc'"),
        (("2021-table-5", "--size", "0"), "boards have 2 to 25 lines"),
    ],
)
def test_what_an_experiment_has_no_use_for(
    words: tuple[str, ...], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said in refused(capsys, *words, "--out", str(tmp_path / "out"))
    assert not (tmp_path / "out").exists()


def test_a_network_that_does_not_play_on_the_board(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    export(create("a0.1.8", size=7), tmp_path / "seven.onnx")
    said = refused(capsys, "batch-mcts-table-5", *MINUTES, "--networks", str(tmp_path / "seven.onnx"))
    assert "does not play 9x9; give another, or --size" in said


def test_a_league_of_given_networks_needs_no_data(tmp_path: Path) -> None:
    changes = {
        "rows": {"a": "se.1.8.4", "b": "residual.1.8"},
        "games": 2,
        "match": {"size": 9, "visits": 0, "move_limit": 4},
    }
    networks = {"a": "default-9x9", "b": "uniform"}
    found = reproduce(
        "2021-table-9", budget="minutes", networks=networks, size=9, folder=tmp_path / "x", changes=changes
    )
    page = found.page.read_text()
    assert f"--networks a=default-9x9 --networks b=uniform --size 9 --out {tmp_path / 'x'}" in page
    assert "tesuji tournament" in page
    assert "--set move_limit=4" in page


@pytest.mark.slow
def test_a_built_in_clone_is_taught_further(tmp_path: Path) -> None:
    fine = {"schedule": "constant", "batch": 4, "steps": 2, "epoch_samples": 8, "validation_games": 2, "loaders": 1}
    changes: dict[str, Any] = {
        "positions": 16, "visits": 2, "fine": fine, "tree_positions": 1, "engines": {},
        "match": {"size": 9, "visits": 1, "move_limit": 4},
    }  # fmt: skip
    data = packed(tmp_path / "train.games", 24)
    found = reproduce(
        "9x9-table-1", budget="minutes", data=[data], networks={"BC": "default-9x9"}, folder=tmp_path / "x",
        changes=changes,
    )  # fmt: skip
    assert any("--from default-9x9" in command for command in found.outcome.commands)


def test_a_clone_without_weights_cannot_be_taught(tmp_path: Path) -> None:
    model = tmp_path / "alone.onnx"
    shutil.copy(Path(provenance._PACKAGE) / "networks" / "builtin" / "default-9x9.onnx", model)
    data = packed(tmp_path / "train.games", 4)
    with pytest.raises(InputError, match="no weights beside it"):
        reproduce("9x9-table-1", budget="minutes", data=[data], networks={"BC": str(model)}, folder=tmp_path / "x")


def test_a_folder_in_which_nothing_was_done_is_free(tmp_path: Path) -> None:
    (tmp_path / "steps").mkdir()
    for left in ({"recipe": "2021-table-4", "budget": "paper"}, [1, 2]):
        (tmp_path / "experiment.json").write_text(json.dumps(left))
        for made in ("page.html", "result.json"):
            (tmp_path / made).unlink(missing_ok=True)
        assert reproduce("2021-table-8", folder=tmp_path).page.exists()


def test_work_of_a_damaged_experiment_is_left_alone(tmp_path: Path) -> None:
    reproduce("2021-table-8", folder=tmp_path)
    (tmp_path / "experiment.json").write_text("[1, 2]")
    with pytest.raises(InputError, match="holds another experiment"):
        reproduce("2021-table-8", folder=tmp_path)


def test_a_file_is_no_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x").write_text("")
    assert "is a file; choose a folder for --out" in refused(capsys, "2021-table-8", "--out", str(tmp_path / "x"))


@pytest.mark.parametrize(
    ("name", "changes", "said"),
    [
        ("2021-table-6", {"points": 0}, "points is 0; it must be at least 1"),
        ("2021-table-6", {"samples": 0}, "samples is 0; it must be at least 1"),
        ("batch-mcts-table-5", {"games": "many"}, "games is 'many'; it must be a whole number"),
        ("2021-table-9", {"games": 1}, "games is 1; it must be at least 2"),
        ("2018-table-1", {"matrix": [[1, 2, 3]]}, "even number of rows and columns"),
        ("2018-table-1", {"matrix": [[1, 2], [3]]}, "even number of rows and columns"),
        ("batch-mcts-table-8", {"batch": "big"}, "batch is 'big'"),
        ("2021-table-9", {"rows": 3}, "rows must be a list or a table"),
        ("2021-table-9", {"match": "fast"}, "match must be a table"),
        ("batch-mcts-table-5", {"network": ["default-9x9"]}, "network must be text"),
    ],
)
def test_settings_that_cannot_be(name: str, changes: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        checked(recipe.recipe(name), "minutes", changes)


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("batch-mcts-table-5", "opponent"),
        ("2021-table-9", "rows"),
        ("9x9-table-1", "engines"),
        ("2021-figure-3", "residual"),
        ("2021-figure-5", "dominated"),
    ],
)
def test_a_recipe_that_lacks_a_setting(name: str, key: str) -> None:
    one = recipe.recipe(name)
    kept = {label: value for label, value in one.settings.items() if label != key}
    budgets = {budget: {k: v for k, v in told.items() if k != key} for budget, told in one.budgets.items()}
    with pytest.raises(InputError, match=f"the recipe {name} lacks {key} in \\[settings\\]"):
        checked(replace(one, settings=kept, budgets=budgets), "small")


def test_every_recipe_can_be_read() -> None:
    assert recipe.broken_recipes() == {}


def test_a_broken_recipe_leaves_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(paper_table.RECIPES / "2021-table-8.toml", tmp_path)
    (tmp_path / "broken.toml").write_text("title = ")
    monkeypatch.setattr(recipe, "RECIPES", tmp_path)
    monkeypatch.setattr(recipe, "_readable", recipe._readable.__wrapped__)
    assert run(["reproduce"]) == 0
    told = capsys.readouterr()
    assert "2021-table-8" in told.out
    assert "broken.toml is not TOML" in told.err
    assert "broken.toml is not TOML" in refused(capsys, "broken")


def test_the_commit_is_that_of_the_build_or_of_the_sources(tmp_path: Path) -> None:
    def git(*words: str) -> None:
        subprocess.run(["git", "-c", "user.name=x", "-c", "user.email=x", *words], cwd=tmp_path, check=True)

    assert provenance.commit(tmp_path) == ""
    git("init", "-q")
    (tmp_path / "__init__.py").write_text("")
    assert provenance.commit(tmp_path) == ""  # a package that merely lies within a repository
    git("add", "__init__.py")
    git("commit", "-qm", "one")
    clean = provenance.commit(tmp_path)
    assert len(clean) >= 7
    (tmp_path / "__init__.py").write_text("changed")
    assert provenance.commit(tmp_path) == f"{clean}-dirty"
    (tmp_path / "commit.txt").write_text("abc1234\n")
    assert provenance.commit(tmp_path) == "abc1234"


@pytest.mark.parametrize("words", [("2021-tabel-9",), ("2021-table-9", "--budget", "0")])
def test_a_misspelt_name_is_told_before_torch_is_loaded(words: tuple[str, ...]) -> None:
    script = (
        "import sys\nfrom tesuji.interfaces.cli import run\n"
        f"print(run(['reproduce', *{words}]), 'torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout == "2 False\n"
