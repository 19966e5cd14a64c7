"""Everything that writes files that matter, in one form: work that can be killed anywhere and then goes on.

Each writer stores items 0, 1, ... in order, tells each once it is safe, and goes on with what is on the disk.
"""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ITEMS = 4
Say = Callable[[int], None]


@dataclass(frozen=True)
class Writer:
    """One kind of file."""

    work: Callable[[Path, Say], None]
    """Stores the items that are not there yet."""
    held: Callable[[Path], list[int]]
    """The items on the disk, as a reader finds them: each once, in order."""
    items: int = ITEMS


def _versions(write: Callable[[Path, int], None], read: Callable[[Path], int | None], items: int = ITEMS) -> Writer:
    """A file that is replaced: whoever holds version n holds all before it."""

    def held(folder: Path) -> list[int]:
        version = read(folder)
        return [] if version is None else list(range(version + 1))

    def work(folder: Path, say: Say) -> None:
        for item in range(len(held(folder)), items):
            write(folder, item)
            say(item)

    return Writer(work, held, items)


def atomic() -> Writer:
    from tesuji.base.files import write_atomically

    def read(folder: Path) -> int | None:
        file = folder / "note.txt"
        if not file.exists():
            return None
        first, second = file.read_text().split("\n" + "x" * 5000 + "\n")
        assert first == second
        return int(first)

    return _versions(
        lambda folder, item: write_atomically(folder / "note.txt", f"{item}\n{'x' * 5000}\n{item}"),
        read,
    )


def lines() -> Writer:
    from tesuji.arena.regret.lines import GrowingLines

    def held(folder: Path) -> list[int]:
        return [row["item"] for row in GrowingLines(folder / "rows.jsonl", {"about": "faults"})]

    def work(folder: Path, say: Say) -> None:
        rows = GrowingLines(folder / "rows.jsonl", {"about": "faults"})
        for item in range(len(rows), ITEMS):
            rows.add({"item": item})
            say(item)

    return Writer(work, held)


def results() -> Writer:
    from tesuji.arena.play.results import GameResult, ResultsFile

    def held(folder: Path) -> list[int]:
        return [int(key) for key in ResultsFile(folder / "results.jsonl").games]

    def work(folder: Path, say: Say) -> None:
        with ResultsFile(folder / "results.jsonl") as file:
            file.begin({"size": 9}, {"a": {"visits": 1}, "b": {"visits": 2}})
            for item in range(ITEMS):
                if str(item) not in file.games:
                    file.add(GameResult(str(item), "a", "b", "B+R", "counted", sgf="(;)" * 50))
                    say(item)

    return Writer(work, held)


def shards() -> Writer:
    from tesuji import Game
    from tesuji.learning.selfplay.played_game import PlayedGame
    from tesuji.learning.selfplay.shards import ShardFolder, rows
    from tesuji.learning.selfplay.shards import shards as found
    from tesuji.training.data.game_set import GameSet

    def game(number: int) -> PlayedGame:
        chance, game = random.Random(number), Game(size=5)
        for _ in range(8 + number):
            game.play(chance.choice(game.legal_moves()[:-1]))
        return PlayedGame(number, game, "B+", (), 0, 10, 10)

    def held(folder: Path) -> list[int]:
        noted = [int(row["number"]) for row in rows(folder)]
        stored = [len(record.moves) - 8 for shard in found(folder) for record in GameSet(shard.path)]
        assert noted[: len(stored)] == stored, (noted, stored)
        return stored

    def work(folder: Path, say: Say) -> None:
        with ShardFolder(folder, joined=3) as store:
            for item in range(store.games, ITEMS):
                store.add([game(item)])
                say(item)

    return Writer(work, held)


def packed() -> Writer:
    from tesuji.training.data.game_set import GameSet
    from tesuji.training.data.packing import pack_games

    def records(item: int) -> Iterator[object]:
        from tests.training.packed import random_record

        return (random_record(seed) for seed in range(item + 1))

    def read(folder: Path) -> int | None:
        file = folder / "all.games"
        return len(GameSet(file)) - 1 if file.exists() else None

    return _versions(
        lambda folder, item: pack_games(records(item), folder / "all.games"),  # type: ignore[arg-type]
        read,
    )


def checkpoints() -> Writer:
    import torch

    from tesuji.training.run import checkpoints as kept

    def read(folder: Path) -> int | None:
        try:
            found = kept.latest(folder, lambda line: None)
        except kept.CheckpointError:
            return None
        assert found.weights["kernel"].tolist() == [float(found.step)] * 4
        return found.step

    def save(folder: Path, step: int) -> None:
        for _ in range(1 + step):  # a run that is resumed and ends at once saves the same step again
            kept.save(folder, kept.Checkpoint({}, step, {}, {"kernel": torch.full((4,), float(step))}), keep=1)

    return _versions(save, read, items=2)


def saved_games() -> Writer:
    from tesuji.interfaces.web.game.store import Store

    key = "k" * 24

    def read(folder: Path) -> int | None:
        state = Store(folder).load(key)
        return None if state is None else int(state["item"])

    return _versions(lambda folder, item: Store(folder).save(key, {"item": item}), read)


def training_log() -> Writer:
    from tesuji.base.files import append_whole

    def held(folder: Path) -> list[int]:
        file = folder / "log.csv"
        lines = file.read_text().splitlines(keepends=True) if file.exists() else []
        return [int(line) for line in lines if line.endswith("\n")]

    def work(folder: Path, say: Say) -> None:
        file = folder / "log.csv"
        with _whole_lines(file):
            for item in range(len(held(folder)), ITEMS):
                append_whole(file, f"{item}\n")
                say(item)

    return Writer(work, held)


@contextmanager
def _whole_lines(file: Path) -> Iterator[None]:
    """As every reader of such files does: what a kill has cut is dropped before one goes on."""
    import os

    if file.exists():
        data = file.read_bytes()
        os.truncate(file, data.rfind(b"\n") + 1)
    yield


WRITERS: dict[str, Callable[[], Writer]] = {
    one.__name__: one for one in (atomic, lines, results, shards, packed, checkpoints, saved_games, training_log)
}
