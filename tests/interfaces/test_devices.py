"""`--device` and `--precision`: one word for both below the command line; an idle GPU is told."""

from pathlib import Path

import pytest

import tesuji
from tesuji.arena.play.conditions import Conditions
from tesuji.arena.players.description import parse_player
from tesuji.arena.players.hall import Hall
from tesuji.arena.players.network_player import understood
from tesuji.base import machine
from tesuji.features.evaluation import ConstantEvaluator, Evaluator
from tesuji.interfaces.cli import run
from tesuji.interfaces.gtp.options import usual_search
from tesuji.interfaces.terminal.devices import devices, idle_gpu
from tesuji.networks.devices import needs_gpu, usual_batch
from tesuji.networks.evaluators.factory import Running
from tesuji.networks.onnx import runtime
from tesuji.search.options import SearchOptions


def test_devices_in_words() -> None:
    assert devices(None, "auto") == ["cpu"]
    assert devices(["cpu", "cuda:0, cuda:1/fp32"], "int8") == ["cpu/int8", "cuda:0/int8", "cuda:1/fp32"]
    with pytest.raises(tesuji.InputError, match="no precision 'int4'; there are auto, fp32, bf16, int8"):
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


def test_a_network_has_a_session_for_each_device_of_a_player() -> None:
    made: list[str] = []

    def load(network: str, device: str = "cpu") -> Evaluator:
        made.append(device)
        return ConstantEvaluator()

    hall = Hall([parse_player(word) for word in ("a name=x device=cpu,cpu", "a name=y")], Conditions(size=5), load)
    assert made == ["cpu", "cpu", "cpu"]
    assert hall.devices == 2
    assert hall.networks["x"].threads == 2  # one for each device
    assert len({id(one) for one in hall.networks["x"].evaluators}) == 2


def test_the_usual_batch_follows_the_kind_of_device() -> None:
    assert usual_batch(8, ["cpu"]) == usual_batch(8, ["cpu/int8", "cuda:1"]) == 8
    assert usual_batch(8, ["cuda:0/fp32", "tensorrt:1"]) == 32
    assert usual_search(["cuda"]).batch == 4 * usual_search().batch
    assert understood({"device": "cuda:0,cuda:1"})[0].batch == 4 * SearchOptions.batch
    assert understood({"device": "cuda", "batch": 2})[0].batch == 2


def test_a_search_has_a_thread_for_each_device() -> None:
    assert tesuji.Search([ConstantEvaluator(), ConstantEvaluator()], threads=1).options.threads == 2


def test_a_match_on_two_devices_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["default-9x9 name=a visits=2", "default-9x9 name=b visits=2"]
    command = ["match", *words, "--games", "4", "--device", "cpu,cpu", "--threads", "1", "--quiet"]
    assert run([*command, "--out", str(tmp_path / "match")]) == 0
    assert "report: " in capsys.readouterr().out
    assert (tmp_path / "match" / "results.jsonl").read_text().count("\n") >= 4


@pytest.mark.parametrize(
    "command", [["gtp"], ["analysis"], ["play", "--no-browser"], ["match", "default-9x9 name=a", "uniform"]]
)
@pytest.mark.parametrize(
    ("options", "told"),
    [(["--device", "cuda:7"], "no device 'cuda:7' here"), (["--precision", "int4"], "no precision 'int4'")],
)
def test_what_is_not_here_is_refused_at_the_start(
    command: list[str], options: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*command, *options]) == 2
    said = capsys.readouterr().err
    assert told in said
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    "command",
    ["gtp", "play", "analysis", "match", "tournament", "league", "fit-bandit", "regret", "review", "label", "selfplay",
     "learn", "networks", "bench", "compare"],
)  # fmt: skip
def test_the_options_have_one_name_everywhere(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([command, "--help"]) == 0
    told = capsys.readouterr().out
    assert "--device" in told
    assert "--precision" in told


def test_networks_are_measured_side_by_side_and_say_what_they_lack(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["networks", "default-9x9", "a0.1.8", "--speed", "--batch", "8", "--seconds", "0.02", "--size", "9"]
    assert run([*command, "--device", "cpu,cpu", "--quiet"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "2 evaluations side by side" in told
    assert "default-9x9 9x9: int8 " in told
    assert "times fp32 at batch 8" in told
    assert "no int8 in a0.1.8: a network has it once `tesuji export --int8` has made it" in told


def test_the_bench_of_selfplay_says_why_it_takes_no_device(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bench", "selfplay", "--precision", "int8"]) == 2
    assert "selfplay measures the CPU in both precisions" in capsys.readouterr().err
