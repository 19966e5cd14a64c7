"""A small API for other programs: games against the engine, analysis, levels and networks. Described at `/api`."""

from pathlib import Path
from typing import Any, Literal

from fastapi import APIRouter, HTTPException, Query, Response
from fastapi.responses import HTMLResponse
from pydantic import BaseModel, Field

from tesuji import BLACK, PASS, WHITE
from tesuji.go.coordinates import parse_vertex, vertex_text
from tesuji.interfaces.web.judgement import Judgement
from tesuji.interfaces.web.levels import DEFAULT_LEVEL, LEVELS
from tesuji.interfaces.web.lobby import Lobby, Place
from tesuji.interfaces.web.session import Session
from tesuji.interfaces.web.setup import Setup
from tesuji.interfaces.web.sgf_notes import with_notes

# Drawn from our own openapi.json: the usual page would load scripts from elsewhere.
API_PAGE = Path(__file__).parent / "static" / "api.html"


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
    komi: float = 7.5
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


class CandidateModel(BaseModel):
    """A move the search looked at; the win rate is that of the player to move."""

    move: str
    visits: int
    winrate: float
    prior: float
    pv: list[str]


class AnalysisModel(BaseModel):
    """What a search found."""

    black_winrate: float
    black_score: float | None
    visits: int
    candidates: list[CandidateModel]


def api_router(lobby: Lobby) -> APIRouter:
    """The routes below `/api`."""
    api = APIRouter(prefix="/api")

    def place_of(key: str) -> Place:
        place = lobby.find(key) if len(key) == 24 else None
        if place is None:
            raise HTTPException(404, "no such game")
        return place

    @api.get("", response_class=HTMLResponse, include_in_schema=False)
    async def describe() -> str:
        return API_PAGE.read_text(encoding="utf-8")

    @api.get("/levels")
    async def levels() -> list[dict[str, Any]]:
        """The levels of the engine, weakest first."""
        return [{"key": one.key, "name": one.name, "summary": one.summary, "measured": one.measured} for one in LEVELS]

    @api.get("/networks")
    async def networks() -> list[str]:
        """The networks this server offers."""
        return lobby.networks.names()

    @api.post("/games", status_code=201)
    async def create(setup: SetupModel) -> GameModel:
        """Begins a game; where the engine begins, its first move is already played."""
        if setup.black.kind == setup.white.kind == "engine":
            raise HTTPException(422, "one side must be human: its moves come by this API")
        place = lobby.enter(lobby.new_key(), Setup.from_dict(setup.model_dump()))
        place.session.changed()
        await _think(place)
        return _game(place)

    @api.get("/games/{key}")
    async def show(key: str) -> GameModel:
        """The state of a game."""
        return _game(place_of(key))

    @api.post("/games/{key}/moves")
    async def play(key: str, move: MoveModel) -> GameModel:
        """Plays a move and, where it is the engine's turn, waits for its answer."""
        place = place_of(key)
        _play(place.session, move.move.strip())
        await _think(place)
        return _game(place)

    @api.post("/games/{key}/undo")
    async def undo(key: str) -> GameModel:
        """Takes back the last move and the engine's answer to it."""
        place = place_of(key)
        if place.session.record.node.parent is None:
            raise HTTPException(409, "there is no move to take back")
        place.session.undo()
        return _game(place)

    @api.get("/games/{key}/analysis")
    async def analyse(key: str, visits: int = Query(200, ge=1, le=10_000)) -> AnalysisModel:
        """A search of the current position."""
        place = place_of(key)
        if place.session.record.game.is_over:
            raise HTTPException(409, "the game is over")
        judgement = await place.mind.look(visits)
        return _analysis(judgement, place.session.record.game.size)

    @api.get("/games/{key}/sgf")
    async def sgf(key: str) -> Response:
        """The record as SGF, with what was found about its positions."""
        return Response(with_notes(place_of(key).session), media_type="application/x-go-sgf")

    @api.delete("/games/{key}", status_code=204)
    async def remove(key: str) -> None:
        """Removes a game."""
        place_of(key)
        lobby.forget(key)

    return api


def _play(session: Session, move: str) -> None:
    if session.mode != "play" or session.record.game.is_over:
        raise HTTPException(409, "the game is over")
    if move.lower() == "resign":
        session.resign()
        return
    point = parse_vertex(move, session.record.game.size)
    faults: list[str] = []

    def note(text: str) -> None:
        faults.append(text)

    session.notices.append(note)
    session.play(point)
    session.notices.remove(note)
    if faults:
        raise HTTPException(409, faults[0])


async def _think(place: Place) -> None:
    """Lets the engine answer, and count where both passed."""
    place.mind.watch()
    try:
        await place.mind.settled()
    finally:
        place.mind.unwatch()
    if place.session.trouble:
        trouble, place.session.trouble, place.session.paused = place.session.trouble, "", False
        raise HTTPException(503, trouble)
    if place.session.mode == "scoring":
        place.session.accept()


def _game(place: Place) -> GameModel:
    session, game = place.session, place.session.record.game
    stones = session.record.stones()
    return GameModel(
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
    )


def _analysis(judgement: Judgement, size: int) -> AnalysisModel:
    return AnalysisModel(
        black_winrate=1 - judgement.white_winrate,
        black_score=judgement.black_score,
        visits=judgement.visits,
        candidates=[
            CandidateModel(
                move=vertex_text(one.move, size),
                visits=one.visits,
                winrate=one.winrate,
                prior=one.prior,
                pv=[vertex_text(move, size) for move in one.pv],
            )
            for one in judgement.candidates
        ],
    )
