"""A teaching game: a word after a move that loses much, hints in two steps, and how one plays so far."""

from dataclasses import dataclass

from tesuji import Color, Game
from tesuji.go.sgf.variations import Node
from tesuji.interfaces.web.game.reviewing import OPTIONS, Judge
from tesuji.interfaces.web.game.study import Study
from tesuji.reviews.course import Course
from tesuji.reviews.ownership_facts import part_of_board
from tesuji.reviews.summary import PlayerSummary, summary_of
from tesuji.reviews.verdicts import MoveReview, is_mistake

LIMITS = (2.0, 5.0, 10.0)
"""Points lost from which a teaching game says something, to choose from."""
_WINRATE = 0.1  # the same where the network tells no score
HIDDEN, AREA, MOVE = range(3)  # steps of a hint


@dataclass(frozen=True)
class Remark:
    """A move that lost much, while the engine waits for what the visitor wants to do about it."""

    node: Node
    move: MoveReview
    explained: bool = False
    """Whether the visitor asked why."""


def lesson(game: Game, judge: Judge) -> MoveReview | None:
    """What the last move of a game cost, looked at twice where it seems to have cost much; for any thread."""
    course = Course(game)
    if len(course.positions) < 2 or len(course.positions) <= len(game.moves):
        return None  # the game is over: nothing was lost by ending it
    course.analyses[-2:] = judge(course.positions[-2:], OPTIONS.visits)
    if critical := [move for move in course.critical(OPTIONS) if move.number == len(game.moves)]:
        course.look_again(critical, lambda positions: judge(positions, OPTIONS.second_visits))
    return course.moves()[-1]


class Teaching(Study):
    """A table at which one may learn while playing."""

    warning: Remark | None = None
    unsaid: Node | None = None
    """A move of which the teacher can say nothing."""
    hint_step = HIDDEN

    @property
    def with_teacher(self) -> bool:
        """Whether one person plays against the engine."""
        kinds = {self.setup.black.kind, self.setup.white.kind}
        return self.mode == "play" and kinds == {"human", "engine"}

    @property
    def to_teach(self) -> bool:
        """Whether the last move is the visitor's and waits for the teacher's word."""
        node = self.record.node
        if (
            not (self.look.teaching and self.with_teacher and node.move)
            or node in self.reviewed.verdicts
            or node is self.unsaid
        ):
            return False
        return self.setup.seat(node.move[0]).kind == "human"

    def taught(self, node: Node, move: MoveReview | None) -> None:
        """The teacher has looked at a move; a bad one stops the game until the visitor has chosen."""
        if move is None:
            self.unsaid = node
            return self.changed()
        self.reviewed.verdicts[node] = move
        if node is self.record.node and self.mode == "play" and is_mistake(move, self.look.teach_points, _WINRATE):
            self.warning = Remark(node, move)
        return self.changed()

    @property
    def warned(self) -> Remark | None:
        """The word about the move on the board, if there is one."""
        return self.warning if self.warning is not None and self.warning.node is self.record.node else None

    def show_why(self) -> None:
        """Shows on the board what answers the move."""
        if self.warning is not None:
            self.warning = Remark(self.warning.node, self.warning.move, explained=True)
            self.changed()

    def go_on_anyway(self) -> None:
        """The move stays."""
        self.warning = None
        self.changed()

    def refutation(self) -> list[int]:
        """The moves that show why the last one was bad, once asked for."""
        shown = self.warned
        if shown is None or not shown.explained:
            return []
        reason = shown.move.reason
        return list(reason.line if reason is not None and reason.line else shown.move.refutation)

    def playing_so_far(self, color: Color) -> PlayerSummary | None:
        """The visitor's moves of this game in numbers; None before the first was judged."""
        line, known = self.record.line(), self.reviewed.verdicts
        moves = [known[node] for node in line if node in known and known[node].color == color]
        return summary_of(moves, color, "", self.record.game.size) if moves else None

    # Hints

    def ask_hint(self) -> None:
        """First where to look, then what to play, then nothing again."""
        here = self.hint is self.record.node
        self.hint_step = (self.hint_step + 1) % 3 if here else AREA
        self.hint = self.record.node if self.hint_step else None
        self.changed()

    @property
    def hinted_part(self) -> str:
        """The part of the board in which the hint lies, while the move itself is still hidden; else empty."""
        finding = self.finding
        if self.hint is not self.record.node or self.hint_step != AREA or finding is None or not finding.moves:
            return ""
        best = finding.moves[0].move
        return part_of_board(best, self.record.game.size) if best >= 0 else "pass"

    def hinted_area(self) -> list[int]:
        """The points of that part."""
        part, size = self.hinted_part, self.record.game.size
        return [point for point in range(size**2) if part and part_of_board(point, size) == part]
