"""The API and the gate before it, over HTTP without a browser."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from tesuji.interfaces.web.server.keys import Keys

ENGINE = {"kind": "engine", "level": "club"}


async def new_game(client: httpx.AsyncClient, **setup: object) -> str:
    answer = await client.post("/api/games", json={"size": 5, "white": ENGINE, **setup})
    assert answer.status_code == 201, answer.text
    return f"/api/games/{answer.json()['id']}"


def test_a_whole_game_by_api(talk: Callable[..., None]) -> None:
    async def conversation(client: httpx.AsyncClient) -> None:
        game = await new_game(client)
        state = (await client.post(f"{game}/moves", json={"move": "C3"})).json()
        assert state["moves"][0] == "C3"
        assert len(state["moves"]) == 2
        assert state["board"][2][2] == "X"
        taken = (await client.post(f"{game}/undo")).json()
        assert taken["moves"] == []
        while not state["over"]:
            state = (await client.post(f"{game}/moves", json={"move": "pass"})).json()
        assert state["result"]
        sgf = await client.get(f"{game}/sgf")
        assert sgf.text.startswith("(;")
        assert (await client.post(f"{game}/moves", json={"move": "A1"})).status_code == 409

    talk(conversation)


def test_where_the_engine_begins_its_move_is_there(talk: Callable[..., None]) -> None:
    async def conversation(client: httpx.AsyncClient) -> None:
        game = await new_game(client, black=ENGINE, white={"kind": "human"})
        state = (await client.get(game)).json()
        assert len(state["moves"]) == 1
        assert state["to_play"] == "white"

    talk(conversation)


def test_analysis_adds_up(talk: Callable[..., None]) -> None:
    async def conversation(client: httpx.AsyncClient) -> None:
        game = await new_game(client)
        found = (await client.get(f"{game}/analysis", params={"visits": 60})).json()
        assert found["visits"] >= 60
        assert 0 <= found["black_winrate"] <= 1
        assert found["candidates"][0]["pv"][0] == found["candidates"][0]["move"]

    talk(conversation)


@pytest.mark.parametrize(
    ("body", "code", "word"),
    [
        ({"size": 1000}, 422, "boards have 2 to 25"),
        ({"komi": "much"}, 422, "komi"),
        ({"komi": 361}, 422, "komi 361; komi is a number of points or half points from -200 to 200"),
        ({"size": 19, "handicap": 200}, 422, "a handicap of 200; on this board it has 2 to 9 stones, or none"),
        ({"rules": "chess"}, 422, "known: chinese"),
        ({"white": {"kind": "engine", "level": "god"}}, 422, "known: newcomer"),
        ({"black": ENGINE, "white": ENGINE}, 422, "human"),
        ({"white": {"kind": "engine", "network": "../../etc/passwd"}, "black": {"kind": "human"}}, 503, "no network"),
    ],
)
def test_games_that_cannot_be(talk: Callable[..., None], body: dict[str, object], code: int, word: str) -> None:
    async def conversation(client: httpx.AsyncClient) -> None:
        answer = await client.post("/api/games", json=body)
        if answer.status_code == 201:  # the network is needed only when it has to move
            answer = await client.post(f"/api/games/{answer.json()['id']}/moves", json={"move": "E5"})
        assert answer.status_code == code
        assert word in answer.text

    talk(conversation)


@pytest.mark.parametrize(("move", "code"), [("C3", 409), ("Z99", 422), ("", 422), ("x" * 50, 422), ("I5", 422)])
def test_moves_that_cannot_be(talk: Callable[..., None], move: str, code: int) -> None:
    async def conversation(client: httpx.AsyncClient) -> None:
        game = await new_game(client, white={"kind": "human"})
        await client.post(f"{game}/moves", json={"move": "C3"})
        answer = await client.post(f"{game}/moves", json={"move": move})
        assert answer.status_code == code
        assert len((await client.get(game)).json()["moves"]) == 1

    talk(conversation)


def test_games_are_found_by_their_key_alone(talk: Callable[..., None]) -> None:
    async def conversation(client: httpx.AsyncClient) -> None:
        for key in ("a", "..%2f..%2fetc%2fpasswd", "A" * 24):
            assert (await client.get(f"/api/games/{key}")).status_code == 404
        game = await new_game(client)
        assert (await client.delete(game)).status_code == 204
        assert (await client.get(game)).status_code == 404

    talk(conversation)


def test_the_description_loads_nothing_from_elsewhere(talk: Callable[..., None]) -> None:
    async def conversation(client: httpx.AsyncClient) -> None:
        page = await client.get("/api")
        assert "http://" not in page.text.replace("http://127", "")
        assert "https://" not in page.text
        assert "default-src 'self'" in page.headers["content-security-policy"]
        paths = (await client.get("/api/openapi.json")).json()["paths"]
        assert {"/api/games", "/api/games/{key}/moves", "/api/levels"} <= set(paths)
        assert "/open" not in paths

    talk(conversation)


def test_every_refusal_is_described(talk: Callable[..., None]) -> None:
    async def conversation(client: httpx.AsyncClient) -> None:
        described = (await client.get("/api/openapi.json")).json()
        key = (await client.post("/api/games", json={"size": 5, "white": {"kind": "human"}})).json()["id"]
        both = {"black": {"kind": "engine"}, "white": {"kind": "engine"}}
        calls: list[tuple[int, str, str, dict[str, Any]]] = [
            (404, "GET", "/api/games/{key}", {}),
            (404, "GET", "/api/games/{key}/analysis", {}),
            (404, "DELETE", "/api/games/{key}", {}),
            (400, "POST", "/api/games", {"content": b"\x80abc", "headers": {"content-type": "application/json"}}),
            (422, "POST", "/api/games", {"json": both}),
            (422, "POST", "/api/games", {"json": {"size": "x"}}),
            (422, "POST", "/api/games/sgf", {"content": b"no record"}),
            (409, "POST", "/api/games/{key}/undo", {}),
        ]
        for status, method, path, body in calls:
            answer = await client.request(method, path.format(key="x" if status == 404 else key), **body)
            assert (answer.status_code, path) == (status, path), answer.text
            told = described["paths"][path][method.lower()]["responses"][str(status)]
            assert told["content"]["application/json"]["schema"]["$ref"].endswith("/Refusal")
            assert isinstance(answer.json()["detail"], str | list)
        for method in ("PUT", "TRACE", "QUERY"):
            wrong = await client.request(method, "/api/levels")
            assert (wrong.status_code, wrong.headers["allow"]) == (405, "GET")
        options = await client.options("/api/games/sgf")
        assert (options.status_code, options.headers["allow"]) == (405, "POST")  # it is no game by the key "sgf"
        assert (await client.options(f"/api/games/{key}")).headers["allow"] == "DELETE, GET"
        assert (await client.get("/api/nothing")).json()["detail"].startswith("nothing is here")
        links = described["paths"]["/api/games"]["post"]["responses"]["201"]["links"]
        known = {what["operationId"] for verbs in described["paths"].values() for what in verbs.values()}
        assert {link["operationId"] for link in links.values()} <= known

    talk(conversation)


def test_a_game_begins_from_a_record(talk: Callable[..., None]) -> None:
    record = b"(;SZ[9]KM[6.5];B[ee];W[cc];B[gg])(;SZ[13];B[dd])"

    async def conversation(client: httpx.AsyncClient) -> None:
        state = (await client.post("/api/games/sgf", content=record)).json()
        assert (state["size"], state["komi"], state["moves"], state["over"]) == (9, 6.5, ["E5", "C7", "G3"], False)
        url = f"/api/games/{state['id']}"
        assert (await client.get(f"{url}/analysis?visits=8")).json()["candidates"]
        assert (await client.post(f"{url}/moves", json={"move": "C3"})).json()["moves"][-1] == "C3"
        asked: dict[str, str | int] = {"engine": "white", "level": "casual", "move": 1}
        state = (await client.post("/api/games/sgf", content=record, params=asked)).json()
        assert len(state["moves"]) == 2  # the position after the first move, and the engine's answer to it
        assert (await client.post("/api/games/sgf", content=record, params={"game": 1})).json()["size"] == 13
        for bad, query in ((b"nothing", {}), (record, {"game": 7}), (record, {"engine": "white", "level": "god"})):
            answer = await client.post("/api/games/sgf", content=bad, params=query)
            assert answer.status_code == 422, answer.text

    talk(conversation)


def test_a_game_that_ends_before_its_end_is_counted_with_what_is_in_doubt(talk: Callable[..., None]) -> None:
    full = "".join(f"[{column}{row}]" for row in "abcde" for column in "abcde" if row + column not in ("aa", "ee"))

    async def conversation(client: httpx.AsyncClient) -> None:
        # Nobody has a stone; then the whole board is Black's, whatever komi White has.
        for record, result, told in ((";", "W+200", True), (f";AB{full}", "W+175", False)):
            data = f"({record}SZ[5]KM[200]RU[Chinese];B[];W[])".encode()
            state = (await client.post("/api/games/sgf", content=data, params={"move": 1})).json()
            assert (state["over"], state["doubts"]) == (False, [])
            state = (await client.post(f"/api/games/{state['id']}/moves", json={"move": "pass"})).json()
            assert (state["over"], state["result"]) == (True, result)
            assert any("still to be played" in doubt for doubt in state["doubts"]) is told

    talk(conversation)


def test_several_games_and_an_unfinished_one_are_asked_about(talk: Callable[..., None]) -> None:
    several = b"(;SZ[9]PB[Ann];B[ee])(;SZ[9]PB[Bob];B[cc];W[dd])"

    async def conversation(client: httpx.AsyncClient) -> None:
        await client.get("/")
        assert (await client.post("/open", content=several)).json() == {"games": ["1. Ann – ?", "2. Bob – ?"]}
        assert (await client.post("/open?game=1", content=several)).json() == {"moves": 2}
        assert (await client.post("/open?game=5", content=several)).status_code == 422

    talk(conversation)


def test_a_record_goes_in_and_comes_out(talk: Callable[..., None]) -> None:
    async def conversation(client: httpx.AsyncClient) -> None:
        await client.get("/")  # which gives a key
        answer = await client.post("/open", content=b"(;SZ[9]PB[Ann];B[ee]C[hello];W[cc])")
        assert answer.json() == {"moves": 2}
        back = await client.get("/game.sgf")
        assert "PB[Ann]" in back.text
        assert "hello" in back.text

    talk(conversation)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", 422),
        (b"\x00\xff" * 5000, 422),
        (b"(;SZ[1000])", 422),
        (b"(;SZ[9];B[ee];W[ee])", 422),
        (b"(" * 100_000, 422),
        (b"(;B[aa]" * 20_000, 422),
        (b"x" * (2 * 1024 * 1024 + 1), 413),
    ],
)
def test_a_record_that_is_none(talk: Callable[..., None], data: bytes, code: int) -> None:
    async def conversation(client: httpx.AsyncClient) -> None:
        answer = await client.post("/open", content=data)
        assert answer.status_code == code
        assert "\n" not in answer.json()["detail"]
        assert len(answer.text) < 700

    talk(conversation)


@pytest.mark.parametrize(("headers", "most"), [({}, 9), ({"content-length": "100000000"}, 0)])
def test_a_hundred_megabytes_are_refused_before_they_are_read(
    talk: Callable[..., None], headers: dict[str, str], most: int
) -> None:
    sent = 0

    async def conversation(client: httpx.AsyncClient) -> None:
        async def endless() -> AsyncIterator[bytes]:
            nonlocal sent
            for _ in range(100):
                sent += 1
                yield b"x" * 1_000_000

        answer = await client.post("/open", content=endless(), headers=headers)
        assert answer.status_code == 413

    talk(conversation)
    assert sent <= most


def test_a_local_server_answers_to_local_names_only(talk: Callable[..., None]) -> None:
    async def conversation(client: httpx.AsyncClient) -> None:
        assert (await client.get("/api/levels")).status_code == 200
        for host in ("evil.example", "127.0.0.1.evil.example", "[::1", ""):
            assert (await client.get("/api/levels", headers={"host": host})).status_code == 421
        other = {"origin": "http://evil.example"}
        assert (await client.post("/api/games", json={}, headers=other)).status_code == 403

    talk(conversation)


def test_a_public_server_wants_its_token(talk: Callable[..., None]) -> None:
    async def conversation(client: httpx.AsyncClient) -> None:
        assert (await client.get("/api/levels")).status_code == 401
        assert (await client.get("/api/levels?token=wrong")).status_code == 401
        bearer = {"authorization": "Bearer secret"}
        assert (await client.get("/api/levels", headers=bearer)).status_code == 200
        answer = await client.get("/api/levels?token=secret")
        assert answer.status_code == 303
        assert answer.headers["location"] == "/api/levels"
        assert (await client.get("/api/levels")).status_code == 200  # by the cookie now

    talk(conversation, token="secret", base="http://board.example:9000")


def test_games_beyond_the_limit_wait_on_disk(talk: Callable[..., None]) -> None:
    async def conversation(client: httpx.AsyncClient) -> None:
        games = [await new_game(client) for _ in range(5)]  # games of the API make room for each other
        assert (await client.get(games[0])).status_code == 200

    talk(conversation, limit=2)


def test_a_key_that_the_visitor_made_up_opens_nothing(talk: Callable[..., None]) -> None:
    async def conversation(client: httpx.AsyncClient) -> None:
        chosen = "A" * 24
        client.cookies.set("tesuji_visitor", chosen, domain="127.0.0.1")
        answer = await client.get("/")
        given = answer.cookies["tesuji_visitor"]
        assert given != chosen
        for key in (chosen, given[:-1] + ("A" if given[-1] != "A" else "B"), "x" * 10_000, "%00", "..%2f..%2fsecret"):
            assert (await client.get(f"/api/games/{key}")).status_code == 404
        client.cookies.set("tesuji_visitor", given, domain="127.0.0.1")
        assert "tesuji_visitor" not in (await client.get("/")).cookies, "its own key is known again"

    talk(conversation)


def test_keys_are_known_after_a_restart_and_by_no_other_server(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    key = Keys(tmp_path).new()
    assert Keys(tmp_path).is_ours(key)
    assert not Keys(tmp_path / "other").is_ours(key)
    (tmp_path / "secret").write_bytes(b"cut")
    assert not Keys(tmp_path).is_ours(key)


def test_analysis_beside_moves_of_the_same_game(talk: Callable[..., None]) -> None:
    """Whoever plays a move gets the engine's answer, however many ask for an analysis at that moment."""

    async def conversation(client: httpx.AsyncClient) -> None:
        game = await new_game(client)
        for vertex in ("C3", "A1", "E5"):
            state = (await client.get(game)).json()
            if state["over"] or vertex in state["moves"]:
                break
            before = len(state["moves"])
            asked = [client.get(f"{game}/analysis?visits=30") for _ in range(3)]
            played, *analyses = await asyncio.gather(
                client.post(f"{game}/moves", json={"move": vertex}), *asked, return_exceptions=False
            )
            assert played.status_code == 200, played.text
            assert len(played.json()["moves"]) == before + 2 or played.json()["over"]
            assert [answer.status_code for answer in analyses] == [200] * 3

    talk(conversation)


def test_a_game_under_analysis_makes_no_room_and_may_be_removed(talk: Callable[..., None]) -> None:
    async def conversation(client: httpx.AsyncClient) -> None:
        game = await new_game(client)
        asked = asyncio.ensure_future(client.get(f"{game}/analysis?visits=2000"))
        others = [asyncio.ensure_future(new_game(client)) for _ in range(4)]
        await asyncio.sleep(0.05)
        removed = await client.delete(game)
        assert removed.status_code == 204
        assert (await asked).status_code == 200
        await asyncio.gather(*others)

    talk(conversation, limit=6)


def test_a_game_whose_file_was_pruned_is_saved_when_it_makes_room(talk: Callable[..., None], tmp_path: Path) -> None:
    async def conversation(client: httpx.AsyncClient) -> None:
        game = await new_game(client)
        await client.post(f"{game}/moves", json={"move": "C3"})
        await asyncio.sleep(0.5)  # until it is written
        for file in tmp_path.glob("*.json"):
            file.unlink()
        for _ in range(3):
            await new_game(client)
        assert (await client.get(game)).json()["moves"][0] == "C3"

    talk(conversation, limit=2)
