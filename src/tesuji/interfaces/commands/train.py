"""`tesuji train`: supervised training from packed games, watched in the terminal."""

from pathlib import Path
from typing import Annotated, Any

import typer

from tesuji.base.errors import InputError
from tesuji.base.toml import read_toml
from tesuji.interfaces.terminal.options import OUT, Quiet, assignments, examples, folder_of, is_quiet
from tesuji.interfaces.terminal.plugins import Plugins, load_plugins

_RUN = "Folder of the run: log, checkpoints, best.onnx and curves.png go there."

EXAMPLES = examples(
    ("a small network on a packed file", "tesuji train runs/first --network se.8.192.48 --data train.games"),
    (
        "ten minutes on the games of `tesuji data sample`",
        "tesuji train --network se.4.64.32 --data sample.games --minutes 10",
    ),
    ("go on", "tesuji train runs/first --resume"),
)


def main(
    run: Annotated[Path | None, typer.Argument(help=_RUN, metavar="RUN")] = None,
    network: Annotated[str | None, typer.Option(help="Network by name, as `tesuji networks` lists them.")] = None,
    data: Annotated[list[str] | None, typer.Option(help="Packed file; FILE=WEIGHT for its share. Repeatable.")] = None,
    validation: Annotated[list[str] | None, typer.Option(help="Packed file to validate on. Repeatable.")] = None,
    planes: Annotated[str | None, typer.Option(help="Plane set; the network family's own when left out.")] = None,
    schedule: Annotated[
        str | None,
        typer.Option(help="cosine, constant, paper-2018, paper-2020, paper-2021 or toronto-2021: rate and length."),
    ] = None,
    epochs: Annotated[float | None, typer.Option(help="Length of the run.")] = None,
    steps: Annotated[int | None, typer.Option(help="Length of the run in steps, in place of epochs.")] = None,
    minutes: Annotated[float | None, typer.Option(help="End the run after this training time.")] = None,
    start: Annotated[
        str | None, typer.Option("--from", help="Weights to begin from: default-9x9, a run or a file.")
    ] = None,
    config: Annotated[Path | None, typer.Option(help="TOML file of settings.")] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="key=value, on top of everything else. Repeatable.")
    ] = None,
    quantize: Annotated[
        bool, typer.Option("--quantize", help="Last stage: the network of --from learns to play in 8-bit integers.")
    ] = False,
    out: Annotated[Path | None, typer.Option(*OUT, help=_RUN)] = None,
    plugin: Plugins = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in the folder.")] = False,
    quiet: Quiet = False,
) -> None:
    """Trains a network on recorded games. Stop with Ctrl-C and go on with --resume whenever you like."""
    load_plugins(plugin)
    table: dict[str, Any] = read_toml(config) if config else {}
    table |= {
        key: value
        for key, value in {
            "network": network, "validation": validation, "planes": planes, "schedule": schedule, "epochs": epochs,
            "steps": steps, "minutes": minutes, "start": start, "quantize": quantize or None,
        }.items()
        if value is not None and value != []
    }  # fmt: skip
    table |= _weighted(data or [])
    table |= assignments(settings or [])
    given = folder_of(run, out)
    if resume and given is None:
        raise InputError("--resume needs the folder of the run: tesuji train --resume RUN")
    from tesuji.interfaces.terminal.training_display import Display
    from tesuji.training.run import fitting

    folder = given or fitting.next_folder(Path("runs"))
    outcome = fitting.train(folder, table, resume=resume, watcher=Display(folder, quiet=is_quiet(quiet)))
    if not outcome.finished:
        raise typer.Exit(130)


def _weighted(data: list[str]) -> dict[str, Any]:
    """Files and their shares; `FILE=2` gives a share, which then every file needs."""
    if not data:
        return {}
    parts = [text.rpartition("=") for text in data]
    if not any(sign for _, sign, _ in parts):
        return {"data": data}
    if not all(sign for _, sign, _ in parts):
        raise InputError("some --data have a weight and some have none; write FILE=WEIGHT for each")
    return {"data": [name for name, _, _ in parts], "weights": [weight for _, _, weight in parts]}
