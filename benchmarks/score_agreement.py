"""How often the judge's score of a finished game is the one its players agreed on.

    python benchmarks/score_agreement.py GAMES.sgfs.xz [--net default-9x9] [--count 300] [--show 0]

Takes games counted under Chinese rules that end with two passes; one SGF per line.
"""

import argparse
import lzma
import sys
from collections import Counter
from collections.abc import Iterator

import tesuji
from tesuji.go.sgf.files import GameRecord, SgfError, read_record
from tesuji.search.endgame.judge import judge


def finished(path: str) -> Iterator[GameRecord]:
    """Games with a stated margin that were played to two passes."""
    with lzma.open(path, "rb") as lines:
        for line in lines:
            if b"RU[Chinese]" not in line:
                continue
            try:
                record = read_record(line)
            except SgfError:
                continue
            if record.game.passes >= 2 and (record.result or "x")[-1].isdigit():
                yield record


def stated_score(record: GameRecord) -> float:
    """Black's lead as the file says it."""
    result = record.result or "0"
    return 0.0 if result == "0" else float(result[2:]) * (1 if result[0] == "B" else -1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games")
    parser.add_argument("--net", default="default-9x9")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--show", type=int, default=0, help="print so many of the disagreements")
    arguments = parser.parse_args()
    evaluate = tesuji.load(arguments.net)
    seen: Counter[str] = Counter()
    for record in finished(arguments.games):
        if seen["games"] == arguments.count:
            break
        judgement = judge(record.game, evaluate)
        stated = stated_score(record)
        seen["games"] += 1
        seen["same winner"] += (judgement.black_score > 0) == (stated > 0)
        seen["same score"] += abs(judgement.black_score - stated) < 0.25
        seen["within two points"] += abs(judgement.black_score - stated) <= 2
        seen["same score without removing anything"] += abs(record.game.black_score() - stated) < 0.25
        if abs(judgement.black_score - stated) >= 2 and arguments.show > 0:
            arguments.show -= 1
            dead = [record.game.vertex(point) for point in judgement.dead]
            print(f"stated {stated:g}, judged {judgement.black_score:g}, dead {dead}\n{record.game.diagram()}")
    if not seen["games"]:
        sys.exit("no finished games with a score under Chinese rules in this file")
    for name, count in seen.items():
        print(f"{name:<40} {count:>6}  {100 * count / seen['games']:.1f} %")


if __name__ == "__main__":
    main()
