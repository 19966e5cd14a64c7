"""`tesuji analysis-check`: what the clients send, sent to any analysis engine."""

import shlex
from typing import Annotated

import typer
from rich.console import Console

from tesuji.base.errors import InputError
from tesuji.interfaces.analysis.check.fuzz import fuzz
from tesuji.interfaces.analysis.check.runner import analysis_transcripts, check
from tesuji.interfaces.commands.gtp_check import table
from tesuji.interfaces.gtp.check.process import EngineError
from tesuji.interfaces.gtp.check.runner import Verdict
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
    words = shlex.split(command[0]) if len(command) == 1 else command
    known = analysis_transcripts()
    chosen = [each for each in known if not client or each.client.lower() in {c.lower() for c in client}]
    if not chosen:
        names = ", ".join(sorted({each.client for each in known}))
        raise InputError(f"no transcripts of '{', '.join(client or [])}'; known clients: {names}")
    console = Console()
    outcomes = []
    with console.status("starting the engine") as status:
        for outcome in check(words, chosen, patience):
            status.update(f"{outcome.transcript.name} {outcome.verdict.value}")
            outcomes.append(outcome)
    console.print(table(outcomes))
    failed = sum(outcome.verdict is Verdict.FAILS for outcome in outcomes)
    if lines:
        try:
            with console.status(f"sending {lines} generated lines"):
                told = fuzz(words, lines, seed, patience)
            console.print(f"{lines} generated lines: {told}")
        except EngineError as fault:
            console.print(f"{lines} generated lines: FAILS, {fault}", markup=False)
            failed += 1
    raise typer.Exit(1 if failed else 0)
