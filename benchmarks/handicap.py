"""How White does who gives stones: the search against a level of the page that takes so many.

    python benchmarks/handicap.py [--net default-19x19] [--size 13] [--stones 4] [--level casual] [--visits 200]
                                  [--games 20] [--set OPTION=VALUE ...]

White's first moves are drawn by temperature, so that games differ. The judge counts the end. `--set` gives White other
search options, to see what a way of playing handicap games is worth.
"""

import argparse

import tesuji
from tesuji import BLACK, Color, Evaluator, Game
from tesuji.base.settings import changed
from tesuji.go.rules import usual_komi
from tesuji.interfaces.web.game.levels import LEVELS, Level
from tesuji.search.endgame.judge import judge
from tesuji.search.options import SearchOptions
from tesuji.search.players import SearchPlayer


def final_lead(evaluate: Evaluator, level: Level, given: argparse.Namespace, seed: int) -> tuple[float, int]:
    """Black's lead at the end, or a large number of whoever's opponent gave up; and the moves played."""
    options = SearchOptions(visits=given.visits, choice="temperature", temperature_moves=12, seed=seed)
    searching = changed(options, dict(text.split("=", 1) for text in given.set), "search")
    players = {
        BLACK: SearchPlayer(evaluate, SearchOptions(**{"seed": seed} | dict(level.search))),
        Color.WHITE: SearchPlayer(evaluate, searching),
    }
    game = Game(given.size, usual_komi(given.size, "chinese", handicap=True), "chinese")
    game.place_handicap(given.stones)
    while not game.is_over and game.move_count < 3 * given.size**2:
        decision = players[game.to_play].move(game)
        if decision.resign:
            return (-999.0 if game.to_play == BLACK else 999.0), game.move_count
        game.play(decision.move)
    return judge(game, evaluate).black_score, game.move_count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--net", default="default-19x19")
    parser.add_argument("--size", type=int, default=13)
    parser.add_argument("--stones", type=int, default=4)
    parser.add_argument("--level", choices=[level.key for level in LEVELS], default="casual")
    parser.add_argument("--visits", type=int, default=200)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--set", nargs="*", default=[], metavar="OPTION=VALUE")
    given = parser.parse_args()
    evaluate = tesuji.load(given.net)
    level = next(level for level in LEVELS if level.key == given.level)
    won = 0
    for seed in range(1, given.games + 1):
        lead, moves = final_lead(evaluate, level, given, seed)
        won += lead < 0
        print(f"game {seed}: {lead:+g} after {moves} moves; White has won {won} of {seed}", flush=True)


if __name__ == "__main__":
    main()
