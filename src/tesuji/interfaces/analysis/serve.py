"""The protocol over a websocket: one JSON object a frame, a conversation of its own for every client."""

import asyncio
import hmac
from collections.abc import Callable
from urllib.parse import urlsplit

import uvicorn
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from tesuji.base.errors import InputError
from tesuji.interfaces.analysis.analyst import Analyst
from tesuji.interfaces.analysis.conversation import LONGEST, Conversation

LOCAL = {"127.0.0.1", "localhost", "::1"}
_REFUSED = 1008  # the websocket's code for a client that may not


def address_of(text: str, token: str) -> tuple[str, int]:
    """Host and port of `[HOST:]PORT`. Raises `InputError`, also for an open door without a token."""
    host, _, port = text.rpartition(":")
    host = host.strip("[]") or "127.0.0.1"
    if not port.isascii() or not port.isdigit() or not 0 <= int(port) <= 65535:
        raise InputError(f"--serve takes [HOST:]PORT, not '{text[:60]}'")
    if host not in LOCAL and not token:
        raise InputError(f"--serve {text}: whoever reaches this port could use the machine; give a --token")
    return host, int(port)


def listen(make_analyst: Callable[[], Analyst], host: str, port: int, token: str, say: Callable[[str], None]) -> None:
    """Serves until interrupted."""
    app = create_app(make_analyst(), token)
    shown = f"[{host}]" if ":" in host else host
    say(f"listening on ws://{shown}:{port}/" + (f"?token={token}" if token else ""))
    uvicorn.run(app, host=host, port=port, log_config=None, log_level="warning", ws_max_size=LONGEST, access_log=False)


def create_app(analyst: Analyst, token: str = "") -> Starlette:
    """The application: every path is the same conversation."""

    async def talk(socket: WebSocket) -> None:
        if not _may_enter(socket, token):
            await socket.close(_REFUSED)
            return
        await socket.accept()
        await _converse(socket, analyst)

    return Starlette(routes=[WebSocketRoute("/{path:path}", talk)])


def _may_enter(socket: WebSocket, token: str) -> bool:
    """With the token, or without one from this machine; never a page of some other site in a browser here."""
    origin = socket.headers.get("origin")
    if origin and (urlsplit(origin).hostname or "") not in LOCAL and not token:
        return False
    bearer = socket.headers.get("authorization", "").removeprefix("Bearer ")
    given = socket.query_params.get("token") or bearer
    return not token or hmac.compare_digest(given.encode(), token.encode())


async def _converse(socket: WebSocket, analyst: Analyst) -> None:
    loop = asyncio.get_running_loop()
    lines: asyncio.Queue[str | None] = asyncio.Queue()
    conversation = Conversation(analyst, lambda line: _put(loop, lines, line))

    async def send() -> None:
        while (line := await lines.get()) is not None:
            await socket.send_text(line)

    sender = asyncio.create_task(send())
    try:
        while True:
            frame = await socket.receive()
            if frame["type"] == "websocket.disconnect":
                break
            text = frame.get("text") or (frame.get("bytes") or b"").decode("utf-8", "replace")
            for line in text.splitlines():
                # A question is checked and replayed: not in the loop that serves everybody.
                await asyncio.to_thread(conversation.receive, line)
    except (WebSocketDisconnect, RuntimeError):
        pass
    finally:
        await asyncio.to_thread(conversation.terminate)
        lines.put_nowait(None)
        await asyncio.gather(sender, return_exceptions=True)


def _put(loop: asyncio.AbstractEventLoop, lines: "asyncio.Queue[str | None]", line: str) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(lines.put_nowait, line)
