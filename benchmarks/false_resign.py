"""How often a player who wishes to resign would have won: games are played on after the wish and counted.

    python benchmarks/false_resign.py [--net default-9x9] [--size 9] [--visits 8] [--games 100] [--seed 1]
                                      [--rules chinese] [--concurrent 16] [--keep games.jsonl]
                                      [--openings GAMES.sgfs.xz --after 40]

Both sides search; the first moves are drawn by temperature, so that games differ. The judge counts the end. `--keep`
writes a line for every game, with what each search said, so that other rules for giving up can be held against it.
Where games begin from what people had played, one side is often behind: more wishes for the same work.
"""

import argparse
import json
import lzma
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice

import tesuji
from tesuji import Color, Evaluator, Game
from tesuji.go.errors import IllegalMoveError
from tesuji.go.sgf.files import SgfError, read_record
from tesuji.search.endgame.judge import judge
from tesuji.search.endgame.ownership import head_ownership
from tesuji.search.endgame.passing import wants_look, with_look
from tesuji.search.endgame.resigning import Outlook, Resigning, ResignOptions
from tesuji.search.endgame.settlement import SIGN
from tesuji.search.looks import after_pass, believed_lost
from tesuji.search.options import SearchOptions
from tesuji.search.players import PlayerOptions, Turn
from tesuji.search.pool import Finished, SearchPool
from tesuji.search.result import SearchResult


@dataclass
class Played:
    """A game played to its end, whoever wished to give it up."""

    game: Game
    wished: dict[Color, int] = field(default_factory=dict)
    """The moves that had been played when somebody first wished to resign."""
    said: list[list[float | None]] = field(default_factory=list)
    """For each move the `Outlook` of who made it."""
    lead: float = 0.0
    """Black's, at the end."""

    @property
    def false(self) -> list[Color]:
        """Those who wished to resign and did not lose."""
        return [color for color in self.wished if SIGN[color] * self.lead >= 0]


class _Table:
    """A game of two players of the same network, neither of whom may give up; their searches share a pool's batches."""

    def __init__(self, pool: SearchPool, game: Game, seed: int) -> None:
        self.pool, self.seed, self.found = pool, seed, Played(game)
        self._trees = {color: pool.open(seed=seed) for color in Color}
        self._patience = {color: Resigning(ResignOptions()) for color in Color}
        self._ask()

    @property
    def game(self) -> Game:
        return self.found.game

    @property
    def is_over(self) -> bool:
        return self.game.is_over or self.game.move_count >= 3 * self.game.size**2

    def owns(self, done: Finished) -> bool:
        return done.slot in self._trees.values()

    def _ask(self) -> None:
        self._turn = Turn(self.game, PlayerOptions())
        tree = self._trees[self.game.to_play]
        self.pool.submit(tree, self._turn.position, pass_share=self._turn.pass_share)

    def take(self, result: SearchResult) -> None:
        """The answer of who is to move, and the question to the other."""
        mover, evaluate = self.game.to_play, self.pool.evaluate
        if wants_look(self.game, result):
            result = with_look(result, after_pass(self.game, evaluate))
        owned = head_ownership(self.game, evaluate) if self._turn.may_agree else None
        decision = self._turn.decide(result, self._patience[mover], owned)
        if (
            decision.resign
            and mover not in self.found.wished
            and believed_lost(result, self._patience[mover], evaluate)
        ):
            self.found.wished[mover] = self.game.move_count
        self.found.said.append(said(decision.result or result))
        self.game.play(decision.move)
        if self.is_over:
            self.found.lead = judge(self.game, evaluate).black_score
        else:
            self._ask()


def opened(given: argparse.Namespace) -> Iterator[Game]:
    """Games to be played on: empty boards, or what people had on the board after so many moves, a game each."""
    while not given.openings:
        yield Game(size=given.size, rules=given.rules)
    with lzma.open(given.openings, "rb") as lines:
        for line in islice(lines, given.seed, None):
            game = Game(size=given.size, rules=given.rules)
            with suppress(SgfError, IllegalMoveError):
                record = read_record(line).game
                if record.size != given.size or record.handicap or record.move_count <= given.after:
                    continue
                for _, move in record.moves[: given.after]:
                    game.play(move)
                yield game


def games(evaluate: Evaluator, given: argparse.Namespace) -> Iterator[_Table]:
    """The games asked for as they end, several at a time."""
    moves = 12 + (given.after if given.openings else 0)
    options = SearchOptions(visits=given.visits, batch=1, choice="temperature", temperature_moves=moves)
    pool = SearchPool(evaluate, options, size=given.size, batch=given.concurrent)
    seeds = iter(range(given.seed, given.seed + given.games))

    begun = opened(given)

    def sit_down() -> Iterator[_Table]:
        return (_Table(pool, next(begun), seed) for seed in seeds)

    tables = list(islice(sit_down(), given.concurrent))
    while tables:
        for done in pool.step():
            table = next(table for table in tables if table.owns(done))
            table.take(done.result)
            if table.is_over:
                yield table
                tables.remove(table)
                tables += islice(sit_down(), 1)


def said(result: SearchResult) -> list[float | None]:
    """An `Outlook` as short as can be, for a line of JSON."""
    outlook = Outlook.of(result)
    return [each if each is None else round(float(each), 4) for each in outlook]


def kept(found: Played, seed: int) -> str:
    wished = {color.name.lower(): move for color, move in found.wished.items()}
    moves = [str(found.game.vertex(move)) for _, move in found.game.moves]
    return json.dumps({"seed": seed, "lead": found.lead, "wished": wished, "moves": moves, "said": found.said})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--net", default="default-9x9")
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--visits", type=int, default=8)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rules", default="chinese")
    parser.add_argument("--openings", metavar="FILE", help="records, a line each, of which the first moves are taken")
    parser.add_argument("--after", type=int, default=40, help="so many")
    parser.add_argument("--concurrent", type=int, default=16, help="games played side by side")
    parser.add_argument("--keep", metavar="FILE", help="append every game to this file, a line of JSON each")
    given = parser.parse_args()
    evaluate = tesuji.load(given.net)
    false, early = 0, list[int]()
    for number, table in enumerate(games(evaluate, given)):
        found, seed = table.found, table.seed
        early += [found.game.move_count - move for move in found.wished.values()]
        false += len(found.false)
        if given.keep:
            with open(given.keep, "a") as file:
                file.write(kept(found, seed) + "\n")
        if found.false:
            told = ", ".join(f"{color.name.lower()} after {move} moves" for color, move in found.wished.items())
            print(f"\nseed {seed}: {told} would resign, and Black's lead is {found.lead:+g}", flush=True)
        before = f", {sum(early) / len(early):.0f} moves before the end" if early else ""
        print(f"\r{number + 1} games, {len(early)} wishes to resign{before}, {false} of them false", end="", flush=True)
    print()


if __name__ == "__main__":
    main()
