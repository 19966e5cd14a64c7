"""Many self-play games in step: their trees share large batches, and every finished game is handed over at once."""

import random
import time
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tesuji._core import BLACK, PASS, WHITE, Color
from tesuji.features.evaluation import Evaluation, Evaluator, Floats, Wrapper
from tesuji.go.results import resigned, score_text, winner_of
from tesuji.learning.selfplay.options import SelfplayOptions
from tesuji.learning.selfplay.played_game import PlayedGame, SearchedPosition, root_value, searched
from tesuji.learning.selfplay.starts import Starts, draw_opening_move
from tesuji.search.choice import choice_named
from tesuji.search.endgame.passing import useful_move
from tesuji.search.pool import Finished, SearchPool, Slot
from tesuji.search.result import RootMove, SearchResult


@dataclass
class Speed:
    """What a worker has spent, to be added up over workers."""

    seconds: float = 0.0
    """Time at work, waiting for orders not counted."""
    evaluation_seconds: float = 0.0
    """Of those, inside the network."""
    evaluations: int = 0
    batches: int = 0
    visits: int = 0

    def add(self, other: "Speed") -> None:
        """Adds another worker's account."""
        self.seconds += other.seconds
        self.evaluation_seconds += other.evaluation_seconds
        self.evaluations += other.evaluations
        self.batches += other.batches
        self.visits += other.visits


class _Timed(Wrapper):
    """An evaluator that knows how long it took."""

    def __init__(self, evaluate: Evaluator) -> None:
        super().__init__(evaluate)
        self.seconds = 0.0

    def __call__(self, planes: Floats, komi: Sequence[float] | Floats) -> Evaluation:
        started = time.perf_counter()
        found = self.inner(planes, komi)
        self.seconds += time.perf_counter() - started
        return found


class _Resigning:
    """Both sides' patience in one game, and the evidence whether it would have been right to lose it."""

    def __init__(self, options: SelfplayOptions, played_out: bool) -> None:
        self.options, self.played_out = options, played_out
        self.resigner: Color | None = None
        self.lowest = {BLACK: 1.0, WHITE: 1.0}
        self._recent: dict[Color, deque[float]] = {
            color: deque(maxlen=options.resign_moves) for color in (BLACK, WHITE)
        }

    def gives_up(self, color: Color, value: float) -> bool:
        """Whether this side resigns now; in a game to be played out the wish is only noted."""
        recent = self._recent[color]
        recent.append(value)
        if len(recent) == self.options.resign_moves:
            self.lowest[color] = min(self.lowest[color], max(recent))
            if self.resigner is None and max(recent) < self.options.resign:
                self.resigner = color
        return self.resigner is not None and not self.played_out


class _Game:
    """One game under way."""

    def __init__(self, number: int, options: SelfplayOptions, starts: Starts, pool: SearchPool) -> None:
        self.number, self.options, self.pool = number, options, pool
        self.chance = random.Random(f"{options.seed} {number}")
        self.game, self.opening_moves = starts.begin(self.chance)
        self.start_moves = len(self.game.moves)
        seed = self.chance.getrandbits(60)
        # Noise belongs to full searches alone, and is an option of the tree.
        self.full = pool.open(options.search_of(full=True), seed=seed)
        self.fast = pool.open(options.search_of(full=False), seed=seed + 1)
        self.resigning = _Resigning(options, self.chance.random() < options.played_out)
        self.targets: list[SearchedPosition] = []
        self.evaluations = self.visits = 0

    def next_search(self) -> tuple[Slot, int | None]:
        """The tree to search for the next move, and its visits where they are not the usual ones."""
        if self.opening_moves or self.options.policy:
            return self.fast, 1
        return (self.full, None) if self.chance.random() < self.options.full_share else (self.fast, None)

    def take(self, done: Finished) -> PlayedGame | None:
        """Plays on by what the search found; the finished game when it is over."""
        result = done.result
        self.evaluations += result.evaluations
        self.visits += result.descents
        if self.opening_moves:
            self.opening_moves -= 1
            self.game.play(draw_opening_move(self.game, result.priors, self.chance))
            self.start_moves = len(self.game.moves)
            return self._if_over()
        if self.options.policy:
            self.game.play(self._by_policy(result))
            return self._if_over()
        if done.slot is self.full:
            self.targets.append(searched(result))
        mover = self.game.to_play
        if self.resigning.gives_up(mover, root_value(result)[0]):
            return self._finished(resigned(mover))
        self.game.play(self._choose(result))
        return self._if_over()

    def _choose(self, result: SearchResult) -> int:
        """By Gumbel's halving where it ran, else by visits with the temperature of this move; nothing senseless."""
        if result.improved_policy is None:
            move = chosen(result, self.options.temperature_at(len(self.game.moves)), self.chance)
            result = replace(result, move=move)
        return useful_move(self.game, result) if self.options.sensible else result.move

    def _by_policy(self, result: SearchResult) -> int:
        """As the network alone would play, but for its own eyes; passes when nothing else is left."""
        board, color = self.game.board, self.game.to_play
        moves = [one for one in result.moves if one.move != PASS and not board.is_eye(one.move, color)]
        if self.pool.evaluate.has_pass:
            moves += [one for one in result.moves if one.move == PASS]
        if not moves:
            return PASS
        choose = choice_named(self.options.policy)
        return choose(moves, self.options.search, len(self.game.moves), self.chance).move

    def _if_over(self) -> PlayedGame | None:
        cut = not self.game.is_over
        if cut and len(self.game.moves) < self.options.longest:
            return None
        score = self.game.black_score()
        if cut:
            # Dead stones may stand anywhere: who is ahead is a fair guess at the winner, but by how much says nothing.
            return self._finished("?" if score == 0 else "B+" if score > 0 else "W+", cut=True)
        return self._finished(score_text(score))

    def _finished(self, result: str, cut: bool = False) -> PlayedGame:
        state = self.resigning
        winner = winner_of(result)
        return PlayedGame(
            self.number, self.game, result, tuple(self.targets), self.start_moves, self.evaluations, self.visits,
            resigner=int(state.resigner) if state.resigner is not None else 0, played_out=state.played_out, cut=cut,
            winner_low=state.lowest[winner] if winner is not None and state.played_out else 1.0,
        )  # fmt: skip


