"""What goes over the API, in and out; FastAPI checks it and describes it at `/api`."""

from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, Field

from tesuji import BLACK, PASS, WHITE
from tesuji.go.coordinates import vertex_text
from tesuji.interfaces.web.game.finding import Finding
from tesuji.interfaces.web.game.levels import DEFAULT_LEVEL, Level
from tesuji.interfaces.web.server.lobby import Place
from tesuji.interfaces.web.words.words import english
from tesuji.search.result import RootMove


class SeatModel(BaseModel):
    """Who plays a colour."""

    kind: Literal["human", "engine"] = "human"
    level: str = DEFAULT_LEVEL
    network: str = Field(
        default="", max_length=200, description="a name of /api/networks; empty: the best for the board"
    )
    seconds: float = Field(default=2.0, description="thinking time of the level `full`")


class SetupModel(BaseModel):
    """A game about to begin. `human` means: moves come by this API."""

    size: int = 9
    komi: float | None = Field(default=None, description="the usual one of board, rules and handicap when left out")
    rules: str = "chinese"
    handicap: int = 0
    black: SeatModel = SeatModel()
    white: SeatModel = SeatModel(kind="engine")


class MoveModel(BaseModel):
    """A move: a vertex such as `E5`, `pass` or `resign`."""

    move: str = Field(max_length=10)


class GameModel(BaseModel):
    """The state of a game."""

    id: str
    size: int
    komi: float
    rules: str
    board: list[str] = Field(description="rows from the top: X black, O white, . empty")
    moves: list[str] = Field(description="vertices in order, Black's first unless a handicap was given")
    to_play: Literal["black", "white"]
    over: bool
    result: str | None = Field(description="as SGF writes it: B+3.5, W+R, 0")
    captured_by_black: int
    captured_by_white: int
    doubts: list[str] = Field(
        default=[], description="told with the move that ends a game: what its count is not sure of, a sentence each"
    )

    @classmethod
    def of(cls, place: Place, doubts: Sequence[str] = ()) -> "GameModel":
        """The game as it stands now."""
        session, game = place.session, place.session.record.game
        stones = session.record.stones()
        return cls(
            id=place.key,
            size=game.size,
            komi=game.komi,
            rules=game.rules.name,
            board=[stones[start : start + game.size] for start in range(0, len(stones), game.size)],
            moves=["pass" if move == PASS else vertex_text(move, game.size) for _, move in game.moves],
            to_play="black" if game.to_play == BLACK else "white",
            over=session.mode != "play",
            result=session.result or None,
            captured_by_black=game.captured(BLACK),
            captured_by_white=game.captured(WHITE),
            doubts=list(doubts),
        )


class Complaint(BaseModel):
    """A field that cannot be taken."""

    loc: list[str | int]
    msg: str
    type: str


class Refusal(BaseModel):
    """Why there is no answer: one line, or a list of the fields that cannot be taken."""

    detail: str | list[Complaint]


class CandidateModel(BaseModel):
    """A move the search looked at; the win rate is that of the player to move."""

    move: str
    visits: int
    winrate: float
    prior: float
    pv: list[str]

    @classmethod
    def of(cls, move: RootMove, size: int) -> "CandidateModel":
        """A move with its points as vertices."""
        return cls(
            move=vertex_text(move.move, size),
            visits=move.visits,
            winrate=move.value,
            prior=move.prior,
            pv=[vertex_text(each, size) for each in move.pv],
        )


class AnalysisModel(BaseModel):
    """What a search found."""

    black_winrate: float
    black_score: float | None
    visits: int
    candidates: list[CandidateModel]

    @classmethod
    def of(cls, finding: Finding, size: int) -> "AnalysisModel":
        """A finding as Black sees it."""
        return cls(
            black_winrate=1 - finding.white_winrate,
            black_score=finding.black_score,
            visits=finding.visits,
            candidates=[CandidateModel.of(move, size) for move in finding.moves],
        )


class LevelModel(BaseModel):
    """How strongly the engine plays."""

    key: str
    name: str
    summary: str
    measured: str = Field(description="its results in matches; empty where none were played")

    @classmethod
    def of(cls, level: Level) -> "LevelModel":
        """A level without what only the engine needs."""
        words = english()
        return cls(key=level.key, name=level.name, summary=level.about(words), measured=level.strength(words))
