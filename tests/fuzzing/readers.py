"""Python's readers of strangers' bytes, each as a function of bytes, for `tests/fuzzing/run.py`.

A reader may refuse with an `InputError` of one line or with `OSError`; whatever else it raises is a defect.
"""

import io
import json
import os
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

Reader = Callable[[bytes], None]
READERS: dict[str, Reader] = {}


def reader(function: Reader) -> Reader:
    """Enters it under its name without `read_`."""
    READERS[function.__name__.removeprefix("read_")] = function
    return function


@contextmanager
def file_of(data: bytes, name: str) -> Iterator[Path]:
    """A file with these bytes, for readers that want a path."""
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        yield path


@reader
def read_sgf(data: bytes) -> None:
    from tesuji.go.sgf.files import read_record, write_tree

    write_tree(read_record(data).tree)


@reader
def read_model(data: bytes) -> None:
    from tesuji.networks.onnx.inspection import inspect_model
    from tesuji.networks.onnx.model_file import read_info

    inspect_model(data, "fuzz.onnx")
    read_info(data, "fuzz.onnx")


@reader
def read_katago(data: bytes) -> None:
    from tesuji.networks.foreign.katago_file import read_katago as read

    with file_of(data, "net.bin") as path:
        read(path)


@reader
def read_leela(data: bytes) -> None:
    from tesuji.networks.foreign.leela import read_leela as read

    with file_of(data, "net.txt") as path:
        read(path)


@reader
def read_archive(data: bytes) -> None:
    from tesuji.training.data.record_sources import RecordSources

    for name in ("a.zip", "a.tar", "a.sgf.gz"):
        with file_of(data, name) as path:
            for piece in RecordSources([path]):
                assert len(piece.data) < 1 << 30


@reader
def read_teacher(data: bytes) -> None:
    """Members of a teacher's npz, each between marks: a change of a compressed file ends at its checksum."""
    from tesuji.training.data.teacher import read_teacher as read

    whole = io.BytesIO()
    names = ("moves", "komi", "policy", "white_winrate", "white_score", "white_ownership")
    with zipfile.ZipFile(whole, "w") as archive:
        for name, part in zip(names, data.split(b"--part--"), strict=False):
            archive.writestr(f"{name}.npy", part)
    for _ in read(whole.getvalue(), "fuzz.npz"):
        pass


@reader
def read_keras(data: bytes) -> None:
    """The configuration of a Keras model."""
    from tesuji.networks.keras.config import cleaned, read_config
    from tesuji.networks.keras.convert import _planes_of

    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as archive:
        archive.writestr("config.json", data)
    with file_of(whole.getvalue(), "model.keras") as path:
        _planes_of(cleaned(read_config(path), "model.keras"), "model.keras")


@reader
def read_checkpoint(data: bytes) -> None:
    from tesuji.networks.weights import read_note

    with file_of(data, "net.safetensors") as path:
        read_note(path)


@reader
def read_settings(data: bytes) -> None:
    """A TOML file as the settings of a training and of a search."""
    from tesuji.base.errors import InputError
    from tesuji.base.settings import changed
    from tesuji.base.toml import read_toml
    from tesuji.search.options import SearchOptions
    from tesuji.training.run.config import TrainConfig

    with file_of(data, "config.toml") as path:
        told = read_toml(path)
    options: Any
    for options in (TrainConfig(), SearchOptions()):
        with suppress(InputError):
            changed(options, told, "fuzzed")


@reader
def read_recipe(data: bytes) -> None:
    from tesuji.experiments.recipe import read_recipe as read

    with file_of(data, "recipe.toml") as path:
        read(path)


@cache
def _network() -> str:
    from tests.interfaces.web_parts import write_network

    folder = Path(tempfile.mkdtemp(prefix="fuzz-"))
    return str(write_network(folder / "small.onnx"))


@cache
def _engine() -> tuple[Any, io.BytesIO, dict[str, str]]:
    """A GTP engine whose client has gone: whatever it is asked to do for long, it ends at once."""
    from tesuji.interfaces.gtp.engine import Engine
    from tesuji.interfaces.gtp.options import GtpOptions
    from tesuji.interfaces.gtp.protocol import commands_of
    from tesuji.interfaces.gtp.streams import Answers, Lines
    from tesuji.search.options import SearchOptions

    lines = Lines(os.open(os.devnull, os.O_RDONLY)).start()
    lines.next()  # the end
    heard = io.BytesIO()
    search = SearchOptions(visits=2, batch=2, threads=1)
    engine = Engine(GtpOptions(net=_network(), search=search, size=5), lines, Answers(heard))
    return engine, heard, commands_of(Engine)


@reader
def read_gtp(data: bytes) -> None:
    from tesuji.interfaces.gtp.protocol import parse

    engine, heard, methods = _engine()
    beginning = [b"kata-set-rules chinese", b"boardsize 5", b"clear_board", b"komi 7"]
    for line in [*beginning, *data.replace(b"/", b" ").split(b"\n")[:20]]:
        text = line.decode("utf-8", "replace")
        if (request := parse(text)).name == "printsgf" and request.words:
            continue  # writes a file
        heard.seek(0)
        heard.truncate()
        engine._answer_line(text, methods)
        answer = heard.getvalue().decode("utf-8")
        assert "internal error" not in answer, (line, answer)
        assert not answer or (answer[0] in "=?" and answer.endswith("\n\n") and "\n\n" not in answer[:-2]), answer


@cache
def _analysis() -> tuple[Any, list[str]]:
    from tesuji.interfaces.analysis.analyst import Analyst
    from tesuji.interfaces.analysis.conversation import Conversation
    from tesuji.interfaces.analysis.settings import AnalysisSettings
    from tesuji.interfaces.engine.networks import Networks

    written: list[str] = []
    analyst = Analyst(Networks(_network()), AnalysisSettings(), threads=1)
    return Conversation(analyst, written.append), written


@reader
def read_analysis(data: bytes) -> None:
    conversation, written = _analysis()
    for line in data.decode("utf-8", "replace").split("\n")[:5]:
        written.clear()
        conversation.receive(line)
        conversation.terminate()
        conversation.wait()
        assert written or not line.strip() or "analyzeTurns" in line, "a line without an answer"
        for one in written:
            one.encode()
            assert isinstance(json.loads(one, parse_constant=_no_number), dict), one


def _no_number(text: str) -> None:
    raise AssertionError(f"{text} is no JSON")


@reader
def read_results(data: bytes) -> None:
    """The growing file of a match or a tournament."""
    from tesuji.arena.play.results import ResultsFile

    with file_of(data, "results.jsonl") as path:
        for game in ResultsFile(path):
            assert game.black_points in (0, 0.5, 1)
