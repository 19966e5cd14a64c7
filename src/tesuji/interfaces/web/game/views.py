"""A session as the browser draws it: plain data, made without a browser, so that tests can read it."""

from collections.abc import Sequence
from html import escape
from typing import Any

from tesuji import BLACK, PASS
from tesuji._core import star_points
from tesuji.go.coordinates import vertex_text
from tesuji.go.rules import komi_from_text
from tesuji.interfaces.web.game.editing import STONES
from tesuji.interfaces.web.game.finding import Finding
from tesuji.interfaces.web.game.session import Session
from tesuji.interfaces.web.game.status import status
from tesuji.interfaces.web.game.teaching import MOVE
from tesuji.interfaces.web.words.words import Words

SHOWN_CANDIDATES = 8
WIDTH, HEIGHT, LEFT, BOTTOM = 340, 120, 34, 20  # of the curve over komi, in pixels


def board_props(session: Session) -> dict[str, Any]:
    """What the board component needs."""
    record, game = session.record, session.record.game
    scoring = session.mode == "scoring"
    playable = not scoring and session.my_turn and not (session.mode == "play" and game.is_over)
    legal = set(game.legal_moves()) if playable else set()
    tool = session.tool if session.mode == "review" else "play"
    if tool != "play":
        playable, legal = tool in STONES, set(range(game.size**2))
    stones = record.stones()
    marks = record.marks()
    if session.look.numbers:
        marked = {mark["point"] for mark in marks}
        marks = [number for number in record.numbers() if number["point"] not in marked] + marks
    if session.mode == "review" and session.quiz is None:
        marks = marks + record.variations()
    return {
        "size": game.size,
        "stars": star_points(game.size),
        "stones": stones,
        "last": record.last_point,
        "toPlay": tool if tool in STONES else "black" if game.to_play == BLACK else "white",
        "forbidden": [point for point, letter in enumerate(stones) if letter == "." and point not in legal],
        "playable": playable,
        "scoring": scoring,
        "candidates": candidates(session),
        "marks": marks,
        "heat": heat(session),
        "area": session.count.in_doubt() if scoring and session.count is not None else session.hinted_area(),
        "answer": session.refutation(),
        "owners": owners(session),
        "dead": sorted(session.count.dead if session.count is not None else record.territory()[1]),
        "coordinates": session.look.coordinates,
        "label": board_label(session),
        "sound": session.look.sound,
        "dress": session.look.board,
        "flatStones": session.look.stones == "flat",
        "behind": record.number if session.may_walk else 0,  # else the wheel scrolls the page as usual
        "ahead": len(record.line()) - 1 - record.number if session.may_walk else 0,
    }


def board_label(session: Session) -> str:
    """The board in words, for those who do not see it."""
    game, node = session.record.game, session.record.node
    words = session.words
    told = {"size": game.size, "number": session.record.number, "status": status(session)}
    if node.move is None:
        return words("game.board", **told)
    color, move = node.move
    played = words("game.pass") if move == PASS else vertex_text(move, game.size)
    return words("game.board_after", color=words.color(color), move=played, **told)


def spoken(session: Session) -> str:
    """The last move and whose turn it is, for those who listen."""
    words, move = session.words, session.record.node.move
    if move is None:
        return status(session)
    point = words("game.pass") if move[1] == PASS else vertex_text(move[1], session.record.game.size)
    return words("game.said", color=words.color(move[0]), move=point, status=status(session))


def candidates(session: Session) -> list[dict[str, Any]]:
    """The moves the search likes, as circles on the board; only the best one for a hint."""
    finding = session.finding
    hint = session.hint is session.record.node and session.hint_step == MOVE
    if finding is None or session.mode == "scoring" or not (session.look.analysis or hint):
        return []
    if session.look.analysis and session.look.overlay == "policy":
        return []
    board = session.record.game.board
    shown = [move for move in finding.moves if move.move != PASS and board.at(move.move) is None and move.visits > 0][
        : SHOWN_CANDIDATES if session.look.analysis else 1
    ]
    top = max((move.visits for move in shown), default=1)
    labels = {
        mark["point"]: mark["text"] for mark in session.record.marks() if len(str(mark.get("text", ""))) in (1, 2)
    }
    return [
        {
            "point": move.move,
            "rank": 0 if index == 0 else 1 if move.visits > top / 4 else 2 if move.visits > top / 20 else 3,
            # What the record calls a point stays to be read: comments speak of it.
            "text": labels.get(move.move, share),
            "detail": share if move.move in labels else session.words.short_count(move.visits),
            "pv": list(move.pv),
        }
        for index, move in enumerate(shown)
        for share in [f"{100 * move.value:.0f}"]
    ]


