"""Self-play: what is played, what is kept of it, and what becomes of it when workers and disks fail."""

import os
import random
import signal
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.learning.conftest import make_network
from tesuji import BLACK, PASS, Game, GameSet
from tesuji._core import PackedRecord
from tesuji.base.errors import InputError
from tesuji.base.settings import changed
from tesuji.go.rules import usual_komi
from tesuji.interfaces.cli import run
from tesuji.learning.selfplay import local_workers
from tesuji.learning.selfplay.crew import Crew, Job, Progress, Reply, Worker, make_job
from tesuji.learning.selfplay.local_workers import InThisProcess, LocalWorkers, ProcessWorker
from tesuji.learning.selfplay.options import SEARCH, SelfplayOptions
from tesuji.learning.selfplay.played_game import PlayedGame
from tesuji.learning.selfplay.playroom import Playroom
from tesuji.learning.selfplay.shards import ROWS, ShardFolder, rows, shards
from tesuji.learning.selfplay.starts import Starts, read_positions
from tesuji.networks.devices import cluster_request, one_device
from tesuji.networks.evaluators.factory import load
from tesuji.networks.onnx import runtime
from tesuji.search.endgame.sense import Sense
from tesuji.training.data.packing import pack_games

QUICK = SelfplayOptions(
    size=5, komi="3.5", search=replace(SEARCH, visits=12, cache=2000), fast_visits=4, concurrent=8, move_limit=40
)


def played(network: Path, options: SelfplayOptions, games: int) -> list[PlayedGame]:
    room = Playroom(load(network), options, Starts(options, read_positions(options)))
    room.order(range(games))
    found = []
    while not room.idle:
        found += room.play(1.0)
    return sorted(found, key=lambda game: game.number)


def test_every_ordered_game_is_played_once_by_its_number(network: Path) -> None:
    options = replace(QUICK, search=replace(QUICK.search, cache=0))
    first = played(network, options, 12)
    assert [game.number for game in first] == list(range(12))
    alone = played(network, replace(options, concurrent=1), 3)
    assert [game.game.moves for game in alone] == [game.game.moves for game in first[:3]]
    assert len({tuple(game.game.moves) for game in first}) > 8


def test_only_full_searches_become_targets(network: Path) -> None:
    games = played(network, replace(QUICK, full_share=0.3, resign=0.0), 20)
    moves = sum(game.game.move_count for game in games)
    targets = [target for game in games for target in game.targets]
    assert 0.15 * moves < len(targets) < 0.5 * moves
    for target in targets:
        assert sum(share for _, share in target.policy) == pytest.approx(1, abs=0.01)
        assert 0 <= target.white_winrate <= 1
    everything = played(network, replace(QUICK, full_share=1.0, resign=0.0), 3)
    assert all(len(game.targets) == game.game.move_count for game in everything)


def test_gumbel_targets_are_the_improved_policy(network: Path) -> None:
    games = played(
        network, replace(QUICK, root="gumbel", search=replace(QUICK.search, gumbel_moves=4), full_share=1.0), 4
    )
    targets = [target for game in games for target in game.targets]
    assert len(targets) >= 4
    for target in targets:
        assert sum(share for _, share in target.policy) == pytest.approx(1, abs=0.02)
    # Visits go to four moves at most; the improved policy has a word on every move.
    assert all(len(target.policy) > 4 for target in targets[:4])


def test_a_game_cut_off_has_a_winner_but_no_score(network: Path, tmp_path: Path) -> None:
    games = played(network, replace(QUICK, move_limit=12, resign=0.0), 12)
    cut = [game for game in games if game.cut]
    assert cut
    assert {game.result for game in cut} <= {"B+", "W+"}
    pack_games([game.record() for game in cut], tmp_path / "cut.games")
    batch = GameSet(tmp_path / "cut.games").batch(64, "golois-31", seed=1)
    assert not batch.score_mask.any()
    assert not batch.ownership_mask.any()
    assert batch.value_mask.all()


def test_the_bare_policy_plays_without_search_and_its_scores_are_known(network: Path, tmp_path: Path) -> None:
    options = replace(QUICK, policy="near-best-prior-2018", move_limit=0)
    games = played(network, options, 6)
    for game in games:
        assert game.visits == game.evaluations == game.game.move_count
        assert not game.targets
        assert game.game.is_over
        # Nobody fills an eye, so that what stands in the end is alive and counts.
        assert not game.cut
    assert len({tuple(game.game.moves) for game in games}) > 1
    pack_games([game.record() for game in games], tmp_path / "policy.games")
    batch = GameSet(tmp_path / "policy.games").batch(16, "golois-31", seed=1)
    assert batch.score_mask.all()
    with pytest.raises(ValueError, match="no move choice 'near-best'"):
        replace(QUICK, policy="near-best")


