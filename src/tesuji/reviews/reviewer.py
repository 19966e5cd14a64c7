"""Reviews a game: all positions in one pass of shared batches, then the critical moves again with more visits."""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from tesuji._core import Game
from tesuji.base.errors import InputError
from tesuji.features.evaluation import Evaluator
from tesuji.reviews.analysis import Analysis
from tesuji.reviews.game_review import GameFacts, GameReview
from tesuji.reviews.judging import Judges
from tesuji.reviews.moment import Moment
from tesuji.reviews.options import ReviewOptions
from tesuji.reviews.positions import positions_of
from tesuji.reviews.reasons import reason_for
from tesuji.reviews.settled import settled_from
from tesuji.reviews.verdicts import MoveReview, second_verdict, uncounted, verdict

Progress = Callable[[str, int, int], None]
"""Takes a stage in words, how much of it is done, and how much there is; may be called in any thread."""
_FIRST_SHARE = 0.6  # of a budget, for the first pass
_SAFETY = 0.8  # of the time left, for what is planned by speed


def review_game(
    game: Game,
    evaluators: Sequence[Evaluator],
    options: ReviewOptions | None = None,
    facts: GameFacts | None = None,
    progress: Progress = lambda what, done, total: None,
    *,
    network: str = "",
) -> GameReview:
    """Judges every move of a game. `network` is the name people know it by. Raises `InputError` without a move."""
    reviewer = Reviewer(game, evaluators, options or ReviewOptions(), facts or GameFacts(), progress)
    return reviewer.run(network or evaluators[0].name)


@dataclass(frozen=True)
class _Look:
    """The second look at one move."""

    before: Analysis
    after_best: Analysis | None = None
    """None where the best move is the one played, or ends the game."""
    after: Analysis | None = None


