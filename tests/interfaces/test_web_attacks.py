"""What a hostile visitor or a foreign page may send: it harms nobody else."""

import asyncio
import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from tests.interfaces.test_web_thinker import enter, lobby_in
from tests.interfaces.web_parts import heard
from tesuji import BLACK, PASS
from tesuji.interfaces.web.game.editing import place_stone
from tesuji.interfaces.web.game.record import MAX_LINE, Record
from tesuji.interfaces.web.game.session import Session
from tesuji.interfaces.web.game.store import session_from, state_of
from tesuji.interfaces.web.server.keys import Keys
from tesuji.interfaces.web.server.lobby import Lobby
from tesuji.interfaces.web.words.words import WordedError


def test_a_second_spelling_of_a_key_is_none_of_ours(tmp_path: Path) -> None:
    keys = Keys(tmp_path)
    key = next(key for key in iter(keys.new, "") if "-" in key and "_" in key)
    assert keys.is_ours(key)
    for alias in (key.replace("-", "+"), key.replace("_", "/"), key + "=", key + "\n", " " + key):
        assert not keys.is_ours(alias), alias


def place_that_cannot_be_saved(lobby: Lobby) -> None:
    """Its key is no name for a file: as a defect would let one in."""
    place = lobby.enter("no/key")
    place.session.touch(12)
    place.session.unsaved = True


def test_a_place_that_cannot_be_saved_makes_room_all_the_same(
    tmp_path: Path, network_file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def play() -> None:
        async with lobby_in(tmp_path, network_file, limit=1) as lobby:
            place_that_cannot_be_saved(lobby)
            enter(lobby)
            assert len(lobby) == 1

    with caplog.at_level(logging.ERROR):
        asyncio.run(play())
    assert "could not be saved" in caplog.text


def test_closing_saves_the_others_where_one_cannot_be_saved(tmp_path: Path, network_file: Path) -> None:
    async def play() -> None:
        async with lobby_in(tmp_path, network_file) as lobby:
            place_that_cannot_be_saved(lobby)
            other = enter(lobby)
            other.session.touch(12)
        async with lobby_in(tmp_path, network_file) as lobby:
            assert lobby.enter(other.key).session.record.number >= 1

    asyncio.run(play())


FOREIGN = [
    {"origin": "http://evil.example"},
    {"origin": "http://[evil"},
    {"origin": "null"},
    {"origin": "null", "sec-fetch-site": "cross-site"},
    {"origin": "null", "sec-fetch-site": "same-site"},
]


@pytest.mark.parametrize("headers", FOREIGN, ids=lambda one: " ".join(one.values()))
def test_a_foreign_page_is_not_answered(talk: Callable[..., None], headers: dict[str, str]) -> None:
    async def conversation(client: httpx.AsyncClient) -> None:
        answer = await client.post("/api/games", json={"size": 5}, headers=headers)
        assert (answer.status_code, answer.json()) == (403, {"detail": "requests of other pages are not answered"})

    talk(conversation)


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"origin": "http://127.0.0.1:8080"},
        *({"origin": "null", "sec-fetch-site": s} for s in ("same-origin", "none")),
    ],
    ids=lambda one: " ".join(one.values()) or "no page",
)
def test_the_own_page_and_programs_are_answered(talk: Callable[..., None], headers: dict[str, str]) -> None:
    async def conversation(client: httpx.AsyncClient) -> None:
        assert (await client.get("/api/levels", headers=headers)).status_code == 200

    talk(conversation)


def test_a_record_is_read_outside_the_loop(talk: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    read_in: list[threading.Thread] = []
    jump = Record.jump

    def noted(self: Record, number: int) -> None:
        read_in.append(threading.current_thread())
        jump(self, number)

    monkeypatch.setattr(Record, "jump", noted)

    async def conversation(client: httpx.AsyncClient) -> None:
        assert (await client.post("/api/games/sgf", content=b"(;SZ[9];B[ee])")).status_code == 201
        assert threading.current_thread() not in read_in

    talk(conversation)
    assert read_in


SLOWEST_NODE = b";AB[aa:yw]"  # a whole board set up: no node of a few letters costs more to play
MOST_SECONDS = 5.0  # of processor time; a step takes a quarter of one, and took twenty times as long


def long_record(nodes: int, node: bytes = SLOWEST_NODE) -> bytes:
    return b"(;SZ[25]" + node * nodes + b")"


@pytest.mark.parametrize("path", ["/open?game=0", "/api/games/sgf"])
@pytest.mark.parametrize("node", [SLOWEST_NODE, b";B[]"])
def test_a_record_whose_steps_would_keep_everybody_waiting_is_refused(
    talk: Callable[..., None], path: str, node: bytes
) -> None:
    async def conversation(client: httpx.AsyncClient) -> None:
        answer = await client.post(path, content=long_record(49_990, node))
        assert answer.status_code == 422
        assert "more than 2000 moves in a row" in answer.json()["detail"]

    talk(conversation)


def test_a_long_line_is_refused_among_variations_too() -> None:
    with pytest.raises(WordedError, match="in a row"):
        Record.from_sgf(b"(;SZ[9](;B[aa])(" + b";B[]" * (MAX_LINE + 1) + b"))")


def test_a_tree_of_more_nodes_than_anybody_draws_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tesuji.interfaces.web.game.record.MAX_NODES", 100)
    assert len(Record.from_sgf(b"(;SZ[9]" + b"(;B[aa])" * 99 + b")").root.children) == 99
    with pytest.raises(WordedError, match="more than 100 moves"):
        Record.from_sgf(b"(;SZ[9]" + b"(;B[aa])" * 100 + b")")


def test_steps_through_the_longest_record_take_a_fraction_of_a_second() -> None:
    session = Session()
    session.open_record(Record.from_sgf(long_record(MAX_LINE)))
    begin = time.process_time()
    session.jump(10**6)
    session.walk(-1)
    assert session.record.number == MAX_LINE - 1
    assert time.process_time() - begin < MOST_SECONDS


def test_opening_the_longest_record_takes_bounded_work() -> None:
    begin = time.process_time()
    Session().open_record(Record.from_sgf(long_record(MAX_LINE, b";B[]")))
    assert time.process_time() - begin < MOST_SECONDS


def test_a_game_at_its_longest_takes_no_more_moves_and_is_found_again() -> None:
    session = Session()
    session.open_record(Record.from_sgf(b"(;SZ[9]" + b";B[];C[x]" * (MAX_LINE // 2) + b")"))
    session.jump(10**6)
    with pytest.raises(WordedError, match="at most 2000 moves"):
        session.record.play(PASS)
    session.record.node.properties["B"] = [""]  # stones are set up in a node of their own after a move
    with pytest.raises(WordedError, match="at most 2000 moves"):
        place_stone(session.record, BLACK, 3)
    said = heard(session)
    session.touch(12)
    assert said == ["A game here has at most 2000 moves."]  # no rule forbids it: not "is not possible: ..."
    assert session.record.number == MAX_LINE
    assert session_from(state_of(session)).record.number == MAX_LINE


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
def test_the_address_that_takes_records_is_no_game(talk: Callable[..., None], method: str) -> None:
    async def conversation(client: httpx.AsyncClient) -> None:
        answer = await client.request(method, "/api/games/sgf")
        assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
        assert (await client.get("/api/games/sgf/sgf")).status_code == 404

    talk(conversation)
