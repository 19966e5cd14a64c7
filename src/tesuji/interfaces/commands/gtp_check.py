"""`tesuji gtp-check`: what the clients send, sent to any engine."""

import re
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from tesuji.base.files import write_atomically
from tesuji.interfaces.gtp.check.fuzz import fuzz
from tesuji.interfaces.gtp.check.runner import check
from tesuji.interfaces.gtp.check.transcript import transcripts
from tesuji.interfaces.terminal.check_display import engine_words, of_clients, show_check, show_fuzz
from tesuji.interfaces.terminal.options import examples

EXAMPLES = examples(
    ("any engine; its options need no quotes", "tesuji gtp-check gnugo --mode gtp"),
    ("as Sabaki talks to it, and 500 generated lines", "tesuji gtp-check --client Sabaki --fuzz 500 tesuji gtp"),
    others=True,
)


def main(
    command: Annotated[list[str], typer.Argument(help="The engine's command line, e.g. 'gnugo --mode gtp'.")],
    client: Annotated[list[str] | None, typer.Option(help="Only this client's transcripts; may be repeated.")] = None,
    patience: Annotated[float, typer.Option(min=0.1, help="Seconds an ordinary answer may take.")] = 30.0,
    lines: Annotated[int, typer.Option("--fuzz", min=0, help="Also send so many generated lines.")] = 0,
    seed: Annotated[int, typer.Option(help="Of the generated lines.")] = 1,
    picture: Annotated[Path | None, typer.Option(help="Also save the table as SVG.")] = None,
) -> None:
    """Plays the transcripts of Sabaki, Lizzie, GoGui, gtp2ogs, kgsGtp and CGOS to an engine and prints a table."""
    words = engine_words(command)
    chosen = of_clients(list(transcripts()), client)
    console = Console(record=picture is not None)
    failed = show_check(console, check(words, chosen, patience))
    if lines:
        failed += show_fuzz(console, lines, lambda: fuzz(words, lines, seed))
    if picture is not None:
        svg = console.export_svg(title=f'tesuji gtp-check "{" ".join(words)}"')
        # Rich would fetch its fonts from the network whenever somebody looks at the picture.
        write_atomically(picture, re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL))
    raise typer.Exit(1 if failed else 0)
