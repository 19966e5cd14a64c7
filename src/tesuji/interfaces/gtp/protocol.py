"""The frame of GTP: what a line says, and how an answer is written."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from tesuji.base.errors import InputError

LINE_LIMIT = 64 * 1024
"""Bytes of one line that are read; no client sends a tenth of it."""
_ID_LIMIT = 64
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f\x85\u2028\u2029]")
_BLANK_LINES = re.compile(r"\n\s*\n")


class GtpError(InputError):
    """A command that cannot be carried out: the answer after `?` in the protocol's own words, and the reason aside."""

    def __init__(self, answer: str, reason: str = "") -> None:
        super().__init__(answer)
        self.reason = reason
        """For people who read stderr: clients compare the answer with the protocol's."""


@dataclass(frozen=True)
class Request:
    """One line of input as GTP reads it."""

    name: str
    """The command, lower case not forced; empty for a line that asks nothing."""
    words: list[str] = field(default_factory=list)
    id: str = ""
    """Digits to be sent back as they came: clients count further than any integer type of theirs."""
    text: str = ""
    """Everything after the command, for the log and for JSON arguments."""


def parse(line: str) -> Request:
    """What a line asks: tabs are spaces, other control characters nothing, `#` begins a comment."""
    text = _CONTROL.sub("", line.replace("\t", " ")).partition("#")[0].strip()
    first, _, rest = text.partition(" ")
    number = ""
    if first.isascii() and first.isdigit() and len(first) <= _ID_LIMIT:
        number, text = first, rest.strip()
        first, _, rest = text.partition(" ")
    return Request(name=first, words=rest.split(), id=number, text=rest.strip())


def success(request_id: str, text: str) -> str:
    """The answer to a command carried out."""
    body = one_paragraph(text)
    return f"={request_id}{' ' if body and not body.startswith(chr(10)) else ''}{body}\n\n"


def failure(request_id: str, message: str) -> str:
    """The answer to a command refused, always in one line."""
    return f"?{request_id} {' '.join(_CONTROL.sub(' ', message).split()) or 'error'}\n\n"


def one_paragraph(text: str) -> str:
    """`text` without the empty lines that would end the answer too soon."""
    return _BLANK_LINES.sub("\n", text.replace("\r", "")).rstrip()


Handler = TypeVar("Handler", bound=Callable[..., str])


def command(name: str) -> Callable[[Handler], Handler]:
    """Marks a method as the answer to the GTP command `name`; that is all it takes to add one."""

    def mark(method: Handler) -> Handler:
        method.__dict__["gtp_command"] = name
        return method

    return mark


def commands_of(kind: type) -> dict[str, str]:
    """GTP command -> name of the method that answers it, in alphabetical order."""
    methods: dict[str, Any] = {attribute: getattr(kind, attribute) for attribute in dir(kind)}
    found = {
        method.gtp_command: attribute
        for attribute, method in methods.items()
        if callable(method) and hasattr(method, "gtp_command")
    }
    return dict(sorted(found.items()))
