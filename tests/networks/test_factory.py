"""One factory builds all evaluators: kinds of files, devices that are missing or fail, nothing told to anybody."""

import json
import logging
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tesuji
from tests.networks.small import trained
from tesuji import networks
from tesuji.features.evaluation import ConstantEvaluator, Evaluator
from tesuji.networks.evaluators import factory
from tesuji.networks.evaluators.factory import FileKind, Running
from tesuji.networks.onnx import runtime


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("models") / "net.onnx"
    networks.export(trained("a0.1.8+conv+pass", 9), path)
    return path


def empty(evaluate: Evaluator) -> Any:
    return evaluate(tesuji.encode([tesuji.Game(9)], evaluate.planes), [7.0])


def test_a_list_of_devices_gives_one_evaluator_each(file: Path) -> None:
    several = tesuji.load(file, device=["cpu", "cpu"])
    assert len(several) == 2
    assert several[0] is not several[1]
    np.testing.assert_array_equal(empty(several[0]).policy, empty(several[1]).policy)
    with pytest.raises(ValueError, match="at least one"):
        tesuji.load(file, device=[])


def test_the_player_without_a_network_has_a_name() -> None:
    assert isinstance(tesuji.load("uniform"), ConstantEvaluator)


def test_symmetries(file: Path) -> None:
    assert isinstance(tesuji.load(file, symmetry="all"), networks.AverageOfSymmetries)
    assert isinstance(tesuji.load(file, symmetry="random"), networks.RandomSymmetry)
    with pytest.raises(ValueError, match="no symmetry 'some'; there are none, random, all"):
        tesuji.load(file, symmetry="some")


def test_precisions(file: Path) -> None:
    tesuji.load(file, precision="fp32")
    with pytest.raises(ValueError, match="holds no int8 network; `tesuji export --int8`"):
        tesuji.load(file, precision="int8")
    with pytest.raises(ValueError, match="no precision 'fp8'; there are auto, fp32, bf16, int8"):
        tesuji.load(file, precision="fp8")


def test_another_kind_of_file_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As another program's networks are added."""
    kind = FileKind("other", lambda name, data: data.startswith(b"OTHER"), f"{__name__}:other_evaluator")
    monkeypatch.setattr(factory, "FILE_KINDS", (kind, *factory.FILE_KINDS))
    monkeypatch.setitem(sys.modules, __name__, sys.modules.get(__name__) or sys)
    monkeypatch.setattr(sys.modules[__name__], "other_evaluator", other_evaluator, raising=False)
    (tmp_path / "a.txt").write_bytes(b"OTHER 0.25")
    evaluate = tesuji.load(tmp_path / "a.txt", threads=2)
    assert empty(evaluate).value == [0.25]


def other_evaluator(data: bytes, where: str, running: Running) -> Evaluator:
    assert running.threads == 2
    return ConstantEvaluator(float(data.split()[1]))


def test_the_second_of_several_devices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runtime.ort, "get_available_providers", lambda: list(runtime.PROVIDERS.values()))
    assert runtime.provider("CUDA:1") == ("CUDAExecutionProvider", {"device_id": "1"})
    assert runtime.provider("webgpu") == "WebGpuExecutionProvider"
    for wrong in ("cpu:1", "cuda:first"):
        with pytest.raises(ValueError, match=f"no device '{wrong}'; a number follows"):
            runtime.provider(wrong)