class Reviewer:
    """The review of one game under way."""

    def __init__(
        self, game: Game, evaluators: Sequence[Evaluator], options: ReviewOptions, facts: GameFacts, progress: Progress
    ) -> None:
        self.game, self.options, self.facts = game, options, facts
        self.positions = positions_of(game)
        if len(self.positions) < 2:
            raise InputError(f"{facts.name}: there are no moves to review")
        self._judges = Judges(evaluators, game.size, options.threads)
        self._progress = progress
        self._started = time.perf_counter()
        self._deadline = None if options.budget is None else self._started + options.budget
        self._speed = 0.0  # positions evaluated in a second, once it is known

    def run(self, network: str) -> GameReview:
        """The whole review."""
        analyses, visits = self._first_pass()
        played = [move for _, move in self.game.moves]
        moves = [
            verdict(number + 1, played[number], *self._pair(analyses, number))
            for number in range(len(self.positions) - 1)
        ]
        end = settled_from(self.positions, analyses)
        moves = [move if move.number <= end else uncounted(move) for move in moves]
        second_visits = self.options.second_visits if visits == self.options.visits else 4 * visits
        looks = self._second_look(self._critical(moves, second_visits), second_visits)
        for number, look in looks.items():
            moves[number - 1] = second_verdict(moves[number - 1], look.before, look.after_best, look.after)
        moves = [self._explained(move, analyses, looks.get(move.number)) for move in moves]
        return GameReview(
            game=self.game,
            facts=self.facts,
            network=network,
            positions=tuple(analyses),
            moves=tuple(moves),
            settled_from=end,
            visits=visits,
            second_visits=second_visits,
            least_points=self.options.least_points,
            least_winrate=self.options.least_winrate,
            seconds=time.perf_counter() - self._started,
        )

    def _first_pass(self) -> tuple[list[Analysis], int]:
        """Every position with the same visits, and how many those are."""
        if self._deadline is None:
            return self._judged("all moves", self.positions, self.options.visits), self.options.visits
        analyses, visits = self._judged("first glance", self.positions, 1), 1
        self._speed = len(self.positions) / max(1e-6, time.perf_counter() - self._started)
        # The first network calls are slow ones: what was planned by them is planned again while time is left.
        while (wanted := self._affordable()) >= min(self.options.visits, 2 * visits) > visits:
            began, told = time.perf_counter(), self._counter("all moves", len(self.positions))
            found = self._judges.judge(self.positions, wanted, deadline=self._deadline, told=told)
            known = [analysis for analysis in found if analysis is not None]
            if len(known) < len(found):  # slower than foreseen: equal visits for all or none
                break
            analyses, visits = known, wanted
            self._speed = len(known) * wanted / max(1e-6, time.perf_counter() - began)
        return analyses, visits

    def _affordable(self) -> int:
        """Visits of every position that the budget allows from here."""
        assert self._deadline is not None
        left = _FIRST_SHARE * max(0.0, self._deadline - time.perf_counter())
        return min(self.options.visits, int(left * self._speed / len(self.positions)))

    def _judged(self, what: str, positions: Sequence[Game], visits: int) -> list[Analysis]:
        """Positions judged whatever time it takes."""
        found = self._judges.judge(positions, visits, told=self._counter(what, len(positions)))
        return [analysis for analysis in found if analysis is not None]

    def _counter(self, what: str, total: int) -> Callable[[], None]:
        """Tells the progress each time it is called, in any thread."""
        lock, done = threading.Lock(), 0

        def one_more() -> None:
            nonlocal done
            with lock:
                done += 1
                self._progress(what, done, total)

        self._progress(what, 0, total)
        return one_more

    @staticmethod
    def _pair(analyses: Sequence[Analysis], number: int) -> tuple[Analysis, Analysis]:
        return analyses[number], analyses[number + 1]

    def _critical(self, moves: Sequence[MoveReview], visits: int) -> list[MoveReview]:
        """The moves that seem to have lost most, as many as there is time for."""
        least = self.options.least_points / 2
        share = self.options.least_winrate / 2
        seeming = [move for move in moves if (move.winrate >= share if move.points is None else move.points >= least)]
        most = self.options.critical
        if self._deadline is not None:
            left = _SAFETY * (self._deadline - time.perf_counter())
            most = min(most, max(0, int(left * self._speed / (3 * visits))))
        return sorted(seeming, key=lambda move: (-move.loss, move.number))[:most]

    def _second_look(self, moves: Sequence[MoveReview], visits: int) -> dict[int, _Look]:
        """By number of the move: the position before it and, where another move is best, those after both."""
        if not moves:
            return {}
        told = self._counter("critical moves", len(moves))
        before = self._deep([self.positions[move.number - 1] for move in moves], visits, told)
        pairs = [(move, found) for move, found in zip(moves, before, strict=True) if found is not None]
        looks = {move.number: _Look(found) for move, found in pairs}
        best = {move.number: self._after(move, found.best) for move, found in pairs}
        open_numbers = [number for number, game in best.items() if game is not None]
        asked = [game for game in best.values() if game is not None] + [self.positions[n] for n in open_numbers]
        found = self._deep(asked, visits, self._counter("their refutations", len(asked)))
        for number, other, own in zip(open_numbers, found, found[len(open_numbers) :], strict=False):
            if other is None or own is None:  # no time left for it
                del looks[number]
            else:
                looks[number] = replace(looks[number], after_best=other, after=own)
        return looks

    def _deep(self, positions: Sequence[Game], visits: int, told: Callable[[], None]) -> list[Analysis | None]:
        return self._judges.judge(positions, visits, deadline=self._deadline, told=told)

    def _after(self, move: MoveReview, best: int) -> Game | None:
        """The position after the best move; None where it is the one played or ends the game."""
        if best == move.move:
            return None
        game = self.positions[move.number - 1].copy()
        game.play(best, move.color)
        return None if game.is_over else game

    def _explained(self, move: MoveReview, analyses: Sequence[Analysis], look: _Look | None) -> MoveReview:
        """The move with the reason why it is bad, where it is and one is known."""
        if not move.counted or move.grade in {"good", "inexact"} or move.move == move.better:
            return move
        before, after = self._pair(analyses, move.number - 1)
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