def chosen(result: SearchResult, temperature: float, chance: random.Random) -> int:
    """A move drawn by visits to the power 1 / temperature; a proven win at once, a proven loss only when all are."""
    best: RootMove = max(result.moves, key=lambda move: (move.proven is True, move.visits, move.prior))
    open_moves = [move for move in result.moves if move.visits and move.proven is not False]
    if best.proven or temperature < 1e-3 or not open_moves:
        return best.move
    most = max(move.visits for move in open_moves)
    weights = [(move.visits / most) ** (1 / temperature) for move in open_moves]
    return chance.choices(open_moves, weights)[0].move


class Playroom:
    """Plays the games it is ordered, `concurrent` at a time, with one network.

    `order` numbers to be played, then call `play` again and again. Every number is one game, drawn from the seed and
    the number alone.
    """

    def __init__(self, evaluate: Evaluator, options: SelfplayOptions, starts: Starts) -> None:
        self._evaluate = _Timed(evaluate)
        self.options, self.starts = options, starts
        self.pool = SearchPool(
            self._evaluate, options.search_of(full=True), size=options.size, batch=max(8, options.concurrent)
        )
        self._waiting: deque[int] = deque()
        self._games: dict[int, _Game] = {}
        self.speed = Speed()

    def order(self, numbers: Iterable[int]) -> None:
        """Wants these games played."""
        self._waiting.extend(numbers)

    @property
    def idle(self) -> bool:
        """Whether nothing is left to play."""
        return not self._games and not self._waiting

    def play(self, seconds: float) -> list[PlayedGame]:
        """Plays until some games end, but not much longer than `seconds`; returns the finished games."""
        started = time.perf_counter()
        done: list[PlayedGame] = []
        while not done and not self.idle and time.perf_counter() - started < seconds:
            self._fill()
            for finished in self.pool.step():
                done.extend(self._move(finished))
        self.speed.seconds += time.perf_counter() - started
        self.speed.evaluation_seconds = self._evaluate.seconds
        self.speed.evaluations, self.speed.batches = self.pool.evaluations, self.pool.batches
        return done

    def _fill(self) -> None:
        while self._waiting and self.pool.busy < self.options.concurrent:
            game = _Game(self._waiting.popleft(), self.options, self.starts, self.pool)
            self._submit(game)

    def _submit(self, game: _Game) -> None:
        slot, visits = game.next_search()
        self._games[id(slot)] = game
        self.pool.submit(slot, game.game, visits)

    def _move(self, finished: Finished) -> list[PlayedGame]:
        game = self._games.pop(id(finished.slot))
        self.speed.visits += finished.result.descents
        played = game.take(finished)
        if played is None:
            self._submit(game)
            return []
        return [played]
