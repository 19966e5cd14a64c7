"""How much of the evaluator's speed reaches concurrent games: positions per second of processor time, in one run.

    python benchmarks/arena_throughput.py [NETWORK] [--visits 32] [--concurrent 64] [--seconds 30]

Processor time of the process, not wall time, so that other work on the machine does not count.
"""

import argparse
import threading
import time

import tesuji
from tesuji.arena.play.batch_room import BatchRoom
from tesuji.arena.play.conditions import Conditions
from tesuji.arena.play.opening_book import OpeningBook
from tesuji.arena.play.settings import Settings
from tesuji.arena.players.description import PlayerDescription
from tesuji.arena.players.hall import Hall
from tesuji.features.evaluation import Evaluator

BATCH = 64


def alone(evaluate: Evaluator, size: int) -> float:
    """Positions per processor second of the evaluator itself at batch 64."""
    games = [tesuji.Game(size=size, komi=7.0) for _ in range(BATCH)]
    planes, komi = tesuji.encode(games, evaluate.planes), [7.0] * BATCH
    evaluate(planes, komi)
    started, rounds = time.process_time(), 25
    for _ in range(rounds):
        evaluate(planes, komi)
    return BATCH * rounds / (time.process_time() - started)


def in_games(evaluate: Evaluator, visits: int, concurrent: int, seconds: float, size: int) -> tuple[float, float]:
    """Positions per processor second of games in one thread, and the mean batch."""
    players = [
        PlayerDescription(name, "network", options={"visits": visits, "c": c}) for name, c in (("a", 0.5), ("b", 0.4))
    ]
    settings = Settings(players, Conditions(size=size, komi=7.0), games=512, openings="random:4")
    hall = Hall(players, settings.conditions, lambda _: evaluate)
    plan = settings.make_schedule(OpeningBook(settings, hall).openings()).due({})
    stop = threading.Event()
    room = BatchRoom(hall, iter(plan), concurrent, lambda live: None, stop)
    timer = threading.Timer(seconds, stop.set)
    timer.start()
    started = time.process_time()
    room.run()
    spent = time.process_time() - started
    timer.cancel()
    return room.evaluations / spent, room.evaluations / max(1, room.batches)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("network", nargs="?", default="default-9x9")
    parser.add_argument("--visits", type=int, default=32)
    parser.add_argument("--concurrent", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--size", type=int, default=9)
    given = parser.parse_args()
    evaluate = tesuji.load(given.network)
    before = alone(evaluate, given.size)
    games, batch = in_games(evaluate, given.visits, given.concurrent, given.seconds, given.size)
    after = alone(evaluate, given.size)
    print(f"evaluator alone, batch {BATCH}: {before:.0f} and {after:.0f} positions per processor second")
    print(f"{given.visits}-descent games, mean batch {batch:.0f}: {games:.0f}, {2 * games / (before + after):.0%}")


if __name__ == "__main__":
    main()
