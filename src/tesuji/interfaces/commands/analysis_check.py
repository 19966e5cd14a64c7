"""`tesuji analysis-check`: what the clients send, sent to any analysis engine."""

from typing import Annotated

import typer
from rich.console import Console

from tesuji.interfaces.analysis.check.fuzz import fuzz
from tesuji.interfaces.analysis.check.runner import analysis_transcripts, check
from tesuji.interfaces.terminal.check_display import engine_words, of_clients, show_check, show_fuzz
from tesuji.interfaces.terminal.options import examples

EXAMPLES = examples(
    ("our own engine, with 200 generated lines", "tesuji analysis-check tesuji analysis --fuzz 200"),
    ("another one, as KaTrain talks to it", "tesuji analysis-check --client KaTrain 'katago analysis -config a.cfg'"),
    others=True,
)


def main(
    command: Annotated[list[str], typer.Argument(help="The engine's command line, e.g. 'tesuji analysis'.")],
    client: Annotated[list[str] | None, typer.Option(help="Only this client's transcripts; may be repeated.")] = None,
    patience: Annotated[float, typer.Option(min=0.1, help="Seconds an ordinary answer may take.")] = 60.0,
    lines: Annotated[int, typer.Option("--fuzz", min=0, help="Also send so many generated lines.")] = 0,
    seed: Annotated[int, typer.Option(help="Of the generated lines.")] = 1,
) -> None:
    """Plays the transcripts of KaTrain, Ogatak, LizzieYzy and analyze-sgf to an engine and prints a table."""
    words = engine_words(command)
    chosen = of_clients(analysis_transcripts(), client)
    console = Console()
    failed = show_check(console, check(words, chosen, patience))
    if lines:
        failed += show_fuzz(console, lines, lambda: fuzz(words, lines, seed, patience))
    raise typer.Exit(1 if failed else 0)
