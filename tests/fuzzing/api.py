"""`python -m tests.fuzzing.api [--seconds 60]`: the web API, asked what its description allows and what it does not.

With schemathesis installed, that program does it, against a running server; else calls made up here do. No call may
end in an answer of 500 or above other than 503, which says that a place or the engine is taken.
"""

import argparse
import asyncio
import importlib.util
import os
import random
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx

from tests.interfaces.web_parts import serving, write_network
from tesuji.interfaces.engine.networks import Networks
from tesuji.interfaces.web.game.store import Store
from tesuji.interfaces.web.server.app import create_app
from tesuji.interfaces.web.server.lobby import Lobby

ROOT = Path(__file__).parents[2]
# Another program may be named, where schemathesis is installed elsewhere.
SCHEMATHESIS = shlex.split(os.environ.get("SCHEMATHESIS", "")) or [sys.executable, "-m", "schemathesis.cli"]
# Not in the schema: which levels, networks, rules and sizes there are, which moves are legal; fields nobody knows are
# left alone.
NOT_PROMISED = ("positive_data_acceptance", "negative_data_rejection")
STRANGE: list[Any] = [None, True, -1, 0, 1e308, 2**70, "", "x" * 300, "\x00", "E5", [], {}, [[]], "pass", 9, "engine"]


def made_up(chance: random.Random, keys: list[str]) -> tuple[str, str, Any]:
    """A call: method, path and body."""
    key = chance.choice([*keys, "A" * 24, "..", "%00", "x"])
    path = chance.choice(["", f"/{key}", f"/{key}/moves", f"/{key}/undo", f"/{key}/analysis", f"/{key}/sgf"])
    body: Any = {
        name: chance.choice([*STRANGE, {"kind": "engine", "level": chance.choice(["club", "first", 3])}])
        for name in chance.sample(["size", "komi", "rules", "handicap", "black", "white", "move"], chance.randint(0, 4))
    }
    if chance.random() < 0.5 and not path:
        body = {"size": chance.choice([2, 5, 9]), "white": {"kind": "engine", "level": "first"}}
    query = f"?visits={chance.choice([1, 5, 0, -1, 'x', 10**9])}" if path.endswith("analysis") else ""
    method = chance.choice(["GET", "POST", "POST", "DELETE"])
    return method, f"/api/games{path}{query}", chance.choice([body, body, chance.choice(STRANGE)])


async def plain(seconds: float, seed: int) -> int:
    """Calls made up here, several at once; how many."""
    chance, count = random.Random(seed), 0
    keys: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lobby = Lobby(Networks(str(write_network(folder / "small.onnx"))), Store(folder / "web"), limit=4, workers=2)
        transport = httpx.ASGITransport(create_app(lobby), raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8080", timeout=300) as client:
            deadline = time.monotonic() + seconds
            while time.monotonic() < deadline:
                calls = [made_up(chance, keys) for _ in range(6)]
                answers = await asyncio.gather(*(client.request(*call[:2], json=call[2]) for call in calls))
                for call, answer in zip(calls, answers, strict=True):
                    assert answer.status_code < 500 or answer.status_code == 503, (call, answer.text)
                    if answer.status_code == 201:
                        keys = [*keys[-5:], answer.json()["id"]]
                count += len(calls)
        lobby.close()
    return count


def guided(seconds: float, seed: int) -> int:
    """Schemathesis against a running server: games are begun, played, analysed and removed as the description says."""
    with tempfile.TemporaryDirectory() as name:
        network = write_network(Path(name) / "small.onnx")
        with serving(Path(name), "--net", str(network), "--no-browser") as server:
            command = [*SCHEMATHESIS, "run", f"{server.address}api/openapi.json", "--seed", str(seed)]
            command += ["--max-time", str(max(1, int(seconds))), "--request-timeout", "120", "--continue-on-failure"]
            command += ["--checks", "all", "--exclude-checks", ",".join(NOT_PROMISED), "--no-color"]
            environment = {**os.environ, "SCHEMATHESIS_HOOKS": "tests.fuzzing.api_hooks"}
            environment["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")]))
            # In a folder that goes: it leaves notes of its own.
            done = subprocess.run(command, env=environment, cwd=name, timeout=4 * seconds + 600, check=False)
            assert server.process.poll() is None, "the server ended"
    return done.returncode


def main() -> None:
    """Whichever is installed."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--seconds", type=float, default=60.0)
    arguments.add_argument("--seed", type=int, default=1)
    chosen = arguments.parse_args()
    if "SCHEMATHESIS" in os.environ or importlib.util.find_spec("schemathesis") is not None:
        sys.exit(guided(chosen.seconds, chosen.seed))
    print(f"API: {asyncio.run(plain(chosen.seconds, chosen.seed))} calls, none that failed")


if __name__ == "__main__":
    main()
