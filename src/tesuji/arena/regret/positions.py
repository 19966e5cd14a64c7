"""Undecided positions of real games, one of each, the same ones whenever they are asked for."""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from tesuji._core import BLACK, PASS, Filter, Game
from tesuji.arena.play.openings import Opening
from tesuji.arena.regret.lines import GrowingLines, fingerprint
from tesuji.arena.regret.move_judge import MoveJudge, worth_of
from tesuji.base.errors import InputError
from tesuji.go.errors import IllegalMoveError
from tesuji.training.data.game_set import GameSet
from tesuji.training.data.packing import pack

LIKED = 3
"""Moves of the judge's own that a player's move is held against; the best of them counts."""
_CHUNK = 64


@dataclass(frozen=True)
class Choosing:
    """Which positions are taken."""

    source: str
    """A packed file, or records of any kind: an SGF file, a folder, an archive."""
    seed: int = 1
    first: int = 6
    """Moves that have been played at least."""
    last: int = 0
    """Moves that have been played at most; 0 for two thirds of the points of the board."""
    margin: float = 0.4
    """How far the judge's win rate may be from one half."""

    def __post_init__(self) -> None:
        if not 0 < self.margin <= 0.5:
            raise InputError(f"margin={self.margin:g}: above 0, at most 0.5")
        if self.first < 0 or (self.last and self.last < self.first):
            raise InputError(f"first={self.first}, last={self.last}: moves played, the first no more than the last")
        if not Path(self.source).exists():
            raise FileNotFoundError(f"no file or folder '{self.source}' to take positions from")


@dataclass(frozen=True)
class Undecided:
    """A position that the judge holds for open, and the moves it likes there, best first."""

    position: Opening
    liked: tuple[int, ...]


def undecided(
    choosing: Choosing, judge: MoveJudge, count: int, progress: Callable[[int, int], None] = lambda done, total: None
) -> list[Undecided]:
    """`count` undecided positions; a longer list begins with the shorter one, and what was looked at is remembered."""
    about = {"positions": asdict(choosing) | {"source": Path(choosing.source).name}, **judge.about}
    kept = GrowingLines(judge.folder / f"positions-{fingerprint(about)}.jsonl", about)
    size = judge.conditions.size
    found = [Undecided(Opening(tuple(row["moves"]), size), tuple(row["liked"])) for row in kept if row.get("liked")]
    if len(found) < count:
        candidates = _candidates(choosing, size)
        for _ in range(len(kept)):
            next(candidates, None)
        while len(found) < count:
            chunk = [one for _, one in zip(range(_CHUNK), candidates, strict=False)]
            if not chunk:
                raise InputError(f"{choosing.source}: only {len(found)} undecided positions; ask for no more")
            found += _looked_at(chunk, judge, choosing.margin, kept)
            progress(min(len(found), count), count)
    return found[:count]


def _looked_at(chunk: list[Opening | None], judge: MoveJudge, margin: float, kept: GrowingLines) -> Iterator[Undecided]:
    """Those of a chunk that are undecided, by a glance and then by a search; all of it is written down in order."""
    games = {place: game for place, one in enumerate(chunk) if one and (game := _begun(one, judge)) is not None}
    rates = dict(zip(games, judge.glance(list(games.values())), strict=True)) if games else {}
    open_ones = [place for place, rate in rates.items() if abs(rate - 0.5) <= margin]
    results = {open_ones[n]: result for n, result in judge.searched([games[place] for place in open_ones])}
    for place, one in enumerate(chunk):
        result = results.get(place)
        if one is None or result is None:
            kept.add({"passed_over": round(rates[place], 4) if place in rates else "unfit"})
            continue
        winrate = worth_of(result).winrate
        if abs(winrate - 0.5) > margin:
            kept.add({"passed_over": round(winrate, 4)})
            continue
        liked = tuple(move.move for move in result.moves[:LIKED] if move.visits or move.move == result.move)
        kept.add({"moves": list(one.moves), "winrate": round(winrate, 4), "liked": list(liked)})
        yield Undecided(one, liked)


def _begun(position: Opening, judge: MoveJudge) -> Game | None:
    try:
        return judge.begin(position)
    except IllegalMoveError:  # a repetition that the rules of the record allowed
        return None


def _candidates(choosing: Choosing, size: int) -> Iterator[Opening | None]:
    """A random position of every game, games in random order; None for a game that has none to offer."""
    with TemporaryDirectory() as passing:
        path = Path(choosing.source)
        if path.is_dir() or path.suffix != ".games":
            wanted = Filter()
            wanted.size = size
            path = Path(passing) / "records.games"
            pack([choosing.source], path, wanted)
        games = GameSet(path, size=size)
        last = choosing.last or size * size * 2 // 3
        for number in np.random.default_rng(choosing.seed).permutation(games.games):
            chance = np.random.default_rng([choosing.seed, int(number)])
            yield _position(games, int(number), size, choosing.first, last, chance)


def _position(
    games: GameSet, number: int, size: int, first: int, last: int, chance: np.random.Generator
) -> Opening | None:
    game = games.record(number).game()
    moves = game.moves
    most = min(last, len(moves) - 1)
    if most < first or game.start_board.stones(BLACK):
        return None
    played = moves[: int(chance.integers(first, most + 1))]
    points = tuple(move for _, move in played)
    alternating = all((color == BLACK) == (n % 2 == 0) for n, (color, _) in enumerate(played))
    return Opening(points, size) if alternating and PASS not in points else None
