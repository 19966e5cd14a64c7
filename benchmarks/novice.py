"""How often a scripted novice beats the lowest levels of the page on 9x9.

    python benchmarks/novice.py [--games 40] [LEVEL ...]

The novice knows the rules and no more: it takes what it can capture, saves what is in atari, and otherwise plays near
the last move, never into its own eye or into atari. It passes when it has nothing left to play or when the opponent
has passed and nothing can be captured. The judge counts, with the built-in network.
"""

import argparse
import random

import tesuji
from tesuji import BLACK, PASS, WHITE, Color, Game
from tesuji.features.evaluation import Evaluator
from tesuji.interfaces.web.game.levels import Level, level
from tesuji.search.endgame.judge import judge
from tesuji.search.endgame.resigning import ResignOptions
from tesuji.search.options import SearchOptions
from tesuji.search.players import Decision, PlayerOptions, SearchPlayer

NEAR = 2
MOST_MOVES = 250


class Novice:
    """Captures, saves, plays near by."""

    name = "novice"

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)

    def move(self, game: Game) -> Decision:
        """The first that applies of: take, save, pass back, play near the last move, play anywhere."""
        own, other = game.to_play, WHITE if game.to_play == BLACK else BLACK
        legal = [move for move in game.legal_moves() if move != PASS]
        if taken := self._last_liberties(game, other, legal):
            return Decision(taken)
        saved = self._last_liberties(game, own, [move for move in legal if _liberties_after(game, move) > 1])
        if saved:
            return Decision(saved)
        last = game.moves[-1][1] if game.moves else None
        if last == PASS:
            return Decision(PASS)
        sound = [m for m in legal if not game.board.is_eye(m, own) and _liberties_after(game, m) > 1]
        near = [m for m in sound if last is not None and _distance(m, last, game.size) <= NEAR]
        choice = near or sound
        return Decision(self._chance.choice(choice) if choice else PASS)

    def _last_liberties(self, game: Game, color: Color, legal: list[int]) -> int | None:
        """Where the largest chain of this colour in atari has its last liberty, of those that may be played."""
        board, best, found = game.board, 0, None
        of_color = set(board.stones(color))
        for move in legal:
            for near in _beside(move, game.size):
                if near in of_color and board.liberties(near) == 1 and len(board.chain(near)) > best:
                    best, found = len(board.chain(near)), move
        return found


def _liberties_after(game: Game, move: int) -> int:
    after = game.copy()
    after.play(move)
    return after.board.liberties(move)


def _beside(point: int, size: int) -> list[int]:
    row, column = divmod(point, size)
    around = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return [r * size + c for r, c in around if 0 <= r < size and 0 <= c < size]


def _distance(one: int, other: int, size: int) -> int:
    return max(abs(one // size - other // size), abs(one % size - other % size))


def engine(one: Level, evaluate: Evaluator, seed: int) -> SearchPlayer:
    """The level as the page plays it."""
    manners = PlayerOptions(resign=ResignOptions(threshold=0))
    return SearchPlayer(evaluate, SearchOptions(**one.search, seed=seed), manners)


def novice_wins(one: Level, evaluate: Evaluator, seed: int) -> float:
    """One game; the novice is Black in every other."""
    color = (BLACK, WHITE)[seed % 2]
    novice, opponent = Novice(seed), engine(one, evaluate, seed)
    game = Game(size=9, komi=7.0, rules="chinese")
    while not game.is_over and len(game.moves) < MOST_MOVES:
        game.play((novice if game.to_play == color else opponent).move(game).move)
    lead = judge(game, evaluate).black_score
    return 0.5 if lead == 0 else float((lead > 0) == (color == BLACK))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("levels", nargs="*", default=["newcomer", "first"], metavar="LEVEL")
    parser.add_argument("--games", type=int, default=40)
    given = parser.parse_args()
    for one in map(level, given.levels):
        evaluate = tesuji.load(one.network or "default-9x9")
        score = sum(novice_wins(one, evaluate, seed) for seed in range(given.games))
        error = (score * (given.games - score) / given.games) ** 0.5
        print(f"{one.key}: the novice wins {score:g} ± {error:.1f} of {given.games}", flush=True)


if __name__ == "__main__":
    main()