def test_komi_is_drawn_from_its_range(network: Path) -> None:
    games = played(network, replace(QUICK, komi="1.5:4.5", search=replace(QUICK.search, visits=2), fast_visits=2), 40)
    assert {game.game.komi for game in games} == {1.5, 2.5, 3.5, 4.5}


def test_resigning_is_measured_in_games_played_out(network: Path) -> None:
    always = replace(QUICK, resign=1.0, resign_moves=1)
    assert all(game.result.endswith("+R") for game in played(network, replace(always, played_out=0.0), 5))
    games = played(network, replace(always, played_out=1.0), 30)
    assert not any(game.result.endswith("+R") for game in games)
    assert all(game.resigner == BLACK for game in games)
    # Black always wanted to resign at once: wrong exactly when Black won.
    assert [game.wrongly_resigned for game in games] == [game.result.startswith("B") for game in games]


def eyes_filled(played: PlayedGame) -> int:
    """Moves into an eye of one's own that nobody attacked."""
    game, filled = Game(size=5, komi=3.5), 0
    for color, move in played.game.moves:
        filled += move != PASS and game.board.is_eye(move, color) and Sense(game).is_useless(move)
        game.play(move)
    return filled


def test_nobody_fills_an_own_eye_for_nothing_however_little_the_network_knows(network: Path) -> None:
    long = replace(QUICK, resign=0.0)
    assert sum(eyes_filled(game) for game in played(network, replace(long, sensible=False), 10)) > 0
    assert sum(eyes_filled(game) for game in played(network, long, 10)) == 0


def test_games_begin_from_recorded_positions(network: Path, tmp_path: Path) -> None:
    known = Game(size=5, komi=3.5)
    for move in ("C3", "C2", "D2", "B2", "D3", "B3"):
        known.play(move)
    pack_games([PackedRecord.of(known, "B+2.5")], tmp_path / "known.games")
    options = replace(QUICK, starts=str(tmp_path / "known.games") + ":4")
    for game in played(network, options, 10):
        assert 1 <= game.start_moves <= 4
        assert game.game.moves[: game.start_moves] == known.moves[: game.start_moves]
        assert all(target.position >= game.start_moves for target in game.targets)


def test_random_openings_come_from_the_policy(network: Path) -> None:
    games = played(network, replace(QUICK, starts="random:6"), 30)
    assert {game.start_moves for game in games} == set(range(7))
    assert all(move != PASS for game in games for _, move in game.game.moves[: game.start_moves])


def test_a_record_keeps_targets_score_and_ownership(network: Path, tmp_path: Path) -> None:
    games = played(network, replace(QUICK, resign=0.0, move_limit=0), 10)
    pack_games([game.record() for game in games], tmp_path / "some.games")
    stored = GameSet(tmp_path / "some.games")
    for game, record in zip(games, stored, strict=True):
        assert record.result == game.result
        assert [target.position for target in record.targets] == [target.position for target in game.targets]
    batch = stored.batch(64, targets_only=True, seed=3)
    counted = np.array([not game.cut for game in games])
    assert counted.any()
    np.testing.assert_array_equal(batch.score_mask > 0, counted[batch.game.astype(int)])
    np.testing.assert_allclose(batch.policy.sum(1), 1, atol=1e-3)


def job(network: Path) -> Job:
    return make_job(network, QUICK)


def test_shards_are_joined_and_a_second_sitting_goes_on(network: Path, tmp_path: Path) -> None:
    for wanted in (7, 15):
        with ShardFolder(tmp_path, joined=6) as folder:
            Crew(InThisProcess()).produce(job(network), wanted, folder)
            assert folder.games == wanted
    assert next(shard.first for shard in shards(tmp_path)) == 0
    assert sum(len(GameSet(shard.path)) for shard in shards(tmp_path)) == 15
    assert len(rows(tmp_path)) == 15
    keys = GameSet(*[shard.path for shard in shards(tmp_path)]).table()["key"]
    assert len(set(keys.tolist())) > 10  # other seeds in the second sitting


def test_a_kill_between_joining_and_removing_loses_and_doubles_nothing(network: Path, tmp_path: Path) -> None:
    games = played(network, QUICK, 6)
    with ShardFolder(tmp_path, joined=100) as folder:
        folder.add(games[:2])
        folder.add(games[2:5])
        small = {shard.path: shard.path.read_bytes() for shard in shards(tmp_path)}
        folder.join()
    for path, data in small.items():
        path.write_bytes(data)
    (tmp_path / "0000005-0000009.games.77.part").write_bytes(b"half")
    with ShardFolder(tmp_path, joined=100) as folder:
        assert folder.games == 5
        assert not list(tmp_path.glob("*.part"))
        folder.add(games[5:])
    assert [(shard.first, shard.last) for shard in shards(tmp_path)] == [(0, 4), (5, 5)]


