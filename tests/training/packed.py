"""Small packed files of random games, for tests."""

import random
from pathlib import Path

from tesuji import PASS, Game
from tesuji.training.data.packing import PackedRecord, pack_games


def random_record(seed: int, size: int = 9, moves: int = 30) -> PackedRecord:
    """A game of random moves; Black wins every other one."""
    choose, game = random.Random(seed), Game(size=size, komi=7.0, rules="chinese")
    while len(game.moves) < moves:
        legal = [move for move in game.legal_moves() if move != PASS]
        game.play(choose.choice(legal) if legal else PASS)
    return PackedRecord.of(game, "B+R" if seed % 2 else "W+R")


def packed(path: Path, games: int, size: int = 9, first_seed: int = 0) -> str:
    """Writes a packed file of random games and returns its path."""
    pack_games((random_record(first_seed + n, size) for n in range(games)), path)
    return str(path)
