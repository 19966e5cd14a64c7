"""Sound input for every reader of `tests/fuzzing/readers.py`, and what earlier runs found, to begin with."""

import gzip
import io
import json
import zipfile
from pathlib import Path

import numpy as np

CORPUS = Path(__file__).parent / "corpus"
_RECIPE = b"""title = "t"
paper = "p"
kind = "training"
covers = ["a"]
error = 0.5
[settings]
visits = 3
[budget.minutes]
scaled = "less"
[[claims]]
column = "c"
order = ["a", "b"]
lower = true
"""
_TRAIN = b'network = "se.1.16.8"\nsteps = 3\nbatch = 4\nseed = 0x10\nlearning_rate = 1e-3\ndata = ["a.games"]\n'
_SEARCH = (
    b"visits = 80\nbatch = 4\nthreads = 1\nc = 1.5\nseconds = 0.5\nwhen = 2020-01-02T03:04:05Z\na = [1, {b = 2}]\n"
)
_QUERY: dict[str, object] = {
    "id": "a", "moves": [["B", "C3"]], "rules": "chinese", "komi": 6.5, "boardXSize": 5, "boardYSize": 5,
    "maxVisits": 2, "analyzeTurns": [0, 1], "includePolicy": True, "overrideSettings": {"rootFpuReductionMax": 0.1},
}  # fmt: skip
_LIMITED: dict[str, object] = {
    "id": "b", "moves": [], "boardXSize": 5, "boardYSize": 5, "maxVisits": 2, "priority": 1,
    "rules": {"ko": "SIMPLE", "scoring": "TERRITORY", "tax": "SEKI", "suicide": False, "hasButton": False},
    "initialStones": [["W", "D4"]],
    "avoidMoves": [{"player": "B", "moves": ["C3", "pass"], "untilDepth": 2}],
}  # fmt: skip
_STOP: dict[str, object] = {"id": "c", "action": "terminate", "terminateId": "a", "turnNumbers": [1]}
_TALK = b"""1 play b C3
play w pass
genmove b
kata-analyze b 10 minmoves 2
kata-raw-nn 0
undo
final_score
showboard
kata-set-param maxVisits 3
kata-get-rules
set_free_handicap C3 D4
time_settings 10 5 1
time_left b 3 1
final_status_list dead
set_position b C3 w D4
kgs-genmove_cleanup w
lz-genmove_analyze b 5
gogui-analyze_commands
kata-set-rules {"ko":"SIMPLE"}
place_free_handicap 2
known_command x
# interrupt
cputime
fixed_handicap 2
loadsgf game.sgf 3
printsgf
"""
_RESULTS = b"""{"tesuji-results": 1, "conditions": {"size": 5}}
{"player": "a", "description": {"visits": 3}}
{"key": "a-b-0", "black": "a", "white": "b", "result": "B+3.5", "moves": 3}
"""


def seeds(name: str) -> list[bytes]:
    """A few sound inputs of a reader, then those of its corpus."""
    made: dict[str, object] = {
        "sgf": _sgf, "model": _model, "katago": _katago, "leela": _leela, "archive": _archives, "teacher": _teacher,
        "keras": _keras, "checkpoint": _checkpoint, "settings": [_TRAIN, _SEARCH], "recipe": [_RECIPE],
        "gtp": [*_TALK.splitlines(keepends=True), _TALK[:200]],
        "analysis": [json.dumps(one).encode() for one in (_QUERY, _LIMITED, _STOP)],
        "results": [_RESULTS],
    }  # fmt: skip
    sound = made[name]
    return [*(sound() if callable(sound) else sound), *kept(CORPUS / f"{name}.zip")]  # type: ignore[misc]


def kept(path: Path) -> list[bytes]:
    """The inputs of a corpus."""
    if not path.is_file():
        return []
    with zipfile.ZipFile(path) as archive:
        return [archive.read(name) for name in sorted(archive.namelist())]


def keep(path: Path, inputs: list[bytes]) -> None:
    """Writes a corpus, the same bytes whenever it is the same."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, data in enumerate(sorted(inputs, key=lambda one: (len(one), one))):
            archive.writestr(zipfile.ZipInfo(f"{number:04}"), data, zipfile.ZIP_DEFLATED)


def _sgf() -> list[bytes]:
    from tests.training.test_packing import sgf

    strange = b"(;SZ[9]CA[Shift_JIS]PB[\x83\x5c]AB[aa:cc];B[ee](;W[dd])(;W[ff]C[x\\]y]))"
    return [sgf(1).encode(), strange]


def _archives() -> list[bytes]:
    from tests.training.test_archive_bombs import tar_of, zip_of

    game = _sgf()[0]
    return [zip_of({"a.sgf": game}), tar_of({"a.sgf": game}), gzip.compress(game)]


def _katago() -> list[bytes]:
    from tests.networks.katago_files import KatagoFile

    return [KatagoFile(8, ["ordinary"]).data()]


def _leela() -> list[bytes]:
    from tests.networks.test_leela import LeelaFile

    lines = [" ".join("1" for _ in line.reshape(-1)) for line in LeelaFile(1, 1).lines]
    return [b"1\n0.5 0.25\n1 2\n", "\n".join(lines).encode() + b"\n"]


def _teacher() -> list[bytes]:
    rows = 2
    columns = [
        np.array([b"", b"cc"]), np.full(rows, 7.0), np.full((rows, 26), 1 / 26, np.float32), np.full(rows, 0.5),
        np.zeros(rows), np.zeros((rows, 25), np.int8),
    ]  # fmt: skip
    parts = []
    for column in columns:
        out = io.BytesIO()
        np.save(out, column)
        parts.append(out.getvalue())
    return [b"--part--".join(parts)]


def _keras() -> list[bytes]:
    board = {"class_name": "InputLayer", "config": {"batch_shape": [None, 9, 9, 31], "name": "board"}}
    conv = {
        "module": "keras.layers", "class_name": "Conv2D", "name": "c", "inbound_nodes": [],
        "config": {"filters": 8, "kernel_size": [3, 3], "activation": "relu", "kernel_initializer": {"a": 1}},
    }  # fmt: skip
    return [json.dumps({"class_name": "Functional", "config": {"layers": [board, conv]}}).encode()]


def _checkpoint() -> list[bytes]:
    from safetensors.numpy import save

    note = {"format": 1, "network": "se.1.16.8", "planes": "golois-31", "size": 9, "record": {}}
    return [save({"w": np.zeros((2, 2), np.float32)}, {"tesuji": json.dumps(note)})]


def _model() -> list[bytes]:
    from tesuji.networks.onnx.builder import GraphBuilder
    from tesuji.networks.onnx.model_file import ModelInfo

    graph = GraphBuilder()
    value = graph.add("ReduceMean", ["planes", graph.constant([1, 2, 3])], keepdims=0)
    info = ModelInfo(
        name="n", planes="golois-21", size=9, any_size=False, has_pass=False, value_of="white", outputs=("value",)
    )
    return [graph.model(info, 21, [value])]