def test_a_shard_cut_short_is_set_aside_and_played_anew(network: Path, tmp_path: Path) -> None:
    with ShardFolder(tmp_path) as folder:
        Crew(InThisProcess()).produce(job(network), 5, folder)
    path = shards(tmp_path)[0].path
    path.write_bytes(path.read_bytes()[:-40])
    said: list[str] = []
    with ShardFolder(tmp_path, said=said.append) as folder:
        assert folder.games == 0
        Crew(InThisProcess()).produce(job(network), 5, folder)
        assert folder.games == 5
    assert "played anew" in said[0]


def test_two_writers_in_one_folder_are_refused(tmp_path: Path) -> None:
    with ShardFolder(tmp_path), pytest.raises(ValueError, match="another self-play"):
        ShardFolder(tmp_path)


def test_a_killed_worker_is_replaced_and_its_games_are_played(network: Path, tmp_path: Path) -> None:
    killed: list[int] = []

    class Watched(LocalWorkers):
        def wait(self, workers, seconds):  # type: ignore[no-untyped-def]
            if not killed and any(crew._ordered.values()):
                pid = workers[0].process.pid
                assert pid is not None
                killed.append(pid)
                os.kill(pid, signal.SIGKILL)
            return super().wait(workers, seconds)

    seen: list[Progress] = []
    crew = Crew(Watched(1), seen.append)
    with ShardFolder(tmp_path) as folder:
        progress = crew.produce(job(network), 10, folder)
        assert folder.games == 10
    assert killed
    assert progress.lost == 1
    assert sorted(row["number"] for row in rows(tmp_path)) == list(range(10))
    assert 0 < progress.speed.evaluation_seconds < progress.speed.seconds


def test_a_worker_that_never_begins_holds_no_games(network: Path, tmp_path: Path) -> None:
    """As an actor for which a cluster has no room: counted on a node that had just died, it would wait for ever."""

    class Absent:
        name = "absent"

        def ask(self, numbers: Sequence[int]) -> None:
            assert not numbers, "it was given games before it had said a word"

        def answer(self) -> Reply:
            raise AssertionError("it never has an answer")

        def dismiss(self) -> None:
            dismissed.append(self.name)

    class OneIsAbsent(InThisProcess):
        def hire(self, job: Job, employed: int) -> list[Worker]:
            return [*super().hire(job, employed), Absent()] if not employed else []

        def wait(self, workers: Sequence[Worker], seconds: float) -> list[Worker]:
            return [worker for worker in workers if worker.name != "absent"]

    dismissed: list[str] = []
    with ShardFolder(tmp_path) as folder:
        Crew(OneIsAbsent()).produce(job(network), 6, folder)
        assert folder.games == 6
    assert dismissed == ["absent"]


def test_a_note_without_its_game_is_forgotten(network: Path, tmp_path: Path) -> None:
    """What a kill leaves that comes between noting games and writing them, and in the middle of a note."""
    games = played(network, QUICK, 4)
    with ShardFolder(tmp_path) as folder:
        folder.add(games[:3])
    noted = (tmp_path / ROWS).read_bytes()
    (tmp_path / ROWS).write_bytes(noted + noted.splitlines(keepends=True)[0] + b'{"number": 7, "mo')
    with ShardFolder(tmp_path) as folder:
        folder.add(games[3:])
    assert [row["number"] for row in rows(tmp_path)] == [0, 1, 2, 3]


def test_a_network_for_another_size_is_refused_before_any_worker_starts(network: Path, tmp_path: Path) -> None:
    """A dense head plays one size only."""
    dense = make_network(tmp_path / "dense.onnx", size=5, name="a0.1.8+pass")
    with pytest.raises(ValueError, match="does not play 7x7"):
        make_job(dense, replace(QUICK, size=7))
    assert make_job(network, replace(QUICK, size=7)).options.size == 7


def test_a_network_replaced_during_a_run_changes_nothing(tmp_path: Path) -> None:
    """Not even for a worker hired afterwards: what plays is the file as it was."""
    file = make_network(tmp_path / "net.onnx")
    began = file.read_bytes()
    hired: list[bytes] = []

    class Watched(LocalWorkers):
        def hire(self, job, employed):  # type: ignore[no-untyped-def]
            workers = super().hire(job, employed)
            hired.extend(job.network for _ in workers)
            return workers

    def watch(progress: Progress) -> None:
        if progress.stored and file.read_bytes() == began:
            file.write_bytes(b"another network, half written")
            for worker in crew._workers:
                assert isinstance(worker, ProcessWorker)
                assert worker.process.pid is not None
                os.kill(worker.process.pid, signal.SIGKILL)

    crew = Crew(Watched(1), watch)
    with ShardFolder(tmp_path / "games") as folder:
        progress = crew.produce(job(file), 30, folder)
        assert folder.games == 30
    assert progress.lost == 1
    assert hired == [began] * 2


