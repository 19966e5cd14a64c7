"""The gate before every request: who may come in, how much may be sent, what a page may load."""

import asyncio
import hmac
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tesuji.interfaces.web.server.keys import Keys
from tesuji.interfaces.web.words.words import words_for

MOST_BYTES = 2 * 1024 * 1024
BODY_SECONDS = 120.0  # for all that a request sends, enough for 2 MB by the slowest telephone
VISITOR, TOKEN = "tesuji_visitor", "tesuji_token"
LOCAL = frozenset(("localhost", "127.0.0.1", "::1"))
"""Names of this machine that nobody else reaches it by."""
# Vue compiles its templates in the browser, hence 'unsafe-eval'; nothing may come from, or go to, another server.
_HEADERS = {
    "content-security-policy": "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; "
    "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
}
_CLOSED = (
    "<!doctype html><meta charset=utf-8><title>Tesuji</title><body style='font:16px system-ui;margin:15vh auto;"
    "max-width:30em'><h1 style='font-size:22px'>{title}</h1><p>{about}</p>"
)


class TooLargeError(Exception):
    """More was sent than anybody needs."""


class TooSlowError(Exception):
    """What was announced did not come."""


class Gate:
    """ASGI middleware. Local servers answer to local names only; others ask for the token."""

    def __init__(self, app: ASGIApp, keys: Keys, token: str = "") -> None:
        self.app = app
        self.keys = keys
        self.token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in {"http", "websocket"}:
            return await self.app(scope, receive, send)
        headers = Headers(scope=scope)
        cookies = _cookies(headers)
        refusal = self._refusal(scope, headers, cookies)
        if refusal is not None:
            if scope["type"] == "websocket":
                await receive()
                return await send({"type": "websocket.close", "code": 1008})
            return await refusal(scope, receive, _guarded(send))
        return await self._enter(scope, receive, send, cookies)

    def _refusal(self, scope: Scope, headers: Headers, cookies: dict[str, str]) -> ASGIApp | None:
        host = headers.get("host", "")
        if not self.token and _hostname(host) not in LOCAL:
            return JSONResponse({"detail": "this server answers on localhost only"}, 421)
        if not _from_own_page(headers, host):
            return JSONResponse({"detail": "requests of other pages are not answered"}, 403)
        if self.token:
            given = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("token", [""])[0]
            if given and self._fits(given) and scope["type"] == "http":
                answer = RedirectResponse("/" + scope["path"].lstrip("/"), 303)
                answer.set_cookie(TOKEN, self.token, httponly=True, samesite="strict", max_age=30 * 86400)
                return answer
            bearer = headers.get("authorization", "").removeprefix("Bearer ")
            if not self._fits(cookies.get(TOKEN, "")) and not self._fits(bearer):
                words = words_for("", headers.get("accept-language", ""))
                told = _CLOSED.format(title=words("server.private"), about=words("server.private_about"))
                return HTMLResponse(told, 401)
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length[:20]) > MOST_BYTES:
            return _too_large()
        return None

    def _fits(self, given: str) -> bool:
        return hmac.compare_digest(given.encode("utf-8", "replace"), self.token.encode())

    async def _enter(self, scope: Scope, receive: Receive, send: Send, cookies: dict[str, str]) -> None:
        known = cookies.get(VISITOR, "")
        visitor = known if self.keys.is_ours(known) else self.keys.new()
        scope.setdefault("state", {})["visitor"] = visitor
        started = whole = False
        received = 0
        left = BODY_SECONDS

        async def counted() -> Message:
            nonlocal received, whole, left
            if whole or scope["type"] != "http":
                return await receive()
            clock = asyncio.get_running_loop().time
            began = clock()
            try:
                message = await asyncio.wait_for(receive(), max(left, 1.0))
            except asyncio.TimeoutError:
                raise TooSlowError from None
            left -= clock() - began
            whole = not message.get("more_body", False)
            received += len(message.get("body", b""))
            if received > MOST_BYTES:
                raise TooLargeError
            if left < 0 and not whole:
                raise TooSlowError
            return message

        async def marked(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                answer = MutableHeaders(scope=message)
                if visitor != known and scope["path"] == "/":
                    cookie = f"{VISITOR}={visitor}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax"
                    answer.append("set-cookie", cookie)
            await guarded(message)

        guarded = _guarded(send)
        try:
            await self.app(scope, counted, marked)
        except (TooLargeError, TooSlowError) as fault:
            if not started:
                await (_too_large() if isinstance(fault, TooLargeError) else _too_slow())(scope, receive, guarded)


def _guarded(send: Send) -> Send:
    """Adds what every answer tells a browser, a refusal too."""

    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            answer = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                answer.setdefault(name, value)
        await send(message)

    return guarded


def _too_large() -> JSONResponse:
    return JSONResponse({"detail": "more than 2 MB cannot be sent here"}, 413)


def _too_slow() -> JSONResponse:
    return JSONResponse({"detail": "what was announced did not come in time"}, 408, {"connection": "close"})


def _hostname(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _from_own_page(headers: Headers, host: str) -> bool:
    """Whether our own page asks, or no page at all: a program sends no Origin."""
    origin = headers.get("origin")
    if origin is None:
        return True
    if origin == "null":  # our page, as it has no referrer, but also a foreign one in a sandboxed frame
        return headers.get("sec-fetch-site") in {"same-origin", "none"}
    try:
        return urlsplit(origin).netloc == host
    except ValueError:
        return False


def _cookies(headers: Headers) -> dict[str, str]:
    try:
        return {name: morsel.value for name, morsel in SimpleCookie(headers.get("cookie", "")).items()}
    except CookieError:
        return {}
