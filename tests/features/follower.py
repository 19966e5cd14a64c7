"""A game with the slow position that belongs to it, and random moves that make fights."""

import random

import tesuji
from tests.features.slow_position import SlowPosition, other


class Follower:
    """Plays a game and keeps beside it all that the slow encoder asks for."""

    def __init__(self, size: int, komi: float, handicap: tesuji.Board | None = None) -> None:
        """With handicap stones White plays first."""
        self.game = tesuji.Game(size=size, komi=komi, rules="chinese")
        stones = handicap.stones(tesuji.BLACK) if handicap is not None else []
        if stones:
            self.game.setup(black=stones, to_play=tesuji.WHITE)
        board = {divmod(stone, size): "X" for stone in stones}
        self.slow = SlowPosition(size, "O" if stones else "X", komi, [board], [])

    def play(self, move: int) -> None:
        slow, color = self.slow, self.slow.to_play
        self.game.play(move)
        place = None if move == tesuji.PASS else divmod(move, slow.size)
        stones = slow.boards[0]
        result = stones if place is None else slow.after(stones, place, color)
        assert result is not None
        slow.ko = None if place is None else slow.ko_after(stones, result, place)
        slow.boards.insert(0, result)
        slow.moves.insert(0, place)
        slow.to_play = other(color)


def random_move(follower: Follower, rng: random.Random) -> int:
    """Mostly near the last stones, so that fights, ladders and kos arise."""
    legal = follower.game.legal_moves()
    if rng.random() < 0.02 or len(legal) == 1:
        return int(tesuji.PASS)
    recent = [move for move in follower.slow.moves[:4] if move is not None]
    places = [(move, *divmod(move, follower.slow.size)) for move in legal[:-1]]
    near = [move for move, row, col in places if any(abs(row - r) + abs(col - c) <= 2 for r, c in recent)]
    return rng.choice(near if near and rng.random() < 0.7 else legal[:-1])
