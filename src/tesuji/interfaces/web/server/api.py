"""A small API for other programs: games against the engine, analysis, levels and networks. Described at `/api`."""

from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, Depends, HTTPException, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, JSONResponse
from fastapi.routing import APIRoute

from tesuji.go.coordinates import parse_vertex
from tesuji.interfaces.web.game.levels import DEFAULT_LEVEL, EVERY_LEVEL
from tesuji.interfaces.web.game.record import Record
from tesuji.interfaces.web.game.session import Session
from tesuji.interfaces.web.game.setup import Seat, Setup
from tesuji.interfaces.web.game.sgf_notes import with_notes
from tesuji.interfaces.web.server.api_models import (
    AnalysisModel,
    GameModel,
    LevelModel,
    MoveModel,
    Refusal,
    SetupModel,
)
from tesuji.interfaces.web.server.lobby import Lobby, Place
from tesuji.interfaces.web.words.words import Said, english

# Drawn from our own openapi.json: the usual page would load scripts from elsewhere.
API_PAGE = Path(__file__).parent.parent / "page" / "static" / "api.html"

SGF = "application/x-go-sgf"
Responses = dict[int | str, dict[str, Any]]


def _refusals(reasons: dict[int, str]) -> Responses:
    return {code: {"model": Refusal, "description": why} for code, why in reasons.items()}


ANYWHERE = _refusals(
    {
        400: "no JSON, or none that can be read",
        413: "more than 2 MB",
        422: "something that cannot be",
        503: "every place is taken, or the engine cannot think about this",
    }
)
ABOUT_A_GAME = _refusals({404: "no such game", 409: "not now: the game is over, or the move is not possible"})
# What may be asked of a new game, for programs that read the description.
NEW_GAME: Responses = {
    201: {
        "links": {
            name: {"operationId": name, "parameters": {"key": "$response.body#/id"}}
            for name in ("show_game", "play_move", "undo_move", "analyse_game", "sgf_of_game", "remove_game")
        }
    }
}
api = APIRouter(prefix="/api", responses=ANYWHERE)

# Everything here is a coroutine, the dependencies too: the lobby belongs to the event loop.


async def lobby_of(request: Request) -> Lobby:
    """The lobby of the application that was asked."""
    lobby = request.app.state.lobby
    assert isinstance(lobby, Lobby)
    return lobby


TheLobby = Annotated[Lobby, Depends(lobby_of)]


async def place_of(key: str, lobby: TheLobby, request: Request) -> Place:
    """The game of this key, or 404."""
    place = lobby.find(key) if lobby.keys.is_ours(key) else None
    if place is None:
        if allowed := _methods(_named(request.url.path)):  # /api/games/sgf is no game by the key "sgf"
            raise HTTPException(405, f"only by {allowed}", {"allow": allowed})
        raise HTTPException(404, "no such game")
    return place


ThePlace = Annotated[Place, Depends(place_of)]


@api.get("", response_class=HTMLResponse, include_in_schema=False)
async def describe() -> str:
    """The page for people who write programs."""
    return API_PAGE.read_text(encoding="utf-8")


@api.get("/levels")
async def levels() -> list[LevelModel]:
    """The levels of the engine, weakest first, then those that play like people."""
    return [LevelModel.of(one) for one in EVERY_LEVEL]


@api.get("/networks")
async def networks(lobby: TheLobby) -> list[str]:
    """The networks this server offers."""
    return lobby.networks.names()


@api.post("/games", status_code=201, responses=NEW_GAME)
async def create(setup: SetupModel, lobby: TheLobby) -> GameModel:
    """Begins a game; where the engine begins, its first move is already played."""
    if setup.black.kind == setup.white.kind == "engine":
        raise HTTPException(422, "one side must be human: its moves come by this API")
    place = lobby.enter(lobby.new_key(), Setup.from_dict(setup.model_dump()))
    place.session.changed()
    return GameModel.of(place, await _think(place))


@api.post("/games/sgf", status_code=201, responses=NEW_GAME)
async def take(
    lobby: TheLobby,
    record: Annotated[bytes, Body(media_type=SGF, description="an SGF file, up to 2 MB")],
    game: Annotated[int, Query(ge=0, description="which game of a collection, from 0")] = 0,
    move: Annotated[int, Query(ge=0, description="the position after so many moves; the last one when left out")] = 10
    ** 6,
    engine: Annotated[Literal["black", "white"] | None, Query(description="the side that the engine plays on")] = None,
    level: Annotated[str, Query(description="of /api/levels")] = DEFAULT_LEVEL,
) -> GameModel:
    """A game from an SGF file, at one of its positions: to analyse it, and to go on from there."""
    read = await run_in_threadpool(_position, record, game, move)
    place = lobby.enter(lobby.new_key())
    place.session.take_up(
        read, {name: Seat("engine", level) if name == engine else Seat() for name in ("black", "white")}
    )
    return GameModel.of(place, await _think(place))


