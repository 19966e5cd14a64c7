"""Win rates written into a record when it is saved, apart from the player's own words."""

import re

from tesuji import BLACK
from tesuji.go.coordinates import vertex_text
from tesuji.go.results import score_text
from tesuji.go.sgf.files import write_tree
from tesuji.go.sgf.text import Properties
from tesuji.go.sgf.variations import Node
from tesuji.interfaces.web.game.session import Session

_NOTE = re.compile(r"\n*Tesuji: [^\n]*$")


def with_notes(session: Session) -> bytes:
    """The record as SGF with a line under the comments: Black's win rate, the score, and what a bad move cost.

    Also as SBKV, Black's win rate in percent, which Sabaki draws as a graph.
    """
    return write_tree(session.record.root, properties=lambda node: _noted(session, node))


def _noted(session: Session, node: Node) -> Properties:
    text = note(session, node)
    if not text:
        return node.properties
    noted = Node(node.size, dict(node.properties))
    noted.comment = f"{without_note(noted.comment)}\n{text}".strip()
    noted.set_text("SBKV", f"{100 * black_share(session, node):.1f}")
    return noted.properties


def black_share(session: Session, node: Node) -> float:
    """Black's win rate, as reviewed or else as analysed."""
    analysis = session.reviewed.analyses.get(node)
    return analysis.black_winrate if analysis is not None else session.findings[node].winrate(BLACK)


def note(session: Session, node: Node) -> str:
    """One line about a position; empty where nothing is known of it."""
    analysis, move = session.reviewed.analyses.get(node), session.reviewed.verdicts.get(node)
    if analysis is not None:
        bad = move is not None and move.counted and move.grade != "good"
        return f"Tesuji: {analysis.standing}" + (f". {move.text}." if move is not None and bad else "")
    finding = session.findings.get(node)
    if finding is None:
        return ""
    score = "" if finding.black_score is None else f", {score_text(finding.black_score, decimals=1)}"
    best = f", next {vertex_text(finding.moves[0].move, node.size)}" if finding.moves else ""
    return f"Tesuji: Black {100 * finding.winrate(BLACK):.1f} %{score}{best} ({finding.visits} visits)"


def without_note(comment: str) -> str:
    """The comment as its author wrote it."""
    return _NOTE.sub("", comment)
