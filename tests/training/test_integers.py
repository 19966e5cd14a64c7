"""`tesuji train --quantize`: integers that learn what the real network says, kept, resumed, refused."""

from pathlib import Path
from typing import Any

import pytest
import torch

import tesuji
from tests.networks.small import trained
from tests.training.packed import packed
from tesuji import networks
from tesuji.interfaces.cli import run
from tesuji.networks.evaluators.comparison import Comparison, compare
from tesuji.networks.evaluators.factory import Running, evaluator
from tesuji.networks.int8.rounding import Rounding
from tesuji.networks.onnx.model_file import read_info
from tesuji.training.data.real_positions import real_positions
from tesuji.training.run import integers
from tesuji.training.run.config import TrainConfig
from tesuji.training.run.fitting import Fitted, fit

NAME = "a0.conv.bin.2.16+pass+norelu+komi+ownership"
SETTINGS: dict[str, Any] = {
    "batch": 32, "epoch_samples": 640, "threads": 1, "learning_rate": 0.0001, "validation_games": 20, "quantize": True,
}  # fmt: skip


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> str:
    return packed(tmp_path_factory.mktemp("data") / "train.games", 40)


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("start") / "a.safetensors"
    network = trained(NAME, 9)
    with torch.no_grad():
        for name, weight in network.named_parameters():
            if name.startswith(("value.output", "value.hidden", "policy")):
                weight.mul_(3)  # opinions strong enough to be told apart
    networks.save_weights(network, path, {"author": "me"})
    return str(path)


def spoiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes calibration as bad as it may be on a network that does not suit it: steps eight times too large."""
    tell = Rounding.tell
    monkeypatch.setattr(Rounding, "tell", lambda self, steps, zero: tell(self, 8 * steps, zero))


def against_real(file: Path) -> Comparison:
    data = file.read_bytes()
    pair = [evaluator(data, "net", Running(precision=name)) for name in ("fp32", "int8")]
    return compare(pair[0], pair[1], real_positions(read_info(data, "").planes, 9, 200))


def test_a_run_of_short_epochs_is_one_epoch_long_not_a_twentieth() -> None:
    plain = TrainConfig(quantize=True, start="default-9x9").filled()
    short = TrainConfig(quantize=True, start="default-9x9", epoch_samples=6400).filled()
    assert (plain.epochs, plain.epoch_samples) == (1, 50_000)
    assert (short.epochs, short.epoch_samples) == (1, 6400)


def test_integers_learn_what_the_real_network_says(
    tmp_path: Path, data: str, start: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoiled(monkeypatch)
    held_out = packed(tmp_path / "held_out.games", 300, first_seed=1000)  # on a few positions chance decides
    fitted: Fitted = fit(NAME, data, folder=tmp_path / "run", start=start, epochs=3, validation=[held_out], **SETTINGS)
    before, after = fitted.history[0], fitted.history[-1]
    assert before["step"] == 0
    assert after["score_error"] < before["score_error"]
    assert after["cross_entropy"] < before["cross_entropy"]
    found = against_real(tmp_path / "run" / "best.onnx")
    assert found.mean["value"] < 0.02
    info = fitted.export(tmp_path / "own.onnx")
    assert against_real(tmp_path / "own.onnx") == found
    assert info.training["author"] == "me"  # the real network's record stays
    assert info.training["int8"]["against_real"]["positions"] == 300
    # What is kept in real numbers is what it began from.
    kept = networks.load_weights(tmp_path / "run" / "best.safetensors").state_dict()
    assert all(torch.equal(tensor, kept[name]) for name, tensor in networks.load_weights(start).state_dict().items())


def test_a_run_goes_on_after_a_pause(tmp_path: Path, data: str, start: str) -> None:
    begun = fit(NAME, data, folder=tmp_path / "run", start=start, epochs=1, ema=0.9, **SETTINGS)
    resumed = fit(NAME, data, folder=tmp_path / "run", resume=True, epochs=2)
    assert [row["step"] for row in resumed.history] == [0, 20, 40]
    assert resumed.config.quantize
    assert resumed.history[:2] == begun.history
    (tmp_path / "run" / integers.REAL).unlink()
    with pytest.raises(tesuji.InputError, match=r"real\.safetensors' is gone, from which this run learns"):
        fit(NAME, data, folder=tmp_path / "run", resume=True, epochs=3)


def test_the_command_and_what_it_refuses(
    tmp_path: Path, data: str, start: str, capsys: pytest.CaptureFixture[str]
) -> None:
    short = ["--data", data, "--steps", "2", "--set", "batch=8", "--set", "threads=1", "--set", "validation_games=4"]
    assert run(["train", str(tmp_path / "a"), "--quantize", "--from", start, *short]) == 0
    assert "convolutions in integers learn from" in capsys.readouterr().out
    assert tesuji.load(tmp_path / "a" / "best.onnx", precision="int8").info.precision == "int8"
    for given, told in (
        ([], "quantize goes on with a trained network; name it with --from"),
        (["--from", start, "--set", "precision=bf16"], "with quantize it is fp32"),
        (["--from", start, "--network", f"{NAME}+next"], "train it before it goes into integers"),
    ):
        assert run(["train", str(tmp_path / "b"), "--quantize", *given, *short]) == 2
        assert told in " ".join(capsys.readouterr().err.split())
        assert not (tmp_path / "b").exists()
