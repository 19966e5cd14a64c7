"""Transcripts: what a client sends in one phase of its work, and what it needs to read.

A transcript is a text file named `client.phase.txt`:

| line       | meaning                                                                              |
|------------|--------------------------------------------------------------------------------------|
| `needs X`  | the client does this only where `list_commands` shows X; else the phase is not offered |
| `endings crlf` | lines are sent with carriage returns                                             |
| `> TEXT`   | the client sends this line, without waiting for anything                             |
| `< REGEX`  | one whole answer, its lines joined by newlines                                       |
| `<~ REGEX` | one line of an answer that stays open; lines that do not fit are skipped             |
| `<.`       | the open answer ends                                                                 |
| `@ SECONDS`| the next of these must come within this time                                         |
| `never TEXT` | nothing like it has come so far                                                  |
| `close`    | the client closes the engine's input                                                 |
| `exit`     | the engine ends by itself                                                            |
| `# TEXT`   | a comment                                                                            |
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import resources

from tesuji.base.errors import InputError

SENDING, ANSWER, LINE, END, WITHIN, NEVER, CLOSE, EXIT = ">", "<", "<~", "<.", "@", "never", "close", "exit"
_STEPS = {SENDING, ANSWER, LINE, END, WITHIN, NEVER, CLOSE, EXIT}


@dataclass(frozen=True)
class Step:
    """One thing the client does or waits for."""

    kind: str
    text: str
    number: int
    """The line of the file, for messages."""


@dataclass(frozen=True)
class Transcript:
    """One phase of a client's work with an engine."""

    client: str
    phase: str
    steps: list[Step]
    needs: list[str] = field(default_factory=list)
    line_ending: str = "\n"

    @property
    def name(self) -> str:
        """`client.phase`."""
        return f"{self.client}.{self.phase}"


def parse_transcript(name: str, text: str) -> Transcript:
    """Reads the file format above; raises `ValueError` naming the line that does not fit it."""
    client, _, phase = name.partition(".")
    steps: list[Step] = []
    needs: list[str] = []
    ending = "\n"
    for number, line in enumerate(text.splitlines(), 1):
        kind, _, rest = line.partition(" ")
        if not line.strip() or kind == "#":
            continue
        if kind == "needs":
            needs += rest.split()
        elif kind == "endings":
            ending = "\r\n" if rest.strip() == "crlf" else "\n"
        elif kind in _STEPS:
            steps.append(Step(kind, rest, number))
        else:
            raise InputError(f"transcript {name}, line {number}: no step '{kind}'")
    return Transcript(client, phase, steps, needs, ending)


def transcripts(package: str = "tesuji.interfaces.gtp.check") -> Iterator[Transcript]:
    """All that lie in a package, by client and phase."""
    folder = resources.files(package) / "transcripts"
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.name.endswith(".txt"):
            yield parse_transcript(entry.name.removesuffix(".txt"), entry.read_text(encoding="utf-8"))
