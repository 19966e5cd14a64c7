"""Ways to choose a move from what a search found, each by name; the papers' five and a few more."""

import math
import random
from collections.abc import Callable, Sequence

from tesuji._core import PASS
from tesuji.base.settings import check_names
from tesuji.search.options import SearchOptions
from tesuji.search.result import RootMove

MoveChoice = Callable[[Sequence[RootMove], SearchOptions, int, random.Random], RootMove]
"""Takes the root's moves (most visited first), the options, the number of moves played so far, and chance."""


SLIP = 0.1


def best_visits(moves: Sequence[RootMove], options: SearchOptions, played: int, chance: random.Random) -> RootMove:
    """The most visited move; a proven win before all, a proven loss only when nothing else is left.

    With the option `second_move` the better of the two most visited, once both have been searched.
    """
    if not options.second_move or len(moves) < 2:
        return max(moves, key=_certainty_first)
    first, second = sorted(moves, key=_certainty_first, reverse=True)[:2]
    open_question = first.proven is None and second.proven is None and second.visits > 1
    return second if open_question and second.value > first.value else first


def _certainty_first(move: RootMove) -> tuple[int, int, float, float]:
    certainty = 0 if move.proven is None else 1 if move.proven else -1
    return certainty, move.visits, move.value if move.visits else 0.0, move.prior


def near_best_prior(moves: Sequence[RootMove], options: SearchOptions, played: int, chance: random.Random) -> RootMove:
    """2018: uniformly among the moves whose prior is within 0.2 of the best."""
    best = max(move.prior for move in moves)
    return chance.choice([move for move in moves if move.prior > best - 0.2])


def second_half_the_time(
    moves: Sequence[RootMove], options: SearchOptions, played: int, chance: random.Random
) -> RootMove:
    """2020: the second move with probability one half when it has more than half the first one's visits."""
    ranked = sorted(moves, key=_certainty_first, reverse=True)
    close = len(ranked) > 1 and ranked[1].visits > ranked[0].visits / 2 and ranked[1].proven is not False
    return ranked[1] if close and ranked[0].proven is None and chance.random() < 0.5 else ranked[0]


def two_best_priors(moves: Sequence[RootMove], options: SearchOptions, played: int, chance: random.Random) -> RootMove:
    """2021, policy only: one of the two best priors, proportionally."""
    ranked = sorted(moves, key=lambda move: -move.prior)[:2]
    weights = [move.prior for move in ranked]
    return chance.choices(ranked, weights)[0] if sum(weights) > 0 else ranked[0]


def two_most_visited(moves: Sequence[RootMove], options: SearchOptions, played: int, chance: random.Random) -> RootMove:
    """2021, with search: the second move if it has at least half the visits, then proportionally to visits."""
    ranked = sorted(moves, key=_certainty_first, reverse=True)[:2]
    if len(ranked) < 2 or ranked[0].proven is not None or ranked[1].proven is False or not ranked[0].visits:
        return ranked[0]
    if 2 * ranked[1].visits < ranked[0].visits:
        return ranked[0]
    return chance.choices(ranked, [move.visits for move in ranked])[0]


def by_temperature(moves: Sequence[RootMove], options: SearchOptions, played: int, chance: random.Random) -> RootMove:
    """Proportionally to visits to the power 1 / temperature during the first moves of the game, then the best."""
    best = best_visits(moves, options, played, chance)
    if played >= options.temperature_moves or options.temperature < 1e-3 or best.proven or not best.visits:
        return best
    open_moves = [move for move in moves if move.visits and move.proven is not False]
    if not open_moves:
        return best
    most = max(move.visits for move in open_moves)
    return chance.choices(open_moves, [(move.visits / most) ** (1 / options.temperature) for move in open_moves])[0]


def lower_confidence_bound(
    moves: Sequence[RootMove], options: SearchOptions, played: int, chance: random.Random
) -> RootMove:
    """The highest lower confidence bound among moves with a tenth of the most visits.

    With the option `second_move` the better of the two most visited, as in "visits".
    """
    best = best_visits(moves, options, played, chance)
    if best.proven is not None or best.visits < 2 or options.second_move:
        return best
    return max((move for move in moves if 10 * move.visits >= best.visits), key=lambda move: move.lcb)


def best_prior(moves: Sequence[RootMove], options: SearchOptions, played: int, chance: random.Random) -> RootMove:
    """The network's favourite, whatever the search says."""
    return max(moves, key=lambda move: move.prior)


def by_prior_softly(moves: Sequence[RootMove], options: SearchOptions, played: int, chance: random.Random) -> RootMove:
    """Among the network's twelve favourites, proportionally to priors to the power 1 / temperature, all game long.

    The levels for people who learn play so. A pass is played where it is the favourite, and never by chance.
    """
    return _drawn_by_prior(moves, options, chance, 12)


def by_prior_loosely(moves: Sequence[RootMove], options: SearchOptions, played: int, chance: random.Random) -> RootMove:
    """As "soft-prior", among all moves: for opponents that nobody need fear."""
    return _drawn_by_prior(moves, options, chance, len(moves))


def _drawn_by_prior(moves: Sequence[RootMove], options: SearchOptions, chance: random.Random, most: int) -> RootMove:
    favourite = max(moves, key=lambda move: move.prior)
    if favourite.move == PASS or favourite.prior <= 0 or options.temperature < 1e-3:
        return favourite
    ranked = sorted((move for move in moves if move.move != PASS), key=lambda move: -move.prior)[:most]
    return chance.choices(ranked, [(move.prior / favourite.prior) ** (1 / options.temperature) for move in ranked])[0]


def by_prior_carefully(
    moves: Sequence[RootMove], options: SearchOptions, played: int, chance: random.Random
) -> RootMove:
    """As "soft-prior" among the moves that were looked at, those the rarer that the search finds worse.

    A move that costs `SLIP` of win rate is played a third as often: habits stay, blunders that a glance sees go.
    """
    seen = [move for move in moves if move.visits and move.proven is not False]
    favourite = max(seen, key=lambda move: move.prior, default=best_visits(moves, options, played, chance))
    if favourite.move == PASS or favourite.proven or favourite.prior <= 0 or options.temperature < 1e-3:
        return favourite
    ranked = [move for move in seen if move.move != PASS]
    best = max(move.value for move in ranked)
    weights = [
        (move.prior / favourite.prior) ** (1 / options.temperature) * math.exp((move.value - best) / SLIP)
        for move in ranked
    ]
    return chance.choices(ranked, weights)[0]


CHOICES: dict[str, MoveChoice] = {
    "visits": best_visits,
    "prior": best_prior,
    "soft-prior": by_prior_softly,
    "loose-prior": by_prior_loosely,
    "careful-prior": by_prior_carefully,
    "near-best-prior-2018": near_best_prior,
    "second-2020": second_half_the_time,
    "policy-2021": two_best_priors,
    "search-2021": two_most_visited,
    "temperature": by_temperature,
    "lcb": lower_confidence_bound,
}


BEST = ("visits", "lcb")
"""Those that want nothing but the best move: sequential halving and a bare policy have their own word for it."""


def choice_named(name: str) -> MoveChoice:
    """The way to choose of this name; `ValueError` lists the known ones."""
    check_names([name], CHOICES, "move choice")
    return CHOICES[name]