@api.get("/games/{key}", operation_id="show_game", responses=ABOUT_A_GAME)
async def show(place: ThePlace) -> GameModel:
    """The state of a game."""
    return GameModel.of(place)


@api.post("/games/{key}/moves", operation_id="play_move", responses=ABOUT_A_GAME)
async def play(place: ThePlace, move: MoveModel) -> GameModel:
    """Plays a move and, where it is the engine's turn, waits for its answer."""
    _play(place.session, move.move.strip())
    return GameModel.of(place, await _think(place))


@api.post("/games/{key}/undo", operation_id="undo_move", responses=ABOUT_A_GAME)
async def undo(place: ThePlace) -> GameModel:
    """Takes back the last move and the engine's answer to it."""
    if place.session.record.node.parent is None:
        raise HTTPException(409, "there is no move to take back")
    place.session.undo()
    return GameModel.of(place)


@api.get("/games/{key}/analysis", operation_id="analyse_game", responses=ABOUT_A_GAME)
async def analyse(place: ThePlace, visits: int = Query(200, ge=1, le=10_000)) -> AnalysisModel:
    """A search of the current position."""
    game = place.session.record.game
    if game.is_over:
        raise HTTPException(409, "the game is over")
    return AnalysisModel.of(await place.thinker.look(visits), game.size)


@api.get(
    "/games/{key}/sgf",
    operation_id="sgf_of_game",
    response_class=Response,
    responses={200: {"content": {SGF: {"schema": {"type": "string"}}}}, **ABOUT_A_GAME},
)
async def sgf(place: ThePlace) -> Response:
    """The record as SGF, with what was found about its positions."""
    return Response(with_notes(place.session), media_type=SGF)


@api.delete("/games/{key}", status_code=204, operation_id="remove_game", responses=ABOUT_A_GAME)
async def remove(place: ThePlace, lobby: TheLobby) -> None:
    """Removes a game."""
    lobby.forget(place.key)


async def nothing_here(request: Request) -> JSONResponse:
    """Whatever else is asked below /api, by whatever method: else the page would answer."""
    path = request.url.path
    fitting = [route for route in api.routes if isinstance(route, APIRoute) and route.path_regex.match(path)]
    if not fitting:
        return JSONResponse({"detail": "nothing is here; /api describes what there is"}, 404)
    allowed = _methods(_named(path) or fitting)
    return JSONResponse({"detail": f"only by {allowed}"}, 405, {"allow": allowed})


def _named(path: str) -> list[APIRoute]:
    """The routes whose path is this to the letter."""
    return [route for route in api.routes if isinstance(route, APIRoute) and route.path == path]


def _methods(routes: list[APIRoute]) -> str:
    return ", ".join(sorted({method for route in routes for method in route.methods or ()}))


def _position(record: bytes, game: int, move: int) -> Record:
    """A game of a file at one of its positions. A large one takes a while: not in the loop that answers everybody."""
    read = Record.from_sgf(record, game)
    read.jump(move)
    return read


def _play(session: Session, move: str) -> None:
    if session.mode != "play" or session.record.game.is_over:
        raise HTTPException(409, "the game is over")
    if move.lower() == "resign":
        session.resign()
        return
    point = parse_vertex(move, session.record.game.size)
    faults: list[str] = []

    def note(said: Said) -> None:
        faults.append(said(english()))

    session.notices.append(note)
    session.play(point)
    session.notices.remove(note)
    if faults:
        raise HTTPException(409, faults[0])


async def _think(place: Place) -> list[str]:
    """Lets the engine answer, and count where both passed: what the count is not sure of."""
    place.thinker.watch()
    try:
        await place.thinker.satisfied()
    finally:
        place.thinker.unwatch()
    if place.session.trouble:
        trouble, place.session.trouble, place.session.paused = place.session.trouble, "", False
        raise HTTPException(503, trouble)
    if place.session.mode != "scoring":
        return []
    doubts = place.session.count.doubts() if place.session.count else []
    place.session.accept()
    return doubts
