"""`python -m benchmarks.analysis_calls [--calls 3000] [--address URL]`: analyses by API, many at once.

Many visitors play games of their own and one they share, and ask for an analysis at every moment: while the engine
thinks, at the end of a game, while another undoes, from positions of an SGF file. An answer is right when it is an
analysis that adds up, or says in one line why there is none: the game is over (409) or was removed (404). Anything else
is counted as a failure and printed. Part of `make soak`.
"""

import argparse
import asyncio
import collections
import random
import sys
import time
from collections.abc import Coroutine, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from tesuji.base.files import append_whole

VISITORS = 16
LETTERS = "ABCDE"
SGF = "(;SZ[5]KM[7];B[cc];W[bb];B[dd];W[bd];B[db])"
# Of an idle connection: shorter than the server keeps it, longer than any process of a soak is held. With httpx's own
# five seconds a client that was held for longer closes connections under calls it has just given them.
IDLE_SECONDS = 60.0
REASONS = {409: "the game is over", 404: "no such game"}


@dataclass
class Tally:
    """What was answered."""

    wanted: int
    """0: without end."""
    patience: int = 20
    """Failures to go on after."""
    noted: Path | None = None
    """Where every analysis leaves a line."""
    answers: collections.Counter[int] = field(default_factory=collections.Counter)
    faults: list[str] = field(default_factory=list)
    slowest: float = 0.0

    @property
    def asked(self) -> int:
        return sum(self.answers.values())

    @property
    def is_done(self) -> bool:
        return 0 < self.wanted <= self.asked or len(self.faults) > self.patience

    def look_at(self, answers: Sequence[Any]) -> None:
        """Calls of every kind: none may go without an answer, or end in a defect of the server."""
        self.faults += [told(one) for one in answers if isinstance(one, Exception)]
        self.faults += [
            f"{one.request.method} {one.request.url.path[-6:]}: {one.status_code} {one.text[:200]}"
            for one in answers
            if isinstance(one, httpx.Response) and one.status_code >= 500
        ]

    def note(self, code: int, fault: str) -> None:
        """One answer."""
        self.answers[code] += 1
        self.faults += [fault] if fault else []
        if self.noted:
            append_whole(self.noted, f"{code}\n")


def told(fault: BaseException) -> str:
    """A fault with what caused it: whether the other side broke a connection, or the client closed its own."""
    cause = fault.__cause__ or fault.__context__
    return repr(fault) + (f" by {told(cause)}" if cause else "")


def client_of(address: str) -> httpx.AsyncClient:
    """One for all visitors."""
    limits = httpx.Limits(max_connections=200, keepalive_expiry=IDLE_SECONDS)
    return httpx.AsyncClient(base_url=address, timeout=300, limits=limits)


def wrong(answer: httpx.Response, visits: int) -> str:
    """What is wrong with an analysis; empty where nothing is."""
    if answer.status_code in REASONS:
        return "" if answer.json().get("detail") == REASONS[answer.status_code] else answer.text[:200]
    if answer.status_code != 200:
        return f"{answer.status_code} {answer.text[:200]}"
    found = answer.json()
    if not found["candidates"] or found["visits"] < 1:
        return f"no moves: {answer.text[:200]}"
    rates = [found["black_winrate"], *(one["winrate"] for one in found["candidates"])]
    if not all(isinstance(rate, float | int) and 0 <= rate <= 1 for rate in rates):
        return f"rates {rates} of {visits} visits"
    return ""


async def analyse(client: httpx.AsyncClient, game: str, chance: random.Random, tally: Tally) -> None:
    """One analysis, looked at."""
    visits = chance.choice([1, 2, 5, 20, 60])
    began = time.monotonic()
    try:
        answer = await client.get(f"{game}/analysis", params={"visits": visits})
    except httpx.HTTPError as fault:
        return tally.note(0, f"no answer: {told(fault)}")
    tally.slowest = max(tally.slowest, time.monotonic() - began)
    return tally.note(answer.status_code, wrong(answer, visits))


async def begin(client: httpx.AsyncClient, chance: random.Random) -> str:
    """A game against a weak level, or a position of a file."""
    if chance.random() < 0.2:
        address = f"/api/games/sgf?move={chance.randint(0, 5)}&engine={chance.choice(['black', 'white'])}&level=first"
        answer = await client.post(address, content=SGF, headers={"content-type": "application/x-go-sgf"})
    else:
        body: dict[str, Any] = {"size": 5, "white": {"kind": "engine", "level": chance.choice(["first", "casual"])}}
        answer = await client.post("/api/games", json=body)
    answer.raise_for_status()
    return f"/api/games/{answer.json()['id']}"


async def visit(client: httpx.AsyncClient, shared: str, seed: int, tally: Tally) -> None:
    """Plays and asks, in a game of its own and in the shared one, until enough was asked."""
    chance = random.Random(seed)
    while not tally.is_done:
        game = await begin(client, chance)
        for _ in range(chance.randint(1, 12)):
            move = chance.choice([f"{chance.choice(LETTERS)}{chance.randint(1, 5)}"] * 4 + ["pass", "resign"])
            calls = [client.post(f"{chance.choice([game, game, shared])}/moves", json={"move": move})]
            if chance.random() < 0.2:
                calls.append(client.post(f"{chance.choice([game, shared])}/undo"))
            asked = [analyse(client, chance.choice([game, shared]), chance, tally) for _ in range(chance.randint(1, 3))]
            tally.look_at(await asyncio.gather(*calls, *asked, return_exceptions=True))
        if chance.random() < 0.5:
            ends: list[Coroutine[Any, Any, Any]] = [client.delete(game), analyse(client, game, chance, tally)]
            tally.look_at(await asyncio.gather(*ends, return_exceptions=True))


async def run(address: str, tally: Tally, seed: int) -> None:
    """As many analyses as the tally wants."""
    async with client_of(address) as client:
        shared = await begin(client, random.Random(seed))
        await asyncio.gather(*(visit(client, shared, seed * 1000 + one, tally) for one in range(VISITORS)))


def main() -> int:
    """Asks, and says what was answered."""
    from benchmarks.soak_visitors import running_server

    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--calls", type=int, default=3000)
    arguments.add_argument("--address", help="of a running server; left out, one is started")
    arguments.add_argument("--net", default="default-9x9")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--patience", type=int, default=20, help="failures to go on after")
    arguments.add_argument("--noted", type=Path, help="a file that gets a line for every analysis")
    chosen = arguments.parse_args()
    tally = Tally(chosen.calls, chosen.patience, chosen.noted)
    if chosen.noted:
        chosen.noted.parent.mkdir(parents=True, exist_ok=True)
    with nullcontext((None, chosen.address)) if chosen.address else running_server(chosen.net) as (_, address):
        asyncio.run(run(address, tally, chosen.seed))
    codes = ", ".join(f"{count} x {code}" for code, count in sorted(tally.answers.items()))
    print(f"{tally.asked} analyses: {codes}; slowest {tally.slowest:.1f} s; {len(tally.faults)} failures")
    for fault in tally.faults[:10]:
        print(" ", fault)
    return int(bool(tally.faults))


if __name__ == "__main__":
    sys.exit(main())
