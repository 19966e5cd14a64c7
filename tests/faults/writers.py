"""Everything that writes files that matter, in one form: work that can be killed anywhere and then goes on.

Each writer stores items 0, 1, ... in order, tells each once it is safe, and goes on with what is on the disk.
"""

import json
import random
import zipfile
from collections.abc import Callable, Iterator
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


def archived_game() -> Writer:
    """A game of the page, kept anew after every move."""
    from tesuji.go.sgf.files import read_tree
    from tesuji.interfaces.web.game.archive import Archive

    visitor, name = "v" * 24, "0" * 16

    def read(folder: Path) -> int | None:
        games = Archive(folder).games(visitor)
        assert len(games) <= 1
        return games[0].moves - 1 if games else None

    def keep(folder: Path, item: int) -> None:
        moves = "".join(f";{'BW'[i % 2]}[{chr(97 + i)}a]" for i in range(item + 1))
        Archive(folder).keep(visitor, name, read_tree(f"(;GM[1]SZ[9]{moves})"))

    return _versions(keep, read)


def model_cache() -> Writer:
    """Translated networks, kept by their content; Keras itself, a process of its own, is left out."""
    from tesuji.networks import library
    from tesuji.networks.keras import convert

    model = library.find("default-9x9").read_bytes()
    inputs = {"class_name": "InputLayer", "config": {"batch_shape": [None, 9, 9, 21]}}
    config = json.dumps({"class_name": "Functional", "config": {"layers": [inputs]}})

    def held(folder: Path) -> list[int]:
        kept = sorted(folder.glob("*.onnx"))
        assert all(path.read_bytes() == model for path in kept)
        return [int(path.stem.split("-")[0]) for path in kept]

    def work(folder: Path, say: Say) -> None:
        convert._run = lambda *_: model
        for item in range(ITEMS):
            source = folder.parent / f"{item}.keras"
            with zipfile.ZipFile(source, "w") as archive:
                archive.writestr(zipfile.ZipInfo("config.json"), config)
            convert.converted(source, folder)
            say(item)

    return Writer(work, held)


def remembered() -> Writer:
    from tesuji.base.remembered import RememberedNumbers

    def held(folder: Path) -> list[int]:
        numbers = RememberedNumbers(folder / "numbers.json")
        return [item for item in range(ITEMS) if numbers.get(str(item)) == item + 0.5]

    def work(folder: Path, say: Say) -> None:
        for item in range(len(held(folder)), ITEMS):
            RememberedNumbers(folder / "numbers.json").keep({str(item): item + 0.5})
            say(item)

    return Writer(work, held)


def training_log() -> Writer:
    from tesuji.training.run.logs import CsvLog

    def held(folder: Path) -> list[int]:
        rows = CsvLog(folder / "log.csv").rows()
        assert all(row["loss"] == row["step"] + 0.12345678 for row in rows), rows
        return [int(row["step"]) for row in rows]

    def work(folder: Path, say: Say) -> None:
        log, done = CsvLog(folder / "log.csv"), len(held(folder))
        log.cut(done - 1)  # as every run that goes on
        for item in range(done, ITEMS):
            log.append({"step": item, "loss": item + 0.12345678})
            say(item)

    return Writer(work, held)


_ALL = (
    *(atomic, lines, results, shards, packed, checkpoints, saved_games),
    *(archived_game, model_cache, remembered, training_log),
)
WRITERS: dict[str, Callable[[], Writer]] = {one.__name__: one for one in _ALL}
