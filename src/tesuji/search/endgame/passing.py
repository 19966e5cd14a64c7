"""Passing sense: pass when nothing is left to gain, never fill own ground for nothing, never pass into a loss."""

from dataclasses import replace

from tesuji._core import PASS, Game
from tesuji.features.evaluation import Floats
from tesuji.search.endgame.sense import HOPELESS, SLACK, Sense
from tesuji.search.endgame.settlement import SIGN
from tesuji.search.result import SearchResult

SURE = 0.95  # a win rate that leaves nothing to play for
SHARE = 0.25  # of a search's visits, for passing where it may be right
FEW = 4  # visits below which the value of a pass is hearsay
LOOK = 100  # visits that find out what a pass gives away


def pass_share(game: Game, owned: Floats | None = None) -> float:
    """How much of a search should look at passing: nothing but where a pass may be right.

    `owned` is what the network says of the root, where it says who owns the points.
    """
    sense = Sense(game, owned)
    return SHARE if sense.settled() or sense.nothing_to_gain else 0.0


def sensible_move(
    game: Game, result: SearchResult, cleanup: bool = False, agreed: bool = True, owned: Floats | None = None
) -> int:
    """The chosen move, or what good sense plays instead.

    The result should come from a search that gave passing its `pass_share`: without it nobody knows whether a pass
    keeps a won game. With `cleanup` nothing dead is left on the board first; without `agreed` the board is counted as
    it stands. `owned` is who owns the points as who counts will see it, where the search's own opinion is not enough.
    """
    sense = Sense(game, result.black_ownership, agreed and not cleanup)
    counted = sense if owned is None else Sense(game, owned, agreed and not cleanup)
    passing_ends = sense.passing_ends_won(result) or counted.agrees_to_end(result)
    if result.chosen.proven and result.move != PASS and not passing_ends:
        return result.move
    if cleanup and sense.enemy_stones_inside():
        return sense.best_useful(result, anything=True)
    if passing_ends or sense.won_for_certain() or sense.only_counting_helps or sense.lost_for_good(result):
        return PASS
    if sense.nothing_to_gain and _passing_keeps(result):
        return PASS
    if result.move == PASS:
        return PASS if sense.passing_costs_nothing(result) else sense.best_useful(result)
    if result.value >= SURE and sense.settled() and _value_of_passing(result) >= SURE:
        return PASS
    return sense.best_useful(result)


def useful_move(game: Game, result: SearchResult) -> int:
    """The chosen move, or another where it fills an own eye for nothing or plays where the outcome is proven.

    Sense as far as the board alone proves it: for networks that still learn who owns what.
    """
    if result.move == PASS or result.chosen.proven:
        return result.move
    return Sense(game, agreed=False).best_useful(result)


def wants_look(game: Game, result: SearchResult) -> bool:
    """Whether a move in decided ground may cost a point while the search knows nothing of passing.

    So where the search alone found out that all is decided: at its root passing had no share.
    """
    if game.rules.scoring == "area" or game.passes or result.move == PASS or result.chosen.proven:
        return False
    passing = next((move for move in result.moves if move.move == PASS), None)
    return passing is not None and passing.visits < FEW and Sense(game, result.black_ownership).nothing_to_gain


def with_look(result: SearchResult, after_pass: SearchResult) -> SearchResult:
    """The same with what a search of the position after a pass found of passing."""
    passing = next(move for move in result.moves if move.move == PASS)
    visits, value, score = after_pass.root_visits, 1 - after_pass.value, after_pass.black_score
    found = replace(passing, visits=visits, value=value, black_score=score)
    return replace(result, moves=tuple(found if move is passing else move for move in result.moves))


def _passing_keeps(result: SearchResult) -> bool:
    """Whether a pass is as good as any other move by the search: in win rate, and in points within one of them."""
    passing = next((move for move in result.moves if move.move == PASS), None)
    best = next((move for move in result.moves if move.move != PASS), None)
    if best is None or max(best.value, result.value) <= HOPELESS:
        return True  # nothing else to play, or nothing to lose
    if passing is None or passing.visits < FEW or passing.value < best.value - SLACK:
        return False
    if passing.black_score is None or best.black_score is None:
        return True
    sign = SIGN[result.position.to_play]
    return sign * (passing.black_score - best.black_score) > -1


def _value_of_passing(result: SearchResult) -> float:
    return next((move.value for move in result.moves if move.move == PASS and move.visits >= FEW), 0.0)


def before_their_pass(game: Game) -> Game:
    """The position to search: where dead stones go after the game, as if the opponent had not passed.

    The tree scores two passes as the board stands. With the opponent's pass already made that would let us win by
    stones which are dead, and which only Tromp-Taylor rules count; had he not passed, he would take them in the tree.
    """
    if game.passes != 1 or game.rules.scoring != "area" or game.rules.name == "tromp-taylor":
        return game
    position, player = game.copy(), game.to_play
    position.undo()
    position.to_play = player
    return position
