"""The report of a review as one HTML file that loads nothing from elsewhere, and the index of several."""

import html
import json
import re
from collections.abc import Sequence
from importlib import resources
from typing import Any

from tesuji._core import BLACK, PASS, WHITE, Board, Color, star_points
from tesuji.base.quantities import counted
from tesuji.reviews.analysis import Analysis
from tesuji.reviews.game_review import GameReview
from tesuji.reviews.positions import positions_of
from tesuji.reviews.verdicts import MoveReview

_SHOWN_CANDIDATES = 4
_LEAST_SHARE = 0.05  # of the visits, from which a candidate is shown
_BOTH = (BLACK, WHITE)


def report_page(review: GameReview, colors: Sequence[Color] = _BOTH) -> str:
    """The report as HTML; mistakes of these colours alone."""
    template = resources.files("tesuji.reviews").joinpath("page_template.html").read_text(encoding="utf-8")
    data = json.dumps(page_data(review, colors), ensure_ascii=False, separators=(",", ":"))
    # A name in the record must not end the script it stands in.
    parts = {"TITLE": html.escape(title_of(review)), "DATA": data.replace("<", "\\u003c").replace("\u2028", "\\u2028")}
    return re.sub("@([A-Z]+)@", lambda found: parts[found[1]], template)


def title_of(review: GameReview) -> str:
    """`Otake Yu 7p (Black) and Sada Atsushi 7p (White)`."""
    facts = review.facts
    black = f"{facts.black} {facts.black_rank}".strip()
    white = f"{facts.white} {facts.white_rank}".strip()
    if not facts.black and not facts.white:
        return f"Review of {facts.name}"
    return f"{black or '?'} (Black) and {white or '?'} (White)"


def page_data(review: GameReview, colors: Sequence[Color] = _BOTH) -> dict[str, Any]:
    """What the page shows, as plain data."""
    games = positions_of(review.game)
    scored = review.positions[0].black_score is not None
    return {
        "title": title_of(review),
        "facts": ", ".join(_facts(review)),
        "size": review.game.size,
        "stars": star_points(review.game.size),
        "settled": review.settled_from,
        "mistakeFrom": review.least_points if scored else 100 * review.least_winrate,
        "players": [review.summary(color).to_dict() for color in _BOTH],
        "positions": [_position(game.board, analysis) for game, analysis in zip(games, review.positions, strict=True)],
        "moves": [_move(move) for move in review.moves],
        "mistakes": [move.number for move in review.mistakes(colors)],
        "none": _none(review, scored),
    }


def _none(review: GameReview, scored: bool) -> str:
    least = f"{review.least_points:g} points" if scored else f"{100 * review.least_winrate:g} %"
    return f"No move lost {least} or more"


def _facts(review: GameReview) -> list[str]:
    facts, game = review.facts, review.game
    parts = [
        facts.date,
        f"{facts.result}" if facts.result else "",
        f"{game.size}x{game.size}",
        f"komi {game.komi:g}",
        f"{game.rules.label} rules" if game.rules.label else "",
        f"network {review.network}",
        f"{review.visits} visits a move, {review.second_visits} where it mattered",
    ]
    return [part for part in parts if part]


def _position(board: Board, analysis: Analysis) -> dict[str, Any]:
    black, white = set(board.stones(BLACK)), set(board.stones(WHITE))
    points = range(board.size**2)
    total = max(1, sum(candidate.visits for candidate in analysis.candidates))
    shown = [
        candidate
        for candidate in analysis.candidates[:_SHOWN_CANDIDATES]
        if candidate.move != PASS and candidate.visits >= _LEAST_SHARE * total
    ]
    return {
        "stones": "".join("X" if point in black else "O" if point in white else "." for point in points),
        "winrate": round(analysis.black_winrate, 4),
        "score": None if analysis.black_score is None else round(analysis.black_score, 2),
        "line": list(analysis.line),
        "best": [{"move": one.move, "text": f"{100 * one.winrate:.0f}"} for one in shown],
    }


def _move(move: MoveReview) -> dict[str, Any]:
    return {
        "number": move.number,
        "color": "b" if move.color == BLACK else "w",
        "move": move.move,
        "grade": move.grade,
        "loss": round(move.loss, 2),
        "counted": move.counted,
        "text": move.text,
        "better": move.better,
        "line": list(move.line),
        "refutation": list(move.refutation),
    }


def index_page(rows: Sequence[tuple[str, GameReview]]) -> str:
    """A page with a line for each game that links to its report; `rows` are links and reviews."""
    head = "<tr><th>game<th>Black<th>White<th>result<th>Black lost<th>White lost<th>biggest mistake</tr>"
    body = "".join(_index_row(link, review) for link, review in rows)
    style = (
        ":root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:1100px;margin:24px auto}"
        "table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:5px 8px;border-bottom:1px solid #8884}"
    )
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>Reviews</title><style>{style}</style><h1>Reviews of {counted(len(rows), 'game')}</h1>"
        f"<table>{head}{body}</table></html>"
    )


def _index_row(link: str, review: GameReview) -> str:
    facts = review.facts
    lost = [review.summary(color).lost for color in _BOTH]
    worst = next(iter(review.mistakes()), None)
    cells = [facts.black, facts.white, facts.result or "", *lost, f"{worst.number}. {worst.text}" if worst else ""]
    name = f'<a href="{html.escape(link, quote=True)}">{html.escape(facts.name)}</a>'
    return f"<tr><td>{name}" + "".join(f"<td>{html.escape(cell)}" for cell in cells) + "</tr>"
