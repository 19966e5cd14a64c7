"""The count at the end of a game: dead stones, who owns what, and the result in words."""

from tesuji import BLACK, WHITE, Game
from tesuji.search.endgame.judge import Judgement, judge_by_dead


class Count:
    """A finished game with the stones both sides call dead."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.dead: set[int] = set()
        self.ownership: list[float] | None = None
        self.suggested = False
        self.touched = False
        self._judged: tuple[frozenset[int], Judgement] | None = None

    def suggest(self, dead: list[int], ownership: list[float] | None = None) -> None:
        """The engine's opinion; the players may change it."""
        self.dead = {point for point in dead if self.game.board.at(point) is not None}
        self.ownership = ownership
        self.suggested = True

    def toggle(self, point: int) -> None:
        """Changes the status of the chain there, if there is one."""
        board = self.game.board
        if board.at(point) is None:
            return
        chain = set(board.chain(point))
        self.dead = self.dead - chain if point in self.dead else self.dead | chain
        self.touched = self.suggested = True

    @property
    def judgement(self) -> Judgement:
        """What follows from the stones called dead, by the same judge as everywhere."""
        dead = frozenset(self.dead)
        if self._judged is None or self._judged[0] != dead:
            self._judged = (dead, judge_by_dead(self.game, dead))
        return self._judged[1]

    def owners(self) -> list[float]:
        """By point: 1 Black's, -1 White's, 0 nobody's; living stones count as their player's own."""
        value = {BLACK: 1.0, WHITE: -1.0, None: 0.0}
        return [value[owner] for owner in self.judgement.owners]

    @property
    def black_lead(self) -> float:
        """Black's lead in points, komi taken off."""
        return self.judgement.black_score

    @property
    def result(self) -> str:
        """As SGF writes it."""
        return self.judgement.result
