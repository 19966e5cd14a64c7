"""Win rates written into a record when it is saved, apart from the player's own words."""

import re

from tesuji import BLACK
from tesuji.go.coordinates import vertex_text
from tesuji.go.results import score_text
from tesuji.go.sgf.files import read_tree, write_tree
from tesuji.interfaces.web.game.finding import Finding
from tesuji.interfaces.web.game.session import Session

_NOTE = re.compile(r"\n*Tesuji: [^\n]*$")


def with_notes(session: Session) -> bytes:
    """The record as SGF with a line under the comments: Black's win rate, the score, what was better.

    Also as SBKV, Black's win rate in percent, which Sabaki draws as a graph.
    """
    plain = read_tree(session.record.to_sgf())
    for node, copy in zip(session.record.root.walk(), plain.walk(), strict=True):
        finding = session.findings.get(node)
        if finding is not None:
            copy.comment = f"{without_note(copy.comment)}\n{note(finding, node.size)}".strip()
            copy.set_text("SBKV", f"{100 * finding.winrate(BLACK):.1f}")
    return write_tree(plain)


def note(finding: Finding, size: int) -> str:
    """One line about a position."""
    text = f"Tesuji: Black {100 * finding.winrate(BLACK):.1f} %"
    score = finding.black_score
    if score is not None:
        text += f", {score_text(score, decimals=1)}"
    if finding.moves:
        text += f", next {vertex_text(finding.moves[0].move, size)}"
    return f"{text} ({finding.visits} visits)"


def without_note(comment: str) -> str:
    """The comment as its author wrote it."""
    return _NOTE.sub("", comment)
