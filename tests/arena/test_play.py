"""Games from the first move to the result: networks in batches, engines at tables, misbehaviour of all kinds."""

import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.arena.opponents import STRANGE, make_network, needs_gnugo
from tesuji._core import BLACK, Game, PackedRecord
from tesuji.arena.play.conditions import Conditions
from tesuji.arena.play.director import Director, Effort
from tesuji.arena.play.live_game import LiveGame
from tesuji.arena.play.opening_book import OpeningBook
from tesuji.arena.play.openings import EMPTY, Opening, from_packed
from tesuji.arena.play.results import GameResult, ResultsFile
from tesuji.arena.play.schedule import PlannedGame, round_robin
from tesuji.arena.play.seated_game import SeatedGame
from tesuji.arena.play.settings import Settings
from tesuji.arena.players.description import PlayerDescription, parse_player
from tesuji.arena.players.hall import Hall
from tesuji.arena.sprt import Sprt
from tesuji.go.sgf.files import read_sgf
from tesuji.networks import load
from tesuji.training.data.packing import pack_games

SMALL = Conditions(size=5, komi=0.5, seed=3)


def described(*lines: str, visits: int = 4) -> list[PlayerDescription]:
    return [parse_player(line, {"visits": visits}) for line in lines]


def one_game(lines: Sequence[str], conditions: Conditions = SMALL) -> GameResult:
    players = described(*lines)
    hall = Hall(players, conditions, load)
    live = LiveGame(PlannedGame(players[0].name, players[1].name, 0, EMPTY), conditions)
    seats = [hall.seat(player.name) for player in players]
    SeatedGame(live, seats[0], seats[1], hall.referee, threading.Event()).play()
    for seat in seats:
        seat.close()
    return live.finished()


def tournament(lines: Sequence[str], folder: Path, games: int, conditions: Conditions = SMALL) -> Director:
    players = described(*lines)
    hall = Hall(players, conditions, load)
    schedule = round_robin([player.name for player in players], games, [EMPTY])
    results = ResultsFile(folder / "results.jsonl")
    results.open()
    results.begin(conditions.record(), {player.name: player.record() for player in players})
    return Director(hall, schedule, results, effort=Effort(parallel=2, threads=2))


@pytest.fixture
def network(small_networks: list[str]) -> str:
    return f"{small_networks[0]} name=network"


@pytest.mark.parametrize(
    ("mode", "result", "reason"),
    [
        ("die 3", "B+F", "exit code 3"),
        ("hang 2", "B+T", "no answer to 'genmove white' in 0.4 s"),
        ("garbage 2", "B+F", "no GTP"),
        ("binary 2", "B+F", "no text"),
        ("flood 2", "B+F", "without end"),
        ("occupied 2", "B+F", "illegal move"),
        ("nonsense 2", "B+F", "no vertex"),
        ("refuse 2", "B+F", "I do not want to"),
        ("resign 3", "B+R", "resigned"),
        ("only-19", "B+F", "unacceptable size"),
        ("die-at-start", "B+F", "no network found"),
    ],
)
def test_a_misbehaving_engine_loses_with_the_reason(network: str, mode: str, result: str, reason: str) -> None:
    timeout = "timeout=0.4" if "hang" in mode else "timeout=20"
    game = one_game([network, f"{timeout} name=strange {STRANGE} {mode}"])
    assert game.result == result
    assert reason in game.how


def test_a_false_claim_about_the_score_does_not_win(network: str) -> None:
    """The engine says W+80.5 on a board of 25 points; the referee plays it out and the board is counted."""
    game = one_game([network, f"name=liar {STRANGE} wrong-score"])
    assert "liar said W+80.5" in game.how
    assert "referee" in game.how
    assert game.result != "W+80.5"


def test_the_tournament_goes_on_after_a_crash(network: str, tmp_path: Path) -> None:
    played = tournament([network, f"name=dying {STRANGE} die 2"], tmp_path, games=6)
    played.run()
    assert [game.result[2:] for game in played.results] == ["F"] * 6
    assert played.standings().lines[0].player == "network"
    assert played.standings().lines[1].forfeits == 6


