"""What a labelling run is told: which positions, at which komi, and how the teacher looks at them."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tesuji.base.errors import InputError
from tesuji.base.settings import changed
from tesuji.search.options import SearchOptions

WIDEST_KOMI = 400.0


@dataclass(frozen=True)
class LabelOptions:
    """One labelling run; the same options give the same questions."""

    teacher: str
    """Network by name or file; also KataGo's and Leela Zero's."""
    games: tuple[str, ...]
    """Packed files whose positions are judged."""
    komi: str = "5.5,6.5,7,7.5"
    """Komi of the questions: a list, a range -10:20 of whole and half points, or `game`, each game's own."""
    rules: str = "tromp-taylor"
    """Rules under which the teacher judges."""
    odd: str = "0"
    """Moves added to each position that nobody played: a number, or a range 1:6."""
    odd_by: str = "random"
    """Who plays them: random (any legal move but a pass), or a network, which draws among its first eight."""
    leaves: str = ""
    """A network whose search looks at the position; a node of its tree is judged instead."""
    leaf_visits: int = 64
    """Visits of that search."""
    visits: int = 1
    """Visits of the teacher; 1 is the bare network."""
    search: tuple[str, ...] = ()
    """Options of the teacher's search as key=value, such as c=0.5."""
    symmetry: str = "random"
    """How the teacher's network looks at a position: none, random (one of eight) or all (the mean of eight)."""
    hard: float = 1.0
    """The share of judged positions that is kept: those where student and teacher differ most."""
    student: str = ""
    """The network that is compared with the teacher where `hard` is below 1."""
    batch: int = 64
    """Positions of one part of the work: what a kill loses."""
    seed: int = 1
    """Decides every question."""

    def __post_init__(self) -> None:
        for path in self.games:
            if not Path(path).is_file():
                raise FileNotFoundError(f"no packed file '{path}'; make one with `tesuji data pack`")
        if not self.games:
            raise InputError("nothing to judge: give packed files (see `tesuji data pack`)")
        if not 0 < self.hard <= 1:
            raise InputError(f"hard is {self.hard:g}; it is a share above 0 and at most 1")
        if self.hard < 1 and not self.student:
            raise InputError(
                "hard positions are those where a student differs from the teacher: name it with --student"
            )
        for name in ("visits", "batch", "leaf_visits"):
            if getattr(self, name) < 1:
                raise InputError(f"{name} is {getattr(self, name)}; it must be at least 1")
        if self.symmetry not in {"none", "random", "all"}:
            raise InputError(f"no symmetry '{self.symmetry}'; there are none, random, all")
        komi_values(self.komi)
        odd_range(self.odd)
        self.search_options()
        if self.search and self.visits == 1:
            raise InputError("options of a search without a search: give --visits above 1")

    def search_options(self) -> SearchOptions:
        """Of the teacher's search."""
        told = dict(one.partition("=")[::2] for one in self.search)
        if "visits" in told:
            raise InputError("the visits of the teacher's search stand in --visits")
        return changed(SearchOptions(visits=self.visits), told, "search")


def komi_values(text: str) -> NDArray[np.float64]:
    """The komi that `5.5,7` or `-10:20` names; none for `game`."""
    if text == "game":
        return np.empty(0)
    try:
        if ":" in text:
            low, high = (float(part) for part in text.split(":"))
            values = np.arange(round(2 * low), round(2 * high) + 1) / 2
        else:
            values = np.array([float(part) for part in text.split(",")])
    except (ValueError, OverflowError):
        values = np.empty(0)
    if not len(values) or not (np.abs(values) <= WIDEST_KOMI).all():
        raise InputError(f"'{text[:40]}' names no komi; write a list as 5.5,6.5,7 a range as -10:20, or game")
    return values


def odd_range(text: str) -> tuple[int, int]:
    """Fewest and most odd moves."""
    parts = text.split(":")
    if len(parts) > 2 or not all(part.isdecimal() for part in parts) or int(parts[0]) > int(parts[-1]):
        raise InputError(f"'{text[:40]}' is no number of odd moves; write 3 or a range as 1:6")
    return int(parts[0]), int(parts[-1])
