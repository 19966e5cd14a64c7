"""Whether stones can be captured by play on a few points, every order of moves tried."""

from collections.abc import Collection

from tesuji._core import Board, Color
from tesuji.go.errors import IllegalMoveError

MOST_NODES = 4000  # positions of one reading; about a tenth of a second
_LARGEST_DEAD_SHAPE = 6  # points; who takes more stones at once has room for two eyes, whatever is played inside


def can_capture(board: Board, stones: Collection[int], points: Collection[int]) -> bool:
    """Whether the opponent of these stones of one colour, moving first, takes one of them by play on `points` alone.

    Their owner may pass. What cannot be read to the end counts as a capture, and so does a repetition: no is a proof,
    yes may be an opinion. The attacker wins every ko, as if he had all the threats.
    """
    color = board.at(next(iter(stones)))
    assert color is not None
    return _Reading(stones, color, points).attack(board.without([]))


class _Reading:
    def __init__(self, stones: Collection[int], color: Color, points: Collection[int]) -> None:
        self.stones, self.color, self.points = stones, color, sorted(points)
        self.nodes = 0
        # A position under way counts as a capture until more is known: so a repetition helps the attacker.
        self.captured: dict[tuple[int, Color, int | None], bool] = {}

    def attack(self, board: Board) -> bool:
        """Whether the attacker, to move, takes a stone."""
        key = (board.hash, self.color.opponent, None)
        if key not in self.captured:
            self.nodes += 1
            self.captured[key] = True
            if self.nodes <= MOST_NODES:
                self.captured[key] = any(self.defend(after) for _, after in self._moves(board, self.color.opponent))
        return self.captured[key]

    def defend(self, board: Board) -> bool:
        """Whether a stone is lost with its owner to move."""
        if any(board.at(stone) != self.color for stone in self.stones):
            return True
        key = (board.hash, self.color, board.ko)
        if key not in self.captured:
            self.captured[key] = True
            replies = self._moves(board, self.color)
            lives = any(taken > _LARGEST_DEAD_SHAPE for taken, _ in replies)
            # On boards that know of no ko: the attacker may take back at once.
            boards = (after.without([]) for after in (board, *(after for _, after in replies)))
            self.captured[key] = not lives and all(self.attack(after) for after in boards)
        return self.captured[key]

    def _moves(self, board: Board, color: Color) -> list[tuple[int, Board]]:
        """The stones taken by each move and the board after it, those that take most first."""
        found = []
        for point in self.points:
            if board.at(point) is not None:
                continue
            after = board.copy()
            try:
                taken = after.play(point, color)
            except IllegalMoveError:
                continue
            if taken >= 0:  # own stones are not taken by the rules of most
                found.append((taken, after))
        return sorted(found, key=lambda each: -each[0])
