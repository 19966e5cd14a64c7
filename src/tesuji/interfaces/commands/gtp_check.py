"""`tesuji gtp-check`: what the clients send, sent to any engine."""

import re
import shlex
from collections import Counter
from itertools import groupby
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from tesuji.base.errors import InputError
from tesuji.base.files import write_atomically
from tesuji.interfaces.gtp.check.fuzz import fuzz
from tesuji.interfaces.gtp.check.process import EngineError
from tesuji.interfaces.gtp.check.runner import Outcome, Verdict, check
from tesuji.interfaces.gtp.check.transcript import transcripts
from tesuji.interfaces.terminal.options import examples

_COLORS = {Verdict.FITS: "green", Verdict.FAILS: "bold red", Verdict.NOT_OFFERED: "dim"}

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
    words = shlex.split(command[0]) if len(command) == 1 else command
    chosen = [each for each in transcripts() if not client or each.client.lower() in {c.lower() for c in client}]
    if not chosen:
        known = ", ".join(sorted({each.client for each in transcripts()}))
        raise InputError(f"no transcripts of '{', '.join(client or [])}'; known clients: {known}")
    console = Console(record=picture is not None)
    outcomes = []
    with console.status("starting the engine") as status:
        for outcome in check(words, chosen, patience):
            status.update(f"{outcome.transcript.name} {outcome.verdict.value}")
            outcomes.append(outcome)
    console.print(table(outcomes))
    failed = sum(outcome.verdict is Verdict.FAILS for outcome in outcomes)
    if lines:
        failed += not _fuzz(console, words, lines, seed)
    if picture is not None:
        svg = console.export_svg(title=f'tesuji gtp-check "{" ".join(words)}"')
        # Rich would fetch its fonts from the network whenever somebody looks at the picture.
        write_atomically(picture, re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL))
    raise typer.Exit(1 if failed else 0)


def _fuzz(console: Console, words: list[str], lines: int, seed: int) -> bool:
    """Sends generated lines, says what came of it, and whether every answer was well-formed."""
    try:
        with console.status(f"sending {lines} generated lines"):
            told = fuzz(words, lines, seed)
    except EngineError as fault:
        console.print(f"{lines} generated lines: [bold red]FAILS[/], {escape(str(fault))}")
        return False
    console.print(f"{lines} generated lines: {told.answered} answered, {told.refused} refused, all well-formed")
    return True


def table(outcomes: list[Outcome]) -> Table:
    """One row for each phase of each client."""
    count = Counter(outcome.verdict for outcome in outcomes)
    caption = f"{count[Verdict.FITS]} of {len(outcomes)} phases fit"
    if count[Verdict.NOT_OFFERED]:
        caption += f"; {count[Verdict.NOT_OFFERED]} need commands the engine does not offer"
    shown = Table("client", "phase", "verdict", box=None, pad_edge=False, caption=caption)  # lines would cost width
    shown.add_column("s", justify="right")
    shown.add_column("reason", overflow="fold")  # the names of commands are never cut
    for client, phases in groupby(outcomes, lambda outcome: outcome.transcript.client):
        for number, outcome in enumerate(phases):
            verdict = f"[{_COLORS[outcome.verdict]}]{outcome.verdict.value}[/]"
            seconds = f"{outcome.seconds:.1f}" if outcome.seconds else ""
            name = "" if number else client
            shown.add_row(name, outcome.transcript.phase, verdict, seconds, escape(outcome.reason))
        shown.add_row()
    return shown
