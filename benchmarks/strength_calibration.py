"""What ranked players lose per move, for the estimate of strength in a review: a line for each player, then the fit.

`python -m benchmarks.strength_calibration GAMES.sgfs.xz -o lost.jsonl --games 12`; `--fit` alone reads the lines again.
"""

import argparse
import json
import lzma
import random
import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from tesuji import BLACK, WHITE, load
from tesuji.base.errors import InputError
from tesuji.go.sgf.files import read_record
from tesuji.reviews.options import ReviewOptions
from tesuji.reviews.reviewer import review_game
from tesuji.reviews.strength import Played, fit_strength, rank_number

_BINS = (-99, -21, -16, -12, -9, -7, -5, -3, -1, 2, 4, 99)  # kyu below zero, dan from 1 on: the last of each bin


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--games", type=int, default=12, help="of each of eleven bins of ranks")
    parser.add_argument("--skip", type=int, default=0, help="games done in an earlier sitting")
    parser.add_argument("--visits", type=int, default=ReviewOptions.visits)
    parser.add_argument("--network", default="default-9x9")
    parser.add_argument("--fit", action="store_true", help="no reviews: fit what the output holds")
    told = parser.parse_args()
    if not told.fit:
        evaluate = load(told.network)
        options = ReviewOptions(visits=told.visits, critical=0, threads=1)
        with told.output.open("a") as lines:
            for text in islice(chosen(told.source, told.games), told.skip, None):
                record = read_record(text.encode())
                try:
                    review = review_game(record.game, [evaluate], options)
                except InputError:  # two passes at the beginning
                    continue
                for color, rank in ((BLACK, record.black_rank), (WHITE, record.white_rank)):
                    played = review.played(color)
                    lines.write(json.dumps({"rank": rank, **played.plain()}) + "\n")
                lines.flush()
    rows = [json.loads(line) for line in told.output.read_text().splitlines()]
    samples = [(rank_number(row.pop("rank")), Played(**row)) for row in rows]
    print(json.dumps(fit_strength([(rank, played) for rank, played in samples if rank is not None]).plain(), indent=1))


def chosen(source: Path, each: int) -> Iterator[str]:
    """Even games of people, both ranked and near each other, so many of each bin, mixed."""
    bins: defaultdict[int, list[str]] = defaultdict(list)
    with lzma.open(source, "rt", encoding="utf-8") as lines:
        for line in lines:
            ranks = [_number(line, name) for name in ("BR", "WR")]
            if None in ranks or "PB[" in line or "PW[" in line or "HA[" in line or line.count(";") < 30:
                continue
            low, high = sorted(rank for rank in ranks if rank is not None)
            if high - low <= 3:
                bins[sum(low > end for end in _BINS)].append(line)
    chance = random.Random(1)
    games = [game for number in sorted(bins) for game in chance.sample(bins[number], min(each, len(bins[number])))]
    chance.shuffle(games)
    yield from games


def _number(line: str, name: str) -> int | None:
    found = re.search(rf"{name}\[(\d+)([kd])", line)
    return None if found is None else (-1 if found[2] == "k" else 1) * int(found[1])


if __name__ == "__main__":
    main()
