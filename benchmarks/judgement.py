"""How well networks judge: held-out positions of a teacher, and boards that only need counting.

    python benchmarks/judgement.py default-9x9 run/best.onnx --held-out 9x9_held_out.games \\
        --teacher 9x9_teacher_0.games --teacher 9x9_teacher_1.games --teacher 9x9_teacher_2.games

Of the teacher's files those positions are taken that share their moves with a held-out game, or all with `--all`; they
are shown twice, as in their games and as if set up by hand.
Settled boards are the ends of the held-out games that were counted: at a komi so many points from the count, how
sure is the network of the winner? Over four positions of every held-out game: do win rates and results agree, in ten
bins? Where players resigned: how sure is it that they had lost? And does the empty board's win rate fall with komi?
`--split N` takes the games that `tesuji train --set validation_games=N` holds out of the file.
"""

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import tesuji
from tesuji._core import PackedRecord
from tesuji.features.evaluation import Evaluator
from tesuji.features.planes import plane_set
from tesuji.training.data.game_set import GameSet

_BATCH = 250
_MARGINS = (2, 4, 6, 10)
_EACH = 4  # positions of a game, where bins must not be left to chance
_RESIGNED = 2  # as packed files note how a game ended


def against_teacher(evaluate: Evaluator, teacher: GameSet, most: int, past: bool = True) -> dict[str, float]:
    """Mean divergence of the policy (nats), squared error of the value and distance of the score (points).

    Without the past the boards are shown as if somebody had set them up.
    """
    earlier = [" before" in name for name in plane_set(evaluate.planes).channel_names]
    sums = np.zeros(4)
    numbers = teacher.games[:most]
    for first in range(0, len(numbers), _BATCH):
        some = numbers[first : first + _BATCH]
        moves = [teacher.record(int(game)).targets[0].position for game in some]
        batch = teacher.at(some, moves, evaluate.planes)
        if not past:
            batch.planes[:, earlier] = 0
        judged = evaluate(batch.planes, komi=batch.komi)
        target = batch.policy
        logs = np.log(np.maximum(target, 1e-12)) - np.log(np.maximum(judged.policy, 1e-7))
        sums += [
            len(some),
            float((target * logs).sum()),
            float(((judged.value - batch.value) ** 2).sum()),
            float(np.abs(judged.black_score - batch.black_score).sum()) if judged.black_score is not None else np.nan,
        ]
    return {"positions": sums[0], "KL": sums[1] / sums[0], "MSE": sums[2] / sums[0], "points off": sums[3] / sums[0]}


def settled(evaluate: Evaluator, games: GameSet, most: int, before: int = 0) -> dict[str, float]:
    """Mean win probability, in percent, of who wins by so many points, `before` moves before the end."""
    table = games.table()
    counted = table["counts"] > 0
    numbers, lengths = table["game"][counted][:most], table["moves"][counted][:most]
    found: dict[str, float] = {"boards": len(numbers)}
    shares: dict[int, list[NDArray[np.float32]]] = {margin: [] for margin in _MARGINS}
    for first in range(0, len(numbers), _BATCH):
        part = slice(first, first + _BATCH)
        leads = games.at(numbers[part], lengths[part], evaluate.planes).black_score
        records = [games.record(int(game)) for game in numbers[part]]
        for margin in _MARGINS:
            for sign in (1, -1):  # Black wins by the margin, then White
                komi = [float(lead) - sign * margin for lead in leads]
                positions = [_played(record, k, before) for record, k in zip(records, komi, strict=True)]
                black = _black_winrates(evaluate, positions)
                shares[margin].append(black if sign == 1 else 1 - black)
    return found | {f"by {margin} %": 100 * float(np.mean(np.concatenate(of))) for margin, of in shares.items()}


def _played(record: PackedRecord, komi: float, before: int) -> tesuji.Game:
    """The game so many moves before its end at another komi, played anew: some networks see komi in their planes."""
    game = tesuji.Game(record.size, komi=komi, rules="tromp-taylor")
    for color, move in record.moves[: max(0, len(record.moves) - before)]:
        game.play(move, color=color)
    return game


def _black_winrates(evaluate: Evaluator, positions: list[tesuji.Game]) -> NDArray[np.float32]:
    values = evaluate(tesuji.encode(positions, evaluate.planes), komi=[game.komi for game in positions]).value
    return np.where([game.to_play == tesuji.BLACK for game in positions], values, 1 - values)


