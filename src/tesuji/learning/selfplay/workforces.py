"""Who plays: processes of this machine, or a Ray cluster. Ray is imported only when it is asked for."""

from collections.abc import Iterator
from contextlib import contextmanager

from tesuji.arena.play.director import Director
from tesuji.learning.selfplay.crew import Workforce
from tesuji.learning.selfplay.local_workers import LocalWorkers


@contextmanager
def workforce(processes: int = 0, ray: str | None = None, device: str = "cpu") -> Iterator[Workforce]:
    """Workers here (`processes`, 0 for all cores), or on the cluster at `ray` (`local` starts one).

    Their networks run on `device`, here also on several: `cuda:0,cuda:1`.
    """
    if ray is None:
        yield LocalWorkers(processes, device)
        return
    from tesuji.learning.selfplay.ray_workers import RayCluster

    with RayCluster(ray, processes, device) as cluster:
        yield cluster


def director_kind(ray: str | None = None) -> type[Director]:
    """A director of tournaments here, or one on the cluster that is connected."""
    if ray is None:
        return Director
    from tesuji.arena.ray import RayDirector

    return RayDirector
