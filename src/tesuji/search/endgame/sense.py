"""What plain reading of the board says about passing, by the rules in force and by who owns the points."""

from functools import cached_property

import numpy as np

from tesuji._core import BLACK, PASS, WHITE, Board, Color, Game
from tesuji.features.evaluation import Floats
from tesuji.search.endgame.judge import Judgement, judge_by_ownership
from tesuji.search.endgame.settlement import FIRM, SIGN, Settlement, with_proofs
from tesuji.search.result import RootMove, SearchResult

SLACK = 0.03  # of a win rate, within which passing is as good as another move
HOPELESS = 0.05  # a win rate that leaves nothing to lose
_MOST_SHARED = 8  # open points among which stones may live in seki; where there are more, some are to be played
_FAINT = 0.15  # a win rate that nobody turned who had lost the count, where all was decided
_BEGUN = 0.2  # stones for each point, below which no game is over that players agree to end
_BEGUN_WITH_HANDICAP = 0.3  # the same where one side is far behind from the start and waits for mistakes
STILL_OPEN = 0.25  # share of points in doubt from which nobody need look for the end of the game


class Sense:
    """One position seen by the player to move; `owned` is who will own the points, where somebody told."""

    def __init__(self, game: Game, owned: Floats | None = None, agreed: bool = True) -> None:
        """`agreed`: the players take the dead off the board after the game, unless its rules count it as it stands."""
        self.game = game
        self.owned = owned
        self.agreed = agreed and game.rules.name != "tromp-taylor"
        self.board: Board = game.board
        self.color: Color = game.to_play
        self.other: Color = self.color.opponent
        self.area_rules = game.rules.scoring == "area"
        self.alive = {color: self.board.pass_alive(color) for color in (BLACK, WHITE)}

    @property
    def _only_begun(self) -> bool:
        """Whether so few stones stand that nobody means to end the game, whoever passed: as after a handicap."""
        stones = sum(len(self.board.stones(color)) for color in SIGN)
        share = _BEGUN_WITH_HANDICAP if self.game.handicap >= 2 else _BEGUN
        return self.agreed and stones < share * self.game.size**2

    @property
    def _still_open(self) -> bool:
        """Whether so much is in doubt that nobody need look for the end of the game."""
        return self._only_begun or self.owned is None or bool(np.mean(np.abs(self.owned) < FIRM) > STILL_OPEN)

    @cached_property
    def nothing_to_gain(self) -> bool:
        """Everything on the board is somebody's for certain, but for dame where they count for nothing."""
        if self.owned is None or self._still_open:
            return False
        settlement = Settlement.of(self.board, self.owned)
        if not settlement.unsettled and not any(settlement.still_to_play(self.area_rules)):
            return True
        return len(set(settlement.still_to_play(True))) <= _MOST_SHARED and not self._left_to_play

    @cached_property
    def judged(self) -> Judgement:
        """What a judge says who is told the owners: he reads what they are wrong about."""
        assert self.owned is not None
        return judge_by_ownership(self.game, self.owned)

    @cached_property
    def only_counting_helps(self) -> bool:
        """All is decided, by reading against the owners: a tree that counts the board as it stands cannot know it."""
        if self.area_rules or not self.agreed or not self.nothing_to_gain:
            return False
        assert self.owned is not None
        return bool(np.any(with_proofs(self.board, self.owned) * self.judged.black_ownership < 0))

    @cached_property
    def _left_to_play(self) -> set[int]:
        """Points where a move may gain something, and stones whose fate is open, where all else is settled.

        Nobody gains by a move between stones in seki.
        """
        settlement, seki = Settlement(self.board, self.judged.black_ownership), set(self.judged.seki)
        open_stones = {stone for chain in settlement.unsettled for stone in chain}
        points = settlement.still_to_play(self.area_rules)
        return (open_stones - seki) | {p for p in points if not seki.intersection(self.board.neighbours(p))}

    def lead(self) -> float:
        """The mover's lead if the game were scored as the board stands."""
        return SIGN[self.color] * self.game.black_score()

    def passing_ends_won(self, result: SearchResult) -> bool:
        """The opponent has passed and the board wins, as it stands and once the dead are agreed upon."""
        if not (self.area_rules and self.game.passes == 1 and self.lead() > 0) or self._only_begun:
            return False
        if self.game.rules.name == "tromp-taylor" or result.black_ownership is None:
            return True
        judged = judge_by_ownership(self.game, result.black_ownership)
        return SIGN[self.color] * judged.black_score > 0

    def agrees_to_end(self, result: SearchResult) -> bool:
        """The opponent has passed, and a judge could count: a move could only cost a point, or time.

        A count that is lost where the search still hopes to win is played on: one of the two is wrong. Where it has
        no hope left, nobody need be sure.
        """
        if not self.agreed or self.game.passes != 1 or self.owned is None or self._still_open:
            return False
        if self.area_rules and self._left_to_play.intersection(Settlement.of(self.board, self.owned).dame):
            return False
        if result.value <= HOPELESS:
            return True
        judged = self.judged
        if judged.unsettled or judged.open_borders or self._could_be_taken(self.owned):
            return False
        return result.value < 0.5 or SIGN[self.color] * judged.black_score > 0

    def lost_for_good(self, result: SearchResult) -> bool:
        """All is decided, the count is lost and hope faint: a move would be an invasion that nobody believes in."""
        if not self.agreed or max(result.value, result.chosen.value) > _FAINT or not self.nothing_to_gain:
            return False
        return self.judged.settled and SIGN[self.color] * self.judged.black_score < 0

    def _could_be_taken(self, owned: Floats) -> bool:
        """Whether a living stone of ours is in atari: a pass would leave a ko, or more, for the count to guess at."""
        flat = SIGN[self.color] * owned.reshape(-1)
        chains = self.board.chains(self.color)
        return any(self.board.liberties(chain[0]) == 1 and float(np.mean(flat[chain])) > 0 for chain in chains)

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
        if (self.area_rules and self.lead() <= 0) or self._only_begun:
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
