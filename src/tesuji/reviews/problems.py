"""Problems from mistakes: positions in which the right move is clear, with the game's move as the wrong answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tesuji._core import BLACK, WHITE, Color, Game
from tesuji.base.files import write_atomically
from tesuji.features.evaluation import Evaluator
from tesuji.go.sgf.files import tree_of, write_tree
from tesuji.go.sgf.variations import Node
from tesuji.reviews.analysis import Analysis
from tesuji.reviews.game_review import GameReview
from tesuji.reviews.judging import Judges
from tesuji.reviews.positions import positions_of
from tesuji.reviews.verdicts import MoveReview

_SHARE = 0.5  # of the visits, that the answer of a clear position has at least
_FEWEST = 0.02  # of the visits, from which another move counts as tried
_POINTS, _WINRATE = 1.0, 0.04  # by which the answer is better than any other move


@dataclass(frozen=True)
class Problem:
    """A position to solve."""

    game: Game
    """The position, with the player who is to find the move to play."""
    name: str
    move: MoveReview
    """What was played, and why it was wrong."""
    answer: int
    line: tuple[int, ...]
    """The answer and what follows."""


def problems_in(
    review: GameReview,
    evaluators: Sequence[Evaluator],
    *,
    least_points: float = 3.0,
    visits: int = 0,
    colors: Sequence[Color] = (BLACK, WHITE),
    threads: int = 0,
) -> list[Problem]:
    """Positions before mistakes that lost so many points, whose answer is clear at so many visits.

    0 visits means four times those of the second look. Where the network tells no score, all mistakes are tried.
    """
    bad = [move for move in review.mistakes(colors) if move.points is None or move.points >= least_points]
    if not bad:
        return []
    positions = positions_of(review.game)
    asked = [positions[move.number - 1] for move in bad]
    judges = Judges(evaluators, review.game.size, threads)
    found = judges.judge(asked, visits or 4 * review.second_visits)
    problems = [
        Problem(game, review.facts.name, move, analysis.best, analysis.line)
        for move, game, analysis in zip(bad, asked, found, strict=True)
        if analysis is not None and analysis.best != move.move and is_clear(analysis)
    ]
    return sorted(problems, key=lambda problem: problem.move.number)


def is_clear(analysis: Analysis) -> bool:
    """Whether one move is better than all others, by visits and by what they are worth."""
    best, *others = analysis.candidates
    total = sum(candidate.visits for candidate in analysis.candidates)
    if best.visits < _SHARE * total:
        return False
    sign = 1 if analysis.to_play == BLACK else -1
    for other in others:
        if other.visits < _FEWEST * total:
            continue
        if best.black_score is not None and other.black_score is not None:
            near = sign * (best.black_score - other.black_score) < _POINTS
        else:
            near = best.winrate - other.winrate < _WINRATE
        if near:
            return False
    return True


def write_problems(problems: Sequence[Problem], path: Path) -> None:
    """Writes a collection: one SGF file with a game tree for each problem."""
    write_atomically(path, b"\n".join(write_tree(problem_tree(problem)) for problem in problems))


def problem_tree(problem: Problem) -> Node:
    """The position with two answers: the right one first, marked RIGHT, and what was played, refuted."""
    game, move = problem.game, problem.move
    start = Game(game.size, game.komi, game.rules)
    board = game.board
    start.setup(black=board.stones(BLACK), white=board.stones(WHITE), to_play=game.to_play)
    who = "Black" if game.to_play == BLACK else "White"
    root = tree_of(start, comment=f"{who} to play: find the move.\nFrom {problem.name}, move {move.number}.")
    root.set_text("PL", who[0])
    root.set_text("GN", f"{problem.name}, move {move.number}")
    _line(root, game.to_play, problem.line, "RIGHT", good=True)
    _line(root, game.to_play, (move.move, *move.refutation), f"The move of the game. {move.text}.", good=False)
    return root


def _line(root: Node, color: Color, line: Sequence[int], comment: str, good: bool) -> None:
    node = root
    for index, move in enumerate(line):
        node = node.play(color, move)
        if index == 0:
            node.comment = comment
            node.set_text("TE" if good else "BM", "1")
        color = color.opponent
