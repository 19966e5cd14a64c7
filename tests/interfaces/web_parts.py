"""What the tests of the web need: a small network file, a lobby, a real server in its own process."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tesuji import networks
from tesuji.interfaces.web.game.session import Session
from tesuji.interfaces.web.words.words import words_for
from tesuji.networks.onnx.export import export

NETWORK = "se.1.16.8+pass+komi+ownership"
START = "import sys; from tesuji.interfaces.cli import run; sys.exit(run(sys.argv[1:]))"


def write_network(path: Path) -> Path:
    """An untrained network that knows everything the page can show, and plays any board."""
    import torch

    torch.manual_seed(1)
    export(networks.create(NETWORK, planes="golois-31", size=9).eval(), path, {"games": 0})
    return path


def heard(session: Session, language: str = "en") -> list[str]:
    """What the session says from now on, as somebody with this language reads it."""
    said: list[str] = []
    session.notices.append(lambda text: said.append(text(words_for(language))))
    return said


class Server:
    """A running `tesuji play`."""

    def __init__(self, process: subprocess.Popen[str], address: str, lines: list[str]) -> None:
        self.process = process
        self.address = address
        self.lines = lines

    def stop(self) -> str:
        """Interrupts it as Ctrl-C does, and returns the rest of what it said."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        try:
            output, _ = self.process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            output, _ = self.process.communicate()
        return output


@contextmanager
def serving(home: Path, *options: str) -> Iterator[Server]:
    """`tesuji play` on some free port, its state below `home`."""
    environment = {**os.environ, "TESUJI_HOME": str(home), "OMP_NUM_THREADS": "1"}
    # NiceGUI behaves otherwise when it believes to be inside a test.
    environment = {name: value for name, value in environment.items() if not name.startswith(("PYTEST", "NICEGUI"))}
    environment.pop("DISPLAY", None)
    process = subprocess.Popen(
        [sys.executable, "-c", START, "play", "--port", "0", *options],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    server = Server(process, "", [])
    try:
        assert process.stdout is not None
        deadline = time.monotonic() + 180  # a busy machine
        while not server.address:
            line = process.stdout.readline()
            assert line, f"the server ended: {server.lines}"
            assert time.monotonic() < deadline, server.lines
            server.lines.append(line)
            found = re.search(r"http://\S+", line)
            server.address = found[0] if found else ""
        yield server
    finally:
        server.stop()
