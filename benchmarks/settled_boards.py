"""Boards on which nothing is left to play, in bulk: training data that costs no teacher.

    python benchmarks/settled_boards.py 9x9_cgos_strong.games 9x9_human.games --count 24000 --seed 6 -o filled.sgfs
    tesuji data pack filled.sgfs -o filled.games

Half of them are games left at some move and played out at random to the last dame; the other half are boards divided
between the colours and filled but for some eyes. Every one is counted, so `--set endings=0.1` learns from them.
"""

import argparse
import random
from pathlib import Path

import tesuji
from tesuji._core import play_out
from tesuji.go.errors import IllegalMoveError
from tesuji.go.sgf.files import tree_of, write_tree
from tesuji.training.data.game_set import GameSet

EYES = 2, 6
"""Fewest and most empty points of a region, each an eye."""


def played_out(games: GameSet, chance: random.Random) -> tesuji.Game | None:
    """A game that left its record at some move."""
    game = games.record(int(chance.choice(games.games))).game()
    kept = chance.randint(0, game.move_count) if chance.random() < 0.8 else 0
    while game.move_count > kept:
        game.undo()
    if game.is_over:
        return None
    game.rules, game.komi = tesuji.Rules.named("tromp-taylor"), chance.randint(-10, 19) + 0.5
    play_out(game, chance.getrandbits(30))
    return game if game.is_over else None


class Division:
    """A board divided between the colours, with eyes in every region."""

    def __init__(self, size: int, chance: random.Random) -> None:
        self.size = size
        self._chance = chance
        self.owner = self._grown()
        self.eyes: set[int] = set()

    def beside(self, point: int) -> list[int]:
        row, column = divmod(point, self.size)
        steps = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
        return [r * self.size + c for r, c in steps if 0 <= r < self.size and 0 <= c < self.size]

    def _grown(self) -> list[int]:
        """The owner of each point: regions grow from a few seeds at random."""
        owner = [-1] * self.size**2
        edge = self._chance.sample(range(self.size**2), self._chance.randint(2, 5))
        for number, seed in enumerate(edge):
            owner[seed] = number % 2
        while edge:
            point = self._chance.choice(edge)
            free = [near for near in self.beside(point) if owner[near] < 0]
            if not free:
                edge.remove(point)
                continue
            grown = self._chance.choice(free)
            owner[grown] = owner[point]
            edge.append(grown)
        return owner

    def gives_eyes(self) -> bool:
        """Marks the eyes of every region; false where one has no room for two."""
        seen: set[int] = set()
        for start in range(self.size**2):
            if start in seen:
                continue
            region = [start]
            seen.add(start)
            for point in region:
                new = [q for q in self.beside(point) if q not in seen and self.owner[q] == self.owner[start]]
                seen.update(new)
                region += new
            inner = [p for p in region if all(self.owner[q] == self.owner[start] for q in self.beside(p))]
            self._chance.shuffle(inner)
            eyes: list[int] = []
            wanted = self._chance.randint(*EYES)
            for point in inner:
                if len(eyes) < wanted and not set(eyes) & set(self.beside(point)):
                    eyes.append(point)
            if len(eyes) < 2:
                return False
            self.eyes.update(eyes)
        return True

    def played(self) -> tesuji.Game | None:
        """A game that fills the board so; none where a stone was captured on the way."""
        left = [[p for p, who in enumerate(self.owner) if who == side and p not in self.eyes] for side in (0, 1)]
        for points in left:
            self._chance.shuffle(points)
        lead = self.owner.count(0) - self.owner.count(1)
        game = tesuji.Game(self.size, komi=lead + self._chance.randint(-8, 7) + 0.5, rules="tromp-taylor")
        side = 0
        try:
            while left[0] or left[1]:
                game.play(left[side].pop() if left[side] else tesuji.PASS)
                side = 1 - side
        except IllegalMoveError:
            return None
        while not game.is_over:
            game.play(tesuji.PASS)
        return game if game.board.area_score() == lead else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="+", type=Path, help="packed games to leave")
    parser.add_argument("--count", type=int, default=24_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", "-o", type=Path, required=True, help="one SGF a line")
    given = parser.parse_args()
    games, chance = GameSet(*given.games), random.Random(given.seed)
    made = 0
    with given.out.open("wb") as file:
        while made < given.count:
            if made % 2:
                division = Division(games.size, chance)
                game = division.played() if division.gives_eyes() else None
            else:
                game = played_out(games, chance)
            if game is not None:
                file.write(line_of(game))
                made += 1
                print(f"\r{made} of {given.count} boards", end="", flush=True)
    print()


def line_of(game: tesuji.Game) -> bytes:
    return write_tree(tree_of(game)).replace(b"\n", b"") + b"\n"


if __name__ == "__main__":
    main()
