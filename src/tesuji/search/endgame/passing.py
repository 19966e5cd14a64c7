"""Passing sense: pass when nothing is left to gain, never fill own ground for nothing, never pass into a loss."""

from functools import cached_property

import numpy as np

from tesuji._core import BLACK, PASS, WHITE, Board, Color, Game
from tesuji.features.evaluation import Floats
from tesuji.search.endgame.judge import judge_by_ownership
from tesuji.search.endgame.settlement import FIRM, SIGN, Settlement
from tesuji.search.result import RootMove, SearchResult

SURE = 0.95  # a win rate that leaves nothing to play for
SHARE = 0.25  # of a search's visits, for passing where it may be right
SLACK = 0.03  # of a win rate, within which passing is as good as another move
FEW = 4  # visits below which the value of a pass is hearsay
STILL_OPEN = 0.25  # share of points in doubt from which nobody need look for the end of the game


def pass_share(game: Game, owned: Floats | None = None) -> float:
    """How much of a search should look at passing: nothing but where a pass may be right.

    `owned` is what the network says of the root, where it says who owns the points.
    """
    sense = _Sense(game, owned)
    return SHARE if sense.settled() or sense.nothing_to_gain else 0.0


def sensible_move(game: Game, result: SearchResult, cleanup: bool = False) -> int:
    """The chosen move, or what good sense plays instead.

    The result should come from a search that gave passing its `pass_share`: without it nobody knows whether a pass
    keeps a won game. With `cleanup` nothing dead is left on the board first.
    """
    sense = _Sense(game, result.black_ownership)
    passing_ends = sense.passing_ends_won(result) or sense.agrees_to_end(result)
    if result.chosen.proven and result.move != PASS and not passing_ends:
        return result.move
    if cleanup and sense.enemy_stones_inside():
        return sense.best_useful(result, anything=True)
    if passing_ends or sense.won_for_certain():
        return PASS
    if sense.nothing_to_gain and _passing_keeps(result):
        return PASS
    if result.move == PASS:
        return PASS if sense.passing_costs_nothing(result) else sense.best_useful(result)
    if result.value >= SURE and sense.settled() and _value_of_passing(result) >= SURE:
        return PASS
    return sense.best_useful(result)


def _passing_keeps(result: SearchResult) -> bool:
    """Whether a pass is as good as any other move by the search: in win rate, and in points within one of them."""
    passing = next((move for move in result.moves if move.move == PASS), None)
    best = next((move for move in result.moves if move.move != PASS), None)
    if best is None or max(best.value, result.value) <= 1 - SURE:
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


class _Sense:
    """What plain reading of the board says about passing, before any search."""

    def __init__(self, game: Game, owned: Floats | None = None) -> None:
        self.game = game
        self.owned = owned
        self.board: Board = game.board
        self.color: Color = game.to_play
        self.other: Color = self.color.opponent
        self.area_rules = game.rules.scoring == "area"
        self.alive = {color: self.board.pass_alive(color) for color in (BLACK, WHITE)}

    @cached_property
    def nothing_to_gain(self) -> bool:
        """Everything on the board is somebody's for certain, but for dame where they count for nothing."""
        if self.owned is None or np.mean(np.abs(self.owned) < FIRM) > STILL_OPEN:
            return False
        settlement = Settlement.of(self.board, self.owned)
        return not settlement.unsettled and not any(settlement.still_to_play(self.area_rules))

    def lead(self) -> float:
        """The mover's lead if the game were scored as the board stands."""
        score = self.game.black_score()
        return score if self.color == BLACK else -score

    def passing_ends_won(self, result: SearchResult) -> bool:
        """The opponent has passed and the board wins, as it stands and once the dead are agreed upon."""
        if not (self.area_rules and self.game.passes == 1 and self.lead() > 0):
            return False
        if self.game.rules.name == "tromp-taylor" or result.black_ownership is None:
            return True
        return self._agreed_lead(result.black_ownership) > 0

    def agrees_to_end(self, result: SearchResult) -> bool:
        """By territory rules: the opponent has passed, all is decided, and a move could only cost a point.

        A count that is lost where the search still hopes to win is played on: one of the two is wrong.
        """
        if self.area_rules or self.game.passes != 1 or self.owned is None or not self.nothing_to_gain:
            return False
        return result.value < 0.5 or self._agreed_lead(self.owned) > 0

    def _agreed_lead(self, owned: Floats) -> float:
        """The mover's lead once both players agree on the dead."""
        score = judge_by_ownership(self.game, owned).black_score
        return score if self.color == BLACK else -score

    def won_for_certain(self) -> bool:
        """Area nobody can take away (Benson) wins whatever the opponent does, and so does the board as it stands.

        The second half is asked anew at every pass. Left alone, the opponent may fill our territory until the count
        turns, and his pass would end the game on that very board; but what he puts there we can still capture.
        """
        if not self.area_rules or self.lead() <= 0:
            return False
        stones, regions = self.alive[self.color]
        mine = len({*stones, *regions})
        komi = self.game.komi if self.color == WHITE else -self.game.komi
        return 2 * mine - self.game.size**2 + komi > 0

    def enemy_stones_inside(self) -> list[int]:
        """Enemy stones inside our unconditional territory: dead, but still on the board."""
        regions = self.alive[self.color][1]
        return [point for point in regions if self.board.at(point) == self.other]

    @cached_property
    def littered(self) -> set[int]:
        """The parts of our unconditional territory in which enemy stones are left to capture."""
        regions, found, reached = set(self.alive[self.color][1]), set[int](), self.enemy_stones_inside()
        while reached:
            point = reached.pop()
            if point not in found:
                found.add(point)
                reached += [near for near in self.board.neighbours(point) if near in regions]
        return found

    def settled(self) -> bool:
        """No neutral point is left, and by area rules the board as it stands is won."""
        if self.area_rules and self.lead() <= 0:
            return False
        owners = self.board.area_owners()
        return all(owner is not None for owner in owners)

    def passing_costs_nothing(self, result: SearchResult) -> bool:
        """A pass chosen by the search is fine unless the board would be lost by it that need not be.

        Where the game is settled it may owe its visits to `pass_share` alone: then another move is worth more.
        """
        if not self.area_rules or self.lead() > 0:
            best = next((move for move in result.moves if move.move != PASS), result.chosen)
            return not self.settled() or result.chosen.value >= best.value - SLACK
        return all(self.is_useless(move.move) for move in result.moves if move.move != PASS)

    def best_useful(self, result: SearchResult, anything: bool = False) -> int:
        """The search's favourite among moves that may change something; pass when there is none."""
        if result.move != PASS and not self.is_useless(result.move, anything):
            return result.move
        useful = [move for move in result.moves if move.move != PASS and not self.is_useless(move.move, anything)]
        if not useful:
            return PASS
        return max(useful, key=_worth).move

    def is_useless(self, point: int, inside_too: bool = False) -> bool:
        """Fills an own eye nobody attacks, or plays where the outcome is proven."""
        if self.board.is_eye(point, self.color):
            return all(self.board.liberties(chain) > 1 for chain in self.board.neighbours(point))
        if point in self.alive[self.color][1]:
            return not ((self.area_rules or inside_too) and point in self.littered)
        return point in self.alive[self.other][1]


def _worth(move: RootMove) -> tuple[bool, int, float]:
    return move.proven is not False, move.visits, move.prior
