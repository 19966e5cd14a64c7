"""One client: its lines in, answers out, and the questions that are open."""

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import tesuji
from tesuji.base.errors import InputError
from tesuji.interfaces.analysis.analyst import Analyst
from tesuji.interfaces.analysis.messages import QueryError, error_line, line_of, warning_line
from tesuji.interfaces.analysis.positions import check_moves
from tesuji.interfaces.analysis.query import parse_query
from tesuji.search.shared_pool import Job

LONGEST = 16 * 1024 * 1024  # characters of a line; a query of a thousand moves has 20,000
MOST_LINES = 1000  # of a frame; clients send one
# Of all questions that wait for their answers; clients that send every position of a hundred games stay below.
MOST_POSITIONS, MOST_CHARACTERS = 50_000, 64 * 1024 * 1024
# Clients compare the version with KataGo's to learn which fields they may send; ours follows behind the plus.
PROTOCOL_VERSION = "1.16.0"
_ACTIONS = ("query_version", "query_models", "clear_cache", "terminate", "terminate_all")


@dataclass
class _Asked:
    """A query with answers to come."""

    id: str
    length: int
    """In characters: what it holds in memory is about as much."""
    answers: int


class Conversation:
    """Answers lines. `write` gets whole lines without their end, from several threads but never two at once."""

    def __init__(self, analyst: Analyst, write: Callable[[str], None]) -> None:
        self._analyst = analyst
        self._write_line = write
        self._writing = threading.Lock()
        self._open: dict[Job, tuple[_Asked, int]] = {}
        self._characters = 0  # of all queries in `_open`
        self._changed = threading.Condition()

    def receive_frame(self, text: str) -> None:
        """Takes the lines of a websocket's frame."""
        if text.count("\n") > MOST_LINES:
            self._write(error_line(f"Frame has more than {MOST_LINES} lines, ignoring"))
            return
        for line in text.split("\n"):  # alone: JSON may hold the other ends of lines that Unicode knows
            self.receive(line)

    def receive(self, line: str) -> None:
        """Takes one line; whatever it is, it is answered in form."""
        text = line.strip()
        if not text:
            return
        try:
            given = json.loads(text) if len(text) <= LONGEST else None
        except (ValueError, RecursionError) as fault:
            self._write(error_line(f"{fault} - could not parse input line as json request: {text[:1000]}"))
            return
        if given is None and len(text) > LONGEST:
            self._write(error_line(f"Request line is longer than {LONGEST} characters, ignoring"))
        elif not isinstance(given, dict):
            self._write(error_line(f"Request line was valid json but was not an object, ignoring: {text[:1000]}"))
        elif not isinstance(given.get("id"), str):
            self._write(error_line('Request must have a string "id" field'))
        elif isinstance(given.get("action"), str):
            self._act(given)
        else:
            self._ask(given, len(text))

    def wait(self) -> None:
        """Until every question is answered."""
        with self._changed:
            self._changed.wait_for(lambda: not self._open)

    def terminate(self, query_id: str | None = None, turns: set[int] | None = None) -> None:
        """Ends open questions with what was found: all of them, or those of an id, of some turns."""
        with self._changed:
            chosen = [
                job
                for job, (asked, turn) in self._open.items()
                if (query_id is None or asked.id == query_id) and (turns is None or turn in turns)
            ]
        self._analyst.pool.stop(chosen)

    def _ask(self, given: dict[str, Any], length: int) -> None:
        query_id = given["id"]
        try:
            query = parse_query(given, self._analyst.settings)
            self._check_room(len(query.turns), length)
            check_moves(query)
            jobs = self._analyst.jobs(query, self._write)
        except QueryError as fault:
            self._write(error_line(str(fault), query_id, fault.field))
            return
        except (InputError, OSError) as fault:  # such as: no network here plays this board
            self._write(error_line(str(fault).splitlines()[0], query_id, "boardXSize"))
            return
        for field, text in query.warnings:
            self._write(warning_line(text, query_id, field))
        asked = _Asked(query_id, length, len(jobs))
        with self._changed:
            self._characters += length if jobs else 0
            for turn, job in jobs.items():
                self._open[job] = (asked, turn)
                job.finished = self._closing(job, job.finished)
        self._analyst.pool.submit(list(jobs.values()))

    def _check_room(self, positions: int, length: int) -> None:
        if len(self._open) + positions > MOST_POSITIONS or self._characters + length > MOST_CHARACTERS:
            raise QueryError("Too many positions are waiting: wait for their answers or terminate some", "analyzeTurns")

    def _closing(self, job: Job, finished: Callable[..., None]) -> Callable[..., None]:
        def tell(*told: Any) -> None:
            try:
                finished(*told)
            finally:
                self._close(job)

        return tell

    def _close(self, job: Job) -> None:
        with self._changed:
            asked, _ = self._open.pop(job)
            asked.answers -= 1
            self._characters -= 0 if asked.answers else asked.length
            self._changed.notify_all()

    def _act(self, given: dict[str, Any]) -> None:
        action = given["action"]
        if action not in _ACTIONS:
            known = " or ".join(f"'{name}'" for name in _ACTIONS)
            self._write(error_line(f"'action' field must be {known}"))
        elif action == "query_version":
            version = f"{PROTOCOL_VERSION}+tesuji-{tesuji.__version__}"
            self._write(line_of({**given, "version": version, "git_hash": "<omitted>"}))
        elif action == "query_models":
            self._write(line_of({**given, "models": self._analyst.models()}))
        elif action == "clear_cache":
            self._analyst.pool.clear_cache()
            self._write(line_of(given))
        else:
            self._end_some(given, everything=action == "terminate_all")

    def _end_some(self, given: dict[str, Any], everything: bool) -> None:
        about = given.get("terminateId")
        if not everything and not isinstance(about, str):
            text = 'Requests for a terminate action must have a string "terminateId" field'
            self._write(error_line(text, given["id"], "terminateId"))
            return
        turns = given.get("turnNumbers")
        whole = isinstance(turns, list) and all(isinstance(turn, int) and not isinstance(turn, bool) for turn in turns)
        if "turnNumbers" in given and not whole:
            text = "If provided, must be an array of integers indicating turns to terminate"
            self._write(error_line(text, given["id"], "turnNumbers"))
            return
        self._write(line_of(given))  # first: clients wait for it, and what was found comes after
        self.terminate(None if everything else about, None if turns is None else set(turns))

    def _write(self, line: str) -> None:
        with self._writing:
            self._write_line(line)
