"""A game under way: takes the players' choices, sees to the rules, and ends as a result."""

import datetime
import hashlib
from dataclasses import dataclass

from tesuji._core import BLACK, PASS, WHITE, Color, Game
from tesuji.arena.play.conditions import Conditions
from tesuji.arena.play.results import GameResult, SideRecord
from tesuji.arena.play.schedule import PlannedGame
from tesuji.go.results import forfeited, resigned, score_text
from tesuji.go.sgf.files import tree_of, write_tree


@dataclass(frozen=True)
class Answer:
    """What a player answers when it is its turn."""

    move: int | None
    """None resigns."""
    value: float | None = None
    """Its own win probability, where it tells."""
    descents: int = 0
    seconds: float = 0.0


class LiveGame:
    """One game of the schedule being played."""

    def __init__(self, planned: PlannedGame, conditions: Conditions) -> None:
        self.planned, self.conditions = planned, conditions
        self.game: Game = planned.opening.begin(conditions.size, conditions.komi, conditions.rules)
        self.result = ""
        self.how = ""
        self._sides = {BLACK: [0, 0.0, 0], WHITE: [0, 0.0, 0]}
        self._sure: list[Color | None] = []

    @property
    def seed(self) -> int:
        """Differs for every game of the tournament, and is the same when the game is played again."""
        text = f"{self.conditions.seed}|{self.planned.key}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big")

    @property
    def player_to_move(self) -> str:
        return self.planned.black if self.game.to_play == BLACK else self.planned.white

    @property
    def decided(self) -> bool:
        return bool(self.result)

    @property
    def passed_out(self) -> bool:
        """Both passed, and the board is still to be counted."""
        return not self.result and self.game.is_over

    def take(self, choice: Answer) -> None:
        """Plays the choice of the side to move; an illegal one loses the game."""
        color = self.game.to_play
        side = self._sides[color]
        side[0] += 1
        side[1] += choice.seconds
        side[2] += choice.descents
        if choice.move is None:
            self.game.resign(color)
            self.end(resigned(color), "resigned")
            return
        if not self.game.is_legal(choice.move):
            self.forfeit(color, f"illegal move {self._text(choice.move)}")
            return
        self.game.play(choice.move)
        if choice.value is not None:
            self._hear(color, choice.value)
        if not self.result and not self.game.is_over and self.game.move_count >= self.conditions.longest:
            self.count("counted as it stood at the move limit")

    def count(self, how: str) -> None:
        """Counts the board as it stands, by the rules."""
        self.end(score_text(self.game.black_score()), how)

    def forfeit(self, color: Color, why: str) -> None:
        """The side of this colour loses for what it did."""
        self.end(forfeited(color), why)

    def end(self, result: str, how: str) -> None:
        assert not self.result, f"{self.planned.key} ended twice: {self.how}, {how}"
        self.result, self.how = result, how

    def adjudicate(self, black_winrate: float) -> None:
        """What the referee thinks after a move; sure often enough in a row, it ends the game."""
        if self.conditions.adjudicate == "referee" and not self.result:
            self._count_sure(black_winrate, "adjudicated by the referee")

    def _hear(self, color: Color, value: float) -> None:
        if self.conditions.adjudicate == "agree":
            self._count_sure(value if color == BLACK else 1 - value, "adjudicated, both players agreeing")

    def _count_sure(self, black_winrate: float, how: str) -> None:
        sure = self.conditions.adjudicate_at
        self._sure.append(BLACK if black_winrate >= sure else WHITE if black_winrate <= 1 - sure else None)
        recent = self._sure[-self.conditions.adjudicate_moves :]
        winner = recent[-1]
        if winner is not None and recent == [winner] * self.conditions.adjudicate_moves:
            self.end(resigned(winner.opponent), how)

    def _text(self, move: int) -> str:
        on_board = move == PASS or 0 <= move < self.game.size**2
        return str(self.game.vertex(move)) if on_board else str(move)

    def finished(self) -> GameResult:
        """The game as a line of the results file."""
        assert self.result, "the game is still running"
        planned = self.planned
        sgf = write_tree(
            tree_of(
                self.game,
                black=planned.black,
                white=planned.white,
                result="Draw" if self.result == "0" else self.result,
                date=datetime.date.today().isoformat(),
                comment=self.how,
            )
        )
        return GameResult(
            key=planned.key,
            black=planned.black,
            white=planned.white,
            result=self.result,
            how=self.how,
            round=planned.round,
            pair=planned.pair,
            opening=planned.opening.name,
            moves=self.game.move_count,
            black_side=self._record(BLACK),
            white_side=self._record(WHITE),
            sgf=sgf.decode(),
        )

    def _record(self, color: Color) -> SideRecord:
        moves, seconds, descents = self._sides[color]
        return SideRecord(int(moves), round(seconds, 4), int(descents))
