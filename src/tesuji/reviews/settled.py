"""Where a game is settled: from there on moves gain and lose nothing, and nobody's moves are judged any more."""

from collections.abc import Sequence

import numpy as np

from tesuji._core import PASS, Game
from tesuji.reviews.analysis import Analysis
from tesuji.search.endgame.settlement import FIRM, Settlement


def settled_from(positions: Sequence[Game], analyses: Sequence[Analysis]) -> int:
    """The number of moves after which the game is settled; the number of all moves where it never is.

    That is at the first pass in a position where nothing but neutral points is left, or where from some move on to the
    end only such points were played and nobody's stones died; and always where passes alone follow.
    """
    end = _before_last_passes(positions)
    known = [_settlement(position, analysis) for position, analysis in zip(positions, analyses, strict=True)]
    for number, after in enumerate(positions[1:]):
        settled = known[number]
        if after.moves[-1][1] == PASS and settled is not None and settled.finished:
            end = min(end, number)
            break
    while end > 0 and _only_dame(known[end - 1], known[min(end, len(known) - 1)]):
        end -= 1
    return end


def _before_last_passes(positions: Sequence[Game]) -> int:
    moves = positions[-1].moves if positions else []
    count = len(moves)
    while count and moves[count - 1][1] == PASS:
        count -= 1
    return count


def _settlement(position: Game, analysis: Analysis) -> Settlement | None:
    if analysis.black_ownership is None:
        return None
    owned = np.array(analysis.black_ownership, np.float32).reshape(position.size, position.size)
    return Settlement.of(position.board, owned)


def _only_dame(before: Settlement | None, after: Settlement | None) -> bool:
    """Whether nothing but neutral points was left, and the move between changed nobody's fate."""
    if before is None or after is None or not (before.finished and after.finished):
        return False
    pairs = zip(before.owned.reshape(-1), after.owned.reshape(-1), strict=True)
    return not any(was * now < 0 and min(abs(was), abs(now)) >= FIRM for was, now in pairs)
