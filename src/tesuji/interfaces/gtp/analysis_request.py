"""The arguments of the analysis commands, which come in any order or not at all."""

from dataclasses import dataclass, field

from tesuji import Color
from tesuji.go.coordinates import parse_vertex
from tesuji.interfaces.gtp.arguments import Arguments, shown
from tesuji.interfaces.gtp.protocol import GtpError

_SWITCHES = {
    "ownership": "ownership",
    "rootinfo": "root_info",
}
# Accepted with a value of true or false and without effect: what they ask for is not in our lines.
_IGNORED = {"movesownership", "ownershipstdev", "movesownershipstdev", "pvvisits", "pvedgevisits", "noresultvalue"}
_DEFAULT_INTERVAL = 1.0


@dataclass(frozen=True)
class MoveList:
    """Moves one player must avoid, or may play alone, during the first moves of every variation."""

    color: Color
    moves: frozenset[int]
    allow: bool
    depth: int


@dataclass
class AnalysisRequest:
    """What a client wants to see, and how often."""

    color: Color | None = None
    interval: float | None = None
    """Seconds between lines; None where the client did not say."""
    min_moves: int = 0
    max_moves: int = 10_000
    ownership: bool = False
    root_info: bool = False
    restrictions: list["MoveList"] = field(default_factory=list)

    @property
    def seconds(self) -> float:
        """The interval to use while an analysis streams."""
        return _DEFAULT_INTERVAL if self.interval is None else self.interval


def parse_analysis(arguments: Arguments, size: int) -> AnalysisRequest:
    """Reads `[color] [interval] [key value]...`; raises `GtpError` on anything else."""
    request = AnalysisRequest()
    while arguments:
        if arguments.is_color() and request.color is None:
            request.color = arguments.color()
        elif arguments.is_number() and request.interval is None:
            request.interval = _interval(arguments)
        else:
            _keyword(arguments, request, size)
    return request


def _interval(arguments: Arguments) -> float:
    # 10 ms at least: no client draws faster, and a hundred lines a second is a lot to read.
    return max(0.01, arguments.integer("interval", 0, 10**9) / 100)


def _keyword(arguments: Arguments, request: AnalysisRequest, size: int) -> None:
    word = arguments.word("a keyword")
    key = word.lower()
    if key == "interval":
        request.interval = _interval(arguments)
    elif key == "minmoves":
        request.min_moves = arguments.integer("minmoves", 0, 10_000)
    elif key == "maxmoves":
        request.max_moves = arguments.integer("maxmoves", 1, 10_000)
    elif key in _SWITCHES:
        setattr(request, _SWITCHES[key], _switch(arguments, key))
    elif key in _IGNORED:
        _switch(arguments, key)
    elif key in {"avoid", "allow"}:
        color, moves = arguments.color(), _moves(arguments.word("vertices"), size)
        depth = arguments.integer("number of moves", 1, 10**6)
        request.restrictions.append(MoveList(color, moves, key == "allow", depth))
    else:
        raise GtpError("syntax error", f"unknown key '{shown(word)}'")


def _switch(arguments: Arguments, key: str) -> bool:
    value = arguments.word(f"true or false after {key}").lower()
    if value not in {"true", "false"}:
        raise GtpError("syntax error", f"{key} takes true or false, not '{shown(value)}'")
    return value == "true"


def _moves(text: str, size: int) -> frozenset[int]:
    try:
        return frozenset(parse_vertex(vertex, size) for vertex in text.split(",") if vertex)
    except ValueError:
        raise GtpError("syntax error", f"invalid vertices '{shown(text)}'") from None