@needs_gnugo
def test_gnu_go_plays_to_a_counted_end(network: str) -> None:
    game = one_game([network, "gnugo --mode gtp --chinese-rules --level 1"], Conditions(size=7, komi=0.5))
    assert game.result[0] == "W"
    assert "forfeit" not in game.how
    assert game.white_side.moves > 5


@needs_gnugo
def test_dead_stones_are_played_out_before_the_count() -> None:
    """Two walls, and one dead black stone in White's area: as it stands, that area would be nobody's."""
    start = Game(size=7, komi=0.5, rules="chinese")
    for row in range(1, 8):
        start.play(f"D{row}")
        start.play(f"E{row}")
    start.play("G4")
    opening = Opening(tuple(move for _, move in start.moves), 7)
    assert start.black_score() == 21.5
    players = described(f"name=passer {STRANGE} pass", "gnugo")
    conditions = Conditions(size=7, komi=0.5)
    hall = Hall(players, conditions, load)
    live = LiveGame(PlannedGame("passer", players[1].name, 0, opening), conditions)
    seats = [hall.seat(player.name) for player in players]
    SeatedGame(live, seats[0], seats[1], None, threading.Event()).play()
    for seat in seats:
        seat.close()
    assert live.result == "B+6.5"
    assert "said B+6.5 where the board counted B+21.5" in live.how


def test_batched_games_are_legal_and_complete(small_networks: list[str], tmp_path: Path) -> None:
    played = tournament([f"{path} name=n{i}" for i, path in enumerate(small_networks)], tmp_path, games=4)
    played.run()
    assert len(played.results.games) == 6 * 4
    for game in played.results:
        replayed = read_sgf(game.sgf.encode())
        assert replayed.move_count == game.moves
        assert game.black_side.moves + game.white_side.moves == game.moves
        assert game.black_side.descents >= game.black_side.moves
        if game.how == "counted":
            score = replayed.black_score()
            assert game.result == f"{'B' if score > 0 else 'W'}+{abs(score):g}"


def test_a_stated_batch_is_searched_in_step_as_at_a_table(small_networks: list[str], tmp_path: Path) -> None:
    """Sixteen games in step once gave one leaf each to a batch, whatever their players had said."""

    def players(options: str) -> list[str]:
        return [f"{small_networks[number]} name={name} visits=40 {options}" for number, name in enumerate("ab")]

    def moves(game: GameResult) -> tuple[object, ...]:
        return tuple(read_sgf(game.sgf.encode()).moves)

    def in_step(options: str) -> set[tuple[object, ...]]:
        played = tournament(players(options), tmp_path / options, games=16)
        played.run()
        return {moves(game) for game in played.results if game.black == "a"}

    batches = "batch=8 batch_growth=0 penalty=loss symmetry=none"
    at_a_table = {moves(one_game(players(batches)))}
    assert in_step(batches) == at_a_table
    assert in_step("batch=1 symmetry=none") != at_a_table


def test_a_stopped_tournament_resumes_and_counts_every_game_once(small_networks: list[str], tmp_path: Path) -> None:
    lines = [f"{small_networks[0]} name=a", f"{small_networks[1]} name=b"]
    first = tournament(lines, tmp_path, games=20)
    first.on_game = lambda game: first.stop.set() if len(first.results.games) >= 5 else None
    first.run()
    first.results.close()
    cut = (tmp_path / "results.jsonl").read_bytes()
    assert 5 <= len(first.results.games) < 20
    (tmp_path / "results.jsonl").write_bytes(cut[:-10])  # as a kill in the middle of a write leaves it
    second = tournament(lines, tmp_path, games=20)
    before = set(second.results.games)
    second.run()
    second.results.close()
    assert len(second.results.games) == 20
    assert before < set(second.results.games)
    assert len(ResultsFile(tmp_path / "results.jsonl").games) == 20
    third = tournament(lines, tmp_path, games=20)
    third.run()  # nothing left to do
    assert len(third.results.games) == 20


