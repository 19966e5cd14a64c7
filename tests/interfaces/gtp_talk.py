"""The engine as a process, and a client's side of the conversation."""

import sys

from tesuji.interfaces.gtp.check.process import EngineProcess

TESUJI = [sys.executable, "-m", "tesuji"]
QUICK = [*TESUJI, "gtp", "--net", "default-9x9", "--visits", "8", "--threads", "1"]
WAIT = 60.0  # generous: the machine may be busy with other tests


def ask(engine: EngineProcess, line: str) -> str:
    """The text of a successful answer."""
    engine.send(line + "\n")
    answer = engine.answer(WAIT)
    assert answer.startswith("="), f"{line}: {answer}"
    return answer[1:].strip()


def refused(engine: EngineProcess, line: str) -> str:
    engine.send(line + "\n")
    answer = engine.answer(WAIT)
    assert answer.startswith("?"), f"{line}: {answer}"
    assert "\n" not in answer
    return answer[1:].strip()
