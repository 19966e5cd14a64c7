"""From what a search found to what clients are told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tesuji import BLACK, Color
from tesuji.interfaces.gtp.analysis_request import AnalysisRequest
from tesuji.interfaces.gtp.report import Candidate, Report

if TYPE_CHECKING:
    from tesuji.search.result import RootMove, SearchResult


def report_of(result: SearchResult, request: AnalysisRequest) -> Report:
    """The chosen move first, then by visits; everything seen by the player to move."""
    player = result.position.to_play
    moves = [move for move in result.moves if _is_allowed(move.move, player, request)]
    moves.sort(key=lambda move: (move.move != result.move, -move.visits, -move.prior))
    visited = sum(move.visits > 0 for move in moves)
    shown = min(request.max_moves, max(visited, request.min_moves, 1))
    owned = result.black_ownership
    return Report(
        size=result.position.size,
        to_play=player,
        visits=result.root_visits,
        winrate=result.value,
        score_lead=_lead(result.black_score, player),
        candidates=[_candidate(move, player) for move in moves[:shown]],
        ownership=None if owned is None else [float(x) for x in (owned if player == BLACK else -owned).reshape(-1)],
    )


def _candidate(move: RootMove, player: Color) -> Candidate:
    return Candidate(
        move=move.move,
        visits=move.visits,
        winrate=move.value,
        prior=move.prior,
        lcb=min(1.0, max(0.0, move.lcb)),
        score_lead=_lead(move.black_score, player),
        line=move.pv,
    )


def _lead(black_score: float | None, player: Color) -> float | None:
    if black_score is None:
        return None
    return black_score if player == BLACK else -black_score


def _is_allowed(move: int, player: Color, request: AnalysisRequest) -> bool:
    return all((move in each.moves) == each.allow for each in request.restrictions if each.color == player)
