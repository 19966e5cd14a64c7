"""Plays a transcript to an engine and says what came of it."""

import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import partial

from tesuji.base.errors import InputError
from tesuji.interfaces.gtp.check import transcript as steps
from tesuji.interfaces.gtp.check.process import EngineError, EngineProcess
from tesuji.interfaces.gtp.check.transcript import Step, Transcript

_EXIT_SECONDS = 10.0


class Verdict(Enum):
    """What a phase came to."""

    FITS = "ok"
    FAILS = "FAILS"
    NOT_OFFERED = "not offered"


@dataclass(frozen=True)
class Outcome:
    """One phase of one client, with the reason where it failed."""

    transcript: Transcript
    verdict: Verdict
    reason: str = ""
    seconds: float = 0.0


def check(command: str | Sequence[str], which: Iterable[Transcript], patience: float = 30.0) -> Iterator[Outcome]:
    """Runs each transcript in a fresh engine; `patience` is how long an answer without a limit may take."""
    listed = offered(command, patience)
    for each in which:
        missing = [name for name in each.needs if name not in listed]
        if missing:
            yield Outcome(each, Verdict.NOT_OFFERED, f"no {', '.join(missing)}")
        else:
            yield run(command, each, patience)


def offered(command: str | Sequence[str], patience: float) -> set[str]:
    """The commands an engine lists; raises `ValueError` when it cannot even do that."""
    try:
        with EngineProcess(command) as engine:
            engine.send("list_commands\n")
            answer = engine.answer(patience)
            engine.send("quit\n")
            return set(answer.removeprefix("=").split())
    except EngineError as fault:
        raise InputError(f"the engine does not answer list_commands: {fault}") from None


def run(command: str | Sequence[str], each: Transcript, patience: float = 30.0) -> Outcome:
    """Runs one transcript in a fresh engine."""
    return follow(command, each, patience, lambda engine: partial(_take, engine, each.line_ending), _check_silence)


def follow(
    command: str | Sequence[str], each: Transcript, patience: float,
    begin: Callable[[EngineProcess], Callable[[Step, float], None]], end: Callable[[EngineProcess], None],
) -> Outcome:  # fmt: skip
    """Runs one transcript of any protocol: `begin` gives what takes a step of it within so many seconds."""
    started = time.monotonic()
    step = each.steps[0]
    try:
        with EngineProcess(command) as engine:
            take = begin(engine)
            limit: float | None = None
            for step in each.steps:
                if step.kind == steps.WITHIN:
                    limit = float(step.text)
                    continue
                take(step, patience if limit is None else limit)
                limit = None if step.kind.startswith("<") else limit
            end(engine)
    except EngineError as fault:
        reason = f"line {step.number} ({step.kind} {step.text[:100]}): {fault}"
        return Outcome(each, Verdict.FAILS, reason, time.monotonic() - started)
    return Outcome(each, Verdict.FITS, "", time.monotonic() - started)


def _take(engine: EngineProcess, ending: str, step: Step, seconds: float) -> None:
    if step.kind == steps.SENDING:
        engine.send(step.text + ending)
    elif step.kind == steps.ANSWER:
        answer = engine.answer(seconds)
        if not re.fullmatch(step.text, answer, re.DOTALL):
            raise EngineError(f"got {answer[:200]!r}")
    elif step.kind == steps.LINE:
        _skip_to(engine, step.text, seconds)
    elif step.kind == steps.END:
        engine.rest(seconds)
    elif step.kind == steps.CLOSE:
        engine.end_input()
    else:
        engine.exit_code(min(seconds, _EXIT_SECONDS))


def _skip_to(engine: EngineProcess, pattern: str, seconds: float) -> None:
    deadline = time.monotonic() + seconds
    line = ""
    while True:
        if time.monotonic() > deadline:
            raise EngineError(f"no such line within {seconds:.3g} s; the last one was {line[:80]!r}")
        line = engine.line(deadline - time.monotonic())
        if re.fullmatch(pattern, line):
            return
        if not line:
            raise EngineError("the answer ended before that line")


def _check_silence(engine: EngineProcess) -> None:
    """What nobody asked for makes a client lose count of the answers."""
    if not engine.is_silent(0.05):
        raise EngineError(f"more output than answers: {engine.line(0.1)[:80]!r}")
