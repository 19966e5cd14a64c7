"""From records of any kind to one packed file, on all cores, with an account of everything read."""

import os
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import islice

import numpy as np

from tesuji._core import (
    Chunk,
    Filter,
    GamePool,
    GamesDataReader,
    PackedFile,
    PackedRecord,
    PackedWriter,
    games_data_text,
    pack_records,
    read_sgf_chunk,
)
from tesuji.base.errors import InputError
from tesuji.base.files import write_atomically
from tesuji.base.machine import cores
from tesuji.go.sgf import text as sgf_text
from tesuji.training.data.record_sources import Piece, RecordSources
from tesuji.training.data.teacher import read_teacher

__all__ = ["Filter", "PackReport", "PackedRecord", "Rejection", "export_games_data", "pack", "pack_games"]

_RECORDS_AT_ONCE = 1000
_TEACHER_KINDS = ("teacher",)


@dataclass(frozen=True)
class Rejection:
    """A record that was not packed, and why."""

    name: str
    reason: str
    detail: str


@dataclass
class PackReport:
    """What became of every record."""

    read: int = 0
    kept: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    """Number of records by reason; `read == kept + dropped.total()` except for files that hold no record at all."""
    done: float = 0.0
    """Share of the sources read so far."""

    def add(self, rejection: Rejection) -> None:
        """Counts a rejection."""
        self.dropped[rejection.reason] += 1


def pack(
    sources: Sequence[str | os.PathLike[str]],
    output: str | os.PathLike[str],
    filter: Filter | None = None,
    threads: int | None = None,
    drop_duplicates: bool = True,
    last: int | None = None,
    progress: Callable[[PackReport], None] = lambda report: None,
    rejected: Callable[[Rejection], None] = lambda rejection: None,
) -> PackReport:
    """Packs every game of the sources that the filter wants, in order; returns the account.

    `last` keeps so many games from the end, as the papers take the latest of a long run. The file appears whole at
    the end or not at all. Raises `ValueError` if no game is left.
    """
    reader = RecordSources(sources)
    wanted = filter or Filter()
    writer = PackedWriter(os.fspath(output))
    report = PackReport()
    workers = cores() if threads is None else threads
    counted: Counter[str] = Counter()
    detail = ""
    with ThreadPoolExecutor(max(workers, 1)) as pool:
        for name, kind, chunk in _in_order(pool, _tasks(reader, wanted), 2 * workers + 2):
            before = counted[name]
            counted[name] += chunk.records
            for rejection in _append(writer, name, before, chunk, drop_duplicates and kind not in _TEACHER_KINDS):
                report.add(rejection)
                rejected(rejection)
                detail = rejection.detail
            report.read += chunk.records
            report.kept = writer.games
            report.done = reader.done / max(reader.total, 1)
            progress(report)
    if not writer.games:
        reasons = ", ".join(f"{count} {reason}" for reason, count in report.dropped.most_common(3))
        reasons += f": {detail}" if detail and report.dropped.total() == 1 else ""
        where = ", ".join(map(str, sources[:3])) + (f" and {len(sources) - 3} more" if len(sources) > 3 else "")
        raise InputError(f"no game to pack in {where}" + (f" ({reasons})" if reasons else ""))
    writer.finish()
    if last is not None and writer.games > last:
        report.dropped["before the last"] = writer.games - last
        report.kept = _keep_last(output, last)
    return report


def _keep_last(path: str | os.PathLike[str], last: int) -> int:
    """Writes the packed file anew with its last games alone: how many there are is known only at the end."""
    games = GamePool([PackedFile(os.fspath(path))], [])
    return pack_games((games.record(int(game)) for game in games.games()[-last:]), path)


def pack_games(records: Iterable[PackedRecord], path: str | os.PathLike[str]) -> int:
    """Writes records one after the other into a packed file; returns their number.

    For self-play and tests: nothing is filtered, an illegal game raises `ValueError` and writes nothing.
    """
    writer = PackedWriter(os.fspath(path))
    waiting = iter(records)
    while some := list(islice(waiting, _RECORDS_AT_ONCE)):
        chunk = pack_records(some, Filter())
        for ordinal, _, detail in chunk.rejections:
            raise InputError(f"game {writer.games + ordinal}: {detail}")
        writer.append(chunk, False)
    writer.finish()
    return int(writer.games)


