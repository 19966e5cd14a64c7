"""The works of `benchmarks/soak.py` that need a partner: an engine that plays itself over GTP, visitors of the API."""

import random
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import httpx

COMMAND = [sys.executable, "-m", "tesuji"]
LETTERS = "ABCDEFGHJ"
WAIT = 120.0


def gtp(folder: Path, net: str) -> None:
    """Whole games of an engine against itself, board sizes mixed, a line in `done` for each move."""
    command = [*COMMAND, "gtp", "--net", net, "--visits", "16", "--threads", "1", "--ponder"]
    engine = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert engine.stdin is not None
    assert engine.stdout is not None

    def ask(line: str) -> str:
        began = time.monotonic()
        engine.stdin.write(line + "\n")  # type: ignore[union-attr]
        engine.stdin.flush()  # type: ignore[union-attr]
        answer: list[str] = []
        while not answer or answer[-1].strip():
            heard = engine.stdout.readline()  # type: ignore[union-attr]
            if not heard:
                raise SystemExit(f"the engine ended at {line!r}")
            answer.append(heard)
        seconds = time.monotonic() - began
        if seconds > WAIT:
            raise SystemExit(f"{line!r} took {seconds:.0f} s")
        return "".join(answer).strip()

    with (folder / "done").open("a") as moves:
        while True:
            ask(f"boardsize {random.choice([5, 7, 9])}")
            ask("clear_board")
            passes = 0
            for number in range(400):
                move = ask(f"genmove {'bw'[number % 2]}").removeprefix("=").strip()
                moves.write(f"{move}\n")
                moves.flush()
                passes = passes + 1 if move == "pass" else 0
                if move == "resign" or passes == 2:
                    break
                if number % 10 == 9:
                    between = random.choice(["showboard", "undo", "final_status_list dead", "kata-raw-nn 0"])
                    ask(between)
                    passes = 0 if between == "undo" else passes
            ask("final_score")


@contextmanager
def running_server(net: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`tesuji play` on a free port, with its address."""
    command = [*COMMAND, "play", "--port", "0", "--net", net, "--no-browser"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert process.stdout is not None
    try:
        address = ""
        while "http://" not in address:
            address = process.stdout.readline()
            if not address:
                raise SystemExit("the server ended")
        threading.Thread(target=_pass_on, args=[process.stdout], daemon=True).start()
        yield process, next(word for word in address.split() if word.startswith("http://")).rstrip("/")
    finally:
        process.terminate()
        process.wait(60)


def _pass_on(said: IO[str]) -> None:
    """What the server says goes into the log of the work: it may explain a failure."""
    for line in said:
        print(f"server: {line}", end="", file=sys.stderr, flush=True)


def server(folder: Path, net: str) -> None:
    """A server, and visitors that play it by API side by side, a line in `done` for each call."""
    with running_server(net) as (process, base):
        _play_all(process, base, folder)


def _play_all(process: subprocess.Popen[str], base: str, folder: Path) -> None:
    faults: list[str] = []
    over = threading.Event()
    visitors = [
        threading.Thread(target=_visit, args=(base, folder / "done", seed, faults, over), daemon=True)
        for seed in range(6)
    ]
    for visitor in visitors:
        visitor.start()
    try:
        while process.poll() is None and not faults:
            time.sleep(0.5)
    finally:  # the visitors leave before the server does
        over.set()
        for visitor in visitors:
            visitor.join(60)
    raise SystemExit(faults[0] if faults else "the server ended")


def _visit(base: str, calls: Path, seed: int, faults: list[str], over: threading.Event) -> None:
    chance = random.Random(seed)
    with httpx.Client(base_url=base, timeout=300) as client, calls.open("a") as noted:

        def ask(method: str, path: str, body: Any = None) -> Any:
            answer = client.request(method, path, json=body)
            noted.write(f"{answer.status_code} {method} {path[:16]}\n")
            noted.flush()
            if answer.status_code >= 500:
                faults.append(f"{method} {path}: {answer.status_code} {answer.text[:200]}")
            return answer.json() if answer.content else None

        while not faults and not over.is_set():
            level = chance.choice(["first", "casual", "club"])
            game = ask("POST", "/api/games", {"size": 5, "white": {"kind": "engine", "level": level}})
            path = f"/api/games/{game['id']}"
            for _ in range(30):
                if over.is_set():
                    break
                vertex = f"{chance.choice(LETTERS[:5])}{chance.randint(1, 5)}"
                state = ask("POST", f"{path}/moves", {"move": chance.choice([vertex, vertex, vertex, "pass"])})
                if chance.random() < 0.3:
                    ask("GET", f"{path}/analysis?visits=20")
                if state.get("over"):
                    break
            ask(*chance.choice([("DELETE", path), ("POST", f"{path}/undo"), ("GET", path)]))


if __name__ == "__main__":
    work, where, network = sys.argv[1:]
    Path(where).mkdir(parents=True, exist_ok=True)
    {"gtp": gtp, "server": server}[work](Path(where), network)
