"""How often the judge's score of a finished game is the one its players agreed on, and why where it is not.

    python benchmarks/score_agreement.py GAMES.sgfs.xz [--net default-9x9] [--count 300] [--rules chinese] [--show 0]
                                         [--professional]

Takes counted games that end with two passes; one SGF per line. With `--professional` also those that stop before the
passes, and those that name no rules as Japanese: so records of professionals are written.
"""

import argparse
import lzma
import sys
from collections import Counter
from collections.abc import Iterator

import tesuji
from tesuji.go.sgf.files import GameRecord, SgfError, read_record
from tesuji.search.endgame.judge import Judgement, judge, judge_by_dead

RULES = {"chinese": (b"RU[Chinese]",), "japanese": (b"RU[Japanese]", b"RU[Korean]", b"RU[JPN]"), "any": (b"",)}
SAME = 0.25  # points


def finished(path: str, rules: str, professional: bool = False) -> Iterator[GameRecord]:
    """Games with a stated margin that were played to two passes, or to where professionals stop."""
    with lzma.open(path, "rb") as lines:
        for text in lines:
            unnamed = professional and b"RU[" not in text
            line = text.replace(b"(;", b"(;RU[Japanese]", 1) if unnamed else text
            if not any(name in line for name in RULES[rules]):
                continue
            try:
                record = read_record(line)
            except SgfError:
                continue
            if (professional or record.game.passes >= 2) and (record.result or "x")[-1].isdigit():
                yield record


def stated_score(record: GameRecord) -> float:
    """Black's lead as the file says it."""
    result = record.result or "0"
    return 0.0 if result == "0" else float(result[2:]) * (1 if result[0] == "B" else -1)


def contradicts_itself(record: GameRecord) -> bool:
    """Whether komi is a whole number and the score is not, or the other way round."""
    return (stated_score(record) + record.game.komi) % 1 != 0


def reason(record: GameRecord, judgement: Judgement, stated: float) -> str:
    """Why the judge's score is another, as far as the board tells; the first that holds."""
    game = record.game
    off = abs(judgement.black_score - stated)
    if off < SAME:
        return "same"
    if contradicts_itself(record):
        return "the record contradicts itself: no count and its komi give its score"
    if abs(game.black_score() - stated) < SAME and judgement.dead:
        return "the players took nothing off the board"
    if not judgement.settled:
        return "not settled, as the judge says itself"
    if any(abs(judge_by_dead(game, dead).black_score - stated) < SAME for dead in one_chain_otherwise(game, judgement)):
        return "one chain dead or alive otherwise"
    if off <= 2:
        return "one or two points: dame, a pass stone, a stone too few in the record"
    return "no count of this board by one chain gives the stated score"


def one_chain_otherwise(game: tesuji.Game, judgement: Judgement) -> Iterator[list[int]]:
    """The dead stones if one chain were dead instead of alive, or alive instead of dead."""
    dead = set(judgement.dead)
    for color in (tesuji.BLACK, tesuji.WHITE):
        for chain in game.board.chains(color):
            yield sorted(dead ^ set(chain))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games")
    parser.add_argument("--net", default="default-9x9")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--rules", choices=RULES, default="chinese")
    parser.add_argument("--professional", action="store_true", help="records that stop before the passes too")
    parser.add_argument("--show", type=int, default=0, help="print so many of the disagreements")
    arguments = parser.parse_args()
    evaluate = tesuji.load(arguments.net)
    seen: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    for record in finished(arguments.games, arguments.rules, arguments.professional):
        if seen["games"] == arguments.count:
            break
        judgement = judge(record.game, evaluate)
        stated = stated_score(record)
        same = abs(judgement.black_score - stated) < SAME
        why = reason(record, judgement, stated)
        reasons[why] += 1
        seen["games"] += 1
        seen["same winner"] += (judgement.black_score > 0) == (stated > 0)
        seen["same score"] += same
        seen["within two points"] += abs(judgement.black_score - stated) <= 2
        sound = judgement.settled and not contradicts_itself(record)
        seen["settled, as the judge says, in a sound record"] += sound
        seen["same score of these"] += same and sound
        if not same and arguments.show > 0:
            arguments.show -= 1
            dead = [str(record.game.vertex(point)) for point in judgement.dead]
            print(f"{why}: stated {stated:g}, judged {judgement.black_score:g}, dead {dead}\n{record.game.diagram()}")
    if not seen["games"]:
        sys.exit(f"no finished games with a score under these rules ({arguments.rules}) in this file")
    for name, count in (*seen.items(), *reasons.most_common()):
        print(f"{name:<72} {count:>6}  {100 * count / seen['games']:.1f} %")


if __name__ == "__main__":
    main()
