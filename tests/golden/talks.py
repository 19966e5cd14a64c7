"""Whole conversations with the engine as text: `> ` what a client says, the answer below it.

Most with a fixed evaluator, so that built-in networks may change; those called `builtin` with the one for 9x9.
"""

import io
import json
import os
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.interfaces.analysis_talk import Talk
from tests.search.evaluators import Owning
from tesuji.features.evaluation import Evaluator
from tesuji.interfaces.analysis.analyst import Analyst
from tesuji.interfaces.analysis.settings import AnalysisSettings
from tesuji.interfaces.engine.networks import Networks
from tesuji.interfaces.gtp.engine import Engine
from tesuji.interfaces.gtp.options import GtpOptions
from tesuji.interfaces.gtp.streams import Answers, Lines
from tesuji.search.options import SearchOptions

FOLDER = Path(__file__).parent
WAIT = 60.0


class FixedNetworks(Networks):
    """One network that needs no file and says the same everywhere."""

    def __init__(self) -> None:
        super().__init__()
        self._fixed: list[Evaluator] = [Owning()]

    def names(self) -> list[str]:
        return ["fixed"]

    def on_all_devices(self, name: str) -> list[Evaluator]:
        return self._fixed

    def choose(self, size: int, wished: str = "") -> str:
        return "fixed"

    def load_ahead(self, size: int, wished: str = "") -> None:
        """There is nothing to load."""


class _Heard(io.BytesIO):
    """What the engine says, and a way to wait for the end of an answer."""

    def __init__(self) -> None:
        super().__init__()
        self._changed = threading.Condition()

    def write(self, data: Any) -> int:
        with self._changed:
            count = super().write(data)
            self._changed.notify_all()
            return count

    def answer(self, start: int) -> str:
        with self._changed:
            assert self._changed.wait_for(lambda: self.getvalue()[start:].endswith(b"\n\n"), WAIT), self.getvalue()
            return self.getvalue()[start:].decode()


def builtin() -> Networks:
    """The network for 9x9 as the same processor always reckons it; another may differ in the last digits."""
    return Networks("default-9x9", devices=["cpu/fp32"])


def gtp_talk(commands: Sequence[str], networks: Networks) -> str:
    """The conversation in which a client sends these commands, each after the answer to the one before."""
    reading, writing = os.pipe()
    heard = _Heard()
    # Its own view alone: the fixed evaluator says the same of a turned board, unturned.
    search = SearchOptions(visits=24, batch=1, threads=1, symmetry="none", seed=1)
    engine = Engine(GtpOptions(size=5, search=search, resign=0.0), Lines(reading).start(), Answers(heard))
    engine.thinker._mind.networks = networks
    thread = threading.Thread(target=engine.run, daemon=True)
    thread.start()
    told = []
    for command in commands:
        start = len(heard.getvalue())
        os.write(writing, command.encode() + b"\n")
        told.append(f"> {command}\n{heard.answer(start).rstrip()}\n")
    os.close(writing)
    thread.join(WAIT)
    return "\n".join(told)


def analysis_talk(queries: Sequence[str], networks: Networks) -> str:
    """The answers to these queries, a field a line and numbers to four digits, of a real network to two."""
    digits = 4 if isinstance(networks, FixedNetworks) else 2
    analyst = Analyst(networks, AnalysisSettings(), threads=1)
    talk = Talk(analyst)
    told = []
    try:
        for query in queries:
            before = len(talk.answers)
            talk.conversation.receive(query)
            talk.conversation.wait()
            told.append(f"> {query}\n" + "\n".join(_shown(answer, digits) for answer in talk.answers[before:]) + "\n")
    finally:
        analyst.close()
    return "\n".join(told)


def _shown(answer: dict[str, Any], digits: int) -> str:
    lines = []
    for name, value in _rounded(answer, digits).items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            lines += [f"{name}:", *(f"  {json.dumps(part)}" for part in value)]
        else:
            lines.append(f"{name}: {json.dumps(value)}")
    return "\n".join(lines)


def _rounded(value: Any, digits: int) -> Any:
    match value:
        case float():
            return float(f"{value:.{digits}g}")
        case dict():
            return {name: _rounded(part, digits) for name, part in value.items()}
        case list():
            return [_rounded(part, digits) for part in value]
    return value


TALKS = {".gtp.txt": gtp_talk, ".analysis.txt": analysis_talk}


def files() -> list[Path]:
    """The transcripts there are."""
    return sorted(path for path in FOLDER.glob("*.txt"))


def replayed(path: Path) -> str:
    """The conversation of a transcript, held anew."""
    said = [line[2:] for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("> ")]
    talk = next(talk for ending, talk in TALKS.items() if path.name.endswith(ending))
    return talk(said, builtin() if path.name.startswith("builtin") else FixedNetworks())


def main() -> None:
    """`python -m tests.golden.talks [FILE...]` writes the transcripts anew; look at the difference."""
    for path in [Path(name) for name in sys.argv[1:]] or files():
        path.write_text(replayed(path), encoding="utf-8")
        print(path.name)


if __name__ == "__main__":
    main()
