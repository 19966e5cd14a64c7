"""Self-play on a Ray cluster beside plain processes: evaluations a second of one worker and of two.

The cluster is real: node processes of this machine, one CPU and a 100 MB store each, no dashboard. Needs the extra
`cluster`; installs nothing. Leave the machine alone meanwhile, for all numbers are of the clock on the wall.

    python benchmarks/ray_efficiency.py --seconds 10
"""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager

from tesuji.learning.selfplay.bench import OPTIONS, PLANES, SMALL, Throughput, throughput
from tesuji.learning.selfplay.crew import Job, Workforce
from tesuji.learning.selfplay.local_workers import LocalWorkers
from tesuji.networks.evaluators.speed import model

NODE = {"num_cpus": 1, "object_store_memory": 100 * 2**20, "include_dashboard": False}


@contextmanager
def ray_nodes(count: int) -> Iterator[Workforce]:
    """A cluster of so many node processes, the head among them."""
    from ray.cluster_utils import Cluster

    from tesuji.learning.selfplay.ray_workers import RayCluster

    cluster = Cluster(initialize_head=True, head_node_args=NODE)
    try:
        for _ in range(count - 1):
            cluster.add_node(**NODE)
        cluster.wait_for_nodes()
        with RayCluster(cluster.address) as force:
            yield force
    finally:
        cluster.shutdown()


@contextmanager
def processes(count: int) -> Iterator[Workforce]:
    yield LocalWorkers(count)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--network", default=SMALL, help="name or model file")
    parser.add_argument("--seconds", type=float, default=10.0, help="for each line, after as long a run-up")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    given = parser.parse_args()
    job = Job(model(given.network, PLANES, OPTIONS.size), given.network, OPTIONS)
    alone: Throughput | None = None
    print("| workers | evaluations/s | of one process times workers | inside the network |\n|---|---|---|---|")
    for kind, place in (("process", processes), ("Ray node", ray_nodes)):
        for count in given.workers:
            with place(count) as force:
                found = throughput(force, job, given.seconds)
            alone = alone or found
            efficiency = found.evaluations / found.workers / (alone.evaluations / alone.workers)
            print(
                f"| {found.workers} x {kind} | {found.evaluations:,.0f} | {efficiency:.0%} "
                f"| {found.network_share:.0%} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