def export_games_data(games: Iterable[PackedRecord], path: str | os.PathLike[str]) -> int:
    """Writes 19x19 games as the course library's `games.data`; returns their number.

    Raises `ValueError` for a game the format cannot hold: another size, setup stones, no winner.
    """
    texts = [games_data_text(record) for record in games]
    write_atomically(path, f"{len(texts)}\n{''.join(texts)}")
    return len(texts)


@dataclass(frozen=True)
class _Fault:
    """Stands for a chunk where a whole file could not be read."""

    detail: str
    records: int = 1
    games: int = 0

    @property
    def rejections(self) -> list[tuple[int, str, str]]:
        return [(0, "unreadable file", self.detail)]


Result = tuple[str, str, Chunk | _Fault]
Task = Callable[[], list[Result]]


def _tasks(sources: RecordSources, wanted: Filter) -> Iterator[Task]:
    """Work for one thread each: a large piece, a part of a huge one, or many small files together."""
    small: list[Piece] = []
    for piece in sources:
        if piece.kind in _IN_PARTS:
            if small:
                yield _task(small, wanted)
                small = []
            yield from _IN_PARTS[piece.kind](piece, wanted, sources.within)
            continue
        small.append(piece)
        if sum(len(one.data) for one in small) > 200_000 or len(small) >= 200:
            yield _task(small, wanted)
            small = []
    if small:
        yield _task(small, wanted)


def _done(piece: Piece, chunk: Chunk | _Fault) -> Task:
    return lambda: [(piece.name, piece.kind, chunk)]


def _task(pieces: list[Piece], wanted: Filter) -> Task:
    return lambda: [result for piece in pieces for result in _read(piece, wanted)]


def _read(piece: Piece, wanted: Filter) -> Iterator[Result]:
    data = bytes(piece.data)
    if piece.kind == "fault":
        yield piece.name, piece.kind, _Fault(data.decode("utf-8", "replace"))
    else:
        text = data if data.isascii() else sgf_text.decode(data).encode("utf-8", "replace")
        chunk = read_sgf_chunk(text, piece.kind == "lines", wanted)
        yield piece.name, piece.kind, chunk if chunk.records else _Fault("no game tree in it")


def _read_teacher(piece: Piece, wanted: Filter, within: Callable[[float], None]) -> Iterator[Task]:
    records = read_teacher(bytes(piece.data), piece.name, within)
    try:
        while some := list(islice(records, _RECORDS_AT_ONCE)):
            yield partial(_pack_some, piece, some, wanted)
    except ValueError as problem:
        yield _done(piece, _Fault(str(problem)))


def _pack_some(piece: Piece, records: list[PackedRecord], wanted: Filter) -> list[Result]:
    return [(piece.name, piece.kind, pack_records(records, wanted))]


def _read_games_data(piece: Piece, wanted: Filter, within: Callable[[float], None]) -> Iterator[Task]:
    """Each game says where the next begins: they are read one after the other."""
    try:
        reader = GamesDataReader(np.frombuffer(piece.data, np.uint8))
    except ValueError as problem:
        yield _done(piece, _Fault(f"not a games.data of the course library: {problem}"))
        return
    while not reader.at_end:
        chunk = reader.next(_RECORDS_AT_ONCE, wanted)
        within(reader.offset / len(piece.data))
        yield _done(piece, chunk)


_IN_PARTS = {"games.data": _read_games_data, "teacher": _read_teacher}


def _in_order(pool: ThreadPoolExecutor, tasks: Iterator[Task], window: int) -> Iterator[Result]:
    """Runs tasks ahead of need, but only so many, and gives their results in the order of the tasks."""
    running: deque[Future[list[Result]]] = deque()
    for task in tasks:
        running.append(pool.submit(task))
        if len(running) >= window:
            yield from running.popleft().result()
    while running:
        yield from running.popleft().result()


def _append(
    writer: PackedWriter, name: str, before: int, chunk: Chunk | _Fault, drop_duplicates: bool
) -> Iterator[Rejection]:
    for ordinal, reason, detail in chunk.rejections:
        yield Rejection(f"{name}:{before + ordinal + 1}", reason, detail)
    if isinstance(chunk, Chunk):
        for ordinal in writer.append(chunk, drop_duplicates):
            yield Rejection(f"{name}:{before + ordinal + 1}", "duplicate", "the same moves, perhaps turned")
