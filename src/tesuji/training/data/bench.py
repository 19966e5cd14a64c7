"""How fast training data come: planes, positions with labels, packing and opening."""

import tempfile
from itertools import count
from pathlib import Path

from tesuji._core import Filter, Game, PackedRecord, PlaneSet, play_out, read_sgf_chunk
from tesuji.base.machine import cores
from tesuji.base.measuring import Measurement, rate
from tesuji.features.planes import encode
from tesuji.training.data.game_set import GameSet
from tesuji.training.data.packing import pack_games

_GAMES = 300
_MOVES = 200
_BATCH = 256


def measure(seconds: float = 1.0, path: Path | None = None) -> list[Measurement]:
    """Speed on the 19x19 games of a packed file, or on random ones, whose fights are harder than people's."""
    if path is not None:
        return _measure(GameSet(path, size=19), seconds)
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "random.games"
        pack_games((_random_record(seed) for seed in range(_GAMES)), made)
        return _measure(GameSet(made), seconds)


def _measure(games: GameSet, seconds: float) -> list[Measurement]:
    lines = []
    everybody = cores()
    for threads in sorted({1, everybody}):
        for planes in PlaneSet.names():
            speed = _drawing(games, planes, threads, seconds)
            lines.append(Measurement(f"positions with labels, {planes}, {_threads(threads)}", speed, "positions/s"))
    some = [games.record(int(game)).game() for game in games.games[:_BATCH]]
    speed = rate(lambda: len(encode(some, "golois-31")), seconds)
    lines.append(Measurement("encode, golois-31", speed, "games/s"))
    text = "\n".join(_sgf_line(game) for game in some).encode()
    speed = rate(lambda: len([read_sgf_chunk(text, True, Filter())]), seconds) * len(some)
    lines.append(Measurement("SGF read, checked and packed, 1 thread", speed, "games/s"))
    return lines


def _threads(count: int) -> str:
    return f"{count} thread{'s' if count > 1 else ''}"


def _drawing(games: GameSet, planes: str, threads: int, seconds: float) -> float:
    """Positions a second."""
    seeds = count()
    return rate(lambda: len(games.batch(_BATCH, planes, seed=next(seeds), threads=threads)), seconds)


def _random_record(seed: int) -> PackedRecord:
    game = Game(size=19, rules="chinese")
    play_out(game, seed, max_moves=_MOVES)
    return PackedRecord.of(game, "B+R")


def _sgf_line(game: Game) -> str:
    nodes = []
    for color, move in game.moves:
        point = "" if move < 0 else chr(97 + move % game.size) + chr(97 + move // game.size)
        nodes.append(f";{'B' if color == 1 else 'W'}[{point}]")
    return f"(;GM[1]FF[4]SZ[{game.size}]KM[7.5]RE[B+R]{''.join(nodes)})"