def owners(session: Session) -> list[float]:
    """Whose each point is: as counted at the end, as expected while analysing."""
    stones = session.record.stones()
    if session.count is not None:
        dead = session.count.dead
        owned = session.count.owners()
        return [0.0 if stones[point] != "." and point not in dead else value for point, value in enumerate(owned)]
    kept, _ = session.record.territory()
    if any(kept):
        return kept
    finding = session.finding
    shading = session.look.analysis and session.look.overlay == "territory"
    if shading and finding is not None and finding.black_ownership is not None:
        # A stone that lives needs no mark of its own colour.
        return [
            0.0 if (letter == "X" and value > 0) or (letter == "O" and value < 0) else round(value, 2)
            for letter, value in zip(stones, finding.black_ownership, strict=True)
        ]
    return []


def heat(session: Session) -> list[float]:
    """What the network alone would play, by point."""
    finding = session.finding
    if not session.look.analysis or session.look.overlay != "policy" or finding is None:
        return []
    return (finding.policy or [])[: session.record.game.size**2]


def candidate_rows(finding: Finding, size: int, words: Words) -> list[dict[str, Any]]:
    """The candidates as a table."""
    return [
        {
            "move": vertex_text(move.move, size),
            "winrate": words.percent(move.value, 1),
            "score": "" if move.black_score is None else words.score(move.black_score),
            "visits": words.short_count(move.visits),
            "prior": words.percent(move.prior, 1),
            "line": " ".join(vertex_text(each, size) for each in move.pv[:8]),
            "pv": list(move.pv),
        }
        for move in finding.moves[:SHOWN_CANDIDATES]
    ]


def game_facts(session: Session) -> str:
    """What was agreed before the game: `komi 6.5, Japanese rules, 3 stones, 2016-11-09`."""
    game, root = session.record.game, session.record.root
    stones, words, rules = root.text("HA"), session.words, f"rules.{game.rules.name}"
    parts = [
        words("game.komi_assumed" if komi_from_text(root.text("KM")) is None else "game.komi", komi=float(game.komi)),
        words("game.rules", name=words(rules)) if rules in words.entries else "",
        words("game.stones", count=stones) if stones.isdigit() and int(stones) > 1 else "",
        root.text("EV")[:60],
        root.text("DT")[:30] if session.mode == "review" else "",
    ]
    return words.listed(parts)


def komi_curve_svg(curve: Sequence[tuple[float, float]], komi: float, words: Words) -> str:
    """Black's win probability at each komi as SVG, with the game's own komi marked."""
    points = [(at, share) for at, share in curve if abs(at - komi) <= 20]
    if len(points) < 2:
        return ""
    low, high = points[0][0], points[-1][0]

    def x(at: float) -> float:
        return LEFT + (at - low) / (high - low) * (WIDTH - LEFT - 8)

    def y(share: float) -> float:
        return 6 + (1 - share) * (HEIGHT - BOTTOM - 6)

    line = "".join(f"{'L' if index else 'M'}{x(at):.1f} {y(share):.1f}" for index, (at, share) in enumerate(points))
    rows = "".join(
        f'<line x1="{LEFT}" x2="{WIDTH - 8}" y1="{y(share)}" y2="{y(share)}" class="graph-grid"/>'
        f'<text x="{LEFT - 5}" y="{y(share) + 3.5}" class="graph-tick" style="text-anchor:end">'
        f"{words.percent(share)}</text>"
        for share in (0, 0.5, 1)
    )
    step = 10 if high - low > 25 else 5
    ticks = "".join(
        f'<text x="{x(at):.1f}" y="{HEIGHT - 5}" class="graph-tick">{at}</text>'
        for at in range(int(low // step * step), int(high) + 1, step)
        if at >= low
    )
    now = f'<line x1="{x(komi):.1f}" x2="{x(komi):.1f}" y1="4" y2="{HEIGHT - BOTTOM + 2}" class="graph-now"/>'
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" style="width:100%;display:block" role="img" '
        f'aria-label="{escape(words("analysis.komi_label"))}">{rows}{ticks}{now}'
        f'<path d="{line}" class="graph-score"/></svg>'
    )
