"""What a move cost and why, in a visitor's language."""

from tesuji.interfaces.web.words.words import Words
from tesuji.reviews.verdicts import MoveReview


def lost_text(move: MoveReview, words: Words, digits: int | None = 1) -> str:
    """`3.2 points`, or of the win rate where the network tells no score; None for whole points."""
    if move.points is None:
        return words.percent(move.winrate)
    return words("verdict.points", count=round(move.points, digits))


def reason_text(move: MoveReview, words: Words) -> str:
    """Why the move was bad, from the fact that was computed; empty where none is known."""
    if move.reason is None:
        return ""
    points = move.reason.points or (move.better,)
    return words(
        f"reason.{move.reason.kind}",
        count=len(points),
        point=words.move(points[0], move.size),
        better=words.move(move.better, move.size),
    )


def in_words(move: MoveReview, words: Words) -> str:
    """`White D6 loses 8.3 points: it leaves 2 stones at C6 in atari; G7 was better`."""
    told = {"color": words.color(move.color), "move": words.move(move.move, move.size)}
    if move.grade == "good":
        return words("verdict.best" if move.move == move.better else "verdict.fine", **told)
    told |= {"lost": lost_text(move, words), "better": words.move(move.better, move.size)}
    reason = reason_text(move, words)
    return words("verdict.loses_because", reason=reason, **told) if reason else words("verdict.loses", **told)
