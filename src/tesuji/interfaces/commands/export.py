"""`tesuji export`: a checkpoint, a student's Keras model or another program's network becomes a model file."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from tesuji import networks
from tesuji.base.errors import InputError
from tesuji.interfaces.terminal.plugins import Plugins, load_plugins
from tesuji.networks import library
from tesuji.networks.foreign.convert import OPTIMISM, export_foreign, is_foreign, stem


def main(
    source: Annotated[
        Path,
        typer.Argument(
            help="A checkpoint (.safetensors), a Keras model (.h5, .keras), or KataGo's or Leela Zero's file."
        ),
    ],
    output: Annotated[Path | None, typer.Option("-o", "--output", help="The model file; beside it by default.")] = None,
    planes: Annotated[str | None, typer.Option(help="Plane set of a Keras model, if not the course's own.")] = None,
    value_of: Annotated[
        str, typer.Option(help="Whose win a Keras model's value speaks of: white or to_play.")
    ] = "white",
    optimism: Annotated[float, typer.Option(help="Share of the optimistic policy, for KataGo's networks.")] = OPTIMISM,
    note: Annotated[str, typer.Option(help="JSON to keep in the file as its training record.")] = "{}",
    average: Annotated[
        list[Path] | None, typer.Option(help="Another checkpoint of the same network: the mean of all. Repeatable.")
    ] = None,
    plugin: Plugins = None,
) -> None:
    """Writes a model file that plays anywhere, after checking that it says what the network says."""
    console = Console()
    load_plugins(plugin)
    target = output or source.with_name(f"{stem(source) if is_foreign(source) else source.stem}.onnx")
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
        else:
            own = networks.read_note(source)["record"]
            training = {**own, **record}
            network = _averaged([source, *average], target, training) if average else networks.load_weights(source)
            info = networks.export(network, target, training)
    size = target.stat().st_size / 1e6
    console.print(
        f"{target}  {info.name} on {info.planes}, {info.parameters} parameters, {size:.1f} MB", highlight=False
    )


# The result is named in quotes: `--help` needs no torch.
def _averaged(sources: Sequence[Path], target: Path, record: Mapping[str, Any]) -> "networks.Network":
    """The mean of checkpoints; its weights are kept beside the model file, so that training can go on from them."""
    weights = target.with_suffix(".safetensors")
    if weights.exists() and any(weights.samefile(source) for source in sources):
        raise InputError(f"the mean would replace '{weights}': give it another name with --output")
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
