"""The review of a game on the page: two passes over a line, quick and then deep where it matters, in small steps.

What is found is kept by node, so that it stays when the visitor walks into a variation and back.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from tesuji import PASS, Color, Game
from tesuji.go.sgf.variations import Node
from tesuji.reviews.analysis import Analysis, Candidate
from tesuji.reviews.course import Course
from tesuji.reviews.moment import Reason
from tesuji.reviews.options import ReviewOptions
from tesuji.reviews.problems import is_clear
from tesuji.reviews.verdicts import MoveReview, is_mistake

OPTIONS = ReviewOptions()
QUICK_STEP, DEEP_STEP = 8, 2  # positions, and moves, that are judged together before anything else may come between
Judge = Callable[[Sequence[Game], int], Sequence[Analysis | None]]
"""Searches positions with so many visits; None for those it had no time for."""


@dataclass(frozen=True)
class Step:
    """A part of a review that is done at once."""

    deep: bool
    numbers: tuple[int, ...]
    """Of positions in the first pass, of moves in the second."""
    node: Node
    """The first of them."""


class Reviewing:
    """What is known of the moves of a game, and the review under way."""

    def __init__(self) -> None:
        self.analyses: dict[Node, Analysis] = {}
        self.verdicts: dict[Node, MoveReview] = {}
        self.listed: dict[Node, MoveReview] = {}
        """The verdicts as of the last finished pass: a list that does not change while one reads it."""
        self.clear: set[Node] = set()
        """Moves instead of which one other was clearly better than all."""
        self.networks: set[str] = set()
        """Those that judged any of it."""
        self._course: Course | None = None
        self._nodes: list[Node] = []
        self._critical: list[int] | None = None
        self._looked: set[int] = set()

    @property
    def running(self) -> bool:
        """Whether a review is under way."""
        return self._course is not None

    def knows(self, line: Sequence[Node]) -> bool:
        """Whether every move of the line is judged; a second pass ends the game and is not."""
        moves = [(node, node.move[1]) for node in line if node.move is not None]
        if [move for _, move in moves[-2:]] == [PASS, PASS]:
            moves.pop()
        return all(node in self.verdicts for node, _ in moves)

    def start(self, line: Sequence[Node], game: Game) -> None:
        """Begins to review a line, whose last node stands at this game; what is known of it stays."""
        course = Course(game)
        moves = [node for node in line for _ in node.moves]
        moves = moves[len(moves) - len(game.moves) :]
        self.stop()
        if len(course.positions) < 2 or moves[0].parent is None:
            return
        self._course, self._nodes = course, [moves[0].parent, *moves][: len(course.positions)]
        course.analyses[:] = [self.analyses.get(node) for node in self._nodes]

    @property
    def network(self) -> str:
        """The network that judged all of it; empty where nobody did, or several."""
        return next(iter(self.networks)) if len(self.networks) == 1 else ""

    def stop(self) -> None:
        """Leaves the review as it is."""
        self._course, self._critical, self._looked = None, None, set()

    def leave(self, nodes: set[Node]) -> None:
        """Stops where nodes under review are taken out of the game."""
        if nodes & set(self._nodes):
            self.stop()

    def forget(self, nodes: set[Node]) -> None:
        """Forgets what was known of nodes that are gone."""
        self.leave(nodes)
        self.clear -= nodes
        for known in (self.analyses, self.verdicts, self.listed):
            for node in nodes & set(known):
                del known[node]

    def next_step(self) -> Step | None:
        """What is to be done next; None ends the review."""
        course = self._course
        if course is None:
            return None
        unknown = [number for number, found in enumerate(course.analyses) if found is None]
        if unknown:
            return Step(False, tuple(unknown[:QUICK_STEP]), self._nodes[unknown[0]])
        if self._critical is None:
            self._note()
            self.listed = dict(self.verdicts)
            self._critical = [move.number for move in course.critical(OPTIONS)]
        rest = [number for number in self._critical if number not in self._looked]
        if rest:
            return Step(True, tuple(rest[:DEEP_STEP]), self._nodes[rest[0]])
        self.listed = dict(self.verdicts)
        self.stop()
        return None

    def work(self, step: Step) -> Callable[[Judge], Callable[[], None]]:
        """The work of a step, for any thread, and from it what is to be done with its outcome in the page's own."""
        course = self._course
        assert course is not None
        return lambda judge: self._dive(course, step, judge) if step.deep else self._glance(course, step, judge)

    def _glance(self, course: Course, step: Step, judge: Judge) -> Callable[[], None]:
        found = judge([course.positions[number] for number in step.numbers], OPTIONS.visits)

        def take() -> None:
            for number, analysis in zip(step.numbers, found, strict=True):
                if analysis is not None:
                    course.analyses[number] = analysis
            self._note_of(course)

        return take

    def _dive(self, course: Course, step: Step, judge: Judge) -> Callable[[], None]:
        moves = [move for move in course.moves() if move is not None and move.number in step.numbers]
        course.look_again(moves, lambda positions: judge(positions, OPTIONS.second_visits))

        def take() -> None:
            if course is self._course:
                self._looked |= set(step.numbers) & set(course.looks)
            self._note_of(course)

        return take

    def _note_of(self, course: Course) -> None:
        if course is self._course:
            self._note()

    def _note(self) -> None:
        """Takes over by node what the course knows by number."""
        assert self._course is not None
        for node, analysis in zip(self._nodes, self._course.analyses, strict=True):
            if analysis is not None:
                self.analyses[node] = analysis
        for node, move in zip(self._nodes[1:], self._course.moves(), strict=True):
            if move is not None:
                self.verdicts[node] = move
                self.clear -= {node}
                if self._is_clear(self._course, move.number):
                    self.clear.add(node)

    @staticmethod
    def _is_clear(course: Course, number: int) -> bool:
        look = course.looks.get(number)
        before = course.analyses[number - 1] if look is None else look.before
        return before is not None and is_clear(before)

    @property
    def progress(self) -> tuple[bool, int, int]:
        """Whether the second pass is under way, how much of the pass is done, and of how much."""
        if self._course is None:
            return False, 0, 0
        if self._critical is None:
            known = self._course.analyses
            return False, sum(one is not None for one in known), len(known)
        return True, len(self._looked), len(self._critical)

    def mistakes(self, line: Sequence[Node]) -> list[tuple[int, MoveReview]]:
        """The mistakes on a line in the order of the game, each with the number of its node."""
        return [
            (number, self.listed[node])
            for number, node in enumerate(line)
            if node in self.listed and is_mistake(self.listed[node], OPTIONS.least_points, OPTIONS.least_winrate)
        ]

    def as_dict(self, numbers: dict[Node, int]) -> dict[str, Any]:
        """For the file on disk: curve and verdicts, none of what a search can find again."""
        known = {node: number for node, number in numbers.items() if node in self.analyses}
        return {
            "running": self.running,
            "networks": sorted(self.networks),
            "clear": sorted(numbers[node] for node in self.clear if node in numbers),
            "analyses": {
                str(number): asdict(replace(one, candidates=one.candidates[:1], black_ownership=None))
                for node, number in known.items()
                for one in [self.analyses[node]]
            },
            "verdicts": {str(numbers[node]): asdict(one) for node, one in self.listed.items() if node in numbers},
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any], nodes: Sequence[Node]) -> "Reviewing":
        """From what `as_dict` gave; one that was under way begins anew when it is started."""
        made = cls()
        if not data["running"]:
            made.analyses = {nodes[int(number)]: _analysis(one) for number, one in data["analyses"].items()}
            made.listed = {nodes[int(number)]: _verdict(one) for number, one in data["verdicts"].items()}
            made.verdicts = dict(made.listed)
            made.networks = set(data.get("networks", [""]))
            made.clear = {nodes[number] for number in data.get("clear", [])}
        return made


def _analysis(data: dict[str, Any]) -> Analysis:
    candidates = tuple(Candidate(**{**one, "line": tuple(one["line"])}) for one in data["candidates"])
    choices = tuple(data["first_choices"])
    return Analysis(**{**data, "to_play": Color(data["to_play"]), "candidates": candidates, "first_choices": choices})


def _verdict(data: dict[str, Any]) -> MoveReview:
    reason = data["reason"]
    if reason is not None:
        reason = Reason(reason["kind"], reason["text"], tuple(reason["points"]), tuple(reason["line"]))
    lines = {name: tuple(data[name]) for name in ("line", "refutation")}
    return MoveReview(**{**data, **lines, "color": Color(data["color"]), "reason": reason})