def test_workers_take_the_devices_in_turn(network: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[tuple[str, str]] = []

    class Remembered:
        def __init__(self, name: str, job: Job) -> None:
            given.append((name, job.device))

    monkeypatch.setattr(local_workers, "ProcessWorker", Remembered)
    monkeypatch.setattr(runtime.ort, "get_available_providers", lambda: list(runtime.PROVIDERS.values()))
    LocalWorkers(3, "cuda:0, cuda:1").hire(job(network), 0)
    assert given == [("worker 0", "cuda:0"), ("worker 1", "cuda:1"), ("worker 2", "cuda:0")]


def test_an_actor_asks_ray_for_a_gpu_and_never_for_a_numbered_one() -> None:
    assert one_device("cuda:0, cuda:1") == "cuda"
    assert one_device("cpu,cpu") == "cpu"
    assert one_device("cuda:1/fp32") == "cuda/fp32"
    asked = [cluster_request([device])["num_gpus"] for device in ("cpu/int8", "openvino", "cuda", "tensorrt/fp32")]
    assert asked == [0, 0, 1, 1]
    with pytest.raises(InputError, match="on one kind of device, in one precision, not on cpu, cuda"):
        one_device("cpu,cuda:1")


def test_integers_that_a_network_lacks_are_told_in_one_line(
    network: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["selfplay", str(network), "--out", str(tmp_path / "games"), "--size", "5", "--precision", "int8"]
    assert run([*asked, "--games", "1", "--processes", "1"]) == 2
    told = capsys.readouterr().err
    assert "holds no int8 network; `tesuji export --int8` makes one that does" in told
    assert told.count("\n") == 1
    assert run(["learn", str(tmp_path / "run"), "--precision", "int8"]) == 2
    assert "the networks of a learning run hold no integers: leave --precision int8 out" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_a_device_that_does_not_start_within_a_worker_is_told(network: Path, tmp_path: Path) -> None:
    """The worker says why and ends; it is not taken for one that was lost and hired anew."""
    worker = ProcessWorker("worker 0", replace(job(network), device="cuda"))
    worker.ask([0])
    try:
        with pytest.raises(InputError, match="no device 'cuda' here"):
            worker.answer()
    finally:
        worker.dismiss()


def test_the_usual_komi_is_that_of_the_rules() -> None:
    for size in (7, 9, 13, 19):
        options = SelfplayOptions(size=size)
        assert options.komi_of(random.Random(1)) == usual_komi(size)
        assert make_kind(options)["komi"] == f"{usual_komi(size):g}"
    assert SelfplayOptions(komi="5.5:6.5").stated_komi == "5.5:6.5"


def make_kind(options: SelfplayOptions) -> dict[str, object]:
    return make_job("default-9x9", options).kind()


def test_bad_settings_are_refused_before_anything_starts(network: Path) -> None:
    for key, cure in (("search.visit", "'visits'"), ("visits", "'search.visits'"), ("noise", "'search.noise'")):
        with pytest.raises(ValueError, match=f"did you mean {cure}"):
            changed(SelfplayOptions(), {key: 3}, "self-play")
    with pytest.raises(ValueError, match="must be a whole number"):
        changed(SelfplayOptions(), {"search.visits": "many"}, "self-play")
    with pytest.raises(ValueError, match=r"search\.seed has no effect; seed decides it"):
        changed(SelfplayOptions(), {"search.seed": 2}, "self-play")
    for bad in ({"komi": "9:5"}, {"komi": "x"}, {"rules": "japanese"}, {"root": "x"}, {"full_share": 0.0}):
        with pytest.raises(ValueError, match=str(next(iter(bad)))):
            SelfplayOptions(**bad)
    with pytest.raises(FileNotFoundError, match="no packed file"):
        make_job(network, replace(QUICK, starts="nowhere.games"))


def test_temperature_falls_by_halves() -> None:
    options = SelfplayOptions(temperature=1.0, temperature_end=0.2, temperature_halflife=10)
    assert options.temperature_at(0) == pytest.approx(1.0)
    assert options.temperature_at(10) == pytest.approx(0.6)
    assert options.komi_of(random.Random(1)) == 7.0