def calibrated(evaluate: Evaluator, games: GameSet, most: int) -> dict[str, float]:
    """How far the win rate of ten bins is from the results, the worst bin of at least 50 positions, in percent."""
    drawn = [games.one_of_each(seed) for seed in range(1, _EACH + 1)]
    numbers, moves = (np.concatenate([part[i][:most] for part in drawn]) for i in (0, 1))
    predicted, real, known = _judged(evaluate, games, numbers, moves)
    bins = np.minimum((predicted * 10).astype(int), 9)
    gaps = {
        f"{10 * b} to {10 * b + 10} %": 100 * float(np.mean(predicted[chosen] - real[chosen]))
        for b in range(10)
        if (chosen := (bins == b) & known).sum() >= 50
    }
    return {"worst": max(gaps.values(), key=abs, default=0.0), **gaps}


def resigned(evaluate: Evaluator, games: GameSet, most: int) -> dict[str, float]:
    """Of games given up: in how many the winner has more than 80 and 50 % in the last position."""
    table = games.table()
    given_up = table["ending"] == _RESIGNED
    numbers, moves = table["game"][given_up][:most], table["moves"][given_up][:most]
    if not len(numbers):
        return {"games": 0}
    predicted, real, known = _judged(evaluate, games, numbers, moves)
    winner = np.where(real > 0.5, predicted, 1 - predicted)[known]
    shares = {f"winner above {percent} %": 100 * float(np.mean(winner > percent / 100)) for percent in (80, 50)}
    return {"games": len(winner), **shares, "median %": 100 * float(np.median(winner))}


def empty_board(evaluate: Evaluator, size: int) -> dict[str, float]:
    """Black's win rate without a stone, in percent by komi, and the largest rise from one komi to the next."""
    games = [tesuji.Game(size, komi=komi) for komi in np.arange(-20, 40.5, 0.5)]
    planes = tesuji.encode(games, evaluate.planes)
    rates = 100 * evaluate(planes, komi=[game.komi for game in games]).value  # Black is to play
    at = {float(game.komi): float(rate) for game, rate in zip(games, rates, strict=True)}
    return {
        "largest rise": float(np.diff(rates).max()),
        **{f"komi {k:g}": at[k] for k in (0.0, 5.5, 6.5, 7.0, 7.5, 12.0)},
    }


def _judged(
    evaluate: Evaluator, games: GameSet, numbers: NDArray[np.uint64], moves: NDArray[np.int32]
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_]]:
    """Win rate of the player to move, his result, and whether it is known."""
    rates, results, known = [], [], []
    for first in range(0, len(numbers), _BATCH):
        part = slice(first, first + _BATCH)
        batch = games.at(numbers[part], moves[part], evaluate.planes)
        rates.append(evaluate(batch.planes, komi=batch.komi).value)
        results.append(batch.value)
        known.append(batch.value_mask > 0)
    return np.concatenate(rates), np.concatenate(results), np.concatenate(known)


def held_out_part(paths: list[Path], held_out: GameSet) -> GameSet:
    """The positions of teacher files that belong to held-out games."""
    teacher = GameSet(*paths, size=held_out.size)
    return teacher.subset(teacher.shared_with(held_out))


def after_move(teacher: GameSet, move: int) -> GameSet:
    """The positions of a teacher's file after so many moves."""
    late = [teacher.record(int(game)).targets[0].position >= move for game in teacher.games]
    return teacher.subset(teacher.games[np.array(late)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("networks", nargs="+")
    parser.add_argument("--held-out", type=Path, required=True, help="packed games nobody trained on")
    parser.add_argument("--teacher", type=Path, action="append", default=[], help="packed file of a teacher's answers")
    parser.add_argument("--all", action="store_true", help="the teacher's files hold nothing else")
    parser.add_argument("--most", type=int, default=4000, help="positions of each kind at most")
    parser.add_argument("--after", type=int, default=0, help="of the teacher's positions those after so many moves")
    parser.add_argument("--split", type=int, help="the held-out games are so many of the file")
    options = parser.parse_args()
    held_out = GameSet(options.held_out)
    if options.split:
        held_out = held_out.split(options.split, seed=1)[1]
    teacher = None
    if options.teacher:
        teacher = GameSet(*options.teacher) if options.all else held_out_part(options.teacher, held_out)
        teacher = after_move(teacher, options.after) if options.after else teacher
    for name in options.networks:
        evaluate = tesuji.load(name)
        if teacher is not None:
            _say(name, "teacher", against_teacher(evaluate, teacher, options.most))
            _say(name, "teacher, boards set up", against_teacher(evaluate, teacher, options.most, past=False))
        for before in (0, 20):
            _say(name, f"settled, {before} moves before the end", settled(evaluate, held_out, options.most, before))
        _say(name, "calibration", calibrated(evaluate, held_out, options.most))
        _say(name, "given up", resigned(evaluate, held_out, options.most))
        _say(name, "empty board", empty_board(evaluate, held_out.size))


def _say(name: str, what: str, found: dict[str, float]) -> None:
    print(name, what, *(f"{key} {value:.5g}" for key, value in found.items()), sep="  ")


if __name__ == "__main__":
    main()
