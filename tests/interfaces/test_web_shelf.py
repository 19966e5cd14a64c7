"""Scripts and styles from memory: what never changes is asked for once, everything else each time."""

import asyncio
from collections import Counter

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from tesuji.interfaces.web.server import shelf
from tesuji.interfaces.web.server.shelf import Shelf

FOREVER = "public, max-age=31536000, immutable"


class Library:
    """An application that counts how often it was asked; nothing below /page stays as it is."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = Request(scope).url.path
        self.asked[path] += 1
        status = 404 if path == "/missing" else 200
        lasting = "no-store" if path == "/page" else FOREVER
        packed = "gzip" if "gzip" in Request(scope).headers["accept-encoding"] else "plain"
        answer = Response(f"{path} {packed}", status, {"cache-control": lasting, "x-kind": "test"})
        await answer(scope, receive, send)


def ask(library: Library, *paths: str, **headers: str) -> list[httpx.Response]:
    """The answers to these requests, one after the other."""

    async def talk() -> list[httpx.Response]:
        transport = httpx.ASGITransport(Shelf(library))
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return [await client.get(path, headers=headers) for path in paths]

    return asyncio.run(talk())


def test_what_never_changes_is_read_once() -> None:
    library = Library()
    first, second = ask(library, "/script.js", "/script.js")
    assert library.asked["/script.js"] == 1
    assert (first.text, first.headers["x-kind"]) == (second.text, second.headers["x-kind"])


@pytest.mark.parametrize("path", ["/page", "/missing", "/script.js?wanted=1"])
def test_everything_else_is_asked_for_each_time(path: str) -> None:
    library = Library()
    ask(library, path, path)
    assert sum(library.asked.values()) == 2


def test_a_part_of_a_file_is_not_taken_for_the_whole() -> None:
    library = Library()
    ask(library, "/script.js", "/script.js", range="bytes=0-3")
    assert library.asked["/script.js"] == 2


def test_who_reads_no_packed_answers_gets_none() -> None:
    library = Library()

    async def talk() -> list[str]:
        transport = httpx.ASGITransport(Shelf(library))
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            ways = ("gzip", "identity", "gzip", "identity")
            return [(await client.get("/a.js", headers={"accept-encoding": way})).text for way in ways]

    assert asyncio.run(talk()) == ["/a.js gzip", "/a.js plain"] * 2
    assert library.asked["/a.js"] == 2


def test_the_shelf_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelf, "MOST_BYTES", 20)
    library = Library()
    ask(library, "/first.js", "/second.js", "/first.js", "/second.js")
    assert library.asked == {"/first.js": 1, "/second.js": 2}
