"""Plays a transcript to an analysis engine and says what came of it; answers may come in any order."""

import json
import time
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from tesuji.interfaces.analysis.check.pattern import mismatch, read_answer, shown
from tesuji.interfaces.gtp.check import transcript as steps
from tesuji.interfaces.gtp.check.process import EngineError, EngineProcess
from tesuji.interfaces.gtp.check.runner import Outcome, follow
from tesuji.interfaces.gtp.check.transcript import Step, Transcript, transcripts

TRANSCRIPTS = "tesuji.interfaces.analysis.check"


def analysis_transcripts() -> list[Transcript]:
    """All that come with the package."""
    return list(transcripts(TRANSCRIPTS))


def check(command: str | Sequence[str], which: Iterable[Transcript], patience: float = 60.0) -> Iterator[Outcome]:
    """Runs each transcript in a fresh engine; `patience` is how long an answer without a limit may take."""
    for each in which:
        yield run(command, each, patience)


def run(command: str | Sequence[str], each: Transcript, patience: float = 60.0) -> Outcome:
    """Runs one transcript in a fresh engine."""
    return follow(command, each, patience, lambda engine: partial(_take, engine, _Ear(engine)), lambda engine: None)


def _take(engine: EngineProcess, ear: "_Ear", step: Step, seconds: float) -> None:
    if step.kind == steps.SENDING:
        engine.send(step.text + "\n")
    elif step.kind == steps.ANSWER:
        ear.wait_for(json.loads(step.text), seconds)
    elif step.kind == steps.NEVER:
        ear.refuse(json.loads(step.text))
    elif step.kind == steps.CLOSE:
        engine.end_input()
    elif step.kind == steps.EXIT:
        ear.listen_to_the_end(seconds)
        code = engine.exit_code(seconds)
        if code:
            raise EngineError(f"exit code {code}")
    else:
        raise EngineError(f"no step '{step.kind}' in this protocol")


class _Ear:
    """What the engine has said and nobody waited for yet."""

    def __init__(self, engine: EngineProcess) -> None:
        self._engine = engine
        self._heard: list[dict[str, Any]] = []
        self._all: list[dict[str, Any]] = []

    def wait_for(self, pattern: dict[str, Any], seconds: float) -> None:
        """Until an answer fits; it counts once."""
        deadline = time.monotonic() + seconds
        reason = "nothing came"
        while True:
            for index, answer in enumerate(self._heard):
                problem = mismatch(pattern, answer)
                if not problem:
                    del self._heard[index]
                    return
                if answer.get("id") == pattern.get("id"):
                    reason = problem
            if time.monotonic() >= deadline:
                raise EngineError(f"no such answer within {seconds:.3g} s: {reason}")
            try:
                self._hear(deadline - time.monotonic())
            except EngineError as fault:
                raise EngineError(f"{fault}: {reason}") from None

    def refuse(self, pattern: dict[str, Any]) -> None:
        """Nothing that fits may have come."""
        for answer in self._all:
            if not mismatch(pattern, answer):
                raise EngineError(f"got {shown(answer)}")

    def listen_to_the_end(self, seconds: float) -> None:
        """Takes all that is still said."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                self._hear(deadline - time.monotonic())
            except EngineError as fault:
                if "ended" in str(fault):
                    return
                raise

    def _hear(self, seconds: float) -> None:
        answer = read_answer(self._engine.line(seconds))
        self._heard.append(answer)
        self._all.append(answer)
