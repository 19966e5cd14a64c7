"""Lines no client should send, in any number; every one must be answered in the form of the protocol."""

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tesuji.interfaces.gtp.check.process import EngineError, EngineProcess
from tesuji.interfaces.gtp.protocol import parse

_ANSWER = re.compile(r"[=?](\d*)( .*|\n.*|)", re.DOTALL)
_WINDOW = 64  # lines on their way: enough to be quick, few enough for any pipe
_QUIET = {"quit", "stop", "lz-analyze", "kata-analyze", "analyze", "loadsgf", "printsgf"}
_SLOW = {"genmove", "final_score", "place_free_handicap", "final_status_list"}
_NAMES = [
    "play",
    "genmove",
    "undo",
    "gg-undo",
    "komi",
    "boardsize",
    "clear_board",
    "showboard",
    "known_command",
    "list_commands",
    "time_left",
    "time_settings",
    "set_free_handicap",
    "fixed_handicap",
    "place_free_handicap",
    "set_position",
    "final_score",
    "final_status_list",
    "get_komi",
    "name",
    "kgs-rules",
    "kata-set-rules",
    "kata-get-rules",
    "kata-set-param",
    "kgs-time_settings",
    "kata-time_settings",
    "version",
    "rectangular_boardsize",
    "reg_genmove",
    "cputime",
    "gogui-analyze_commands",
    "kata-get-param",
    "protocol_version",
]
_WORDS = [
    "b",
    "w",
    "black",
    "White",
    "BLACK",
    "a1",
    "A1",
    "j9",
    "T19",
    "z26",
    "i5",
    "pass",
    "PASS",
    "resign",
    "9",
    "0",
    "-1",
    "200",
    "5",
    "13",
    "7.5",
    "nan",
    "inf",
    "-inf",
    "1e308",
    "0x9",
    "1e-9",
    "99999999999",
    "dead",
    "alive",
    "seki",
    "chinese",
    "japanese",
    "{}",
    "[]",
    '{"ko":1}',
    "true",
    "none",
    "absolute",
    "byoyomi",
    "fischer",
    "maxVisits",
    "30",
    "5",
    "#",
    ";",
    "\\",
    '"',
    "'",
    "%",
    "$",
    "..",
    "/",
    "é",
    "囲碁",
]


@dataclass(frozen=True)
class Told:
    """What came back."""

    answered: int
    refused: int

    def __str__(self) -> str:
        return f"{self.answered} answered, {self.refused} refused, all well-formed"


def fuzz(command: Sequence[str], count: int, seed: int = 1, patience: float = 60.0) -> Told:
    """Sends `count` generated lines and checks every answer; raises `EngineError` at the first that is malformed."""
    answered = refused = 0
    with EngineProcess(command) as engine:
        for sent in _windows(generated(count, seed)):
            engine.send(b"".join(sent))
            for line in sent:
                request = parse(line.decode("utf-8", "replace").rstrip("\n"))
                if not request.name and not request.id:
                    continue  # nothing was asked
                answer = engine.answer(patience)
                _check(line, request.id, answer)
                answered += 1
                refused += answer.startswith("?")
        engine.send("quit\n")
        engine.answer(patience)
        engine.exit_code(patience)
    return Told(answered, refused)


def _check(line: bytes, request_id: str, answer: str) -> None:
    match = _ANSWER.fullmatch(answer)
    if not match or match[1] != request_id:
        raise EngineError(f"{line[:80]!r} was answered {answer[:80]!r}")
    if any(ord(letter) < 32 and letter not in "\n\t" for letter in answer):
        raise EngineError(f"{line[:80]!r} was answered with control characters: {answer[:80]!r}")


def _windows(lines: Iterator[bytes]) -> Iterator[list[bytes]]:
    window: list[bytes] = []
    for line in lines:
        window.append(line)
        if len(window) == _WINDOW:
            yield window
            window = []
    if window:
        yield window


def generated(count: int, seed: int) -> Iterator[bytes]:
    """Lines from nearly right to pure noise, the same for the same seed; none that ends or blocks the engine."""
    chance = random.Random(seed)
    kinds: Sequence[Callable[[random.Random], bytes]] = [_likely] * 6 + [_mixed] * 3 + [_noise, _number, _long]
    made = 0
    while made < count:
        line = chance.choice(kinds)(chance)
        name = parse(line.decode("utf-8", "replace")).name
        if name in _QUIET or (name in _SLOW and chance.random() < 0.95):
            continue
        made += 1
        yield line.replace(b"\n", b"") + chance.choice([b"\n", b"\n", b"\r\n"])


def _likely(chance: random.Random) -> bytes:
    point = f"{chance.choice('abcdefghjABCDEFGHJ')}{chance.randint(1, 9)}"
    words = ["play", chance.choice(["b", "w"]), chance.choice([point, point, point, "pass"])]
    if chance.random() < 0.3:
        words = [chance.choice(_NAMES), *chance.choices(_WORDS, k=chance.randint(0, 3))]
    number = [str(chance.randint(0, 10**6))] if chance.random() < 0.5 else []
    return " ".join(number + words).encode()


def _mixed(chance: random.Random) -> bytes:
    words = chance.choices(_NAMES + _WORDS, k=chance.randint(0, 12))
    return chance.choice([" ", "\t", "  "]).join(words).encode()


def _noise(chance: random.Random) -> bytes:
    return chance.randbytes(chance.randint(0, 200))


def _number(chance: random.Random) -> bytes:
    return ("7" * chance.randint(1, 80) + chance.choice(["", " name", " play", "x"])).encode()


def _long(chance: random.Random) -> bytes:
    if chance.random() < 0.98:
        return b"play " + b"b D4 " * chance.randint(1, 50)
    return b"set_position " + b"b A1 " * 20_000
