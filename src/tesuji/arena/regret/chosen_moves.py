"""What players choose in given positions, remembered on disk for as long as neither they nor the program change."""

import hashlib
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import tesuji
from tesuji import _core
from tesuji.arena.play.openings import Opening
from tesuji.arena.play.seated_game import Seat
from tesuji.arena.players.gtp_engine import EngineError
from tesuji.arena.players.hall import Hall
from tesuji.arena.regret.lines import GrowingLines, fingerprint
from tesuji.arena.regret.move_judge import board_of
from tesuji.base.errors import InputError
from tesuji.base.machine import cores

RESIGNED = -2
"""Written in the place of a move."""


def chosen_moves(
    hall: Hall, name: str, positions: Sequence[Opening], folder: Path, threads: int = 0,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> tuple[list[int], float]:  # fmt: skip
    """The player's move in each position, and its seconds a move; only what is not known yet is asked.

    It plays exactly as it would alone: its own batches and threads, several positions side by side.
    """
    about = {"player": hall.record(name), "conditions": board_of(hall.conditions), "program": _program()}
    kept = GrowingLines(folder / "moves" / f"{fingerprint(about)}.jsonl", about)
    known = {row["position"]: row for row in kept if "move" in row}
    missing = [position for position in dict.fromkeys(positions) if position.name not in known]
    alone = hall.is_timed or name not in hall.networks or hall.networks[name].threads > 1
    lock, seats = threading.Lock(), _Seats(hall, name)

    def ask(position: Opening) -> None:
        game = position.begin(hall.conditions.size, hall.conditions.komi, hall.conditions.rules)
        seat = seats.mine()
        seed = int.from_bytes(hashlib.sha256(position.name.encode()).digest()[:4], "big")
        try:
            seat.begin(game, game.to_play, seed)
            answer = seat.choose(game)
        except EngineError as fault:
            raise InputError(f"player '{name}' gave no move: {fault}") from fault
        row = {"position": position.name, "move": RESIGNED if answer.move is None else answer.move}
        with lock:
            kept.add(row | {"seconds": round(answer.seconds, 4)})
            progress(len(kept) - len(known), len(missing))

    pool = ThreadPoolExecutor(1 if alone else threads or cores())
    try:
        list(pool.map(ask, missing))
    finally:
        pool.shutdown(cancel_futures=True)  # an interrupt waits for the moves under way, not for all
        seats.close()
    known = {row["position"]: row for row in kept if "move" in row}
    seconds = sum(known[position.name]["seconds"] for position in positions)
    return [known[position.name]["move"] for position in positions], seconds / max(1, len(positions))


class _Seats:
    """A seat of the player for each thread."""

    def __init__(self, hall: Hall, name: str) -> None:
        self._hall, self._name = hall, name
        self._own = threading.local()
        self._all: list[Seat] = []

    def mine(self) -> Seat:
        if not hasattr(self._own, "seat"):
            self._own.seat = self._hall.seat(self._name)
            self._all.append(self._own.seat)
        seat: Seat = self._own.seat
        return seat

    def close(self) -> None:
        for seat in self._all:
            seat.close()


@cache
def _program() -> str:
    """A word for the code that searches: moves found by other code are asked for again."""
    digest = hashlib.sha256(Path(_core.__file__).read_bytes())
    for path in sorted((Path(tesuji.__file__).parent / "search").rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
