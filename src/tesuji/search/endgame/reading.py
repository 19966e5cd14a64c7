"""Whether stones can be captured by play on a few points, every order of moves tried."""

from collections.abc import Collection

from tesuji._core import Board, Color
from tesuji.go.errors import IllegalMoveError

MOST_NODES = 4000  # positions of one reading; about a tenth of a second
_LONGEST_LINE = 60  # moves in a row; stones taken and played again on the same points would go on for hundreds
_LARGEST_DEAD_SHAPE = 6  # points; who takes more stones at once has room for two eyes, whatever is played inside


def can_capture(board: Board, stones: Collection[int], points: Collection[int]) -> bool:
    """Whether the opponent of these stones of one colour, moving first, takes one of them by play on `points` alone.

    Their owner may pass. What cannot be read to the end counts as a capture, and so does a repetition: no is a proof,
    yes may be an opinion. The attacker wins every ko, as if he had all the threats.
    """
    return _Reading(board, stones, points, doubt=True).attack(board.without([]))


def surely_captures(board: Board, stones: Collection[int], points: Collection[int], threats: Color) -> bool:
    """The same, and yes is a proof: what cannot be read to the end is no capture. `threats` wins every ko."""
    return _Reading(board, stones, points, doubt=False, threats=threats).attack(board.without([]))


def moves_on(board: Board, color: Color, points: Collection[int]) -> list[tuple[int, Board]]:
    """The stones taken by each move on these points and the board after it, those that take most first."""
    found = []
    for point in sorted(points):
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


class _Reading:
    def __init__(
        self, board: Board, stones: Collection[int], points: Collection[int], doubt: bool, threats: Color | None = None
    ) -> None:
        """`doubt`: what a position counts as that cannot be read; `threats` wins every ko, by default the attacker."""
        color = board.at(next(iter(stones)))
        assert color is not None
        self.stones, self.color, self.points = stones, color, sorted(points)
        self.doubt, self.threats = doubt, threats or color.opponent
        self.nodes = 0
        # A position under way counts as in doubt until more is known, and so does a repetition.
        self.captured: dict[tuple[int, Color, int | None], bool] = {}

    def _key(self, board: Board, color: Color) -> tuple[int, Color, int | None]:
        return board.hash, color, board.ko

    def _for(self, board: Board, color: Color) -> Board:
        """The board before a move of this colour: who has the threats may take a ko back at once."""
        return board.without([]) if color == self.threats else board

    def attack(self, board: Board, played: int = 0) -> bool:
        """Whether the attacker, to move, takes a stone; so many moves have led here."""
        color = self.color.opponent
        board = self._for(board, color)
        key = self._key(board, color)
        if key not in self.captured:
            self.nodes += 1
            self.captured[key] = self.doubt
            if self.nodes <= MOST_NODES and played < _LONGEST_LINE:
                moves = moves_on(board, color, self.points)
                self.captured[key] = any(self.defend(after, played + 1) for _, after in moves)
        return self.captured[key]

    def defend(self, board: Board, played: int) -> bool:
        """Whether a stone is lost with its owner to move."""
        if any(board.at(stone) != self.color for stone in self.stones):
            return True
        board = self._for(board, self.color)
        key = self._key(board, self.color)
        if key not in self.captured:
            self.captured[key] = self.doubt
            replies = moves_on(board, self.color, self.points)
            lives = any(taken > _LARGEST_DEAD_SHAPE for taken, _ in replies)
            passed = board.without([])  # a pass lifts every ko
            after = (passed, *(board for _, board in replies))
            self.captured[key] = not lives and all(self.attack(board, played + 1) for board in after)
        return self.captured[key]
