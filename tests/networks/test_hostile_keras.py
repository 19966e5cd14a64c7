"""Keras files with hostile contents: bounded in memory and time, no other file read, one line."""

import json
import subprocess
import sys
import time
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from tests.networks.keras_models import build_models
from tesuji.base.errors import InputError
from tesuji.networks.keras import convert, worker
from tesuji.networks.keras.config import read_config
from tesuji.networks.keras.contents import allowance, check_weights
from tesuji.networks.keras.convert import export_keras


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_models(tmp_path_factory.mktemp("keras"), "varied.keras", "mobile.h5")


def rewritten(source: Path, target: Path, change: Callable[[dict[str, bytes]], None]) -> Path:
    with zipfile.ZipFile(source) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    change(members)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return target


def refusal(path: Path, target: Path) -> str:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 (each test looks at the text)
        export_keras(path, target)
    text = str(caught.value)
    assert path.name in text
    assert "\n" not in text
    assert len(text) < 500
    assert not target.exists()
    return text


def archive(path: Path, config: bytes, packing: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", packing) as file:
        file.writestr("config.json", config)
    return path


@pytest.mark.parametrize(
    ("config", "complaint"),
    [
        (b" " * (20 << 20), "unpacks to more than"),
        (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "damaged"),
        (b'{"a":' * 500 + b"1" + b"}" * 500, "deep"),
        (b"[" * 200 + b"]" * 200, "no model"),
        (b"[]", "no model"),
        (b'{"class_name": "Functional", "config": {"units": 1000000000000}}', "asks for 1000000000000"),
        (b'{"class_name": "Lambda", "config": {}}', "runs code"),
        (b'{"class_name": "function", "module": "keras.utils", "config": "get_file"}', "runs code"),
        (b'{"class_name": "Functional", "config": {"layers": 7}}', "lists no layers"),
        (b'{"class_name": "Functional", "config": {"layers": [[], 3]}}', "lists no layers"),
    ],
)
def test_a_hostile_configuration_is_refused_before_keras_starts(tmp_path: Path, config: bytes, complaint: str) -> None:
    assert complaint in refusal(archive(tmp_path / "evil.keras", config), tmp_path / "a.onnx")


@pytest.mark.parametrize("packing", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_packing_without_bounds_is_refused_before_it_unpacks(tmp_path: Path, packing: int) -> None:
    """A kilobyte of these may become gigabytes at one read."""
    evil = archive(tmp_path / "evil.keras", bytes(32 << 20), packing)
    tracemalloc.start()
    try:
        assert "rare kind of compression" in refusal(evil, tmp_path / "a.onnx")
        assert tracemalloc.get_traced_memory()[1] < 8 << 20
    finally:
        tracemalloc.stop()


def test_a_locked_or_damaged_archive_is_one_line(models: Path, tmp_path: Path) -> None:
    data = bytearray((models / "varied.keras").read_bytes())
    for header, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(header) + flags] |= 1  # says it is encrypted
    (tmp_path / "locked.keras").write_bytes(data)
    with zipfile.ZipFile(models / "varied.keras") as sound:
        first = sound.namelist()[0]
    assert first == "metadata.json" or "only part of one" in refusal(tmp_path / "locked.keras", tmp_path / "a.onnx")


def weights_file(path: Path, fill: Callable[[Any], None]) -> Path:
    with h5py.File(path, "w") as file:
        fill(file)
    return path


class TestWeights:
    def refused(self, tmp_path: Path, fill: Callable[[Any], None]) -> str:
        with pytest.raises(ValueError) as caught:  # noqa: PT011
            check_weights(weights_file(tmp_path / "w.h5", fill), 1 << 20, "evil.h5")
        return str(caught.value)

    def test_terabytes_that_were_never_written(self, tmp_path: Path) -> None:
        text = self.refused(tmp_path, lambda file: file.create_dataset("w", (1 << 20, 1 << 20), "f4", chunks=(64, 64)))
        assert "claims more weights" in text

    def test_zeros_that_compress_to_nothing(self, tmp_path: Path) -> None:
        zeros = np.zeros(1 << 20, np.float32)
        text = self.refused(tmp_path, lambda file: file.create_dataset("g/w", data=zeros, compression="gzip"))
        assert "claims more weights" in text

    def test_another_file_of_this_machine(self, tmp_path: Path) -> None:
        (tmp_path / "secret").write_bytes(bytes(64))
        outside = [(str(tmp_path / "secret"), 0, 64)]
        text = self.refused(tmp_path, lambda file: file.create_dataset("w", (16,), "f4", external=outside))
        assert "another file" in text

    def test_links(self, tmp_path: Path) -> None:
        for link in (h5py.ExternalLink("/etc/passwd", "/"), h5py.SoftLink("/g")):

            def fill(file: Any, link: Any = link) -> None:
                file["g"] = link

            assert "points elsewhere" in self.refused(tmp_path, fill)

    def test_a_group_within_itself(self, tmp_path: Path) -> None:
        def fill(file: Any) -> None:
            file.create_group("g")
            file["g/again"] = file["g"]

        assert "deep" in self.refused(tmp_path, fill)

    def test_sound_weights_pass(self, models: Path) -> None:
        check_weights(models / "mobile.h5", 1 << 30, "mobile.h5")


def test_memory_is_bounded_by_the_length_of_a_file_before_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bounds: list[int] = []

    def load(path: Path) -> Any:
        assert bounds == [worker.MEMORY + 4 * allowance(path)]
        raise InputError("read")

    monkeypatch.setattr(worker, "bound_memory", bounds.append)
    monkeypatch.setattr(worker, "load_model", load)
    with pytest.raises(InputError, match="read"):
        worker.convert({"source": str(archive(tmp_path / "a.keras", b"{}"))})


@pytest.mark.skipif(sys.platform != "linux", reason="memory is bounded on Linux alone")
def test_no_more_memory_is_had_than_the_bound() -> None:
    script = "from tesuji.networks.keras.worker import bound_memory; bound_memory(1 << 30); bytearray(2 << 30)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=120)
    assert done.stderr.splitlines()[-1:] == ["MemoryError"]


@pytest.mark.skipif(sys.platform == "win32", reason="a script stands in for Python")
@pytest.mark.parametrize(
    ("does", "complaint"),
    [
        ("exec sleep 60", "Keras did not finish within 1 s"),
        ("echo the last word >&2; kill -9 $$", r"Keras failed on this model \(the last word\)"),
    ],
)
def test_a_worker_that_never_answers_is_ended_and_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, does: str, complaint: str
) -> None:
    (tmp_path / "python").write_text(f"#!/bin/sh\n{does}\n")
    (tmp_path / "python").chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setattr(convert, "SECONDS", 1)
    began = time.monotonic()
    with pytest.raises(InputError, match=rf"evil\.keras: {complaint}"):
        convert._run(tmp_path, {"source": "evil.keras", "target": "a.onnx"}, "evil.keras")
    assert time.monotonic() - began < 50


