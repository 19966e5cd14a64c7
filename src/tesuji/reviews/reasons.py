"""Why a move was bad, from facts that were computed: never a word more than ladders, liberties and ownership tell."""

from collections.abc import Callable, Iterator

from tesuji._core import PASS
from tesuji.reviews.moment import Moment, Reason
from tesuji.reviews.ownership_facts import gives_up_area, group_dies, group_lives
from tesuji.reviews.stone_facts import fills_own_eye, leaves_in_atari, loses_ladder, misses_capture

FACTS: tuple[Callable[[Moment], Iterator[Reason]], ...] = (
    loses_ladder,
    leaves_in_atari,
    misses_capture,
    group_dies,
    group_lives,
)


def reason_for(moment: Moment) -> Reason | None:
    """The fact that explains the move best; None where none is known."""
    if filled := fills_own_eye(moment):
        return filled
    found = [reason for fact in FACTS for reason in fact(moment)]
    if found:
        return max(found, key=lambda reason: len(reason.points))  # of equal ones the first, which says more
    return gives_up_area(moment) or passes_early(moment)


def passes_early(moment: Moment) -> Reason | None:
    """A pass while there was something to play."""
    if moment.move != PASS or moment.better == PASS:
        return None
    return Reason("pass", f"passes while {moment.name(moment.better)} is worth something")
