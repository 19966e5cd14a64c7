"""`tesuji label`: a teacher judges positions, and its answers become a packed file to train on."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from tesuji.base.quantities import counted
from tesuji.interfaces.terminal.bars import moving_line
from tesuji.interfaces.terminal.devices import Devices, Precision, devices
from tesuji.interfaces.terminal.options import OUT, Quiet, examples, is_quiet

if TYPE_CHECKING:
    from tesuji.training.labels.labelling import Progress

_ODD_BY = "who plays the odd moves: random, or a network, which draws among its first eight"
_LEAVES = "judge positions that this network's search of the position looks at"
_PLAIN_EVERY = 30  # seconds between two lines where nothing can move on the screen

EXAMPLES = examples(
    (
        "what KataGo's network says of 100,000 positions",
        "tesuji label kata.bin.gz games.games --count 100000 -o taught.games",
    ),
    ("off the path of the games, too", "tesuji label default-9x9 games.games --odd 1:6 -o odd.games"),
)


def main(
    teacher: Annotated[str, typer.Argument(help="network by name or file; also KataGo's and Leela Zero's")],
    games: Annotated[list[Path], typer.Argument(help="packed files whose positions are judged")],
    out: Annotated[Path, typer.Option(*OUT, help="the packed file of the answers")],
    count: Annotated[int, typer.Option(min=1, help="positions to judge, in whole parts of --batch")] = 10_000,
    komi: Annotated[str, typer.Option(help="komi of the questions: a list, a range -10:20, or game")] = "5.5,6.5,7,7.5",
    rules: Annotated[str, typer.Option(help="rules under which the teacher judges")] = "tromp-taylor",
    odd: Annotated[str, typer.Option(help="odd moves added to each position: a number, or a range 1:6")] = "0",
    odd_by: Annotated[str, typer.Option(help=_ODD_BY)] = "random",
    leaves: Annotated[str, typer.Option(help=_LEAVES)] = "",
    leaf_visits: Annotated[int, typer.Option(help="visits of that search")] = 64,
    visits: Annotated[int, typer.Option(help="visits of the teacher; 1 is the bare network")] = 1,
    change: Annotated[list[str] | None, typer.Option("--set", help="an option of the teacher's search: c=0.5")] = None,
    symmetry: Annotated[str, typer.Option(help="how the teacher looks: none, random (one of eight) or all")] = "random",
    hard: Annotated[float, typer.Option(help="keep this share, where student and teacher differ most")] = 1.0,
    student: Annotated[str, typer.Option(help="the network compared with the teacher for --hard")] = "",
    batch: Annotated[int, typer.Option(help="positions of one part of the work")] = 64,
    seed: Annotated[int, typer.Option(help="of every random choice")] = 1,
    processes: Annotated[int, typer.Option(min=0, help="worker processes; 0 for all cores")] = 0,
    device: Devices = None,
    precision: Precision = "auto",
    quiet: Quiet = False,
) -> None:
    """Asks a teacher about positions. Stop whenever you like: what is done is kept, the same command goes on."""
    from tesuji.training.labels.labelling import label
    from tesuji.training.labels.options import LabelOptions

    options = LabelOptions(
        teacher=teacher, games=tuple(str(path) for path in games), komi=komi, rules=rules, odd=odd, odd_by=odd_by,
        leaves=leaves, leaf_visits=leaf_visits, visits=visits, search=tuple(change or []), symmetry=symmetry,
        hard=hard, student=student, batch=batch, seed=seed,
    )  # fmt: skip
    where = devices(device, precision)
    console = Console(stderr=True, highlight=False, quiet=is_quiet(quiet))
    with _Display(console) as show:
        try:
            written = label(options, out, count, processes, show, where)
        except KeyboardInterrupt:
            console.print(f"stopped; what is done is in {out}, the same command goes on")
            raise typer.Exit(130) from None
    console.print(f"{counted(written, 'position')} in {out}{show.account}")


class _Display:
    """A bar on a terminal, else a line now and then."""

    def __init__(self, console: Console) -> None:
        self.account = ""
        """Rate and share of the teacher, at the end."""
        self._console = console
        self._bar = moving_line(console)
        self._task = self._bar.add_task("labelling", total=None, text="")
        self._shown = time.monotonic()

    def __enter__(self) -> "_Display":
        if self._console.is_terminal:
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._console.is_terminal:
            self._bar.stop()

    def __call__(self, progress: "Progress") -> None:
        text = f"{progress.rate:.1f} positions/s, {100 * progress.teacher_share:.0f} % of the time inside the teacher"
        self.account = f", {text}"
        if self._console.is_terminal:
            self._bar.update(self._task, total=progress.wanted, completed=progress.done, text=text)
        elif time.monotonic() - self._shown > _PLAIN_EVERY:
            self._shown = time.monotonic()
            self._console.print(f"{progress.done:,} of {counted(progress.wanted, 'position')}, {text}", markup=False)
