"""Real games with a stated count, replayed to the end under the rules they state."""

import lzma
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tesuji.go.sgf.files import SgfError, read_record

DATA = Path(__file__).parents[3] / "shared" / "data"
"""Beside the repository; tests that need it skip where it is absent."""


@dataclass
class Tally:
    """What replaying the games of one file showed."""

    games: int = 0
    moves: int = 0
    illegal: list[str] = field(default_factory=list)
    other_score: list[str] = field(default_factory=list)
    """Games whose final board, every stone on it taken as alive, does not count to the stated result."""


def lines(path: Path) -> Iterator[str]:
    """The games of a file with one SGF a line, plain or compressed."""
    with lzma.open(path, "rt", encoding="utf-8") if path.suffix == ".xz" else path.open(encoding="utf-8") as file:
        yield from file


def is_counted_by_area(line: str) -> bool:
    """Whether a game states rules with area scoring, a komi and a count."""
    header = line.partition(";B[")[0].partition(";W[")[0]
    area = any(f"RU[{name}]" in header for name in ("Chinese", "AGA", "NZ", "New Zealand"))
    counted = "RE[Draw]" in header or any(f"RE[{winner}+{digit}" in header for winner in "BW" for digit in range(10))
    return area and counted and "KM[" in header


def replay(games: Iterator[str], source: str) -> Tally:
    """Reads and replays games; what goes wrong is told with the line it stands in."""
    tally = Tally()
    for number, line in enumerate(games, start=1):
        if not is_counted_by_area(line):
            continue
        tally.games += 1
        try:
            record = read_record(line.encode())
        except SgfError as fault:
            tally.illegal.append(f"{source}:{number}: {fault}")
            continue
        tally.moves += len(record.game.moves)
        score = record.game.black_score()
        counted = "0" if score == 0 else f"{'B' if score > 0 else 'W'}+{abs(score):g}"
        if counted != record.result:
            tally.other_score.append(f"{source}:{number}: {counted} on the board, {record.result} stated")
    return tally
