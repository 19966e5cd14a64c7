"""Moves per second from Python, Tesuji beside OpenSpiel, in one run on one core.

Needs `pip install open_spiel`. Both sides run the same loop: list the legal moves, play one at random.
"""

import random
import sys
import time

import tesuji

try:
    import pyspiel
except ImportError:
    sys.exit("this comparison needs OpenSpiel: pip install open_spiel")


def tesuji_moves(size: int, choose: random.Random) -> int:
    """Plays one random game of at most two moves a point; the number of moves."""
    game = tesuji.Game(size=size, komi=7.5, rules="chinese")
    moves = 0
    while not game.is_over and moves < 2 * size * size:
        legal = game.legal_moves()
        game.play(legal[int(choose.random() * len(legal))])
        moves += 1
    return moves


def open_spiel_moves(size: int, choose: random.Random) -> int:
    """The same with OpenSpiel."""
    state = pyspiel.load_game("go", {"board_size": size, "komi": 7.5}).new_initial_state()
    moves = 0
    while not state.is_terminal() and moves < 2 * size * size:
        legal = state.legal_actions()
        state.apply_action(legal[int(choose.random() * len(legal))])
        moves += 1
    return moves


def speed(play: object, size: int, seconds: float) -> float:
    """Moves per second over about `seconds`."""
    choose = random.Random(1)
    moves = 0
    start = time.perf_counter()
    while (elapsed := time.perf_counter() - start) < seconds:
        moves += play(size, choose)  # type: ignore[operator]
    return moves / elapsed


def main(rounds: int = 5, seconds: float = 1.0) -> None:
    """Alternates the two sides, so that other load on the machine hits both."""
    for size in (9, 19):
        ours = theirs = 0.0
        for _ in range(rounds):
            ours = max(ours, speed(tesuji_moves, size, seconds))
            theirs = max(theirs, speed(open_spiel_moves, size, seconds))
        print(f"{size}x{size}: tesuji {ours:,.0f} moves/s, OpenSpiel {theirs:,.0f} moves/s, ratio {ours / theirs:.1f}")


if __name__ == "__main__":
    main()
