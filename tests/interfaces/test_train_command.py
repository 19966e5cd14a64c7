"""`tesuji train` and `tesuji plot` from the outside."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import tesuji
from tests.training.packed import packed
from tesuji.interfaces.cli import run
from tesuji.training.run import checkpoints
from tesuji.training.run.config import USUAL

NETWORK = "se.1.16.16+pass+komi+ownership"
SHORT = [
    "--network", NETWORK, "--set", "batch=8", "--set", "epoch_samples=16", "--set", "threads=1", "--set", "log_steps=1",
    "--set", "precision=fp32",
]  # fmt: skip


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> str:
    return packed(tmp_path_factory.mktemp("data") / "train.games", 30)


def test_train_resume_plot_and_play(tmp_path: Path, data: str, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "run"
    assert run(["train", str(folder), "--data", data, *SHORT, "--epochs", "1"]) == 0
    assert run(["train", "--resume", str(folder), "--set", "epochs=2"]) == 0
    assert run(["plot", str(folder), "-o", str(tmp_path / "both.png")]) == 0
    shown = capsys.readouterr()
    assert "going on after step 2" in shown.out
    assert "samples/s" in shown.out
    assert "0 s left, epoch 0" not in shown.out  # the first step has not been timed: nothing to reckon with
    assert "epoch 2.00: top-1" in shown.out
    assert (tmp_path / "both.png").read_bytes().startswith(b"\x89PNG")
    evaluate = tesuji.load(folder / "best.onnx")
    game = tesuji.Game(size=9, komi=7)
    judged = evaluate(tesuji.encode([game], evaluate.planes), komi=[7.0])
    assert judged.policy.shape == (1, 82)
    assert np.isfinite(judged.value).all()


def test_training_goes_on_from_exported_weights(tmp_path: Path, data: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["train", str(tmp_path / "a"), "--data", data, *SHORT, "--epochs", "1"]) == 0
    start = str(tmp_path / "a" / "best.safetensors")
    assert run(["train", str(tmp_path / "b"), "--data", data, *SHORT[2:], "--epochs", "1", "--from", start]) == 0
    assert f'network = "{NETWORK}"' in (tmp_path / "b" / "config.toml").read_text()
    of_run = ["--epochs", "1", "--from", str(tmp_path / "a"), "--set", "learning_rate=1e-9"]
    (tmp_path / "a" / "checkpoints").rename(tmp_path / "gone")  # a run means its best network, not its last state
    assert run(["train", str(tmp_path / "d"), "--data", data, *SHORT[2:], *of_run]) == 0
    wider = [*SHORT[2:], "--network", "se.1.32.32+pass+komi+ownership", "--epochs", "1"]
    assert run(["train", str(tmp_path / "c"), "--data", data, *wider, "--from", start]) == 2
    assert "begin from weights of the same trunk and planes" in capsys.readouterr().err
    assert not (tmp_path / "c").exists()


@pytest.mark.parametrize(
    ("network", "told", "planes"),
    [
        ("toronto.1.8", [], "toronto-18"),
        ("se.1.16", [], "golois-21"),
        ("se.1.16", ["--planes", "golois-31"], "golois-31"),
        (USUAL, ["--steps", "1"], "golois-31"),
    ],
)
def test_a_network_reads_its_family_s_planes(
    tmp_path: Path, data: str, network: str, told: list[str], planes: str
) -> None:
    length = [] if "--steps" in told else ["--epochs", "0.1"]
    words = ["--network", network, *told, *SHORT[2:], *length]
    assert run(["train", str(tmp_path / "run"), "--data", data, *words]) == 0
    assert tesuji.load(tmp_path / "run" / "best.onnx").planes == planes


def test_a_length_in_steps(tmp_path: Path, data: str, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(tmp_path / "run")
    assert run(["train", folder, "--data", data, *SHORT, "--steps", "3"]) == 0
    assert checkpoints.load(checkpoints.newest(tmp_path / "run") or tmp_path).step == 3
    assert run(["train", "--resume", folder, "--epochs", "2.5"]) == 0
    assert checkpoints.load(checkpoints.newest(tmp_path / "run") or tmp_path).step == 5
    assert run(["train", folder + "2", "--data", data, *SHORT, "--steps", "3", "--epochs", "1"]) == 2
    assert "both epochs and steps are given" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--set", "learning_rate=0"], "learning_rate is 0.0; it must be above 0"),
        (["--set", "learning_rate=fast"], "learning_rate is 'fast'; it must be a number"),
        (["--set", "learning_rat=1"], "did you mean 'learning_rate'?"),
        (["--set", "batch"], "--set takes key=value, not 'batch'"),
        (["--steps", "0"], "steps is 0; it must be above 0"),
        (["--set", "positions=moves"], "positions is 'moves'; it is one of games, positions"),
        (["--set", "lr=1"], "did you mean 'learning_rate'?"),
        (["--epochs", "0"], "epochs is 0.0; it must be above 0"),
        (["--epochs", "inf"], "epochs is inf; it must be above 0 and finite"),
        (["--network", "sx.8.192.48"], "no network 'sx.8.192.48'"),
        (["--network", "se.1.16.16+komi", "--planes", "alphago-47"], "needs to know who is Black"),
        (["--planes", "golois-22"], "golois-22"),
        (["--set", "validation_games=1000"], "cannot keep 1000 of 30 games for validation"),
        (["--data", "nowhere.games"], "no data file 'nowhere.games'"),
        (["--config", "nowhere.toml"], "no configuration file 'nowhere.toml'"),
        (["--from", "."], "no best.safetensors in '.' to begin from"),
        (["--from", "default-8x8"], "no weights 'default-8x8' to begin from"),
        (["--set", "device=tpu7"], "device is 'tpu7'"),
        (["--schedule", "paper-2022"], "did you mean 'paper-202"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    tmp_path: Path, data: str, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "run"
    given = arguments if "--network" in arguments else ["--network", NETWORK, *arguments]
    assert run(["train", str(folder), "--data", data, *given]) == 2
    error = capsys.readouterr().err
    assert error.startswith("tesuji: ")
    assert message in error.replace("\n", " ")
    assert len(error.strip().splitlines()) == 1
    assert not folder.exists()


def test_a_used_folder_and_two_folders_are_refused(
    tmp_path: Path, data: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(tmp_path / "run")
    assert run(["train", folder, "--data", data, *SHORT, "--epochs", "1"]) == 0
    assert run(["train", folder, "--data", data, *SHORT]) == 2
    assert run(["train", folder, "--out", str(tmp_path / "other"), "--data", data]) == 2
    shown = capsys.readouterr().err
    assert "holds a run already; go on with --resume" in shown
    assert "two folders for one run" in shown


def test_resume_needs_a_folder(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["train", "--resume"]) == 2
    assert "--resume needs the folder of the run" in capsys.readouterr().err


def test_a_missing_package_is_named_with_its_cure() -> None:
    program = "import sys; sys.modules['torch'] = None; from tesuji.interfaces.cli import run; sys.exit(run(['train']))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)
    told = "tesuji: this needs the extra 'train' (there is no torch here): pip install 'tesuji-go[train]'\n"
    assert (done.returncode, done.stderr) == (2, told)


def test_settings_of_a_file_lie_below_those_of_the_line(tmp_path: Path, data: str) -> None:
    config = tmp_path / "run.toml"
    config.write_text(f'network = "{NETWORK}"\nbatch = 4\nepoch_samples = 8\nepochs = 1\nseed = 3\nthreads = 1\n')
    folder = tmp_path / "run"
    assert run(["train", str(folder), "--data", data, "--config", str(config), "--set", "seed=9"]) == 0
    text = (folder / "config.toml").read_text()
    assert "seed = 9" in text
    assert "batch = 4" in text
    assert run(["train", str(tmp_path / "again"), "--config", str(folder / "config.toml")]) == 0


def test_plot_says_what_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["plot", str(tmp_path / "nowhere")]) == 2
    assert run(["plot", str(tmp_path)]) == 2
    shown = capsys.readouterr().err
    assert "there is no such folder" in shown
    assert "nothing to draw yet" in shown


def test_plot_says_what_a_run_does_not_tell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "log.csv").write_text("step,epoch,seconds,loss\n1,0.1,2,3\n")
    command = ["plot", str(tmp_path), "-o", str(tmp_path / "x.svg")]
    for axis in ("parameters", "time"):
        assert run([*command, "--x", axis]) == 2
        assert "has no validation yet" in capsys.readouterr().err
    (tmp_path / "validation.csv").write_text("step,epoch,seconds,top1,value_mse\n1,1,2,0.3,0.2\n")
    assert run([*command, "--y", "calibration"]) == 2
    assert "no column calibration; it tells step, epoch, seconds, top1, value_mse" in capsys.readouterr().err
    assert run([*command, "--x", "samples"]) == 2
    assert "no column samples" in capsys.readouterr().err
    assert run(command) == 0  # what there is
    assert run(["plot", str(tmp_path), "-o", str(tmp_path / "x.txt")]) == 2
    assert "'x.txt' is no picture we draw; end it in .png, .svg, .pdf" in capsys.readouterr().err
