"""Ladders, as a player would ask about them."""

from tesuji._core import Board, Color


def is_captured(board: Board, point: str | int, to_play: Color) -> bool:
    """Is the chain at `point` lost in a ladder when `to_play` moves first?

    With its owner to move the chain must be in atari to be lost; with the opponent to move it must have one or two
    liberties. Three liberties have escaped, and so has a chain that only a ko of the attacker would catch, as in KataGo
    and GNU Go; a ko ban on the board does not hinder the chain. The board is left exactly as found.
    """
    return board.is_captured(point, to_play)
