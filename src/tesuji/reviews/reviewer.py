"""Reviews a game: all positions in one pass of shared batches, then the critical moves again with more visits."""

import threading
import time
from collections.abc import Callable, Sequence
from functools import partial

from tesuji._core import Game
from tesuji.base.errors import InputError
from tesuji.features.evaluation import Evaluator
from tesuji.reviews.analysis import Analysis
from tesuji.reviews.course import Course
from tesuji.reviews.game_review import GameFacts, GameReview
from tesuji.reviews.judging import Judges
from tesuji.reviews.options import ReviewOptions
from tesuji.reviews.verdicts import MoveReview

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


class Reviewer:
    """The review of one game under way."""

    def __init__(
        self, game: Game, evaluators: Sequence[Evaluator], options: ReviewOptions, facts: GameFacts, progress: Progress
    ) -> None:
        self.game, self.options, self.facts = game, options, facts
        self.course = Course(game)
        self.positions = self.course.positions
        if len(self.positions) < 2:
            raise InputError(f"{facts.name}: there are no moves to review")
        self._judges = Judges(evaluators, game.size, options.threads)
        self._progress = progress
        self._started = time.perf_counter()
        self._deadline = None if options.budget is None else self._started + options.budget
        self._speed = 0.0  # positions evaluated in a second, once it is known

    def run(self, network: str) -> GameReview:
        """The whole review."""
        course = self.course
        analyses, visits = self._first_pass()
        course.analyses[:] = analyses
        second_visits = self.options.second_visits if visits == self.options.visits else 4 * visits
        if critical := self._critical(second_visits):
            self._second_look(critical, second_visits)
        return GameReview(
            game=self.game,
            facts=self.facts,
            network=network,
            positions=tuple(analyses),
            moves=tuple(move for move in course.moves() if move is not None),
            settled_from=course.settled_from,
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

    def _critical(self, visits: int) -> list[MoveReview]:
        """The moves that seem to have lost most, as many as there is time for."""
        moves = self.course.critical(self.options)
        if self._deadline is None:
            return moves
        left = _SAFETY * (self._deadline - time.perf_counter())
        return moves[: max(0, int(left * self._speed / (3 * visits)))]

    def _second_look(self, moves: Sequence[MoveReview], visits: int) -> None:
        def deep(what: str, positions: Sequence[Game]) -> list[Analysis | None]:
            told = self._counter(what, len(positions))
            return self._judges.judge(positions, visits, deadline=self._deadline, told=told)

        self.course.look_again(moves, partial(deep, "critical moves"), partial(deep, "their refutations"))
