"""The web application: pages, records in and out, the API, behind one gate."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from copy import copy
from urllib.parse import quote

from fastapi import FastAPI, Request, Response
from fastapi.middleware.gzip import GZipMiddleware
from fastapi.responses import JSONResponse
from nicegui import Client, run, ui

from tesuji.interfaces.web.game.chair import Role
from tesuji.interfaces.web.game.collection import file_name, titles
from tesuji.interfaces.web.game.record import Record
from tesuji.interfaces.web.game.sgf_notes import with_notes
from tesuji.interfaces.web.page.page import STATIC, Page
from tesuji.interfaces.web.server.api import api, nothing_here
from tesuji.interfaces.web.server.installing import add_installing
from tesuji.interfaces.web.server.lobby import Lobby, LobbyFullError, Place
from tesuji.interfaces.web.server.security import Gate
from tesuji.interfaces.web.server.shelf import Shelf
from tesuji.interfaces.web.words.words import Words, in_english, words_for

# A page that was away for longer loads itself anew, and loses what was typed or clicked meanwhile: a machine at its
# limit, or a phone in a tunnel, needs some seconds.
RECONNECT_SECONDS = 20.0


def create_app(lobby: Lobby, token: str = "") -> FastAPI:
    """The API and the records over a lobby; with a `token`, only for those who know it."""

    @asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        yield
        lobby.close()

    app = FastAPI(title="Tesuji", openapi_url="/api/openapi.json", docs_url=None, redoc_url=None, lifespan=life)
    app.state.lobby = lobby
    lobby.token = token
    app.include_router(api)
    app.add_route("/api/{rest:path}", nothing_here, methods=[], include_in_schema=False)  # of any method
    app.add_exception_handler(ValueError, _refuse)
    _records(app, lobby)
    add_installing(app)

    app.add_middleware(Shelf)
    app.add_middleware(Gate, keys=lobby.keys, token=token)
    return app


def add_pages(app: FastAPI, lobby: Lobby) -> None:
    """The page for people. NiceGUI keeps one application for a process, so this is done once."""

    @ui.page("/", title="Tesuji", response_timeout=10)
    def index(request: Request, client: Client) -> None:
        accepted = request.headers.get("accept-language", "")
        words = words_for("", accepted)
        try:
            place = lobby.enter(request.state.visitor)
        except LobbyFullError as fault:
            ui.label(words.fault(fault)).style("margin: 20vh auto; font-size: 18px")
            return
        words = words_for(place.session.look.language, accepted)
        place.session.speak(words)
        _open_page(lobby, place, client, "owner", words)

    @ui.page("/at/{word}", title="Tesuji", response_timeout=10)
    def shared(request: Request, client: Client, word: str) -> None:
        """Somebody else's board, by a link."""
        share = lobby.shares.find(word)
        place = lobby.find(share.key) if share is not None else None
        words = words_for("", request.headers.get("accept-language", ""))
        if share is None or place is None:
            ui.label(words("share.ended")).style("margin: 20vh auto; font-size: 18px")
            return
        _open_page(lobby, place, client, share.role, words)

    icon = STATIC / "favicon.svg"
    ui.run_with(
        app,
        title="Tesuji",
        dark=None,
        tailwind=False,
        favicon=icon,
        show_welcome_message=False,
        language="en-US",
        reconnect_timeout=RECONNECT_SECONDS,
        # Packing takes longer than sending where nothing is far.
        gzip_middleware_factory=GZipMiddleware if lobby.token else None,
    )


def _open_page(lobby: Lobby, place: Place, client: Client, role: Role, words: Words) -> None:
    session, thinker = place.session, place.thinker
    client.page = copy(client.page)  # NiceGUI has one language for all visitors of a page
    client.page.language = words.tag  # type: ignore[assignment]
    place.kept = True
    page = Page(place, lobby, role, words)
    connected = hidden = False

    def hide(now: bool) -> None:
        nonlocal hidden
        if now != hidden:
            hidden = now
            thinker.hide(now)

    def arrive() -> None:
        nonlocal connected
        if not connected:
            connected = True
            session.listeners.append(page.refresh)
            session.notices.append(page.say)
            thinker.watch()
            place.timekeeper.look()
            page.refresh()

    def go() -> None:
        nonlocal connected
        if connected:
            connected = False
            hide(False)
            session.listeners.remove(page.refresh)
            session.notices.remove(page.say)
            thinker.unwatch()
            place.timekeeper.look()

    page.on_hidden(lambda now: hide(connected and now))
    client.on_connect(arrive)
    client.on_disconnect(go)
    client.on_delete(go)


def _records(app: FastAPI, lobby: Lobby) -> None:
    @app.post("/open", include_in_schema=False)
    async def open_record(request: Request, game: int = -1, leave: bool = False) -> Response:
        """Opens a record; asks back which of several games, and whether to leave the present one."""
        data = await request.body()
        session = lobby.enter(request.state.visitor).session
        # A large file takes a while to read: not in the loop that answers everybody.
        names = await run.io_bound(titles, data, session.words) if game < 0 else [""]
        if len(names or ()) > 1:
            return JSONResponse({"games": names})
        record = await run.io_bound(Record.from_sgf, data, max(0, game))
        assert record is not None
        if session.unfinished and not leave:
            return JSONResponse({"unfinished": True})
        session.open_record(record)
        return JSONResponse({"moves": len(record.root.main_line()) - 1})

    @app.get("/game.sgf", include_in_schema=False)
    async def save_record(request: Request) -> Response:
        session = lobby.enter(request.state.visitor).session
        return Response(
            with_notes(session),
            media_type="application/x-go-sgf",
            headers={"content-disposition": _attachment(file_name(session.record.root)), "cache-control": "no-store"},
        )


def _attachment(name: str) -> str:
    """The header that saves an answer under this name, whatever letters it has."""
    parts = (part.encode("ascii", "ignore").decode().strip() for part in name.removesuffix(".sgf").split(" - "))
    plain = " - ".join(part for part in parts if part) or "game"
    return f"attachment; filename=\"{plain}.sgf\"; filename*=UTF-8''{quote(name)}"


async def _refuse(request: Request, fault: Exception) -> JSONResponse:
    """The reason in one line: in English for programs, in the visitor's language for the page."""
    full = isinstance(fault, LobbyFullError)
    if request.url.path.startswith("/api"):
        reason = in_english(fault)
    else:
        place = None if full else request.app.state.lobby.find(request.state.visitor)
        words = place.session.words if place else words_for("", request.headers.get("accept-language", ""))
        reason = words.fault(fault)
    return JSONResponse({"detail": reason[:500]}, 503 if full else 422)
