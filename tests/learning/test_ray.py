"""A real Ray cluster of several node processes on this machine, one of which is killed in the middle."""

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.learning.conftest import make_network
from tesuji.arena.conditions import Conditions
from tesuji.learning import gate
from tesuji.learning.crew import Crew, Progress, make_job
from tesuji.learning.options import SelfplayOptions
from tesuji.learning.shards import ShardFolder, rows

pytest.importorskip("ray", reason="Ray is not installed (extra `cluster`)")
pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.timeout(600)]  # Ray warns, and starts slowly

import ray  # noqa: E402
from ray.cluster_utils import Cluster  # noqa: E402

from tesuji.learning.ray_arena import RayTournament  # noqa: E402
from tesuji.learning.ray_workers import RayCluster  # noqa: E402

NODE = {"object_store_memory": 100 * 2**20, "include_dashboard": False}
OPTIONS = SelfplayOptions(size=5, komi="3.5", visits=24, fast_visits=8, concurrent=8, move_limit=40)


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
    """SIGKILL, as when the power fails: the raylet goes, and its workers with it."""
    for process in node.all_processes["raylet"]:
        os.kill(process.process.pid, signal.SIGKILL)


def test_a_node_killed_and_a_node_added_while_games_are_played(cluster: Cluster, network: Path, tmp_path: Path) -> None:
    doomed = patiently(lambda: cluster.add_node(num_cpus=1, **NODE))
    seen: list[tuple[int, int]] = []

    def watch(progress: Progress) -> None:
        seen.append((progress.workers, progress.lost))
        if len(cluster.list_all_nodes()) == 2 and progress.workers == 2 and progress.stored >= 5:
            kill(doomed)
            patiently(lambda: cluster.add_node(num_cpus=1, **NODE))

    wanted = 60
    with RayCluster(cluster.address) as force, ShardFolder(tmp_path) as folder:
        Crew(force, watch).produce(make_job(network, OPTIONS), wanted, folder)
        while (2, 1) not in seen and wanted < 1000:
            wanted += 40  # until the new node has been seen at work beside the old one
            Crew(force, watch).produce(make_job(network, OPTIONS), wanted, folder)
        assert folder.games == wanted
    assert any(lost == 1 for _, lost in seen), "the killed node's worker was missed"
    assert any(workers == 2 for workers, lost in seen[[lost for _, lost in seen].index(1) + 1 :])
    assert sorted(row["number"] for row in rows(tmp_path)) == list(range(wanted))


def test_a_tournament_on_the_cluster_has_the_games_of_one_at_home(cluster: Cluster, tmp_path: Path) -> None:
    files = {name: str(make_network(tmp_path / f"{name}.onnx", seed=seed)) for seed, name in enumerate("ab")}
    options = {"visits": 6, "choice": "temperature", "temperature_moves": 4}
    first, second = (gate.describe(name, file, options) for name, file in files.items())
    conditions = Conditions(size=5, komi=3.5, move_limit=40)
    with RayCluster(cluster.address):
        far = gate.match(tmp_path / "far", (first, second), conditions, 20, make=RayTournament)
    near = gate.match(tmp_path / "near", (first, second), conditions, 20)
    assert far == near
    moves = [{game.key: game.sgf for game in gate.games_of(tmp_path / where)} for where in ("far", "near")]
    assert len(moves[0]) == 20
    assert moves[0] == moves[1]


def test_an_address_that_does_not_answer_is_told_in_one_line() -> None:
    with pytest.raises(ValueError, match=r"no Ray cluster answers at 127.0.0.1:9"):
        RayCluster("127.0.0.1:9")