@pytest.mark.slow
def test_a_layer_of_a_hundred_billion_weights_ends_in_one_line(models: Path, tmp_path: Path) -> None:
    def widen(members: dict[str, bytes]) -> None:
        config = json.loads(members["config.json"])
        for layer in config["config"]["layers"]:
            if layer["class_name"] == "Dense":
                layer["config"]["units"] = 9_000_000
        members["config.json"] = json.dumps(config).encode()

    evil = rewritten(models / "varied.keras", tmp_path / "wide.keras", widen)
    assert read_config(evil)
    assert "Keras" in refusal(evil, tmp_path / "a.onnx") or "memory" in refusal(evil, tmp_path / "a.onnx")


@pytest.mark.slow
def test_weights_outside_a_sound_model_are_not_read(models: Path, tmp_path: Path) -> None:
    evil = tmp_path / "outside.h5"
    evil.write_bytes((models / "mobile.h5").read_bytes())
    with h5py.File(evil, "r+") as file:
        names: list[str] = []
        file.visititems(lambda name, item: names.append(name) if isinstance(item, h5py.Dataset) else None)
        shape = file[names[0]].shape
        del file[names[0]]
        (tmp_path / "secret").write_bytes(bytes(4 * int(np.prod(shape))))
        outside = [(str(tmp_path / "secret"), 0, 4 * int(np.prod(shape)))]
        file.create_dataset(names[0], shape, "f4", external=outside)
    assert "another file" in refusal(evil, tmp_path / "a.onnx")
