"""`tesuji learn`: self-play, training and the gate in a loop; from zero, or from a network to improve."""

from pathlib import Path
from typing import Annotated, Any

import typer

from tesuji.base.errors import InputError
from tesuji.base.toml import read_toml
from tesuji.interfaces.terminal.devices import Precision, WorkersDevice, devices
from tesuji.interfaces.terminal.options import OUT, Quiet, assignments, examples, folder_of, is_quiet
from tesuji.interfaces.terminal.plugins import Plugins, load_plugins

_RUN = "folder of the run: games, networks, log and report go there"
_START = "weights to improve: a built-in network, a training run or a safetensors file; from zero when left out"
_RAY = "self-play and the gate on a Ray cluster: its address, or `local` to start one here"

EXAMPLES = examples(
    ("5x5 from nothing, until stopped", "tesuji learn runs/five --network se.4.64.32 --size 5 --rounds 0"),
    ("improve the built-in network for an hour", "tesuji learn runs/nine --from default-9x9 --minutes 60"),
    ("go on", "tesuji learn runs/nine --resume"),
)


def main(
    run: Annotated[Path | None, typer.Argument(metavar="RUN", help=_RUN)] = None,
    network: Annotated[str | None, typer.Option(help="network to train, by name")] = None,
    start: Annotated[str | None, typer.Option("--from", help=_START)] = None,
    size: Annotated[int | None, typer.Option(help="lines of the board")] = None,
    komi: Annotated[str | None, typer.Option(help="points given to White, or a range 5.5:9.5")] = None,
    rounds: Annotated[int | None, typer.Option(help="rounds in all; 0 goes on until stopped")] = None,
    games: Annotated[int | None, typer.Option(help="self-play games of a round")] = None,
    visits: Annotated[int | None, typer.Option(help="visits of a full search in self-play")] = None,
    minutes: Annotated[float, typer.Option(help="begin no further round after this time; 0: no limit")] = 0.0,
    config: Annotated[Path | None, typer.Option(help="TOML file with the tables loop, selfplay and train")] = None,
    change: Annotated[
        list[str] | None, typer.Option("--set", help="key=value, selfplay.key=value or train.key=value. Repeatable.")
    ] = None,
    out: Annotated[Path | None, typer.Option(*OUT, help=_RUN)] = None,
    processes: Annotated[int, typer.Option(min=0, help="self-play processes; 0 for all cores")] = 0,
    ray: Annotated[str | None, typer.Option(metavar="ADDRESS", help=_RAY)] = None,
    device: WorkersDevice = "cpu",
    precision: Precision = "auto",
    plugin: Plugins = None,
    resume: Annotated[bool, typer.Option("--resume", help="go on with the run in the folder")] = False,
    quiet: Quiet = False,
) -> None:
    """Learns by self-play. Stop with Ctrl-C and go on with --resume; nothing but the games under way is lost."""
    from tesuji.interfaces.terminal.learn_display import LearnDisplay
    from tesuji.interfaces.terminal.selfplay_display import Display
    from tesuji.learning.loop.learn import learn

    folder = folder_of(run, out)
    if folder is None:
        raise InputError("name the folder of the run: tesuji learn RUN")
    load_plugins(plugin)
    table: dict[str, Any] = read_toml(config) if config else {}
    given: dict[str, Any] = {"network": network, "start": start, "rounds": rounds, "games": games}
    given |= {"selfplay.size": size, "selfplay.komi": komi, "selfplay.search.visits": visits}
    table |= {key: value for key, value in given.items() if value is not None} | assignments(change or [])
    where = ",".join(devices([device], precision))
    with Display("self-play", quiet=is_quiet(quiet)) as display:
        learned = learn(
            folder, table, resume=resume, minutes=minutes, processes=processes, ray=ray, device=where,
            watcher=LearnDisplay(display),
        )  # fmt: skip
        if learned.interrupted:
            display.said(f"stopped in round {len(learned.rounds) + 1}; go on with: tesuji learn {folder} --resume")
            raise typer.Exit(130)
        display.said(f"best network: {learned.best}; report: {learned.report}")
