"""Practice with a record: guess its moves one after the other, or solve the positions before its mistakes."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from tesuji import BLACK, PASS, WHITE
from tesuji.go.sgf.variations import Node
from tesuji.interfaces.web.game.record import Record
from tesuji.interfaces.web.game.setup import Setup
from tesuji.interfaces.web.game.table import Mode
from tesuji.interfaces.web.game.teaching import Teaching

TRIES = 3
LEAST_POINTS = 3.0  # that a mistake lost, to be worth a problem


@dataclass
class Quiz:
    """How far one has come."""

    kind: Literal["guess", "problem"]
    asked: int = 0
    right: int = 0
    """At the first try."""
    tries: int = 0
    """At the present position."""
    waiting: tuple[Node, ...] = ()
    """Mistakes still to be solved, the present one first."""


class Practice(Teaching):
    """A table at which one tries oneself on a record."""

    quiz: Quiz | None = None

    def adopt(self, setup: Setup, record: Record, mode: Mode) -> None:
        """Takes over a game; practice with another one ends."""
        super().adopt(setup, record, mode)
        self.quiz = self.warning = None

    def _go(self, step: Callable[[], None]) -> None:
        """Nobody walks past the question, or takes tries along to another position."""
        if self.quiz is not None:
            return self.refuse(lambda words: words("practice.find_first"))
        return super()._go(step)

    def look_at(self, number: int) -> None:
        """Shows no candidates either where a move is asked for."""
        if self.quiz is not None:
            return self.refuse(lambda words: words("practice.find_first"))
        return super().look_at(number)

    def problems(self) -> list[Node]:
        """People's mistakes on the line whose better move is clear, in the order of the game."""
        line = self.record.line()
        people = [color for color in (BLACK, WHITE) if self.setup.seat(color).kind == "human"] or [BLACK, WHITE]
        return [
            line[number]
            for number, move in self.reviewed.mistakes(line)
            if line[number] in self.reviewed.clear and move.better != PASS and move.color in people
            if move.points is None or move.points >= LEAST_POINTS
        ]

    def start_guessing(self) -> None:
        """From here on a click guesses the next move of the record."""
        if not self.record.node.children:
            self.record.jump(0)
        self.look.analysis, self.tool, self.quiz = False, "play", Quiz("guess")
        self._skip_passes()
        self.changed()

    def start_problems(self) -> None:
        """To the position before the first mistake; a click answers."""
        found = self.problems()
        if not found:
            return self.refuse(lambda words: words("practice.no_problems"))
        self.look.analysis, self.tool, self.quiz = False, "play", Quiz("problem", waiting=tuple(found))
        return self._next_problem(found[0])

    def stop_practice(self) -> None:
        """Back to looking."""
        self.quiz = None
        self.changed()

    def answer(self, point: int) -> None:
        """The visitor's answer at the present position."""
        quiz = self.quiz
        assert quiz is not None
        if quiz.kind == "problem":
            return self._solve(quiz, point)
        return self._guess(quiz, point)

    def _guess(self, quiz: Quiz, point: int) -> None:
        child = self.record.node.children[0] if self.record.node.children else None
        if child is None or child.move is None:
            return self._end(quiz)
        judged = self.reviewed.verdicts.get(child)
        better = judged is not None and judged.counted and judged.better == point != child.move[1]
        right = point == child.move[1] or better
        if not self._count(quiz, right):
            return self.changed()
        if better:
            self.say(lambda words: words("practice.better"))
        elif not right:
            self._tell_answer("practice.was", child.move[1])
        self.record.walk(1)
        self._skip_passes()
        return self.changed() if self.record.node.children else self._end(quiz)

    def _solve(self, quiz: Quiz, point: int) -> None:
        node = quiz.waiting[0]
        if self.record.node is not node.parent:
            return self._next_problem(node)
        move = self.reviewed.listed[node]
        right = point == move.better
        if not self._count(quiz, right):
            return self.changed()
        self._tell_answer("practice.solved" if right else "practice.was", move.better)
        quiz.waiting = quiz.waiting[1:]
        return self._next_problem(quiz.waiting[0]) if quiz.waiting else self._end(quiz)

    def _count(self, quiz: Quiz, right: bool) -> bool:
        """Notes an answer; whether the position is done with."""
        quiz.asked += quiz.tries == 0
        quiz.right += right and quiz.tries == 0
        quiz.tries = 0 if right else quiz.tries + 1
        if right:
            return True
        if quiz.tries < TRIES:
            self.say(lambda words: words("practice.wrong"))
            return False
        quiz.tries = 0
        return True

    def _tell_answer(self, key: str, move: int) -> None:
        size = self.record.game.size
        self.say(lambda words: words(key, move=words.move(move, size)))

    def _next_problem(self, node: Node) -> None:
        before = node.parent
        assert before is not None
        super()._go(lambda: self.record.go_to(before))

    def _skip_passes(self) -> None:
        """Passes and stones set up are nothing to guess."""
        while self.record.node.children:
            move = self.record.node.children[0].move
            if move is not None and move[1] != PASS:
                return
            self.record.walk(1)

    def _end(self, quiz: Quiz) -> None:
        self.say(lambda words: words("practice.ended", right=quiz.right, asked=quiz.asked))
        self.stop_practice()
