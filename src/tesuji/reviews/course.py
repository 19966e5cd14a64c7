"""A review under way: what is known of each position so far, and the verdicts that follow; None where nothing is."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from tesuji._core import Game
from tesuji.reviews.analysis import Analysis
from tesuji.reviews.moment import Moment
from tesuji.reviews.options import ReviewOptions
from tesuji.reviews.positions import positions_of
from tesuji.reviews.reasons import reason_for
from tesuji.reviews.settled import settled_from
from tesuji.reviews.verdicts import MoveReview, second_verdict, uncounted, verdict

Judge = Callable[[Sequence[Game]], Sequence[Analysis | None]]
"""Searches positions; None for those that it had no time for."""


@dataclass(frozen=True)
class SecondLook:
    """The second look at one move."""

    before: Analysis
    after_best: Analysis | None = None
    """None where the best move is the one played, or ends the game."""
    after: Analysis | None = None


class Course:
    """The positions of a game with what was found about them."""

    def __init__(self, game: Game) -> None:
        self.positions = positions_of(game)
        self.analyses: list[Analysis | None] = [None] * len(self.positions)
        self.looks: dict[int, SecondLook] = {}
        """By number of the move, from 1 on."""
        self._played = [move for _, move in game.moves]
        self._settled: int | None = None

    @property
    def settled_from(self) -> int:
        """The number of moves after which nothing was at stake; that of all moves while positions are unknown."""
        known = [analysis for analysis in self.analyses if analysis is not None]
        if len(known) < len(self.analyses):
            return len(self._played)
        if self._settled is None:
            self._settled = settled_from(self.positions, known)
        return self._settled

    def moves(self) -> list[MoveReview | None]:
        """What each move cost, as far as it is known."""
        end = self.settled_from
        return [self._judged(number, end) for number in range(1, len(self.positions))]

    def _judged(self, number: int, end: int) -> MoveReview | None:
        before, after = self.analyses[number - 1], self.analyses[number]
        if before is None or after is None:
            return None
        move = verdict(number, self._played[number - 1], before, after)
        if number > end:
            move = uncounted(move)
        look = self.looks.get(number)
        if look is not None:
            move = second_verdict(move, look.before, look.after_best, look.after)
        return self._explained(move, before, after, look)

    def critical(self, options: ReviewOptions) -> list[MoveReview]:
        """The moves that seem to have lost most, the worst first, as many as are to be looked at twice."""
        least, share = options.least_points / 2, options.least_winrate / 2
        known = [move for move in self.moves() if move is not None]
        seeming = [move for move in known if (move.winrate >= share if move.points is None else move.points >= least)]
        return sorted(seeming, key=lambda move: (-move.loss, move.number))[: options.critical]

    def look_again(self, moves: Sequence[MoveReview], judge: Judge, judge_after: Judge | None = None) -> None:
        """The second look at these moves: the position before each and, where another is best, those after both.

        `judge_after` judges the latter. Moves that there was no time for keep their first verdict.
        """
        before = judge([self.positions[move.number - 1] for move in moves])
        pairs = [(move, found) for move, found in zip(moves, before, strict=True) if found is not None]
        looks = {move.number: SecondLook(found) for move, found in pairs}
        best = {move.number: self._after(move, found.best) for move, found in pairs}
        open_numbers = [number for number, game in best.items() if game is not None]
        asked = [game for game in best.values() if game is not None] + [self.positions[n] for n in open_numbers]
        found = (judge_after or judge)(asked) if asked else []
        for number, other, own in zip(open_numbers, found, found[len(open_numbers) :], strict=False):
            if other is None or own is None:
                del looks[number]
            else:
                looks[number] = replace(looks[number], after_best=other, after=own)
        self.looks |= looks

    def _after(self, move: MoveReview, best: int) -> Game | None:
        """The position after the best move; None where it is the one played or ends the game."""
        if best == move.move:
            return None
        game = self.positions[move.number - 1].copy()
        game.play(best, move.color)
        return None if game.is_over else game

    def _explained(self, move: MoveReview, before: Analysis, after: Analysis, look: SecondLook | None) -> MoveReview:
        """The move with the reason why it is bad, where it is and one is known."""
        if not move.counted or move.grade in {"good", "inexact"} or move.move == move.better:
            return move
        best = before if look is None else look.after_best or look.before
        moment = Moment(
            before=self.positions[move.number - 1],
            color=move.color,
            move=move.move,
            better=move.better,
            refutation=move.refutation,
            owned_better=best.black_ownership,
            owned_after=(look.after if look and look.after else after).black_ownership,
            points=move.points,
        )
        return replace(move, reason=reason_for(moment))
