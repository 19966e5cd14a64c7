"""The positions of a game: before each move and after the last, each with its own player to move."""

from tesuji._core import Game


def positions_of(game: Game) -> list[Game]:
    """All positions up to where two passes ended the game, which cannot be searched any more.

    The position before a move has the player of that move to play, also where a record breaks the order of turns.
    """
    current = game.copy()
    while current.moves or current.is_over:
        before = (len(current.moves), current.is_over)
        current.undo()
        if (len(current.moves), current.is_over) == before:
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