def test_openvino_is_told_its_numbers_and_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Told nothing it takes all cores, and bf16 where the processor has it."""
    monkeypatch.setattr(runtime.ort, "get_available_providers", lambda: list(runtime.PROVIDERS.values()))
    for precision, hint in (("fp32", "f32"), ("bf16", "bf16")):
        hints = {"INFERENCE_PRECISION_HINT": hint, "INFERENCE_NUM_THREADS": "2"}
        options = {"device_type": "CPU", "load_config": json.dumps({"CPU": hints})}
        assert runtime.provider("openvino", precision, threads=2) == ("OpenVINOExecutionProvider", options)


def test_half_precision_is_for_openvino() -> None:
    with pytest.raises(ValueError, match="bf16 needs --device openvino; on cpu there are fp32 and int8"):
        tesuji.load("default-9x9", precision="bf16")


@pytest.mark.skipif("openvino" not in runtime.usable_devices(), reason="onnxruntime-openvino is not installed")
def test_half_precision_says_nearly_the_same() -> None:
    fine = tesuji.load("default-9x9", precision="fp32")
    coarse = tesuji.load("default-9x9", device="openvino", precision="bf16")
    assert coarse.info.precision == "bf16"
    assert abs(empty(fine).value - empty(coarse).value) < 0.02


def test_a_device_that_does_not_start_is_told(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """onnxruntime would go on with the CPU in silence."""
    monkeypatch.setattr(runtime.ort, "get_available_providers", lambda: ["CUDAExecutionProvider"])
    monkeypatch.setattr(runtime.ort, "InferenceSession", _without(runtime.ort.InferenceSession))
    with pytest.raises(ValueError, match="CUDAExecutionProvider does not start"):
        tesuji.load(file, device="cuda")


def test_a_device_that_fails_in_the_middle_gives_way_to_the_cpu(
    file: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    expected = empty(tesuji.load(file)).policy
    available = [runtime.PROVIDERS[name] for name in ("cuda", "cpu")]
    monkeypatch.setattr(runtime.ort, "get_available_providers", lambda: available)
    monkeypatch.setattr(runtime.ort, "InferenceSession", _failing_after(2, runtime.ort.InferenceSession))
    evaluate = tesuji.load(file, device="cuda")  # judges once
    with caplog.at_level(logging.WARNING):
        for _ in range(4):
            np.testing.assert_allclose(empty(evaluate).policy, expected, atol=1e-6)
    assert len(caplog.records) == 1
    assert "device cuda failed (out of memory)" in caplog.text
    assert "goes on with the CPU" in caplog.text


def test_a_device_that_does_not_take_the_network_gives_way_to_the_cpu(
    file: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    expected, real = empty(tesuji.load(file)).policy, runtime.ort.InferenceSession

    def refusing(data: bytes, options: Any, providers: list[str], **others: Any) -> Any:
        if providers != ["CPUExecutionProvider"]:
            raise RuntimeError("no kernel for this graph")
        return real(data, options, providers=providers, **others)

    available = [runtime.PROVIDERS[name] for name in ("cuda", "cpu")]
    monkeypatch.setattr(runtime.ort, "get_available_providers", lambda: available)
    monkeypatch.setattr(runtime.ort, "InferenceSession", refusing)
    with caplog.at_level(logging.WARNING):
        evaluate = tesuji.load(file, device="cuda")
        np.testing.assert_allclose(empty(evaluate).policy, expected, atol=1e-6)
    assert len(caplog.records) == 1
    assert "device cuda failed (no kernel for this graph)" in caplog.text


def _without(real: Any) -> Any:
    return lambda data, options, providers, **others: real(data, options, providers=["CPUExecutionProvider"], **others)


def _failing_after(calls: int, real: Any) -> Any:
    """Sessions that pretend to be on the device they were asked for, which answers so many times."""

    class Fake:
        def __init__(self, data: bytes, options: Any, providers: list[str], **others: Any) -> None:
            self.inner = real(data, options, providers=["CPUExecutionProvider"], **others)
            self.left = calls if providers != ["CPUExecutionProvider"] else 10**9
            self.providers = providers

        def get_providers(self) -> list[str]:
            return self.providers

        def run(self, *given: Any) -> Any:
            self.left -= 1
            if self.left < 0:
                raise RuntimeError("out of memory\nand more")
            return self.inner.run(*given)

        def __getattr__(self, name: str) -> Any:
            return getattr(self.inner, name)

    return Fake


def test_the_runtime_leaves_no_identity_in_the_home(file: Path, tmp_path: Path) -> None:
    code = f"import tesuji; tesuji.load({str(file)!r})"
    kept = {key: value for key, value in os.environ.items() if key != "ORT_DISABLE_TELEMETRY"}
    environment = kept | {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "c"), "TMPDIR": str(tmp_path)}
    subprocess.run([sys.executable, "-c", code], env=environment, check=True, timeout=60)
    assert [str(path) for path in tmp_path.rglob("*") if "icrosoft" in str(path)] == []
