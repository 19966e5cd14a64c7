"""The protocol over a websocket: one JSON object a frame, a conversation of its own for every client."""

import asyncio
import hmac
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import uvicorn
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from tesuji.base.errors import InputError
from tesuji.interfaces.analysis.analyst import Analyst
from tesuji.interfaces.analysis.conversation import LONGEST, Conversation
from tesuji.interfaces.analysis.unread import Impatient, Outbox

BOUNDS: dict[str, Any] = {"ws": Impatient, "ws_max_size": LONGEST}
"""What keeps one client from taking everything, as uvicorn is told."""
LOCAL = {"127.0.0.1", "localhost", "::1"}
_REFUSED = 1008  # the websocket's code for a client that may not, or does not keep to what is agreed


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
    uvicorn.run(app, host=host, port=port, log_config=None, log_level="warning", access_log=False, **BOUNDS)


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
    outbox = Outbox()
    conversation = Conversation(analyst, outbox.put)
    sender = asyncio.create_task(_send(socket, outbox))
    try:
        while (frame := await socket.receive())["type"] != "websocket.disconnect":
            text = frame.get("text") or (frame.get("bytes") or b"").decode("utf-8", "replace")
            # A question is checked and replayed: not in the loop that serves everybody.
            await asyncio.to_thread(conversation.receive_frame, text)
    except (WebSocketDisconnect, RuntimeError):
        pass
    finally:
        await asyncio.to_thread(conversation.terminate)
        outbox.close()
        await asyncio.gather(sender, return_exceptions=True)


async def _send(socket: WebSocket, outbox: Outbox) -> None:
    while (line := await outbox.next()) is not None:
        await socket.send_text(line)
    if outbox.is_flooded:
        await socket.close(_REFUSED, "answers are not read")
