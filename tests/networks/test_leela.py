"""Networks of Leela Zero, read from small files made here and compared with plain arithmetic from the bottom row up."""

import gzip
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tesuji.networks.evaluators.onnx_evaluator import SizedSession
from tesuji.networks.foreign import stream
from tesuji.networks.foreign.convert import model_bytes
from tesuji.networks.foreign.leela import read_leela
from tesuji.networks.onnx.model_file import read_info

Array = NDArray[Any]
FILTERS, SIZE = 4, 5
AREA = SIZE * SIZE


def conv(x: Array, w: Array) -> Array:
    half, n = w.shape[-1] // 2, x.shape[-1]
    wide = np.pad(x, ((0, 0), (half, half), (half, half)))
    taps = [
        np.einsum("oi,iyx->oyx", w[:, :, i, j], wide[:, i : i + n, j : j + n])
        for i in range(w.shape[2])
        for j in range(w.shape[3])
    ]
    return np.sum(taps, 0)  # type: ignore[no-any-return]


class LeelaFile:
    """A weight file, and what it says of a position whose rows count from the bottom."""

    def __init__(self, version: int = 1, blocks: int = 2) -> None:
        random = np.random.default_rng(version)
        self.version, self.blocks, self.lines = version, blocks, [np.array([version])]

        def add(*shape: int, scale: float = 0.3, around: float = 0.0) -> Array:
            self.lines.append((random.standard_normal(shape) * scale + around).astype(np.float32))
            return self.lines[-1]

        def layer(inputs: int, outputs: int, kernel: int) -> tuple[Array, ...]:
            w, b, m = add(outputs, inputs, kernel, kernel), add(outputs), add(outputs)
            return w, b, m, add(outputs, scale=0.1, around=1)

        self.tower = [layer(18, FILTERS, 3)] + [layer(FILTERS, FILTERS, 3) for _ in range(2 * blocks)]
        self.policy = layer(FILTERS, 2, 1), add(AREA + 1, 2 * AREA), add(AREA + 1)
        self.value = layer(FILTERS, 1, 1), add(256, AREA), add(256), add(1, 256, scale=0.1), add(1)

    def text(self) -> str:
        return "\n".join(" ".join(map(str, line.reshape(-1).tolist())) for line in self.lines) + "\n"

    def judge(self, planes: Array) -> tuple[Array, float]:
        def normed(x: Array, layer: tuple[Array, ...]) -> Array:
            w, bias, mean, variance = layer
            shifted = conv(x, w) + (bias - mean)[:, None, None]
            scaled: Array = shifted / np.sqrt(variance + 1e-5)[:, None, None]
            return scaled

        x = np.maximum(normed(planes, self.tower[0]), 0)
        for i in range(self.blocks):
            y = np.maximum(normed(x, self.tower[2 * i + 1]), 0)
            x = np.maximum(x + normed(y, self.tower[2 * i + 2]), 0)
        head, dense, bias = self.policy
        logits = dense @ np.maximum(normed(x, head), 0).ravel() + bias
        policy = np.exp(logits - logits.max())
        head, dense, bias, last, end = self.value
        hidden = np.maximum(dense @ np.maximum(normed(x, head), 0).ravel() + bias, 0)
        return policy / policy.sum(), float((1 + np.tanh(last @ hidden + end)[0]) / 2)


def written(folder: Path, data: bytes | str) -> Path:
    path = folder / "lz.gz"
    path.write_bytes(gzip.compress(data.encode() if isinstance(data, str) else data, 1))
    return path


@pytest.mark.parametrize("version", [1, 2])
def test_a_network_of_leela_zero_plays_from_the_top_row(version: int, tmp_path: Path) -> None:
    file = LeelaFile(version)
    data = model_bytes(written(tmp_path, file.text()))
    info = read_info(data, "here")
    assert (info.planes, info.size, info.any_size, info.name) == ("leela-18", SIZE, False, "lz")
    planes = (np.random.default_rng(0).random((4, 18, SIZE, SIZE)) < 0.4).astype(np.float32)
    planes[:, 16] = np.array([1, 0, 1, 0])[:, None, None]
    planes[:, 17] = 1 - planes[:, 16]
    session = SizedSession(data, "here", info, SIZE, provider="CPUExecutionProvider", threads=1)
    judged = session(planes, np.zeros(4, np.float32))
    for i, position in enumerate(planes):
        policy, value = file.judge(position[:, ::-1])
        turned = np.append(policy[:-1].reshape(SIZE, SIZE)[::-1].ravel(), policy[-1])
        assert judged.policy[i] == pytest.approx(turned, abs=1e-4)
        of_black = version == 2 and not position[16, 0, 0]
        assert judged.value[i] == pytest.approx(1 - value if of_black else value, abs=1e-4)


GOOD = LeelaFile().text()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("1\n", "no whole network"),
        ("1\n" + "\n".join(GOOD.splitlines()[1:-1]), "no whole network"),
        (GOOD.replace("0.", "x.", 1), "no number"),
        (GOOD.replace(GOOD.split()[5], "nan", 1), "NaN"),
        (GOOD.rsplit(" ", 3)[0] + "\n0\n", "no whole network|numbers, expected"),
        ("2\n" + "0 " * 10 + "\n", "no whole network"),
        ("1\n" + "0" * (130 << 20), "no number"),
        ("1\n" + "0 " * (65 << 20), "far more than its length"),
        ("1\n" + "0\n" * 10_000, "more lines than any network"),
    ],
    ids=[
        "short",
        "cut",
        "no number",
        "nan",
        "wrong shape",
        "no layers",
        "one long word",
        "one long line",
        "many lines",
    ],
)
def test_bad_weights_are_refused_in_one_line(text: str, problem: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=problem) as raised:
        model_bytes(written(tmp_path, text))
    assert "lz.gz" in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_short_file_of_many_unequal_words_takes_no_more_than_its_numbers(tmp_path: Path) -> None:
    """Numpy gives every word the room of the longest: a file of 20 kB had taken 600 MB."""
    text = "1\n" + "0." + "0" * 190 + " " + "0 " * (2 << 20) + "\n"
    path = written(tmp_path, text)
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match="no whole network"):
            model_bytes(path)
        assert tracemalloc.get_traced_memory()[1] < 200 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("read", [lambda file: file.line("a line"), lambda file: file.floats("an array", 3)])
def test_a_long_word_among_short_ones_is_no_number(read: Callable[[stream.Stream], object], tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_bytes(b"0 " + b"0" * (stream.WORD + 1) + b" 0\n")
    with stream.Stream(path) as file, pytest.raises(ValueError, match="no number"):
        read(file)


def test_lines_are_read_alike_however_they_fall_into_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, GOOD.replace(" ", "\t", 7).replace("\n", "\r\n"))
    whole = read_leela(path)
    monkeypatch.setattr(stream, "CHUNK", 211)
    pieces = read_leela(path)
    for one, other in zip(whole.layers, pieces.layers, strict=True):
        assert (one.weights == other.weights).all()
        assert (one.bias == other.bias).all()
    assert (whole.moves == pieces.moves).all()
    assert (whole.result_bias == pieces.result_bias).all()
