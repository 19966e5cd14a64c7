"""Play by instinct: moves drawn from a policy, without search or with just enough of it not to be silly."""

from typing import Any

from tesuji._core import rank_inputs
from tesuji.search.options import BARE


def by_instinct(temperature: float = 1.0, *, anywhere: bool = False) -> dict[str, Any]:
    """Search options that draw moves from the policy: 0 plays its favourite, 1 as often as the network would.

    Above 1 more evenly, among its twelve favourites or `anywhere`.
    """
    choice = "loose-prior" if anywhere else "soft-prior"
    return {**BARE, "choice": choice, "temperature": temperature}


def as_people_play(rank: str, visits: int = 0) -> dict[str, Any]:
    """How a network that imitates people plays; with more than one visit, such as 16, it looks before it moves.

    The look is a wide one, so that habits are looked at and not only the best.
    """
    options = by_instinct(people_temperature(rank))
    return options | {"visits": visits, "choice": "careful-prior", "c": 2.0} if visits > 1 else options


def people_temperature(rank: str) -> float:
    """How freely moves of people are drawn: as often as they play them at 15k, more evenly below, less so above.

    So small a network knows better whose moves it plays than how well: it blunders more often than they do. A thirtieth
    for each kyu keeps the ranks apart, and a tenth for each dan, whose policies are nearly one; see docs/results.md.
    Raises `ValueError` for no rank.
    """
    written, _ = rank_inputs(rank)
    number = int(written[:-1])
    drawn = 0.5 + number / 30 if written.endswith("k") else 0.5 + 1 / 30 - number / 10
    return min(1.4, max(0.3, drawn))
