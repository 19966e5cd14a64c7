"""`tesuji selfplay`: games of a network against itself, with what its searches found, as packed files."""

from pathlib import Path
from typing import Annotated, Any

import typer

from tesuji.base.quantities import counted
from tesuji.base.toml import read_toml
from tesuji.interfaces.terminal.devices import Precision, WorkersDevice, devices
from tesuji.interfaces.terminal.options import OUT, Quiet, assignments, examples, is_quiet

_STARTS = "empty, random[:MOVES] drawn from the policy, or a packed file [:MOVES] whose positions to begin from"
_POLICY = "no search: the bare policy, its moves chosen in this way, such as near-best-prior-2018"
_RAY = "play on a Ray cluster: its address, or `local` to start one here"

EXAMPLES = examples(
    ("1,000 games on 9x9", "tesuji selfplay default-9x9 -o games"),
    (
        "quick ones of a network of one's own, on 7x7",
        "tesuji selfplay mine.onnx --size 7 --visits 32 --fast-visits 8 -o seven",
    ),
    ("on a Ray cluster", "tesuji selfplay default-9x9 --ray head:6379 --games 100000 -o games"),
)


def main(
    network: Annotated[str, typer.Argument(help="network by name, or a model file")],
    out: Annotated[Path, typer.Option(*OUT, help="folder of the packed games")] = Path("selfplay"),
    games: Annotated[int, typer.Option(min=1, help="games the folder shall hold")] = 1000,
    size: Annotated[int | None, typer.Option(help="lines of the board")] = None,
    komi: Annotated[str | None, typer.Option(help="points given to White, or a range 5.5:9.5")] = None,
    visits: Annotated[int | None, typer.Option(help="visits of a full search, whose moves become targets")] = None,
    fast_visits: Annotated[int | None, typer.Option(help="visits of a fast search")] = None,
    full_share: Annotated[float | None, typer.Option(help="share of moves searched in full")] = None,
    policy: Annotated[str | None, typer.Option(help=_POLICY)] = None,
    root: Annotated[str | None, typer.Option(help="exploration at the root: dirichlet or gumbel")] = None,
    starts: Annotated[str | None, typer.Option(help=_STARTS)] = None,
    resign: Annotated[float | None, typer.Option(help="win probability below which to give up; 0 never")] = None,
    seed: Annotated[int | None, typer.Option(help="of every random choice")] = None,
    config: Annotated[Path | None, typer.Option(help="TOML file of self-play settings")] = None,
    change: Annotated[list[str] | None, typer.Option("--set", help="any other key=value. Repeatable.")] = None,
    processes: Annotated[int, typer.Option(min=0, help="worker processes; 0 for all cores")] = 0,
    shard: Annotated[int, typer.Option(min=1, help="games in one packed file")] = 500,
    ray: Annotated[str | None, typer.Option(metavar="ADDRESS", help=_RAY)] = None,
    device: WorkersDevice = "cpu",
    precision: Precision = "auto",
    quiet: Quiet = False,
) -> None:
    """Plays a network against itself. Stop whenever you like; the same command again plays what is missing."""
    from tesuji.base.settings import changed
    from tesuji.interfaces.terminal.selfplay_display import Display
    from tesuji.learning.selfplay.crew import Crew, make_job
    from tesuji.learning.selfplay.options import SelfplayOptions
    from tesuji.learning.selfplay.shards import ShardFolder
    from tesuji.learning.selfplay.workforces import workforce
    from tesuji.networks.devices import usual_batch

    table: dict[str, Any] = read_toml(config) if config else {}
    given = {"size": size, "komi": komi, "search.visits": visits, "fast_visits": fast_visits, "full_share": full_share}
    given |= {"policy": policy, "root": root, "starts": starts, "resign": resign, "seed": seed}
    table |= {key: value for key, value in given.items() if value is not None} | assignments(change or [])
    where = devices([device], precision)
    usual = SelfplayOptions(concurrent=usual_batch(SelfplayOptions.concurrent, where))
    job = make_job(network, changed(usual, table, "self-play"), where)
    with (
        workforce(processes, ray, ",".join(where)) as force,
        Display(f"self-play of {network}", quiet=is_quiet(quiet)) as display,
        ShardFolder(out, shard, display.said) as folder,
    ):
        folder.keep_to(job.kind())
        try:
            progress = Crew(force, display.show).produce(job, games, folder)
        except KeyboardInterrupt:
            folder.join()
            display.said(f"stopped; {counted(folder.games, 'game')} in {out}, the same command plays the rest")
            raise typer.Exit(130) from None
        display.finished(progress, out)
