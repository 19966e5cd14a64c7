"""Drawn boards at the end of a game, for every test that asks who owns what."""

# White C7, black H4 and J1 are lost stones inside the other's territory.
LOST_STONES = """
    . . . . X O . . .
    . . . . X O . . .
    . . O . X O . . .
    . . . . X O . . .
    . . . . X O . . .
    . . . . X O . X .
    . . . . X O . . .
    . . . . X O . . .
    . . . . X O . . X
"""
# The white chain from B5 down and the black one beside it share two liberties, C4 and C2.
SEKI = """
    . X . X O . . . .
    X X X X O O O O O
    X X X X O . . . .
    X X X O O O . . .
    X O O X X O . . .
    X O . X X O . . .
    X O O X X O . . .
    X O . X X O . . .
    X O O X X O . . .
"""
