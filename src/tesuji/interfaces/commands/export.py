"""`tesuji export`: a checkpoint, a Keras model or another program's network becomes a model file, also in integers."""

import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from tesuji import networks
from tesuji.base.errors import InputError
from tesuji.base.files import write_atomically
from tesuji.interfaces.terminal.options import OUT, Quiet, examples, is_quiet
from tesuji.interfaces.terminal.plugins import Plugins, load_plugins
from tesuji.networks import library
from tesuji.networks.evaluators.comparison import compare
from tesuji.networks.evaluators.factory import Running, evaluator
from tesuji.networks.foreign.convert import OPTIMISM, export_foreign, is_foreign, stem
from tesuji.networks.onnx.model_file import ModelInfo, read_bytes, read_info
from tesuji.training.data.real_positions import real_positions

HELD_OUT = 256
"""Positions to compare integers on."""

EXAMPLES = examples(
    ("the best weights of a run", "tesuji export runs/run-1/best.safetensors -o mine.onnx"),
    ("a Keras model of the course", "tesuji export student.h5"),
    ("KataGo's file, also in 8-bit integers", "tesuji export kata1-b6c96.bin.gz --int8 -o b6.onnx"),
)


def main(
    source: Annotated[
        Path,
        typer.Argument(
            help="A checkpoint (.safetensors), a Keras model (.h5, .keras), KataGo's or Leela Zero's file, "
            "or, with --int8, a model file."
        ),
    ],
    out: Annotated[Path | None, typer.Option(*OUT, help="The model file; beside it by default.")] = None,
    planes: Annotated[str | None, typer.Option(help="Plane set of a Keras model, if not the course's own.")] = None,
    value_of: Annotated[
        str, typer.Option(help="Whose win a Keras model's value speaks of: white or to_play.")
    ] = "white",
    optimism: Annotated[float, typer.Option(help="Share of the optimistic policy, for KataGo's networks.")] = OPTIMISM,
    note: Annotated[str, typer.Option(help="JSON to keep in the file as its training record.")] = "{}",
    average: Annotated[
        list[Path] | None, typer.Option(help="Another checkpoint of the same network: the mean of all. Repeatable.")
    ] = None,
    int8: Annotated[
        bool,
        typer.Option("--int8", help="Keep the network in 8-bit integers too, two to three times as fast with VNNI."),
    ] = False,
    positions: Annotated[
        Path | None, typer.Option(help="Packed games to calibrate integers with; a sample of self-play by default.")
    ] = None,
    plugin: Plugins = None,
    quiet: Quiet = False,
) -> None:
    """Writes a model file that plays anywhere, after checking that it says what the network says."""
    console = Console(quiet=is_quiet(quiet))
    load_plugins(plugin)
    target = out or source.with_name(f"{stem(source) if is_foreign(source) else source.stem}.onnx")
    if source.suffix == ".onnx" and not int8:
        raise InputError(f"'{source}' is a model file already; --int8 adds the network in integers")
    if target.suffix != ".onnx":
        raise InputError(f"a model file ends in .onnx, not '{target.name}'")
    if not target.parent.is_dir():
        raise InputError(f"no folder {target.parent} to write {target.name} in")
    if average and (source.suffix.lower() in library.KERAS or is_foreign(source)):
        kind = "network of another program" if is_foreign(source) else "Keras model"
        raise InputError(f"--average takes checkpoints (.safetensors); '{source.name}' is a {kind}")
    record = _record(note)
    weights = target.with_suffix(".safetensors")  # of a mean: kept beside it, so that training can go on from there
    if average and weights.exists() and any(weights.samefile(one) for one in (source, *average)):
        raise InputError(f"the mean would replace '{weights}': give it another name with --out")
    # Nothing is written before all is well: a file that plays is not lost to one that cannot be made.
    with tempfile.TemporaryDirectory() as folder:
        draft = Path(folder) / target.name
        with console.status(f"exporting {source}"):
            if source.suffix.lower() in library.KERAS:
                from tesuji.networks.keras.convert import export_keras

                export_keras(source, draft, planes=planes, value_of=value_of, training=record)
            elif is_foreign(source):
                export_foreign(source, draft, optimism, record)
            elif source.suffix != ".onnx":
                _export_weights([source, *(average or [])], draft, record)
        data = read_bytes(draft if draft.exists() else source)
        if int8:
            data = _with_int8(console, data, str(target), positions)
        if average:
            write_atomically(weights, draft.with_suffix(".safetensors").read_bytes())
    write_atomically(target, data)
    info = read_info(data, str(target))
    console.print(f"{target}  {_told(info)}, {len(data) / 1e6:.1f} MB", highlight=False)


def _told(info: ModelInfo) -> str:
    return f"{info.name} on {info.planes}, {info.parameters} parameters"


def _with_int8(console: Console, data: bytes, where: str, games: Path | None) -> bytes:
    """The file with integers in it; says how far they are from the network, on positions not calibrated with."""
    from tesuji.networks.int8.quantise import add_int8, enough_positions  # needs the package onnx

    info = read_info(data, where)
    enough = enough_positions(info.size)
    drawn = real_positions(info.planes, info.size, enough + HELD_OUT, games)
    with console.status("calibrating") as status:
        both = add_int8(data, drawn.part(0, enough), where, lambda text: status.update(f"int8: {text}"))
        pair = [evaluator(both, where, Running(precision=name)) for name in ("fp32", "int8")]
        found = compare(pair[0], pair[1], drawn.part(enough, enough + HELD_OUT))
    console.print("int8 against fp32:", *found.lines(), sep="\n  ", highlight=False)
    return both


def _export_weights(sources: Sequence[Path], draft: Path, record: Mapping[str, Any]) -> None:
    """The model file of a checkpoint, or of the mean of several, whose weights then lie beside it."""
    training = {**networks.read_note(sources[0])["record"], **record}
    if len(sources) == 1:
        networks.export(networks.load_weights(sources[0]), draft, training)
        return
    network = networks.average_weights(sources)
    networks.save_weights(network, draft.with_suffix(".safetensors"), training)
    networks.export(network, draft, training)


def _record(text: str) -> dict[str, Any]:
    try:
        record = json.loads(text)
    except ValueError as problem:
        raise InputError(f"--note is not JSON: {problem}") from None
    if not isinstance(record, dict):
        raise InputError('--note should be a JSON object, as in \'{"author": "me"}\'')
    return record
