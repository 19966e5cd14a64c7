"""Sessions that really think: the engine in threads, the session in the loop."""

import asyncio
import os
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.interfaces.web_parts import heard
from tesuji import PASS, Game, Search
from tesuji.interfaces.engine.networks import Networks
from tesuji.interfaces.web.game.record import Record
from tesuji.interfaces.web.game.review_views import graph_props
from tesuji.interfaces.web.game.setup import Seat, Setup
from tesuji.interfaces.web.game.store import Store
from tesuji.interfaces.web.server.keys import Keys
from tesuji.interfaces.web.server.lobby import Lobby, LobbyFullError, Place
from tesuji.interfaces.web.server.page_mind import PageMind

QUICK = Seat("engine", "club")


@asynccontextmanager
async def lobby_in(folder: Path, network: Path, limit: int = 32) -> AsyncIterator[Lobby]:
    networks = Networks(str(network))
    networks.get(networks.own)  # as the server does at its start
    lobby = Lobby(networks, Store(folder), limit=limit, workers=2)
    try:
        yield lobby
    finally:
        lobby.close()


async def until(truth: Callable[[], bool], seconds: float = 20.0) -> None:
    deadline = time.monotonic() + seconds
    while not truth():
        assert time.monotonic() < deadline, "it never happened"
        await asyncio.sleep(0.01)


def enter(lobby: Lobby, setup: Setup | None = None) -> Place:
    place = lobby.enter(lobby.new_key(), setup or Setup(size=5, white=QUICK))
    place.thinker.watch()
    return place


def test_the_engine_answers_and_the_game_survives_a_restart(tmp_path: Path, network_file: Path) -> None:
    async def play() -> None:
        async with lobby_in(tmp_path, network_file) as lobby:
            place = enter(lobby)
            place.session.touch(12)
            await until(lambda: place.session.record.number == 2)
            stones = place.session.record.stones()
        async with lobby_in(tmp_path, network_file) as lobby:
            again = lobby.enter(place.key)
            assert again.session is not place.session
            assert again.session.record.stones() == stones

    asyncio.run(play())


def test_ten_sessions_play_whole_games_at_once(tmp_path: Path, network_file: Path) -> None:
    async def one_game(lobby: Lobby) -> str:
        place = enter(lobby)
        session = place.session
        while session.mode == "play":
            moves = session.record.game.legal_moves()
            session.play(moves[0] if session.record.number < 12 else PASS)
            await until(lambda: session.mode != "play" or not session.to_answer)
        if session.mode == "scoring":
            await until(lambda: session.count is not None and session.count.suggested)
            session.accept()
        await until(lambda: not session.reviewing)
        assert all(node in session.reviewed.verdicts for node in session.record.line()[1:-1])
        assert not session.trouble
        return session.result

    async def play() -> list[str]:
        async with lobby_in(tmp_path, network_file) as lobby:
            return await asyncio.gather(*(one_game(lobby) for _ in range(10)))

    assert all(asyncio.run(play()))


def test_a_closed_tab_stops_the_search(tmp_path: Path, network_file: Path) -> None:
    async def play() -> None:
        async with lobby_in(tmp_path, network_file) as lobby:
            place = enter(lobby)
            place.session.set_look(analysis=True)
            await until(lambda: place.session.finding is not None)
            place.thinker.unwatch()
            await asyncio.wait_for(place.thinker.settled(), 5)
            known = place.session.finding
            await asyncio.sleep(0.5)
            assert place.session.finding is known
            place.thinker.watch()
            await until(lambda: place.session.finding is not known)

    asyncio.run(play())


