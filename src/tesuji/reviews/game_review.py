"""A whole game, judged: plain data, with rows for tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from tesuji._core import BLACK, WHITE, Color, Game
from tesuji.base.field_help import with_field_help
from tesuji.base.frames import frame_of
from tesuji.go.sgf.files import GameRecord
from tesuji.go.sgf.variations import Node
from tesuji.reviews.analysis import Analysis, color_word, line_text
from tesuji.reviews.strength import Played, Strength, strength
from tesuji.reviews.summary import PlayerSummary, summary_of
from tesuji.reviews.verdicts import MoveReview, is_mistake

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class GameFacts:
    """What is known of a game beside its moves."""

    name: str = "game"
    black: str = ""
    white: str = ""
    black_rank: str = ""
    white_rank: str = ""
    date: str = ""
    result: str | None = None
    tree: Node | None = field(default=None, repr=False, compare=False)
    """The record as read, whose comments and variations the annotated one keeps."""

    @classmethod
    def of(cls, record: GameRecord, name: str) -> GameFacts:
        """What a record says."""
        return cls(
            name, record.black, record.white, record.black_rank, record.white_rank, record.date,
            record.result, record.tree,
        )  # fmt: skip

    def player(self, color: Color) -> str:
        """The name of a player, or the colour where nobody told it."""
        return (self.black or "Black") if color == BLACK else (self.white or "White")

    def colors_of(self, player: str) -> list[Color]:
        """The colours of a player: `black`, `white`, or those whose name contains the text; both where it is empty."""
        wanted = player.strip().lower()
        if wanted in {"", "b", "w", "black", "white"}:
            return [BLACK, WHITE] if not wanted else [BLACK if wanted[0] == "b" else WHITE]
        return [color for color, name in ((BLACK, self.black), (WHITE, self.white)) if wanted in name.lower()]


@with_field_help
@dataclass(frozen=True)
class GameReview:
    """A game with what every move cost."""

    game: Game
    facts: GameFacts
    network: str
    positions: tuple[Analysis, ...]
    """Before each move and after the last, in the first pass; all with the same visits."""
    moves: tuple[MoveReview, ...]
    settled_from: int
    """The number of moves after which nothing was at stake any more."""
    visits: int
    """Of each position in the first pass."""
    second_visits: int
    """Of the second look at critical moves."""
    least_points: float
    least_winrate: float
    seconds: float = field(default=0.0, compare=False)

    def mistakes(self, colors: Sequence[Color] = (BLACK, WHITE)) -> list[MoveReview]:
        """The moves that lost enough to be called so, the worst first."""
        bad = [move for move in self.moves if move.color in colors and self.is_mistake(move)]
        return sorted(bad, key=lambda move: (-move.loss, move.number))

    def is_mistake(self, move: MoveReview) -> bool:
        """Whether a move lost as much as a mistake does."""
        return is_mistake(move, self.least_points, self.least_winrate)

    def summary(self, color: Color) -> PlayerSummary:
        """One player's moves in numbers."""
        seems = self.strength(color)
        told = summary_of(self.moves, color, self.facts.player(color), self.game.size)
        return told if seems is None else replace(told, strength=seems.text)

    def played(self, color: Color) -> Played:
        """What a player's moves come to before any second look."""
        moves = [move for _, move in self.game.moves[: self.settled_from]]
        return Played.of(self.positions, moves, color)

    def strength(self, color: Color) -> Strength | None:
        """How strong a player seems; None where that was never calibrated."""
        return strength(self.network, self.game.size, self.visits, [self.played(color)])

    def to_rows(self) -> list[dict[str, Any]]:
        """A row for each move."""
        return [self._row(move) for move in self.moves]

    def to_frame(self) -> pandas.DataFrame:
        """The rows as a pandas frame."""
        return frame_of(self.to_rows())

    def _row(self, move: MoveReview) -> dict[str, Any]:
        after = self.positions[move.number]
        size = self.game.size
        return {
            "game": self.facts.name,
            "number": move.number,
            "color": color_word(move.color),
            "player": self.facts.player(move.color),
            "move": move.vertex,
            "better": line_text([move.better], size),
            "points_lost": None if move.points is None else round(move.points, 2),
            "winrate_lost": round(move.winrate, 4),
            "grade": move.grade,
            "mistake": self.is_mistake(move),
            "counted": move.counted,
            "choice": move.choice or None,
            "black_winrate": round(after.black_winrate, 4),
            "black_score": None if after.black_score is None else round(after.black_score, 2),
            "visits": move.visits,
            "looked_twice": move.looked_twice,
            "reason": move.reason.kind if move.reason else None,
            "text": move.text if move.counted else "",
            "line": line_text(move.line, size),
            "refutation": line_text(move.refutation, size),
        }

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data, for JSON."""
        game, facts = self.game, self.facts
        return {
            "name": facts.name,
            "black": facts.black,
            "white": facts.white,
            "black_rank": facts.black_rank,
            "white_rank": facts.white_rank,
            "date": facts.date,
            "result": facts.result,
            "size": game.size,
            "komi": game.komi,
            "rules": game.rules.label or game.rules.sgf,
            "network": self.network,
            "visits": self.visits,
            "second_visits": self.second_visits,
            "seconds": round(self.seconds, 2),
            "settled_from": self.settled_from,
            "players": [self.summary(color).to_dict() for color in (BLACK, WHITE)],
            "mistakes": [move.number for move in self.mistakes()],
            "start": {
                "to_play": color_word(self.positions[0].to_play),
                "black_winrate": round(self.positions[0].black_winrate, 4),
                "black_score": _rounded(self.positions[0].black_score),
            },
            "moves": self.to_rows(),
        }


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 2)
