"""Speed of the rules core, and the signature of its behaviour."""

import hashlib
import random
from collections.abc import Iterator
from itertools import count

from tesuji._core import Board, Game, count_ladders, play_out
from tesuji.base.measuring import Measurement, rate


def measure(seconds: float = 1.0) -> list[Measurement]:
    """Playouts and moves at 9 and 19, ladders, copies and the Python loop, each for about `seconds`."""
    lines = []
    for size in (9, 19):
        moves, games = _playouts(size, seconds)
        lines.append(Measurement(f"random playouts {size}x{size}", games, "games/s"))
        lines.append(Measurement(f"random moves {size}x{size}", moves, "moves/s"))
        lines.append(Measurement(f"Python legal_moves + play {size}x{size}", _python_loop(size, seconds), "moves/s"))
        lines.append(Measurement(f"ladders {size}x{size}", _ladders(size, seconds), "chains/s"))
        lines.append(Measurement(f"game copies {size}x{size}", _copies(size, seconds / 2), "copies/s"))
    return lines


def signature(games: int = 60) -> str:
    """One short word for what the rules and the ladders do; a change that claims to keep behaviour keeps it."""
    digest = hashlib.sha256()
    for seed in range(games):
        size, rules = (5, 9, 13, 19)[seed % 4], ("tromp-taylor", "chinese", "japanese")[seed % 3]
        game = Game(size=size, komi=7.5, rules=rules)  # the signature shall not follow the usual komi
        while play_out(game, seed, max_moves=20):
            facts = (game.board.hash, game.legal_moves(), count_ladders(game.board), game.black_score())
            digest.update(repr(facts).encode())
            if game.move_count > 600:
                break
    return digest.hexdigest()[:12]


def _playouts(size: int, seconds: float) -> tuple[float, float]:
    """Moves and games a second."""
    seeds: Iterator[int] = count()
    lengths: list[int] = []

    def play() -> float:
        lengths.append(play_out(Game(size=size), seed=next(seeds)))
        return lengths[-1]

    moves = rate(play, seconds)
    return moves, moves / (sum(lengths) / len(lengths))


def _python_loop(size: int, seconds: float) -> float:
    choose = random.Random(1).random

    def play() -> float:
        game = Game(size=size)
        for _ in range(size * size):
            legal = game.legal_moves()
            game.play(legal[int(choose() * len(legal))])
        return size * size

    return rate(play, seconds)


def _ladders(size: int, seconds: float) -> float:
    boards: list[Board] = []
    for seed in range(64):
        game = Game(size=size)
        play_out(game, seed, max_moves=size * size // 8 + seed * size * size // 128)
        boards.append(game.board)
    return rate(lambda: sum(count_ladders(board)[0] for board in boards), seconds)


def _copies(size: int, seconds: float) -> float:
    game = Game(size=size)
    play_out(game, seed=1, max_moves=size * size // 2)

    def copy() -> float:
        for _ in range(1000):
            game.copy()
        return 1000

    return rate(copy, seconds)
