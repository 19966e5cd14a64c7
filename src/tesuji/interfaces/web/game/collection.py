"""Files of several games: what each is called, and under which name a game is saved."""

import re

from tesuji.go.results import parse_result
from tesuji.go.sgf.files import read_collection
from tesuji.go.sgf.variations import Node
from tesuji.interfaces.web.words.words import Words

MOST_LISTED = 5000
_UNFIT = re.compile(r"[^\w .,()\uff08\uff09+-]+")  # wide parentheses too, as Japanese and Chinese write them
_SPACES = re.compile(r"\s+")


def titles(data: bytes, words: Words) -> list[str]:
    """The games of a file as a visitor tells them apart. Raises `SgfError`."""
    roots = read_collection(data)[:MOST_LISTED]
    return [f"{number}. {title(root, words)}" for number, root in enumerate(roots, 1)]


def title(root: Node, words: Words) -> str:
    """`Ann – Bob, 2016-11-09, B+R`; by its own name where nobody is named."""
    players = [root.text(name).strip()[:40] for name in ("PB", "PW")]
    named = " – ".join(name or "?" for name in players) if any(players) else root.text("GN").strip()[:80]
    facts = (named or words("open.unnamed"), root.text("DT").strip()[:30], parse_result(root.text("RE")) or "")
    return _SPACES.sub(" ", ", ".join(fact for fact in facts if fact))


def file_name(root: Node) -> str:
    """A name to save the game under: date and players, nothing that a file system minds."""
    parts = (root.text("DT")[:10], root.text("PB")[:40], root.text("PW")[:40])
    whole = " - ".join(part for part in (_UNFIT.sub("", part).strip(" .") for part in parts) if part)
    return f"{_SPACES.sub(' ', whole) or 'game'}.sgf"
