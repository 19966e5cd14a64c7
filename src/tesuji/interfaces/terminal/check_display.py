"""What both checks of engines share on the terminal: which transcripts, the table of verdicts, generated lines."""

import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from tesuji.base.errors import InputError
from tesuji.base.quantities import counted
from tesuji.interfaces.gtp.check.process import EngineError
from tesuji.interfaces.gtp.check.runner import Outcome, Verdict
from tesuji.interfaces.gtp.check.transcript import Transcript
from tesuji.interfaces.terminal.strange_text import shown

_COLORS = {Verdict.FITS: "green", Verdict.FAILS: "bold red", Verdict.NOT_OFFERED: "dim"}


def engine_words(command: Sequence[str]) -> list[str]:
    """The engine's command line, written as one word in quotes or as several."""
    return shlex.split(command[0]) if len(command) == 1 else list(command)


def of_clients(known: Sequence[Transcript], clients: Sequence[str] | None) -> list[Transcript]:
    """The transcripts of these clients, or all. Raises `InputError` where there is none."""
    wanted = {name.lower() for name in clients or []}
    chosen = [each for each in known if not wanted or each.client.lower() in wanted]
    if not chosen:
        names = ", ".join(sorted({each.client for each in known}))
        raise InputError(f"no transcripts of '{', '.join(clients or [])}'; known clients: {names}")
    return chosen


def show_check(console: Console, outcomes: Iterable[Outcome]) -> int:
    """Runs the check, prints its table, and tells how many phases failed."""
    found = []
    with console.status("starting the engine") as status:
        for outcome in outcomes:
            status.update(f"{outcome.transcript.name} {outcome.verdict.value}")
            found.append(outcome)
    console.print(table(found))
    return sum(outcome.verdict is Verdict.FAILS for outcome in found)


def show_fuzz(console: Console, lines: int, fuzz: Callable[[], object]) -> int:
    """Sends generated lines, says what came of it; 1 where an answer was malformed or missing."""
    sent = f"{counted(lines, 'generated line')}: "
    try:
        with console.status(f"sending {lines} generated lines"):
            told = fuzz()
    except EngineError as fault:
        console.print(f"{sent}[bold red]FAILS[/], {escape(shown(str(fault)))}")
        return 1
    console.print(f"{sent}{told}")
    return 0


def table(outcomes: Sequence[Outcome]) -> Table:
    """One row for each phase of each client."""
    count = Counter(outcome.verdict for outcome in outcomes)
    caption = f"{count[Verdict.FITS]} of {len(outcomes)} phases fit"
    if count[Verdict.NOT_OFFERED]:
        caption += f"; {count[Verdict.NOT_OFFERED]} need commands the engine does not offer"
    rows = Table("client", "phase", "verdict", box=None, pad_edge=False, caption=caption)  # lines would cost width
    rows.add_column("s", justify="right")
    rows.add_column("reason", overflow="fold")  # the names of commands are never cut
    for client, phases in groupby(outcomes, lambda outcome: outcome.transcript.client):
        for number, outcome in enumerate(phases):
            verdict = f"[{_COLORS[outcome.verdict]}]{outcome.verdict.value}[/]"
            seconds = f"{outcome.seconds:.1f}" if outcome.seconds else ""
            name = "" if number else client
            rows.add_row(name, outcome.transcript.phase, verdict, seconds, escape(shown(outcome.reason)))
        rows.add_row()
    return rows
