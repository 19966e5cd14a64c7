"""Whether the engine answers a pass with a pass where people did: finished games, asked before their last pass.

python benchmarks/passing.py 9x9_human.sgfs.xz --rules japanese --visits 200 --count 150
"""

import argparse
from collections import Counter
from pathlib import Path

from score_agreement import finished, stated_score

import tesuji
from tesuji import PASS, Game, SearchPlayer
from tesuji.features.evaluation import Evaluator
from tesuji.search.endgame.judge import Judgement, judge


def main() -> None:
    """Counts the answers: a pass, or a move in whose ground."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", type=Path)
    parser.add_argument("--rules", default="japanese")
    parser.add_argument("--net", default="default-9x9")
    parser.add_argument("--visits", type=int, default=200)
    parser.add_argument("--count", type=int, default=150)
    options = parser.parse_args()
    evaluate, answers = tesuji.load(options.net), Counter[str]()
    for record in finished(options.games, options.rules):
        final = judge(record.game, evaluate)
        asked = before_last_pass(record.game)
        if asked is None or not final.settled or abs(final.black_score - stated_score(record)) > 0.25:
            continue
        answers[answer(asked, final, evaluate, options.visits)] += 1
        if answers.total() >= options.count:
            break
    for kind, count in answers.most_common():
        print(f"{kind}: {count} of {answers.total()}, {100 * count / answers.total():.1f} %")


def before_last_pass(game: Game) -> Game | None:
    """The game after the first of its two last passes."""
    if [move for _, move in game.moves[-2:]] != [PASS, PASS]:
        return None
    asked = game.copy()
    while asked.passes >= 2:
        asked.undo()
    return asked if asked.passes == 1 else None


def answer(game: Game, final: Judgement, evaluate: Evaluator, visits: int) -> str:
    """What is answered, and for a move whose ground it is in."""
    move = SearchPlayer(evaluate, visits=visits, batch=min(8, visits), seed=1).move(game).move
    if move == PASS:
        return "pass"
    return {game.to_play: "own ground", None: "neutral point"}.get(final.owners[move], "the opponent's ground")


if __name__ == "__main__":
    main()