def test_the_same_seed_plays_the_same_games(small_networks: list[str], tmp_path: Path) -> None:
    lines = [f"{small_networks[0]} name=a choice=search-2021", f"{small_networks[1]} name=b choice=search-2021"]
    games = []
    for folder in ("one", "two"):
        played = tournament(lines, tmp_path / folder, games=4)
        played.run()
        games.append({game.key: game.sgf for game in played.results})
    assert games[0] == games[1]
    assert len(set(games[0].values())) > 1


def test_timed_players_sit_at_tables(small_networks: list[str], tmp_path: Path) -> None:
    lines = [f"{small_networks[0]} name=quick seconds=0.002", f"{small_networks[1]} name=slow visits=2"]
    played = tournament(lines, tmp_path, games=2)
    assert not played.hall.is_batched("quick")
    played.run()
    assert len(played.results.games) == 2


def test_a_sequential_test_stops_a_match(small_networks: list[str], tmp_path: Path) -> None:
    lines = [f"{small_networks[0]} name=a visits=16", f"{STRANGE} pass"]
    played = tournament(lines, tmp_path, games=400)
    played = Director(played.hall, played.schedule, played.results, sprt=Sprt(0, 400), effort=Effort(parallel=1))
    played.run()
    assert played.test is not None
    assert played.test.verdict == "H1"
    assert len(played.results.games) == 10  # five pairs won are worth 5 ln(20/11) > ln 19


def test_adjudication_needs_agreement(small_networks: list[str], tmp_path: Path) -> None:
    conditions = Conditions(size=5, komi=0.5, adjudicate="agree", adjudicate_at=0.501, adjudicate_moves=2)
    played = tournament([f"{p} name=n{i}" for i, p in enumerate(small_networks[:2])], tmp_path, 4, conditions)
    played.run()
    assert any("both players agreeing" in game.how for game in played.results)


def test_drawn_openings_are_balanced_distinct_and_repeatable(network: str) -> None:
    conditions = Conditions(size=9, komi=7.5)
    hall = Hall(described(network, f"{network} name=other"), conditions, load)

    def drawn(games: int) -> list[Opening]:
        settings = Settings(list(hall.players.values()), conditions, games=games, openings="random:3")
        return OpeningBook(settings, hall).openings()

    ten = drawn(20)
    assert len({opening.shape() for opening in ten}) == 10
    assert drawn(40)[:10] == ten
    assert hall.referee is not None
    for opening in ten:
        assert 0.1 <= hall.referee.black_winrate(opening.begin(9, 7.5, "chinese")) <= 0.9


def test_a_network_of_another_size_is_refused_before_the_first_game(tmp_path: Path) -> None:
    path = make_network(tmp_path / "n.onnx", 1, name="a0.1.8")
    with pytest.raises(ValueError, match="does not play 5x5; it was made for 9x9: --size 9"):
        Hall(described(f"{path} name=a", f"{path} name=b"), SMALL, load)


def test_opening_moves_belong_to_nobody() -> None:
    opening = Opening((12, 7), 5)
    live = LiveGame(PlannedGame("a", "b", 0, opening), SMALL)
    assert live.game.to_play == BLACK
    live.forfeit(BLACK, "test")
    assert (live.finished().moves, live.finished().black_side.moves) == (2, 0)


def test_openings_from_a_packed_file(tmp_path: Path) -> None:
    games = []
    for column in "CDE":
        game = Game(size=9, komi=7.0, rules="chinese")
        for move in (f"{column}3", "G7", "C7", "pass", "pass"):
            game.play(move)
        games.append(game)
    pack_games([PackedRecord.of(game) for game in games], tmp_path / "few.games")
    found = from_packed(tmp_path / "few.games", length=3, size=9, count=10, seed=1)
    assert {opening.name for opening in found} == {"C3-G7-C7", "D3-G7-C7", "E3-G7-C7"}
    with pytest.raises(ValueError, match="4 moves or more"):
        from_packed(tmp_path / "few.games", length=4, size=9, count=10, seed=1)
