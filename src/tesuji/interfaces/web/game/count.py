"""The count at the end of a game: dead stones, who owns what, and the result in words."""

from dataclasses import dataclass, replace

from tesuji import BLACK, WHITE, Color, Game
from tesuji.search.endgame.judge import Judgement, eyes_in_seki, judge_by_dead


@dataclass(frozen=True)
class Side:
    """What a player's result is made of."""

    territory: int
    """Empty points and those under dead stones."""
    stones: int
    """Living stones; counted by area rules alone."""
    prisoners: int
    """Stones taken, and dead ones on the board; counted by territory rules alone."""
    komi: float = 0.0

    @property
    def total(self) -> float:
        """All of it."""
        return self.territory + self.stones + self.prisoners + self.komi


class Count:
    """A finished game with the stones both sides call dead."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.dead: set[int] = set()
        self.ownership: list[float] | None = None
        self.suggested = False
        self.touched = False
        self.unsettled: list[list[int]] = []
        """Chains of which the engine cannot say whether they live."""
        self.open_borders: list[list[int]] = []
        """Empty points at which something is still to be played."""
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

    def doubt(self, unsettled: list[list[int]], open_borders: list[list[int]]) -> None:
        """What the engine is not sure of."""
        self.unsettled, self.open_borders = unsettled, open_borders

    def in_doubt(self) -> list[int]:
        """All points that are in doubt and that nobody has decided yet."""
        chains = [] if self.touched else self.unsettled
        return sorted({point for part in (*chains, *self.open_borders) for point in part})

    def doubts(self) -> list[str]:
        """The same in sentences, for programs."""
        chains = [] if self.touched else self.unsettled
        judged = replace(self.judgement, unsettled=chains, open_borders=self.open_borders)
        return judged.doubts(self.game.vertex)

    def sides(self) -> dict[Color, Side]:
        """The points of both, by the rules of the game; what handicap stones cost is within White's komi."""
        judged, board = self.judgement, self.game.board
        by_area = self.game.rules.scoring == "area"
        seki = set() if by_area else set(judged.seki)
        found = {}
        for color in (BLACK, WHITE):
            own = {point for point, owner in enumerate(judged.owners) if owner == color}
            living = {point for point in own - self.dead if board.at(point) == color}
            dead = sum(board.at(point) == color.opponent for point in self.dead)  # on ground that is nobody's, too
            taken = 0 if by_area else self.game.captured(color) + dead
            eyes = self._eyes_in_seki(color, seki) if seki else 0
            filled = len(own.intersection(judged.protections))
            found[color] = Side(len(own) - len(living) - eyes - filled, len(living) if by_area else 0, taken)
        komi = found[BLACK].total - found[WHITE].total - self.black_lead
        return {**found, WHITE: replace(found[WHITE], komi=komi)}

    def _eyes_in_seki(self, color: Color, seki: set[int]) -> int:
        """Points inside groups in seki, which territory rules do not count."""
        cleared = self.game.board.without(sorted(self.dead))
        own = [point for point in seki if cleared.at(point) == color]
        lead = eyes_in_seki(cleared, own) if own else 0.0
        return round(abs(lead))

    @property
    def black_lead(self) -> float:
        """Black's lead in points, komi taken off."""
        return self.judgement.black_score

    @property
    def result(self) -> str:
        """As SGF writes it."""
        return self.judgement.result
