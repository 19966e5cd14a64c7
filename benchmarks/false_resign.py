"""How often a player who wishes to resign would have won: games are played on after the wish and counted.

    python benchmarks/false_resign.py [--net default-9x9] [--size 9] [--visits 8] [--games 100] [--seed 1]
                                      [--rules chinese]

Both sides search; the first moves are drawn by temperature, so that games differ. The judge counts the end.
"""

import argparse

import tesuji
from tesuji import BLACK, Color, Evaluator, Game
from tesuji.search.endgame.judge import judge
from tesuji.search.options import SearchOptions
from tesuji.search.players import SearchPlayer


def wishes_and_winner(evaluate: Evaluator, game: Game, visits: int, seed: int) -> tuple[set[Color], Color | None]:
    """Who wished to resign, and who won the game all the same; None for a draw."""
    options = SearchOptions(visits=visits, batch=1, choice="temperature", temperature_moves=12, seed=seed)
    players = {color: SearchPlayer(evaluate, options) for color in Color}
    wished = set()
    while not game.is_over and game.move_count < 3 * game.size**2:
        decision = players[game.to_play].move(game)
        if decision.resign:
            wished.add(game.to_play)
        game.play(decision.move)
    lead = judge(game, evaluate).black_score
    return wished, None if lead == 0 else BLACK if lead > 0 else Color.WHITE


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--net", default="default-9x9")
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--visits", type=int, default=8)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rules", default="chinese")
    given = parser.parse_args()
    evaluate = tesuji.load(given.net)
    wishes = false = 0
    for number in range(given.games):
        game = Game(size=given.size, rules=given.rules)
        wished, winner = wishes_and_winner(evaluate, game, given.visits, given.seed + number)
        wishes += len(wished)
        false += sum(winner is None or winner == color for color in wished)
        told = f"{number + 1} games, {wishes} wishes to resign, {false} of them by who did not lose"
        print(f"\r{told}", end="", flush=True)
    print()


if __name__ == "__main__":
    main()
