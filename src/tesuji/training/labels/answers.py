"""What a teacher says of positions, as records with one target each: the trainer's own format."""

import time
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tesuji._core import PASS, Game, PackedRecord
from tesuji.features.evaluation import Evaluation, Evaluator
from tesuji.features.planes import encode
from tesuji.search.options import SearchOptions
from tesuji.search.pool import SearchPool
from tesuji.search.result import SearchResult

LEAST = 0.0002
"""Moves below this probability are left out of a policy, which keeps files small."""


class Answers:
    """A teacher with its manner of looking: the bare network, or a search with so many visits."""

    def __init__(
        self,
        teacher: Evaluator,
        search: SearchOptions | None = None,
        hard: float = 1.0,
        student: Evaluator | None = None,
    ) -> None:
        """Without a search, or with one visit, the bare network answers."""
        self._teacher, self._search, self._hard, self._student = teacher, search, hard, student
        self.seconds = 0.0
        """Time spent inside the teacher so far."""
        self.positions = 0
        """Positions it has judged in that time."""

    def candidates(self, wanted: int) -> int:
        """How many questions give so many answers."""
        return max(wanted, round(wanted / self._hard))

    def of(self, games: Sequence[Game], wanted: int) -> list[PackedRecord]:
        """The answers to `wanted` of the games, the hardest for the student where there are more."""
        judged = self._judge(games)
        if len(games) > wanted:
            assert self._student is not None
            tried = self._student(encode(games, self._student.planes), [game.komi for game in games])
            hardest = np.sort(np.argsort(-disagreement(judged, tried), kind="stable")[:wanted])
            games = [games[i] for i in hardest]
            judged = _rows(judged, hardest)
        if self._search is not None and self._search.visits != 1:
            return self._searched(games, self._search)
        return [_from_network(game, judged, row) for row, game in enumerate(games)]

    def _judge(self, games: Sequence[Game]) -> Evaluation:
        planes = encode(games, self._teacher.planes)
        started = time.perf_counter()
        judged = self._teacher(planes, [game.komi for game in games])
        self.seconds += time.perf_counter() - started
        self.positions += len(games)
        return judged

    def _searched(self, games: Sequence[Game], search: SearchOptions) -> list[PackedRecord]:
        started = time.perf_counter()
        pool = SearchPool(self._teacher, search, size=games[0].size, batch=len(games))
        places = {}
        for place, game in enumerate(games):
            slot = pool.open()
            places[id(slot)] = place
            pool.submit(slot, game)
        found: dict[int, PackedRecord] = {}
        while pool.busy:
            for done in pool.step():
                found[places[id(done.slot)]] = _from_search(done.game, done.result)
        self.seconds += time.perf_counter() - started
        return [found[place] for place in range(len(games))]


def disagreement(teacher: Evaluation, student: Evaluation) -> NDArray[np.float64]:
    """`[B]` how far two judgements are apart: win rates, and how much of the policies lies elsewhere; both 0 to 1."""
    policies = np.abs(teacher.policy - student.policy).sum(1) / 2
    apart: NDArray[np.float64] = (np.abs(teacher.value - student.value) + 0.5 * policies).astype(np.float64)
    return apart


def _rows(judged: Evaluation, rows: NDArray[np.integer]) -> Evaluation:
    def of(array: NDArray[np.float32] | None) -> NDArray[np.float32] | None:
        return None if array is None else array[rows]

    return Evaluation(judged.policy[rows], judged.value[rows], of(judged.black_score), of(judged.black_ownership))


def _from_network(game: Game, judged: Evaluation, row: int) -> PackedRecord:
    policy = judged.policy[row]
    likely = np.flatnonzero(policy >= LEAST).tolist()
    points = game.size * game.size
    return _record(
        game,
        [(PASS if move == points else move, float(policy[move])) for move in likely],
        float(judged.value[row]),
        None if judged.black_score is None else float(judged.black_score[row]),
        None if judged.black_ownership is None else judged.black_ownership[row],
    )


def _from_search(game: Game, result: SearchResult) -> PackedRecord:
    total = sum(move.visits for move in result.moves) or 1
    policy = [(move.move, move.visits / total) for move in result.moves if move.visits]
    score = None if result.black_score is None else result.black_score + game.komi
    return _record(game, policy, result.value, score, result.black_ownership)


def _record(
    game: Game,
    policy: list[tuple[int, float]],
    value: float,
    black_score: float | None,
    black_ownership: NDArray[np.float32] | None,
) -> PackedRecord:
    record = PackedRecord.of(game, "")
    white = value if game.to_play == 2 else 1 - value
    owners = [] if black_ownership is None else np.rint(-100 * black_ownership).astype(int).ravel().tolist()
    record.add_target(
        position=game.move_count,
        policy=policy,
        white_winrate=min(max(white, 0.0), 1.0),
        white_score=None if black_score is None else game.komi - black_score,
        white_ownership=owners,
    )
    return record
