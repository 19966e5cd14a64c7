"""What the difference in ownership tells about a bad move: groups that die or live, points that change hands."""

from collections.abc import Iterator
from itertools import chain

from tesuji._core import PASS, Color
from tesuji.reviews.moment import Moment, Reason

_TURNED = 0.3  # mean ownership, on either side of nothing, from which a chain has changed its fate
_LEAST_AREA = 2.0  # points that change hands, from which it is worth a word
_MOSTLY = 0.6  # of them in one part of the board, from which it is named; of the loss, from which they explain it


def group_dies(moment: Moment) -> Iterator[Reason]:
    """Own chains that live after the better move and are dead after this one."""
    chains = [stones for stones in moment.after.chains(moment.color) if stones != [moment.move]]
    turned = _turned(moment, chains)
    if turned:
        yield Reason(
            "dies", f"{_group(moment, turned)} dies{_next(moment)}", tuple(sorted(chain.from_iterable(turned)))
        )


def group_lives(moment: Moment) -> Iterator[Reason]:
    """Enemy chains that are dead after the better move and live after this one."""
    turned = _turned(moment, moment.after.chains(moment.color.opponent))
    if turned:
        text = f"lets {_group(moment, turned)} live{_next(moment)}"
        yield Reason("lives", text, tuple(sorted(chain.from_iterable(turned))))


def _turned(moment: Moment, chains: list[list[int]]) -> list[list[int]]:
    """Chains, of two stones at least, on points that change from the player to the opponent."""
    owned_better, owned_after = moment.owned_better, moment.owned_after
    if owned_better is None or owned_after is None:
        return []
    turned = [
        stones
        for stones in chains
        if moment.worth(stones, owned_better) >= _TURNED and moment.worth(stones, owned_after) <= -_TURNED
    ]
    return turned if sum(map(len, turned)) > 1 else []


def _group(moment: Moment, chains: list[list[int]]) -> str:
    return f"the group at {moment.name(max(chains, key=len)[0])}"


def _next(moment: Moment) -> str:
    return f": next {moment.name(moment.reply)}" if moment.reply != PASS else ""


def gives_up_area(moment: Moment) -> Reason | None:
    """Points that are the player's after the better move and the opponent's after this one."""
    if moment.owned_better is None or moment.owned_after is None:
        return None
    sign, size = (1 if moment.color == Color.BLACK else -1), moment.before.size
    pairs = zip(moment.owned_better, moment.owned_after, strict=True)
    lost = [sign * (better - after) / 2 for better, after in pairs]
    total = sum(lost)
    if total < _LEAST_AREA or 2 * total < _MOSTLY * (moment.points or 0.0):
        return None  # too little, or not what the points were lost for: one that changes hands counts twice
    parts: dict[str, float] = {}
    for point, share in enumerate(lost):
        part = part_of_board(point, size)
        parts[part] = parts.get(part, 0.0) + max(0.0, share)
    where, most = max(parts.items(), key=lambda item: item[1])
    changed = tuple(point for point, share in enumerate(lost) if share > 0.25)
    facts = f"{total:.0f} points of ownership change hands"
    mostly = most >= _MOSTLY * sum(parts.values())
    return Reason("area", f"gives up the {where}: {facts}" if mostly else facts, changed)


def part_of_board(point: int, size: int) -> str:
    """`upper left corner`, `left side`, `centre`: the board in nine parts."""
    row, column = divmod(point, size)
    high = "upper" if 3 * row < size else "lower" if 3 * row >= 2 * size else ""
    side = "left" if 3 * column < size else "right" if 3 * column >= 2 * size else ""
    if high and side:
        return f"{high} {side} corner"
    return f"{high or side} side" if high or side else "centre"
