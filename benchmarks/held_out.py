"""How well networks predict games that nobody trained on: one or more random positions of each, never turned.

    python benchmarks/held_out.py 9x9_held_out.games --games 4000 default-9x9 run/best.onnx
    python benchmarks/held_out.py 19x19_pro_modern.games --split 2000 --each 10 default-19x19

`--split` takes the games that `tesuji train --set validation_games=N` holds out of that file; `--set-up` shows
the boards as if somebody had set them up, without what stood there before.
"""

import argparse
from pathlib import Path

import numpy as np

import tesuji
from tesuji.features.evaluation import Evaluator
from tesuji.features.planes import ages
from tesuji.training.data.game_set import GameSet

_BATCH = 250


def measured(evaluate: Evaluator, games: GameSet, most: int, each: int, set_up: bool) -> dict[str, float]:
    """Means over `each` positions of the first `most` games."""
    past = np.array(ages(evaluate.planes)) > 0
    top1 = entropy = error = count = 0.0
    for seed in range(1, each + 1):
        numbers, moves = (part[:most] for part in games.one_of_each(seed))
        for first in range(0, len(numbers), _BATCH):
            part = slice(first, first + _BATCH)
            batch = games.at(numbers[part], moves[part], evaluate.planes)
            if set_up:
                batch.planes[:, past] = 0
            judged = evaluate(batch.planes, komi=batch.komi)
            played = batch.policy.argmax(1)
            share = judged.policy[np.arange(len(played)), played]
            top1 += float((judged.policy.argmax(1) == played).sum())
            entropy -= float(np.log(share + 1e-9).sum())
            error += float((batch.value_mask * (judged.value - batch.value) ** 2).sum())
            count += len(played)
    return {"positions": count, "top-1 %": 100 * top1 / count, "cross entropy": entropy / count, "MSE": error / count}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("networks", nargs="+")
    parser.add_argument("--games", type=int, default=1_000_000, help="games at most")
    parser.add_argument("--split", type=int, help="only the games held out by a training with so many")
    parser.add_argument("--each", type=int, default=1, help="positions of each game")
    parser.add_argument("--set-up", action="store_true", help="without the past of the boards")
    options = parser.parse_args()
    games = GameSet(options.file)
    if options.split:
        games = games.split(options.split, seed=1)[1]
    for name in options.networks:
        found = measured(tesuji.load(name), games, options.games, options.each, options.set_up)
        print(name, *(f"{what} {value:.6g}" for what, value in found.items()), sep="  ")


if __name__ == "__main__":
    main()
