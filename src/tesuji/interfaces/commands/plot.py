"""`tesuji plot`: training curves of one or more runs in one picture."""

from pathlib import Path
from typing import Annotated

import typer

from tesuji.base.pixels import check_plot
from tesuji.interfaces.terminal.options import OUT, examples
from tesuji.interfaces.terminal.plugins import Plugins, load_plugins

EXAMPLES = examples(
    ("all curves of a run", "tesuji plot runs/run-1"),
    ("accuracy of two by time", "tesuji plot runs/a runs/b --x time --y accuracy -o both.png"),
)


def main(
    runs: Annotated[list[Path], typer.Argument(help="Run folders of `tesuji train`.", metavar="RUN...")],
    out: Annotated[Path | None, typer.Option(*OUT, help="Picture to write: .png, .svg or .pdf.")] = None,
    x: Annotated[str, typer.Option(help="epoch, samples, time or parameters: one panel over this")] = "",
    y: Annotated[str, typer.Option(help="what that panel shows: accuracy, mse, cross_entropy, ...")] = "",
    plugin: Plugins = None,
) -> None:
    """Draws policy accuracy, value error, calibration and losses by epoch; with --x or --y one panel alone."""
    from tesuji.training.run.curves import draw, draw_one

    check_plot(out)
    load_plugins(plugin)
    picture = out or (runs[0] / "curves.png" if len(runs) == 1 else Path("curves.png"))
    if x or y:
        draw_one(runs, picture, x or "epoch", y or "accuracy")
    else:
        draw(runs, picture)
    print(f"wrote {picture}")
