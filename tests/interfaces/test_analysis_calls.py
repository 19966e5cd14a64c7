"""The client of `benchmarks/analysis_calls.py`: a call it loses must be the server's fault."""

import asyncio
import time

import pytest

from benchmarks.analysis_calls import client_of, told
from tesuji.interfaces.web.server.run import KEEP_ALIVE_SECONDS

LONGEST_HOLD = 10.0  # of a soak
REAL = time.monotonic


async def patient_server(connections: list[asyncio.StreamWriter]) -> asyncio.Server:
    """One that answers every call and closes nothing."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connections.append(writer)
        while await reader.readline():
            await reader.readuntil(b"\r\n\r\n")
            await asyncio.sleep(0.01)
            writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok")
        writer.close()

    return await asyncio.start_server(serve, "127.0.0.1", 0)


@pytest.mark.parametrize(("idle", "closed"), [(LONGEST_HOLD, False), (KEEP_ALIVE_SECONDS - 5, True)])
def test_idle_connections_outlast_a_hold_and_never_the_server(
    monkeypatch: pytest.MonkeyPatch, idle: float, closed: bool
) -> None:
    """What it closes itself while it wakes from being held may have been given a call already."""

    async def talk() -> int:
        connections: list[asyncio.StreamWriter] = []
        server = await patient_server(connections)
        async with client_of(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}") as client:
            await asyncio.gather(*(client.get("/") for _ in range(3)))
            monkeypatch.setattr(time, "monotonic", lambda: REAL() + idle)
            await asyncio.gather(*(client.get("/") for _ in range(3)))
        server.close()
        await asyncio.gather(*(writer.wait_closed() for writer in connections))
        return len(connections)

    assert asyncio.run(talk()) == (6 if closed else 3)


def test_a_fault_is_told_with_its_cause() -> None:
    fault = ValueError("no answer")
    fault.__cause__ = ConnectionResetError(104, "reset")
    assert told(fault) == "ValueError('no answer') by ConnectionResetError(104, 'reset')"
