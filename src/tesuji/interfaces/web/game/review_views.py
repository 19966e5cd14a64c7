"""A review as the browser draws it, as plain data: the curve, its dots, mistakes, points lost by player and phase."""

from dataclasses import replace
from typing import Any

from tesuji import BLACK, WHITE, Color
from tesuji.go.sgf.variations import Node
from tesuji.interfaces.web.game.reviewing import OPTIONS
from tesuji.interfaces.web.game.session import Session
from tesuji.interfaces.web.game.status import player_name
from tesuji.interfaces.web.game.verdict_words import in_words, lost_text, reason_text
from tesuji.interfaces.web.words.words import sentence
from tesuji.reviews.analysis import Analysis
from tesuji.reviews.strength import Played, rank_text, strength
from tesuji.reviews.summary import PlayerSummary, summary_of
from tesuji.reviews.verdicts import MoveReview, verdict


def graph_props(session: Session) -> dict[str, Any]:
    """Win rate and score over the current line; None where nothing is known, which is left empty."""
    line, reviewed = session.record.line(), session.reviewed
    known = [_known(session, node) for node in line]
    return {
        "values": [None if one is None else round(one[0], 4) for one in known],
        "scores": [None if one is None or one[1] is None else round(one[1], 2) for one in known],
        "current": session.record.number,
        "total": len(line) - 1,
        "dots": [
            {"number": number, "grade": reviewed.verdicts[node].grade}
            for number, node in enumerate(line)
            if node in reviewed.verdicts and reviewed.verdicts[node].counted
        ],
        "label": session.words("course.label", total=len(line) - 1),
    }


def _known(session: Session, node: Node) -> tuple[float, float | None] | None:
    """Black's win rate and lead: as reviewed, so that looking closer does not bend the curve; else as analysed."""
    analysis = session.reviewed.analyses.get(node)
    if analysis is not None:
        return analysis.black_winrate, analysis.black_score
    finding = session.findings.get(node)
    return None if finding is None else (1 - finding.white_winrate, finding.black_score)


def review_shown(session: Session) -> bool:
    """Whether there is a review to be seen; from its first moment on, so that who opened a record sees it begin."""
    if session.quiz is not None:  # it would tell the answers
        return False
    if session.reviewing:
        return True
    known = sum(_known(session, node) is not None for node in session.record.line())
    return known > 1 and (session.mode != "play" or session.look.analysis)


def progress_text(session: Session) -> str:
    """How far the review of the game has come."""
    deep, done, total = session.reviewed.progress
    if not session.reviewing:
        return ""
    return session.words("course.second_look" if deep else "course.first_look", done=done, total=total)


def mistake_rows(session: Session) -> list[dict[str, Any]]:
    """The mistakes of the current line in the order of the game."""
    words, size = session.words, session.record.game.size
    return [
        {
            "number": number,
            "grade": move.grade,
            "move": words(
                "course.move", number=number, color=words.color(move.color), move=words.move(move.move, size)
            ),
            "loss": words("course.loss", lost=lost_text(move, words)),
            "better": words("course.better", move=words.move(move.better, size)),
            "reason": sentence(reason_text(move, words)),
        }
        for number, move in session.reviewed.mistakes(session.record.line())
    ]


def summaries(session: Session) -> list[PlayerSummary]:
    """Both players in numbers, once the first pass is done; empty before."""
    moves = [session.reviewed.listed[node] for node in session.record.line() if node in session.reviewed.listed]
    if not moves:
        return []
    size = session.record.game.size
    return [
        replace(
            summary_of(moves, color, player_name(session, color)[:30], size), strength=strength_text(session, color)
        )
        for color in (BLACK, WHITE)
    ]


def lost_in_phase(one: PlayerSummary, index: int) -> float | None:
    """What a player lost in a phase, in points where the network tells them; None without a move in it."""
    phase = one.phases[index]
    if not phase.moves:
        return None
    return phase.winrate if one.points is None else phase.points


def strength_text(session: Session, color: Color) -> str | None:
    """`about 7k ± 7`: how strong a person seems by the first pass; None where that was never calibrated."""
    reviewed, line = session.reviewed, session.record.line()
    if session.setup.seat(color).kind == "engine":  # the ranks are those of people
        return None
    first = [
        verdict(number, node.move[1], reviewed.analyses[node.parent], reviewed.analyses[node])
        for number, node in enumerate(line)
        if node in reviewed.listed and reviewed.listed[node].counted and node.move is not None
        if node.parent is not None and node.parent in reviewed.analyses and node in reviewed.analyses
    ]
    size = session.record.game.size
    seems = strength(reviewed.network, size, OPTIONS.visits, [Played.of_verdicts(first, color)])
    if seems is None:
        return None
    rank = rank_text(seems.rank)
    key = "course.strength_dan" if rank.endswith("d") else "course.strength_kyu"
    return session.words(key, rank=rank[:-1], error=round(seems.error))


def last_move(session: Session) -> MoveReview | None:
    """The verdict on the last move: of the review, or from what was analysed; None where it is not known."""
    node = session.record.node
    if node.parent is None or node.move is None:
        return None
    if node in session.reviewed.verdicts:
        return session.reviewed.verdicts[node]
    before, after = _analysed(session, node.parent, node.move[0]), _analysed(session, node, node.move[0].opponent)
    if before is None or after is None:
        return None
    return verdict(session.record.number, node.move[1], before, after)


def _analysed(session: Session, node: Node, to_play: Any) -> Analysis | None:
    finding = session.findings.get(node)
    return None if finding is None else finding.as_analysis(node.size, to_play)


def last_move_in_words(session: Session) -> str:
    """The last move judged; empty where nothing is known of it."""
    move = last_move(session)
    return in_words(move, session.words) if move is not None and move.counted else ""
