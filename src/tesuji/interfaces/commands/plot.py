"""`tesuji plot`: training curves of one or more runs in one picture."""

from pathlib import Path
from typing import Annotated

import typer


def main(
    runs: Annotated[list[Path], typer.Argument(help="Run folders of `tesuji train`.", metavar="RUN...")],
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Picture to write: .png, .svg or .pdf.")] = None,
) -> None:
    """Draws policy accuracy, value error, calibration and losses by epoch."""
    from tesuji.training.run.curves import draw

    picture = out or (runs[0] / "curves.png" if len(runs) == 1 else Path("curves.png"))
    draw(runs, picture)
    print(f"wrote {picture}")
