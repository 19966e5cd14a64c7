"""Known GTP engines: how each is started, and how to give it the same playouts or the same time as ours."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Peer:
    """What the arena knows of one engine."""

    title: str
    arguments: tuple[str, ...]
    """Make it speak GTP when its name stands alone."""
    equal_playouts: str = ""
    """How to give it N playouts a move, for the documentation and for error messages."""
    equal_time: str = ""
    """How to give it S seconds a move."""


PEERS = {
    "gnugo": Peer(
        "GNU Go",
        ("--mode", "gtp", "--chinese-rules", "--positional-superko"),
        equal_playouts="has none; --level 0..10 sets its effort",
        equal_time="--level, or time_settings through seconds=",
    ),
    "pachi": Peer(
        "Pachi",
        ("-t", "=5000:15000", "-r", "chinese"),
        equal_playouts="-t =N",
        equal_time="-t S (seconds a move)",
    ),
    "katago": Peer(
        "KataGo",
        ("gtp",),
        equal_playouts="gtp -override-config maxVisits=N,numSearchThreads=1",
        equal_time="gtp -override-config maxTime=S",
    ),
    "leelaz": Peer(
        "Leela Zero",
        ("--gtp", "--noponder"),
        equal_playouts="--gtp --noponder --visits N -w WEIGHTS",
        equal_time="--gtp --noponder with seconds=S",
    ),
}
