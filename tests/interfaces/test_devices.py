"""`--device` and `--precision`: one word for both below the command line; an idle GPU is told."""

from pathlib import Path

import pytest

import tesuji
from tesuji.arena.play.conditions import Conditions
from tesuji.arena.players.description import parse_player
from tesuji.arena.players.hall import Hall
from tesuji.base import machine
from tesuji.features.evaluation import ConstantEvaluator, Evaluator
from tesuji.interfaces.terminal.devices import devices, idle_gpu
from tesuji.learning.selfplay.crew import needs_gpu
from tesuji.networks.evaluators.factory import Running
from tesuji.networks.onnx import runtime


def test_devices_in_words() -> None:
    assert devices(None, "auto") == ["cpu"]
    assert devices(["cpu", "cuda:0, cuda:1/fp32"], "int8") == ["cpu/int8", "cuda:0/int8", "cuda:1/fp32"]
    with pytest.raises(tesuji.InputError, match="no precision 'int4'; there are auto, fp32, int8"):
        devices(None, "int4")


def test_what_the_words_mean() -> None:
    assert Running.on("cuda:1/fp32") == Running("cuda:1", "fp32")
    assert Running.on("cpu", "int8", 2) == Running("cpu", "int8", 2)
    assert [needs_gpu(word) for word in ("cpu/int8", "cuda:1/fp32", "cuda")] == [False, True, True]


def test_an_idle_gpu_is_told_once(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(machine, "gpu", lambda: "NVIDIA")
    devices(None, "auto")
    assert capsys.readouterr().err == (
        "tesuji: there is a GPU by NVIDIA, and it is not used; "
        "to use it, pip install onnxruntime-gpu, then add --device cuda\n"
    )
    monkeypatch.setattr(runtime.ort, "get_available_providers", lambda: list(runtime.PROVIDERS.values()))
    assert idle_gpu(["cpu/int8"]).endswith("it is not used; to use it, add --device cuda")
    assert idle_gpu(["cpu", "cuda"]) == ""
    monkeypatch.setattr(machine, "gpu", lambda: "")
    assert idle_gpu(["cpu"]) == ""


def test_players_of_one_network_on_several_devices(tmp_path: Path) -> None:
    asked = []

    def load(network: str, device: str = "cpu") -> Evaluator:
        asked.append((network, device))
        return ConstantEvaluator()

    words = ("a name=x precision=int8", "a name=y device=cuda:1", "a name=z", "a name=w precision=int8 visits=2")
    hall = Hall([parse_player(word) for word in words], Conditions(size=5), load)
    assert asked == [("a", "cpu/int8"), ("a", "cuda:1"), ("a", "cpu")]
    assert hall.networks["x"].evaluate is hall.networks["w"].evaluate
