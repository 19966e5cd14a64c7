"""Where self-play games begin: the empty board, a few moves of the policy, or positions of recorded games."""

import random
import re
from collections.abc import Sequence
from pathlib import Path

from tesuji._core import PASS, Game
from tesuji.base.errors import InputError
from tesuji.go.errors import IllegalMoveError
from tesuji.learning.selfplay.options import SelfplayOptions

Position = tuple[tuple[int, int], ...]
"""Moves from the empty board, as pairs of colour and point."""

_UNIFORM = 0.1  # share of a drawn opening move that ignores the policy, so that openings leave the beaten track
_MOST = 100_000  # positions taken from a file


class Starts:
    """Draws the beginning of each game. Holds plain data, so that it travels to other machines."""

    def __init__(self, options: SelfplayOptions, positions: Sequence[Position] = ()) -> None:
        self.options = options
        self.positions = positions
        source, self.random_moves = _parsed(options)
        if source != "random":
            self.random_moves = 0

    def begin(self, chance: random.Random) -> tuple[Game, int]:
        """A new game, and how many moves the policy shall draw before self-play begins."""
        options = self.options
        game = Game(size=options.size, komi=options.komi_of(chance), rules=options.rules)
        if chance.random() >= options.start_share:
            return game, 0
        if self.positions:
            _play(game, chance.choice(self.positions))
        return game, chance.randint(0, self.random_moves) if self.random_moves else 0


def read_positions(options: SelfplayOptions) -> list[Position]:
    """Positions of the packed file that `starts` names, one of each game; none where it names no file.

    Raises `ValueError` or `FileNotFoundError` when there is nothing to take.
    """
    source, deepest = _parsed(options)
    if source in ("empty", "random"):
        return []
    path = Path(source)
    if not path.is_file():
        raise FileNotFoundError(f"starts: no packed file '{source}'; it is empty, random[:MOVES] or such a file")
    from tesuji.training.data.game_set import GameSet

    games = GameSet(path, size=options.size)
    chance = random.Random(options.seed)
    chosen = [int(number) for number in games.games]
    chance.shuffle(chosen)
    found = []
    for number in chosen[:_MOST]:
        record = games.record(number)
        if record.black or record.white or len(record.moves) < 2:
            continue
        length = chance.randint(1, min(deepest or len(record.moves), len(record.moves) - 1))
        found.append(tuple((int(color), int(move)) for color, move in record.moves[:length]))
    if not found:
        raise InputError(f"starts: no game of {options.size}x{options.size} without setup stones in '{source}'")
    return found


def draw_opening_move(game: Game, priors: dict[int, float], chance: random.Random) -> int:
    """A point by the policy, now and then any point; never a pass while there is a point."""
    points = [move for move in game.legal_moves() if move != PASS]
    if not points:
        return PASS
    if chance.random() < _UNIFORM:
        return chance.choice(points)
    return chance.choices(points, [priors.get(point, 0.0) + 1e-9 for point in points])[0]


def _parsed(options: SelfplayOptions) -> tuple[str, int]:
    """The source and the number of moves: 0 where none is given, but for `random`."""
    found = re.fullmatch(r"(.+?):(\d+)", options.starts)
    source, moves = (found[1], int(found[2])) if found else (options.starts, 0)
    return source, moves or (options.size if source == "random" else 0)


def _play(game: Game, position: Position) -> None:
    """As far as the rules allow: the record may have been played by others."""
    for color, move in position:
        try:
            game.play(move, type(game.to_play)(color))
        except IllegalMoveError:
            return
        if game.is_over:
            game.undo()
            return
