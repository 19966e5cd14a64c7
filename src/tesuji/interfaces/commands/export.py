"""`tesuji export`: a checkpoint, a Keras model or another program's network becomes a model file, also in integers."""

import json
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
from tesuji.networks.onnx.model_file import read_bytes, read_info
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
    if average and (source.suffix.lower() in library.KERAS or is_foreign(source)):
        kind = "network of another program" if is_foreign(source) else "Keras model"
        raise InputError(f"--average takes checkpoints (.safetensors); '{source.name}' is a {kind}")
    record = _record(note)
    with console.status(f"exporting {source}"):
        if source.suffix.lower() in library.KERAS:
            from tesuji.networks.keras.convert import export_keras

            info = export_keras(source, target, planes=planes, value_of=value_of, training=record)
        elif is_foreign(source):
            info = export_foreign(source, target, optimism, record)
        elif source.suffix == ".onnx":
            info = read_info(read_bytes(source), str(source))
        else:
            own = networks.read_note(source)["record"]
            training = {**own, **record}
            network = _averaged([source, *average], target, training) if average else networks.load_weights(source)
            info = networks.export(network, target, training)
    if int8:
        _add_int8(console, source if source.suffix == ".onnx" else target, target, positions)
    size = target.stat().st_size / 1e6
    console.print(
        f"{target}  {info.name} on {info.planes}, {info.parameters} parameters, {size:.1f} MB", highlight=False
    )


def _add_int8(console: Console, source: Path, target: Path, games: Path | None) -> None:
    """Puts integers into the file and says how far they are from the network, on positions not calibrated with."""
    from tesuji.networks.int8.quantise import add_int8, enough_positions  # needs the package onnx

    data = read_bytes(source)
    info = read_info(data, str(source))
    enough = enough_positions(info.size)
    drawn = real_positions(info.planes, info.size, enough + HELD_OUT, games)
    with console.status("calibrating") as status:
        both = add_int8(data, drawn.part(0, enough), str(source), lambda text: status.update(f"int8: {text}"))
        pair = [evaluator(both, str(target), Running(precision=name)) for name in ("fp32", "int8")]
        found = compare(pair[0], pair[1], drawn.part(enough, enough + HELD_OUT))
    write_atomically(target, both)
    console.print("int8 against fp32:", *found.lines(), sep="\n  ", highlight=False)


# The result is named in quotes: `--help` needs no torch.
def _averaged(sources: Sequence[Path], target: Path, record: Mapping[str, Any]) -> "networks.Network":
    """The mean of checkpoints; its weights are kept beside the model file, so that training can go on from them."""
    weights = target.with_suffix(".safetensors")
    if weights.exists() and any(weights.samefile(source) for source in sources):
        raise InputError(f"the mean would replace '{weights}': give it another name with --out")
    network = networks.average_weights(sources)
    networks.save_weights(network, weights, record)
    return network


def _record(text: str) -> dict[str, Any]:
    try:
        record = json.loads(text)
    except ValueError as problem:
        raise InputError(f"--note is not JSON: {problem}") from None
    if not isinstance(record, dict):
        raise InputError('--note should be a JSON object, as in \'{"author": "me"}\'')
    return record
