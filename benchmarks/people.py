"""How well a network that is told ranks foretells the moves of people of a band, told one rank or another.

    tesuji data pack held_out.sgf -o held_out.games --not-by '*'
    python benchmarks/people.py held_out.games human-9x9 run/best.onnx --positions 1500

Even games, at most three positions of one, the same positions for every network and rank: first moves that agree
in percent, and cross entropy in nats.
"""

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import tesuji
from tesuji._core import rank_inputs
from tesuji.features.evaluation import Evaluator
from tesuji.features.planes import plane_set
from tesuji.training.data.game_set import GameSet

PLANES = "human-30"
BANDS = {
    "18k": "22k 21k 20k 19k 18k 17k 16k",
    "12k": "14k 13k 12k 11k 10k",
    "6k": "8k 7k 6k 5k 4k",
    "1k": "3k 2k 1k",
    "1d": "1d 2d 3d 4d",
}
"""The rank that stands for a band, and the band."""
_EACH, _BATCH = 3, 500


def bands(games: GameSet) -> dict[str, tuple[NDArray[np.uint64], NDArray[np.int32]]]:
    """Positions of even games by the band of the player to move, as games and moves played before."""
    ranked = [name.startswith("rank near ") for name in plane_set(PLANES).channel_names]
    found: dict[str, list[tuple[int, int]]] = {name: [] for name in BANDS}
    told = {tuple(rank_inputs(rank)[1]): name for name, ranks in BANDS.items() for rank in ranks.split()}
    even = games.subset(games.games[games.table()["handicap"] == 0])
    for seed in range(1, _EACH + 1):
        numbers, moves = even.one_of_each(seed)
        for first in range(0, len(numbers), _BATCH):
            part = slice(first, first + _BATCH)
            batch = even.at(numbers[part], moves[part], PLANES)
            for row in np.flatnonzero(batch.policy_mask):
                name = told.get(tuple(batch.planes[row, ranked, 0, 0].tolist()))
                if name:
                    found[name].append((numbers[part][row], moves[part][row]))
    return {
        name: (np.array([game for game, _ in places]), np.array([move for _, move in places]))
        for name, places in found.items()
    }


def foretold(evaluate: Evaluator, games: GameSet, numbers: NDArray[np.uint64], moves: NDArray[np.int32]) -> str:
    agreed = entropy = 0.0
    for first in range(0, len(numbers), _BATCH):
        part = slice(first, first + _BATCH)
        batch = games.at(numbers[part], moves[part], evaluate.planes)
        policy = evaluate(batch.planes, komi=batch.komi).policy
        played = batch.policy.argmax(1)
        agreed += float((policy.argmax(1) == played).sum())
        entropy -= float(np.log(policy[np.arange(len(played)), played] + 1e-9).sum())
    return f"{100 * agreed / len(numbers):5.2f} % {entropy / len(numbers):.4f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("networks", nargs="+")
    parser.add_argument("--positions", type=int, default=1500, help="of each band, at most")
    options = parser.parse_args()
    games = GameSet(options.file)
    places = bands(games)
    for name in options.networks:
        for band, (numbers, moves) in places.items():
            count = min(options.positions, len(numbers))
            row = [foretold(tesuji.load(f"{name}@{rank}"), games, numbers[:count], moves[:count]) for rank in BANDS]
            print(name, f"band of {band}, {count} positions, told {', '.join(BANDS)}:", *row, sep="  ", flush=True)


if __name__ == "__main__":
    main()