def test_never_two_searches_for_one_session(
    tmp_path: Path, network_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    running, most, lock = 0, 0, threading.Lock()
    run = Search.run

    def counted(self, *arguments, **options):  # type: ignore[no-untyped-def]
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        try:
            return run(self, *arguments, **options)
        finally:
            with lock:
                running -= 1

    monkeypatch.setattr(Search, "run", counted)

    async def play() -> None:
        async with lobby_in(tmp_path, network_file) as lobby:
            session = (place := enter(lobby)).session
            session.set_look(analysis=True)
            for point in range(5):
                session.touch(point)
                await asyncio.sleep(0.03)
                session.undo()
                session.ask_hint()
                await asyncio.sleep(0.02)
                await place.thinker.look(10)
            assert not session.trouble

    asyncio.run(play())
    assert most == 1


def test_analysis_tells_everything_the_network_knows(tmp_path: Path, network_file: Path) -> None:
    async def play() -> None:
        async with lobby_in(tmp_path, network_file) as lobby:
            place = enter(lobby)
            place.session.set_look(analysis=True)
            await until(lambda: place.session.finding is not None)
            finding = place.session.finding
            assert finding is not None
            assert finding.policy is not None
            assert sum(finding.policy) == pytest.approx(1, abs=0.01)
            assert finding.komi_curve is not None
            shares = [share for _, share in finding.komi_curve]
            assert shares == sorted(shares, reverse=True)
            assert finding.black_ownership is not None
            assert finding.moves[0].pv[0] == finding.moves[0].move
            assert (await place.thinker.picture()).startswith("<svg")

    asyncio.run(play())


def test_a_network_that_is_gone_leaves_a_page_that_works(tmp_path: Path, network_file: Path) -> None:
    async def play() -> None:
        async with lobby_in(tmp_path, network_file) as lobby:
            place = enter(lobby)
            said = heard(place.session)
            place.session.new_game(Setup(size=5, white=Seat("engine", network="gone")))
            place.session.touch(12)
            await until(lambda: bool(said))
            assert "no network 'gone' here; known: small" in said[0]
            place.session.use_network("small")
            place.session.go_on()
            await until(lambda: place.session.record.number == 2)

    asyncio.run(play())


def test_a_file_removed_while_playing_does_not_matter(tmp_path: Path, network_file: Path) -> None:
    async def play() -> None:
        copy = tmp_path / "mine.onnx"
        copy.write_bytes(network_file.read_bytes())
        async with lobby_in(tmp_path / "state", copy) as lobby:
            place = enter(lobby)
            copy.unlink()
            place.session.touch(12)
            await until(lambda: place.session.record.number == 2)

    asyncio.run(play())


def test_visitors_beyond_the_limit_take_the_places_of_those_who_left(tmp_path: Path, network_file: Path) -> None:
    async def play() -> None:
        async with lobby_in(tmp_path, network_file, limit=3) as lobby:
            places = [enter(lobby) for _ in range(3)]
            places[0].session.touch(12)
            with pytest.raises(LobbyFullError):
                enter(lobby)
            places[0].thinker.unwatch()
            enter(lobby)
            assert len(lobby) == 3
            places[1].thinker.unwatch()
            back = lobby.enter(places[0].key)  # from disk
            assert back.session.record.number >= 1

    asyncio.run(play())


def test_soft_levels_play_sensible_moves_of_more_than_one_kind(network_file: Path) -> None:
    engine = PageMind(Networks(str(network_file)))
    game = Game(5, 7.5, "chinese")
    for move in ("B1", "E5", "A2", "E4", "B2", "D5"):
        game.play(move)
    seat = Seat("engine", "first")
    moves = [engine.answer(game, seat, threading.Event())[0] for _ in range(30)]
    assert len(set(moves)) > 3
    assert all(move is not None and game.is_legal(move) for move in moves)
    assert game.board.is_eye("A1", game.to_play)
    assert 20 not in moves
    first = Seat("engine", "casual")
    assert len({engine.answer(game, first, threading.Event())[0] for _ in range(3)}) == 1


def test_a_review_judges_an_opened_record(tmp_path: Path, network_file: Path) -> None:
    async def play() -> None:
        async with lobby_in(tmp_path, network_file) as lobby:
            place = enter(lobby)
            place.session.open_record(Record.from_sgf(b"(;SZ[5]RE[B+R];B[cc];W[bb];B[dd];W[];B[])"))
            await until(lambda: not place.session.reviewing)
            ends = graph_props(place.session)["values"]
            assert len(ends) == 6
            assert None not in ends
            assert ends[-1] == 1.0

    asyncio.run(play())


def test_a_store_keeps_whole_files_only(tmp_path: Path) -> None:
    store = Store(tmp_path)
    key = "a" * 24
    store.save(key, {"a": 1})
    with pytest.raises(TypeError):
        store.save(key, {"a": object()})
    assert store.load(key) == {"a": 1}
    assert [file.name for file in tmp_path.iterdir()] == [f"{key}.json"]
    (tmp_path / f"{key}.json").write_text('{"a": ')
    assert store.load(key) is None


@pytest.mark.parametrize("key", ["../../etc/passwd", "a", "", "x" * 80, "a/b" * 8])
def test_a_key_is_never_a_path(tmp_path: Path, key: str) -> None:
    assert Store(tmp_path).load(key) is None
    with pytest.raises(ValueError, match="key"):
        Store(tmp_path).save(key, {})


def test_the_oldest_games_make_room_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tesuji.interfaces.web.game.store.MAX_FILES", 3)
    store = Store(tmp_path)
    keys = [Keys(tmp_path).new() for _ in range(5)]
    for age, key in enumerate(keys):
        store.save(key, {})
        path = tmp_path / f"{key}.json"
        os.utime(path, (1000 + age, 1000 + age))
    store.prune()
    assert [store.load(key) is not None for key in keys] == [False, False, True, True, True]


def test_a_game_that_is_left_at_once_is_kept(tmp_path: Path, network_file: Path) -> None:
    async def open_three() -> None:
        async with lobby_in(tmp_path, network_file) as lobby:
            place = enter(lobby)
            place.kept = True
            for name in ("Ann", "Carl", "Eve"):
                place.session.open_record(Record.from_sgf(f"(;SZ[5]PB[{name}];B[aa])".encode()))
            assert {game.black for game in lobby.archive.games(place.key)} == {"Ann", "Carl"}
            lobby.save(place)
            assert {game.black for game in lobby.archive.games(place.key)} == {"Ann", "Carl", "Eve"}

    asyncio.run(open_three())
