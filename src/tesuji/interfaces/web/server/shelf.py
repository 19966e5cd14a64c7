"""Scripts and styles of the page in memory: they never change while it runs, and a new visitor asks for 30 at once."""

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BYTES = 8 * 1024 * 1024


class Shelf:
    """ASGI middleware: what was answered as unchangeable is answered again without another look at the disk."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._kept: dict[tuple[str, bool], tuple[Headers, bytes]] = {}
        self._bytes = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope) if scope["type"] == "http" else Headers()
        if scope.get("method") != "GET" or scope["query_string"] or "range" in headers:
            return await self.app(scope, receive, send)
        key = (scope["path"], "gzip" in headers.get("accept-encoding", ""))
        if key in self._kept:
            told, body = self._kept[key]
            await send({"type": "http.response.start", "status": 200, "headers": list(told.raw)})
            return await send({"type": "http.response.body", "body": body})
        return await self.app(scope, receive, self._noting(key, send))

    def _noting(self, key: tuple[str, bool], send: Send) -> Send:
        """Sends on, and keeps what is worth it."""
        told: Headers | None = None
        parts: list[bytes] = []

        async def noted(message: Message) -> None:
            nonlocal told
            if message["type"] == "http.response.start" and message["status"] == 200:
                answer = Headers(raw=list(message["headers"]))
                told = answer if "immutable" in answer.get("cache-control", "") else None
            elif message["type"] == "http.response.body" and told is not None:
                parts.append(message.get("body", b""))
                if not message.get("more_body"):
                    self._keep(key, told, b"".join(parts))
            await send(message)

        return noted

    def _keep(self, key: tuple[str, bool], told: Headers, body: bytes) -> None:
        if self._bytes + len(body) <= MOST_BYTES:
            self._bytes += len(body)
            self._kept[key] = (told, body)
