"""Holds rules for giving up against games that `false_resign.py --keep` played, without playing them again.

    python benchmarks/resign_rules.py games.jsonl ... [--size 9] [--rules chinese] [--set margin=2 moves=4 ...]
                                      [--look 0 200 ...] [--net default-9x9]

`--set` changes the rule (`ResignOptions`); with `--look` who wishes to give up looks once more with so many visits, and
plays on unless all is lost then, too. The table counts wishes, one of a colour at most, those who did not lose, and how
many moves the wish spares.
"""

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tesuji
from tesuji import Color, Game, Search
from tesuji.base.settings import changed
from tesuji.search.endgame.resigning import Outlook, Resigning, ResignOptions
from tesuji.search.endgame.settlement import SIGN
from tesuji.search.result import SearchResult


@dataclass(frozen=True)
class Wish:
    """Somebody's, the first of a game."""

    game: Game
    color: Color
    spared: int
    """Moves until the end."""
    false: bool
    outlook: Outlook


class Held:
    """Kept games, and who would have given up when by one rule or another."""

    def __init__(self, files: list[Path], given: argparse.Namespace) -> None:
        self.kept: list[dict[str, Any]] = [json.loads(line) for file in files for line in file.read_text().splitlines()]
        self.given = given
        self.evaluate = tesuji.load(given.net)
        self._looks: dict[tuple[int, int, int], SearchResult] = {}

    def wishes(self, options: ResignOptions, look: int = 0) -> Iterator[Wish]:
        for number, kept in enumerate(self.kept):
            game = Game(size=self.given.size, rules=self.given.rules)
            patience = {color: Resigning(options) for color in Color}
            begun, waiting = len(kept["moves"]) - len(kept["said"]), set(Color)
            for played, move in enumerate(kept["moves"]):
                mover = game.to_play
                if played >= begun and mover in waiting and move != "pass":
                    outlook = Outlook(*kept["said"][played - begun])
                    if patience[mover].gives_up_seeing(game, outlook) and (
                        not look or patience[mover].still_gives_up(self._looked(number, game, look))
                    ):
                        waiting.remove(mover)
                        false = SIGN[mover] * kept["lead"] >= 0
                        yield Wish(game.copy(), mover, len(kept["moves"]) - played, false, outlook)
                game.play(move)

    def _looked(self, number: int, game: Game, visits: int) -> SearchResult:
        key = number, game.move_count, visits
        if key not in self._looks:
            self._looks[key] = Search(self.evaluate, visits=visits, batch=8).run(game)
        return self._looks[key]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="+", type=Path)
    parser.add_argument("--net", default="default-9x9")
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--rules", default="chinese")
    parser.add_argument("--set", nargs="*", default=[], metavar="OPTION=VALUE")
    parser.add_argument("--look", nargs="*", type=int, default=[0], metavar="VISITS")
    parser.add_argument("--show", action="store_true", help="the boards of the false ones")
    given = parser.parse_args()
    options = changed(ResignOptions(), dict(text.split("=", 1) for text in given.set), "resign")
    held = Held(given.games, given)
    for look in given.look:
        wishes = list(held.wishes(options, look))
        false = [wish for wish in wishes if wish.false]
        spared = sum(wish.spared for wish in wishes) / max(1, len(wishes))
        told = f"{len(held.kept)} games, look {look}: {len(wishes)} wishes, {len(false)} false"
        print(f"{told}, {spared:.1f} moves before the end", flush=True)
        for wish in false:
            print(f"  {wish.color.name} after {wish.game.move_count} moves: {wish.outlook}")
            if given.show:
                print(wish.game.board)


if __name__ == "__main__":
    main()
