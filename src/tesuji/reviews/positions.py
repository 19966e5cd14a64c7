"""The positions of a game: before each move and after the last, each with its own player to move."""

from tesuji._core import Game
from tesuji.base.errors import InputError

MOST_MOVES = 2_000  # of a game: each position keeps the moves before it, so memory grows with the square


def positions_of(game: Game) -> list[Game]:
    """All positions up to where two passes ended the game, which cannot be searched any more.

    The position before a move has the player of that move to play, also where a record breaks the order of turns.
    Raises `InputError` where the game is longer than people play.
    """
    if game.move_count > MOST_MOVES:
        raise InputError(f"a game of {game.move_count:,} moves; those of up to {MOST_MOVES:,} are reviewed")
    current = game.copy()
    while current.move_count or current.is_over:
        before = (current.move_count, current.is_over)
        current.undo()
        if (current.move_count, current.is_over) == before:
            break
    positions: list[Game] = []
    for color, move in game.moves:
        if current.is_over:
            return positions
        position = current.copy()
        if position.to_play != color:
            position.to_play = color
        positions.append(position)
        current.play(move, color)
    return positions if current.is_over else [*positions, current]
