"""A real Ray cluster of several node processes on this machine, one of which is killed in the middle."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.learning.conftest import make_network
from tesuji import GameSet
from tesuji.arena.play.conditions import Conditions
from tesuji.arena.play.results import GameResult, ResultsFile
from tesuji.arena.players.description import PlayerDescription
from tesuji.base.errors import InputError
from tesuji.interfaces.cli import run
from tesuji.learning.loop import gate
from tesuji.learning.selfplay.crew import Crew, Progress, make_job
from tesuji.learning.selfplay.options import SEARCH, SelfplayOptions
from tesuji.learning.selfplay.shards import ShardFolder, rows, shards

pytest.importorskip("ray", reason="Ray is not installed (extra `cluster`)")
pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.timeout(600)]  # Ray warns, and starts slowly

# A token in the home of whoever tests would be asked for by half of what a test starts.
os.environ["RAY_AUTH_MODE"] = "disabled"

import ray  # noqa: E402
from ray.cluster_utils import Cluster  # noqa: E402

from tesuji.arena.ray import RayDirector, _on_cluster, _places, _request  # noqa: E402
from tesuji.learning.selfplay.ray_workers import RayCluster  # noqa: E402

NODE: dict[str, Any] = {"object_store_memory": 100 * 2**20, "include_dashboard": False}
LEARN = (
    "--size 5 --komi 3.5 --visits 4 --set selfplay.fast_visits=2 --set selfplay.move_limit=30 "
    "--set selfplay.concurrent=8 --rounds 1 --network a0.1.8+conv+pass --set gate=none --set train.batch=32"
)
OPTIONS = SelfplayOptions(
    size=5, komi="3.5", search=replace(SEARCH, visits=24), fast_visits=8, concurrent=8, move_limit=40
)


def patiently(make: Callable[[], Any]) -> Any:
    """Ray gives a node 30 seconds to start, which a busy machine may miss: that says nothing about us."""
    for _ in range(3):
        try:
            return make()
        except Exception as fault:
            if "timed out during startup" not in str(fault):
                raise
    pytest.skip("three times no Ray node started within Ray's 30 seconds; this machine is too busy")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    made = patiently(lambda: Cluster(initialize_head=True, head_node_args={**NODE, "num_cpus": 1}))
    yield made
    ray.shutdown()
    made.shutdown()


def kill(node: Any) -> None:
    """SIGKILL, as when the power fails: the raylet goes, and its workers with it.

    They are its children, and would notice its end by themselves only much later: until then they go on playing.
    """
    for process in node.all_processes["raylet"]:
        raylet = process.process.pid
        workers = Path(f"/proc/{raylet}/task/{raylet}/children").read_text().split()
        for number in (raylet, *map(int, workers)):
            with contextlib.suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)


def test_a_node_killed_and_a_node_added_while_games_are_played(cluster: Cluster, network: Path, tmp_path: Path) -> None:
    doomed = patiently(lambda: cluster.add_node(num_cpus=1, **NODE))
    seen: list[tuple[int, int]] = []  # workers, and how many were lost before
    lost_before: list[int] = []

    def watch(progress: Progress) -> None:
        lost = sum(lost_before) + progress.lost
        if not seen or (progress.workers, lost) != seen[-1]:
            seen.append((progress.workers, lost))
        nodes = cluster.list_all_nodes()  # type: ignore[no-untyped-call]
        at_work = [ordered for ordered in crew._ordered.values() if ordered]  # the others have not yet begun
        if len(nodes) == 2 and len(at_work) == 2 and progress.stored >= 5:
            kill(doomed)
            patiently(lambda: cluster.add_node(num_cpus=1, **NODE))

    wanted = 60
    with RayCluster(cluster.address) as force, ShardFolder(tmp_path) as folder:
        crew = Crew(force, watch)
        lost_before.append(crew.produce(make_job(network, OPTIONS), wanted, folder).lost)
        while (2, 1) not in seen and wanted < 400:
            wanted += 40  # until the new node has been seen at work beside the old one
            lost_before.append(crew.produce(make_job(network, OPTIONS), wanted, folder).lost)
        assert folder.games == wanted
    assert (2, 1) in seen, f"the killed node's worker was missed, or the new node's: {seen}"
    assert sorted(row["number"] for row in rows(tmp_path)) == list(range(wanted))


def test_a_tournament_on_the_cluster_has_the_games_of_one_at_home(cluster: Cluster, tmp_path: Path) -> None:
    files = {name: str(make_network(tmp_path / f"{name}.onnx", seed=seed)) for seed, name in enumerate("ab")}
    options = {"visits": 6, "choice": "temperature", "temperature_moves": 4}
    first, second = (gate.describe(name, file, options) for name, file in files.items())
    conditions = Conditions(size=5, komi=3.5, move_limit=40)
    with RayCluster(cluster.address):
        far = gate.match(tmp_path / "far", (first, second), conditions, 20, director=RayDirector)
    near = gate.match(tmp_path / "near", (first, second), conditions, 20)
    assert far == near
    moves = [{game.key: game.sgf for game in gate.games_of(tmp_path / where)} for where in ("far", "near")]
    assert len(moves[0]) == 20
    assert moves[0] == moves[1]


def test_the_command_plays_a_tournament_on_the_cluster(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    far: list[str] = []
    write_down = RayDirector._write_down

    def watched(self: RayDirector, games: Sequence[GameResult]) -> None:
        far.extend(game.key for game in games)
        write_down(self, games)

    monkeypatch.setattr(RayDirector, "_write_down", watched)
    players = [str(make_network(tmp_path / f"{name}.onnx", seed=seed)) for seed, name in enumerate("abc")]
    words = f"--size 5 --komi 3.5 --games 4 --visits 4 --openings none --set move_limit=30 --ray {cluster.address}"
    command = ["tournament", *players, *words.split(), "--quiet", "--out", str(tmp_path / "out")]
    assert run(command) == 0
    assert "a" in capsys.readouterr().out
    played = [game.key for game in ResultsFile(tmp_path / "out" / "results.jsonl")]
    assert len(played) == 12  # three pairings
    assert sorted(far) == sorted(played)
    assert run(command) == 0
    assert len(far) == 12  # nothing was missing, so nothing was played


def test_a_tournament_asks_the_cluster_for_the_gpus_of_its_players(monkeypatch: pytest.MonkeyPatch) -> None:
    cpu, gpus = PlayerDescription("a", "a.onnx"), PlayerDescription("b", "b.onnx", options={"device": "cuda:0,cuda:1"})
    assert _on_cluster(cpu) == cpu
    assert _on_cluster(gpus).options == {"device": "cuda"}  # a task sees its GPU as the only one
    monkeypatch.setattr(ray, "cluster_resources", lambda: {"CPU": 8.0, "GPU": 2.0})
    assert _places(_request([cpu])) == 8
    assert _places(_request([cpu, gpus])) == 2
    with pytest.raises(InputError, match="on Ray all workers run on one kind of device"):
        _on_cluster(PlayerDescription("c", "c.onnx", options={"device": "cuda,cpu"}))


def stored(folder: Path) -> list[str]:
    return [str(record.moves) for shard in shards(folder) for record in GameSet(shard.path)]


def test_a_run_goes_on_after_the_head_was_restarted(tmp_path: Path) -> None:
    """The head dies by SIGKILL: the command ends with one line, and on a new head goes on with all its games."""
    folder, head = tmp_path / "run", {**NODE, "num_cpus": 1}
    first = patiently(lambda: Cluster(initialize_head=True, head_node_args=head))
    words = f"{LEARN} --games 5000 --ray {first.address}".split()
    process = subprocess.Popen(
        [sys.executable, "-m", "tesuji", "learn", str(folder), *words], stderr=subprocess.PIPE, text=True
    )
    until = time.monotonic() + 240
    while len(shards(folder / "games" / "0001")) < 2 and process.poll() is None and time.monotonic() < until:
        time.sleep(0.1)
    for processes in first.head_node.all_processes.values():
        for part in processes:
            with contextlib.suppress(ProcessLookupError):
                os.kill(part.process.pid, signal.SIGKILL)
    _, told = process.communicate(timeout=120)
    assert process.returncode == 2, told
    assert "is gone" in told.splitlines()[-1]
    kept = stored(folder / "games" / "0001")
    assert 2 <= len(kept) < 5000
    first.shutdown()
    second = patiently(lambda: Cluster(initialize_head=True, head_node_args=head))
    try:
        more = ["--set", f"games={len(kept) + 6}", "--ray", second.address]
        assert run(["learn", str(folder), "--resume", *more]) == 0
    finally:
        second.shutdown()
    assert stored(folder / "games" / "0001")[: len(kept)] == kept
    assert len(stored(folder / "games" / "0001")) == len(kept) + 6
    assert (folder / "networks" / "0001.onnx").is_file()


def test_an_address_that_does_not_answer_is_told_in_one_line() -> None:
    with pytest.raises(ValueError, match=r"no Ray cluster answers at 127.0.0.1:9"):
        RayCluster("127.0.0.1:9")
