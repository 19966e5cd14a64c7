"""Who plays a running game, noted in its record, so that one left among other games can be taken up again."""

import contextlib

from tesuji.go.sgf.variations import Node
from tesuji.interfaces.web.game.setup import Seat, Setup

SEATS = "XSE"
"""Our own property of a root: both seats of a game that is not over, Black's first."""


def note_seats(root: Node, setup: Setup | None) -> None:
    """Writes them down; None, for a game that does not run, takes them away."""
    root.properties.pop(SEATS, None)
    if setup is not None:
        root.properties[SEATS] = [_text(seat) for seat in (setup.black, setup.white)]


def noted_setup(root: Node, setup: Setup) -> Setup | None:
    """This setup with the seats that a record notes; None where it notes none that can be."""
    noted = root.properties.get(SEATS, [])
    if len(noted) == 2 and not root.text("RE"):
        with contextlib.suppress(ValueError):  # a record may come from anywhere
            return setup.with_seats(*map(_seat, noted))
    return None


def _text(seat: Seat) -> str:
    return seat.kind if seat.kind == "human" else f"engine {seat.level} {seat.seconds:g}"


def _seat(text: str) -> Seat:
    if text == "human":
        return Seat()
    _, level, seconds = text.split(" ")
    return Seat("engine", level, seconds=float(seconds))
