"""Openings for paired games: taken from games, or drawn from a network's policy and checked for balance."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tesuji._core import BLACK, PASS, Color, Game
from tesuji.base.errors import InputError
from tesuji.features.evaluation import Evaluation
from tesuji.features.symmetry import COUNT, transform_point
from tesuji.go.coordinates import vertex_text
from tesuji.go.sgf.files import read_record
from tesuji.training.data.game_set import GameSet

Ask = Callable[[Sequence[Game]], Evaluation]
"""A network asked for policy and value of the positions of some games."""

BALANCE = 0.4
"""How far the win rate of a drawn opening may be from one half; most are far nearer."""
_UNIFORM = 0.1  # share of the draw that ignores the policy, so that openings leave the beaten track
_CHUNK = 64
_KEPT = 16  # of a chunk: the most even ones, for at many a komi no opening is quite even
_MOST_CHUNKS = 50


@dataclass(frozen=True)
class Opening:
    """The first moves of a game, Black first; none at all is an opening too."""

    moves: tuple[int, ...] = ()
    size: int = 0

    @property
    def name(self) -> str:
        """The moves as text; a digest where they are many."""
        text = "-".join(vertex_text(move, self.size) for move in self.moves)
        return text if len(text) <= 40 else hashlib.sha256(text.encode()).hexdigest()[:16]

    def begin(self, size: int, komi: float, rules: str) -> Game:
        """A new game in which these moves have been played."""
        game = Game(size=size, komi=komi, rules=rules)
        for move in self.moves:
            game.play(move)
        return game

    def shape(self) -> tuple[int, ...]:
        """The same for all eight turns and reflections, and only for them."""
        return min(
            tuple(transform_point(move, symmetry, self.size) for move in self.moves) for symmetry in range(COUNT)
        )


EMPTY = Opening()


def distinct(openings: Iterable[Opening]) -> Iterator[Opening]:
    """Each opening once, turned boards being the same."""
    seen: set[tuple[int, ...]] = set()
    for opening in openings:
        shape = opening.shape()
        if shape not in seen:
            seen.add(shape)
            yield opening


def from_games(games: Iterable[Iterable[tuple[Color, int]]], length: int, size: int, count: int) -> list[Opening]:
    """The first `length` moves of games given as moves, each opening once; shorter games are left out."""
    found = list(islice(distinct(_beginnings(games, length, size)), count))
    if not found:
        raise InputError(f"no game of {size}x{size} with {length} moves or more to take openings from")
    return found


def from_sgf_files(paths: Iterable[Path], length: int, size: int, count: int) -> list[Opening]:
    """Openings from SGF files; a file of another size is left out."""

    def games() -> Iterator[list[tuple[Color, int]]]:
        for path in sorted(paths):
            game = read_record(path).game
            if game.size == size and not game.start_board.stones(BLACK):
                yield game.moves

    return from_games(games(), length, size, count)


def from_packed(path: Path, length: int, size: int, count: int, seed: int) -> list[Opening]:
    """Openings from a packed game file, its games taken in random order."""
    games = GameSet(path, size=size)
    order = np.random.default_rng(seed).permutation(games.games)
    records = (games.record(int(number)) for number in order)
    return from_games((record.game().moves for record in records), length, size, count)


def _beginnings(games: Iterable[Iterable[tuple[Color, int]]], length: int, size: int) -> Iterator[Opening]:
    for moves in games:
        first = list(islice(moves, length))
        points = tuple(move for _, move in first)
        alternating = all((color == BLACK) == (n % 2 == 0) for n, (color, _) in enumerate(first))
        if len(points) == length and PASS not in points and alternating:
            yield Opening(points, size)


def drawn(ask: Ask, count: int, *, length: int, size: int, komi: float, rules: str, seed: int) -> list[Opening]:
    """`count` openings drawn from the policy, those whose final position the network holds for most even.

    The same seed gives the same list, and a longer list begins with the shorter one.
    """
    found = list(islice(distinct(_balanced(ask, length, size, komi, rules, seed)), count))
    if not found:
        raise InputError(
            f"no opening of {length} moves is balanced at komi {komi:g} by the network's judgement; "
            "choose another komi, another length, or --openings none"
        )
    return found


def _balanced(ask: Ask, length: int, size: int, komi: float, rules: str, seed: int) -> Iterator[Opening]:
    for chunk in range(_MOST_CHUNKS):
        rng = np.random.default_rng([seed, chunk])
        games = [Game(size=size, komi=komi, rules=rules) for _ in range(_CHUNK)]
        for _ in range(length):
            policies = ask(games).policy
            for game, policy in zip(games, policies, strict=True):
                game.play(draw_move(game, policy, rng))
        unevenness = np.abs(np.asarray(ask(games).value, dtype=np.float64) - 0.5)
        for index in np.argsort(unevenness, kind="stable")[:_KEPT]:
            if unevenness[index] <= BALANCE:
                yield Opening(tuple(move for _, move in games[index].moves), size)


def draw_move(game: Game, policy: NDArray[np.float32], rng: np.random.Generator) -> int:
    """A point by the policy, now and then any point; never a pass."""
    points = [move for move in game.legal_moves() if move != PASS]
    if not points:
        return PASS
    weights = np.asarray(policy[points], dtype=np.float64) + 1e-9
    weights = (1 - _UNIFORM) * weights / weights.sum() + _UNIFORM / len(points)
    return points[int(rng.choice(len(points), p=weights))]
