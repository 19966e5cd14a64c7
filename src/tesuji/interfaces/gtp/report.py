"""What a search found, as each client wants to read it: everything seen by the player to move."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from tesuji import BLACK, Color
from tesuji.go.coordinates import vertex_text
from tesuji.interfaces.gtp.analysis_request import AnalysisRequest

if TYPE_CHECKING:
    from tesuji.search.result import RootMove, SearchResult

_OWNERSHIP_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

Line = Callable[["SearchResult", Sequence["RootMove"]], str]
"""One client's line about a search, given the moves to tell."""


def shown_moves(result: SearchResult, request: AnalysisRequest) -> list[RootMove]:
    """The chosen move first, then by visits: those searched, and as many more as the client asked for."""
    player = result.position.to_play
    moves = [move for move in result.moves if _is_allowed(move.move, player, request)]
    moves.sort(key=lambda move: (move.move != result.move, -move.visits, -move.prior))
    visited = sum(move.visits > 0 for move in moves)
    return moves[: min(request.max_moves, max(visited, request.min_moves, 1))]


def _is_allowed(move: int, player: Color, request: AnalysisRequest) -> bool:
    return all((move in each.moves) == each.allow for each in request.restrictions if each.color == player)


def lead(result: SearchResult, black_score: float | None) -> float | None:
    """Points by which the player to move leads, komi included; None where the network tells no score."""
    return None if black_score is None else black_score if result.position.to_play == BLACK else -black_score


def lz_line(result: SearchResult, moves: Sequence[RootMove]) -> str:
    """Leela Zero's format, read by Lizzie and Sabaki: integers of 1/10000."""
    size = result.position.size
    return " ".join(
        f"info move {vertex_text(move.move, size)} visits {move.visits}"
        f" winrate {_ten_thousandths(move.value)} prior {_ten_thousandths(move.prior)}"
        f" lcb {_ten_thousandths(move.lcb)} order {order} pv {_variation(move, size)}"
        for order, move in enumerate(moves)
    )


def kata_line(
    result: SearchResult, moves: Sequence[RootMove], *, ownership: bool = False, root_info: bool = False
) -> str:
    """KataGo's format; what was not asked for is left out, for Sabaki takes it for a part of the last variation."""
    parts = [_kata_move(result, move, order) for order, move in enumerate(moves)]
    if root_info:
        points = lead(result, result.black_score) or 0.0
        parts.append(
            f"rootInfo visits {result.root_visits} utility {2 * result.value - 1:.6g} winrate {result.value:.6g}"
            f" scoreMean {points:.6g} scoreStdev 0 scoreLead {points:.6g} scoreSelfplay {points:.6g}"
        )
    if ownership and result.black_ownership is not None:
        parts.append("ownership " + " ".join(f"{owner:.6g}" for owner in _owners(result)))
    return " ".join(parts)


def _kata_move(result: SearchResult, move: RootMove, order: int) -> str:
    points, lcb, size = lead(result, move.black_score) or 0.0, min(1.0, max(0.0, move.lcb)), result.position.size
    return (
        f"info move {vertex_text(move.move, size)} visits {move.visits}"
        f" utility {2 * move.value - 1:.6g} winrate {move.value:.6g}"
        f" scoreMean {points:.6g} scoreStdev 0 scoreLead {points:.6g}"
        f" scoreSelfplay {points:.6g} prior {move.prior:.6g} lcb {lcb:.6g}"
        f" utilityLcb {2 * lcb - 1:.6g} order {order} pv {_variation(move, size)}"
    )


def cgos_line(result: SearchResult, moves: Sequence[RootMove]) -> str:
    """The JSON of CGOS, in one line."""
    size = result.position.size
    told = []
    for move in moves:
        points = lead(result, move.black_score)
        told.append(
            {
                "move": vertex_text(move.move, size),
                "winrate": round(move.value, 6),
                **({} if points is None else {"score": round(points, 4)}),
                "prior": round(move.prior, 6),
                "visits": move.visits,
                "pv": _variation(move, size, start=1),
            }
        )
    content: dict[str, object] = {"winrate": round(result.value, 6), "visits": result.root_visits, "moves": told}
    points = lead(result, result.black_score)
    if points is not None:
        content["score"] = round(points, 4)
    if result.black_ownership is not None:
        content["ownership"] = "".join(_ownership_letter(owner) for owner in _owners(result))
    return json.dumps(content, separators=(",", ":"))


def _owners(result: SearchResult) -> list[float]:
    """1 where the player to move owns the point, -1 the opponent; row by row from the top left."""
    assert result.black_ownership is not None
    owned = result.black_ownership if result.position.to_play == BLACK else -result.black_ownership
    return [float(owner) for owner in owned.reshape(-1)]


def _ten_thousandths(share: float) -> int:
    return round(10000 * min(1.0, max(0.0, share)))


def _variation(move: RootMove, size: int, start: int = 0) -> str:
    return " ".join(vertex_text(each, size) for each in (move.pv or (move.move,))[start:])


def _ownership_letter(owner: float) -> str:
    """CGOS sends one of 63 letters for -1 to 1."""
    return _OWNERSHIP_LETTERS[round(62 * min(1.0, max(0.0, (owner + 1) / 2)))]
