"""The loop: every stage does its part, a stopped run goes on, and what goes wrong never costs the best network."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tesuji import GameSet
from tesuji.interfaces.cli import run as command
from tesuji.learning.loop import gate
from tesuji.learning.loop import loop as loop_module
from tesuji.learning.loop.config import LearnConfig
from tesuji.learning.loop.gate import Verdict
from tesuji.learning.loop.loop import Loop, LoopWatcher, StoppedError
from tesuji.learning.loop.run_folder import RunFolder
from tesuji.learning.loop.window import WindowSource, recent
from tesuji.learning.selfplay.crew import Crew, make_job
from tesuji.learning.selfplay.local_workers import InThisProcess
from tesuji.learning.selfplay.shards import ShardFolder, rows, shards
from tesuji.networks.evaluators.factory import load
from tesuji.networks.weights import save_weights
from tesuji.networks.zoo.naming import parse
from tesuji.networks.zoo.network import create
from tesuji.training.run import fitting
from tesuji.training.run.trainer import TrainingError

QUICK = LearnConfig().changed(
    {
        "network": "a0.1.8+conv+pass+komi", "games": 12, "gate_games": 4, "gate_visits": 4, "rounds": 2, "reuse": 2,
        "selfplay": {"size": 5, "komi": "3.5", "search": {"visits": 8}, "fast_visits": 2, "concurrent": 8,
                     "move_limit": 30, "played_out": 0.5, "full_share": 0.5},
        "train": {"batch": 32, "threads": 1, "loaders": 1, "precision": "fp32"},
    }
)  # fmt: skip


class Told(LoopWatcher):
    def __init__(self) -> None:
        self.lines: list[str] = []
        self.rows: list[Any] = []

    def said(self, line: str) -> None:
        self.lines.append(line)

    def finished(self, row: Any) -> None:
        self.rows.append(row)


def started(folder: RunFolder, config: LearnConfig = QUICK) -> Loop:
    loop = Loop(folder, config, InThisProcess(), Told())
    loop.begin()
    return loop


def test_two_rounds_from_zero_and_a_third_after_resuming(tmp_path: Path) -> None:
    with RunFolder(tmp_path / "run") as folder:
        loop = started(folder)
        loop.run()
        assert [row["round"] for row in loop.state.rounds] == [1, 2]
    with RunFolder(tmp_path / "run") as folder:
        loop = Loop(folder, LearnConfig(), InThisProcess(), Told())
        loop.resume({"rounds": 3, "grow": "3=a0.2.8+conv+pass+komi"})
        loop.run()
        names = [row["training"]["name"] for row in loop.state.rounds]
        assert names == ["a0.1.8+conv+pass+komi"] * 2 + ["a0.2.8+conv+pass+komi"]
        assert [row["training"]["fresh"] for row in loop.state.rounds] == [False, False, True]
        assert load(folder.model("0003")).name == parse(names[-1]).name
        # The grown network learns from the whole window, the others from as much as is new.
        samples = [row["training"]["samples"] for row in loop.state.rounds]
        targets = [row["selfplay"]["targets"] for row in loop.state.rounds]
        assert samples[1] == max(32, 2 * targets[1])
        assert samples[2] > samples[1]
        page = (folder.folder / "report.html").read_text()
    assert page.count("<svg") > 8
    namespace = 'xmlns="http://www.w3.org/2000/svg"'  # a name, not an address that anybody asks
    assert "http" not in page.replace("http-equiv", "").replace(namespace, "")
    assert page.count("<tr") == 4
    assert len(re.findall(r"<td>[+-]\d+ ± \d+</td>", page)) == 3  # Elo with its error


def test_a_stop_in_the_middle_of_a_round_repeats_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with RunFolder(tmp_path) as folder:
        loop = started(folder, QUICK.changed({"rounds": 1}))
        with monkeypatch.context() as patched:
            patched.setattr(fitting, "train", lambda *_, **__: (_ for _ in ()).throw(StoppedError))
            with pytest.raises(StoppedError):
                loop.run()
        played = [(shard.path, shard.path.read_bytes()) for shard in shards(folder.games(1))]
        again = Loop(folder, LearnConfig(), InThisProcess(), Told())
        again.resume({})
        again.run()
        assert [(path, path.read_bytes()) for path, _ in played] == played
        assert len(again.state.rounds) == 1


def test_training_that_fails_costs_the_round_and_keeps_the_best(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(*_: Any, **__: Any) -> None:
        raise TrainingError("the loss is not a number (nan) at step 3")

    with RunFolder(tmp_path) as folder:
        loop = started(folder)
        monkeypatch.setattr(fitting, "train", lost)
        loop.round()
        assert loop.state.best == loop.state.latest == "0000"
        assert not loop.state.rounds[0]["gate"]["passed"]
        with pytest.raises(ValueError, match="failed twice"):
            loop.round()
        assert folder.model("0000").exists()


def test_a_refused_candidate_is_trained_on_but_does_not_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "match", lambda *_, **__: Verdict(4, 0.0, -3.0, "H0"))
    with RunFolder(tmp_path) as folder:
        loop = started(folder)
        loop.run()
        assert loop.state.best == "0000"
        assert loop.state.latest == "0002"
        assert [row["selfplay"]["network"] for row in loop.state.rounds] == ["0000", "0000"]


def test_a_second_loop_in_the_folder_is_refused(tmp_path: Path) -> None:
    with RunFolder(tmp_path), pytest.raises(ValueError, match="another `tesuji learn`"):
        RunFolder(tmp_path)


def test_a_refused_command_leaves_nothing_behind(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["--network", "no.such.7"], ["--set", "lr=1"], ["--from", str(tmp_path / "nothing")], ["--resume"]):
        assert command(["learn", str(tmp_path / "run"), *words]) == 2
        assert "Traceback" not in capsys.readouterr().err
        assert not (tmp_path / "run").exists()


def test_the_window_mixes_results_and_search_values(network: Path, tmp_path: Path) -> None:
    with ShardFolder(tmp_path) as folder:
        Crew(InThisProcess()).produce(make_job(network, QUICK.selfplay), 20, folder)
    paths = [shard.path for shard in shards(tmp_path)]
    drawn = {}
    for q_share in (0.0, 0.5, 1.0):
        source = WindowSource(paths, "golois-31", 5, q_share=q_share)
        drawn[q_share] = source.training(64, seed=5).value.numpy()
    assert set(np.unique(drawn[0.0])) <= {0.0, 0.5, 1.0}
    np.testing.assert_allclose(drawn[0.5], (drawn[0.0] + drawn[1.0]) / 2, atol=1e-6)
    games = GameSet(*paths)
    held, own = (set(part.games.tolist()) for part in (source.held_out, source.games))
    assert not held & own
    assert held | own == set(games.games.tolist())


def test_the_window_takes_the_newest_games_and_leaves_out_what_is_damaged(network: Path, tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("1", "2", "3")]
    for seed, path in enumerate(folders):
        with ShardFolder(path) as folder:
            job = make_job(network, replace(QUICK.selfplay, seed=seed))
            Crew(InThisProcess()).produce(job, 6, folder)
    assert [path.parent.name for path in recent(folders, 10)] == ["2", "3"]
    newest = recent(folders, 1)[0]
    newest.write_bytes(newest.read_bytes()[:100])
    said: list[str] = []
    assert [path.parent.name for path in recent(folders, 10, said.append)] == ["1", "2"]
    assert "left out" in said[0]


def test_the_resign_threshold_follows_the_games_played_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with RunFolder(tmp_path) as folder:
        loop = started(folder)
        loop.state.rounds = [{"round": 1}]
        lows = [0.01, *[0.5] * 19, *[0.3] * 20]
        found = [{"played_out": True, "winner_low": low} for low in lows] + [{"played_out": False, "winner_low": 1.0}]
        monkeypatch.setattr(loop_module, "rows", lambda path: found)
        loop.config = QUICK.changed({"selfplay.resign": 0.4, "resign_error": 0.05})
        assert loop._resign_threshold() == pytest.approx(0.3, abs=0.02)
        loop.config = QUICK.changed({"selfplay.resign": 0.1})
        assert loop._resign_threshold() == 0.1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--set", "gamess=3"], "did you mean 'games'"),
        (["--set", "train.learning_rat=3"], "did you mean 'learning_rate'"),
        (["--set", "train.size=3"], "decided by the loop"),
        (["--set", "gate_games=3"], "in pairs"),
        (["--set", "grow=a0.2.8"], "ROUND=NETWORK"),
        (["--from", "nothing"], "no weights 'nothing'"),
        (["--network", "b0.3.3"], "no network"),
        (["--from", "DENSE7"], "does not play 5x5"),
        (["--resume"], "no run to resume"),
        (["--out", "elsewhere"], "two folders for one run"),
        (["--device", "tpu"], "no device 'tpu'"),
        (["--set", "selfplay.visits=3"], "did you mean 'search.visits'?"),
    ],
)
def test_bad_input_is_one_line(
    words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dense = tmp_path / "dense.safetensors"
    save_weights(create("a0.1.8+pass", planes="golois-31", size=7), dense, {})
    words = [str(dense) if word == "DENSE7" else word for word in words]
    assert command(["learn", str(tmp_path / "run"), "--size", "5", *words]) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_the_folder_of_a_run_is_a_word_or_the_option_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["learn", "--size", "5"]) == 2
    assert "name the folder of the run" in capsys.readouterr().err
    assert command(["learn", "--out", str(tmp_path / "run"), "--resume"]) == 2
    assert f"no run to resume in '{tmp_path / 'run'}'" in capsys.readouterr().err


def test_the_commands_play_and_learn(tmp_path: Path, network: Path, capsys: pytest.CaptureFixture[str]) -> None:
    quick = "--size 5 --games 6 --visits 6 --processes 1 --set {0}fast_visits=2 --set {0}move_limit=20"
    out = tmp_path / "games"
    assert command(["selfplay", str(network), "-o", str(out), *quick.format("").split()]) == 0
    assert len(rows(out)) == 6
    assert command(["selfplay", str(network), "-o", str(out), *quick.format("").split()]) == 0
    assert command(["selfplay", str(network), "-o", str(out), *quick.format("").split(), "--visits", "7"]) == 2
    assert "holds games of other settings (search.visits: 6, not 7); choose another folder" in capsys.readouterr().err
    run = tmp_path / "run"
    learn = f"{quick.format('selfplay.')} --rounds 1 --network a0.1.8+conv+pass --set gate=none --set train.batch=32"
    assert command(["learn", str(run), *learn.split()]) == 0
    assert "round 1: 6 games" in capsys.readouterr().err
    assert (run / "networks" / "0001.onnx").is_file()
    assert command(["learn", str(run), *learn.split()]) == 2
    assert "holds a run already" in capsys.readouterr().err


def test_a_run_of_an_earlier_version_goes_on(tmp_path: Path) -> None:
    """Its settings of the search stand among those of self-play."""
    with RunFolder(tmp_path / "run") as folder:
        started(folder)
        saved = json.loads(folder.state_file.read_text())
        flat = saved["config"]["selfplay"]
        search = flat.pop("search")
        flat |= {key: search[key] for key in ("visits", "c", "tau", "noise", "first_play_reduction", "cache")}
        folder.state_file.write_text(json.dumps({**saved, "format": 1}))
        assert folder.read()[0] == QUICK
