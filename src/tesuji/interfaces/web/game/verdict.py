"""What a move cost: the position before it against the one after it, seen by who played it."""

from dataclasses import dataclass
from itertools import pairwise

from tesuji import BLACK, Color
from tesuji.go.coordinates import vertex_text
from tesuji.go.sgf.variations import Node
from tesuji.interfaces.web.game.finding import Finding
from tesuji.interfaces.web.game.session import Session

GOOD = 0.03  # of the win rate: less than this is the noise of a short search


@dataclass(frozen=True)
class Verdict:
    """One move of the game, judged."""

    number: int
    color: Color
    move: int
    better: int
    """What the search would have played; the move itself where they agree."""
    loss: float
    """Of the player's win rate; below 0 where the search thinks better of it afterwards."""
    points: float | None
    """Lost points, where the network tells a score."""


def verdict_on(number: int, node: Node, before: Finding | None, after: Finding | None) -> Verdict | None:
    """What the move of this node cost; None where a side of it was not looked at."""
    # The end of a game is judged by its result, which is not the fault of the last move.
    if node.move is None or before is None or after is None or not before.moves or not after.moves:
        return None
    color, move = node.move
    points = None
    if before.black_score is not None and after.black_score is not None:
        points = (before.black_score - after.black_score) * (1 if color == BLACK else -1)
    loss = before.winrate(color) - after.winrate(color)
    return Verdict(number, color, move, before.moves[0].move, loss, points)


def mistakes(session: Session, most: int = 5, at_least: float = 0.08) -> list[Verdict]:
    """The moves of the current line that cost their player most, worst first."""
    known = session.findings
    judged = [
        verdict_on(number, node, known.get(before), known.get(node))
        for number, (before, node) in enumerate(pairwise(session.record.line()), 1)
    ]
    bad = [one for one in judged if one is not None and one.loss >= at_least and one.better != one.move]
    return sorted(bad, key=lambda one: -one.loss)[:most]


def last_move_in_words(session: Session) -> str:
    """`White D6 lost 41 % and 8.3 points; G7 was better`; empty where it is not known."""
    node = session.record.node
    if node.parent is None:
        return ""
    known = session.findings
    found = verdict_on(session.record.number, node, known.get(node.parent), known.get(node))
    if found is None:
        return ""
    words = session.words
    who, move = words.color(found.color), vertex_text(found.move, node.size)
    if found.move == found.better or found.loss < GOOD:
        return words("verdict.same" if found.move == found.better else "verdict.good", color=who, move=move)
    better = vertex_text(found.better, node.size)
    told = {"color": who, "move": move, "share": words.percent(found.loss), "better": better}
    if found.points is not None and found.points >= 0.5:
        return words("verdict.lost_points", points=words.number(found.points, 1), **told)
    return words("verdict.lost", **told)
