"""Two real processes train one network, as torchrun starts them."""

import os
import random
import socket
import subprocess
import sys
from pathlib import Path

from tesuji.training.run import checkpoints
from tesuji.training.run.logs import CsvLog

_PROGRAM = """
import os, sys
from pathlib import Path
from tests.training.test_trainer import Heard, train
out = Path(sys.argv[1])
rank = os.environ["RANK"]
epochs = float(sys.argv[2])
fitted = train(out / "run", epochs=epochs, epoch_samples=1600, resume=len(sys.argv) > 3)
weights = [float(p.detach().double().sum()) for p in fitted.network.parameters()]
(out / f"rank-{rank}").write_text(repr((weights, fitted.outcome.step)))
"""


def _free_port() -> int:
    """A free port below those the system hands out by itself, so that no other test is given it meanwhile."""
    for port in random.sample(range(20_000, 30_000), 100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) != 0:
                return port
    raise AssertionError("no free port")


def _torchrun(*arguments: str) -> None:
    port = _free_port()
    root = Path(__file__).parents[2]
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", _PROGRAM, *arguments],
            cwd=root,
            env=os.environ
            | {
                "RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1",
                "MASTER_PORT": str(port), "PYTHONPATH": os.pathsep.join([str(root), *sys.path]), "OMP_NUM_THREADS": "1",
            },
        )
        for rank in range(2)
    ]  # fmt: skip
    assert [process.wait(timeout=280) for process in processes] == [0, 0]


def test_two_processes_keep_one_network_and_one_log(tmp_path: Path) -> None:
    _torchrun(str(tmp_path), "1")
    _torchrun(str(tmp_path), "2", "resume")
    first, second = ((tmp_path / f"rank-{rank}").read_text() for rank in range(2))
    assert first == second
    assert first.endswith(", 100)")
    rows = CsvLog(tmp_path / "run" / "validation.csv").rows()
    assert [row["step"] for row in rows] == [50, 100]
    assert rows[-1]["top1"] > 0.5
    assert [row["step"] for row in CsvLog(tmp_path / "run" / "log.csv").rows()] == list(range(10, 101, 10))
    assert checkpoints.latest(tmp_path / "run", lambda line: None).progress["samples"] == 100 * 32
