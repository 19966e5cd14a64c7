"""What a user gives beside a recipe, checked before anything is written: games, networks, the size of the board."""

import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

from tesuji._core import GamePool, PackedFile
from tesuji.arena.play.conditions import Conditions
from tesuji.base.errors import InputError
from tesuji.base.settings import check_names
from tesuji.experiments.recipe import Recipe
from tesuji.networks.evaluators.factory import load
from tesuji.networks.zoo.description import describe


@dataclass(frozen=True)
class Kind:
    """A kind of experiment, and which of `data`, `networks` and `size` it has a use for.

    A module has `check(recipe, settings)` and `run(recipe, work)`; one that takes networks has
    `given_rows(recipe, settings)`, the rows that may be given; one that takes data has
    `to_train(recipe, settings, networks)`, the networks that it trains on them beside those given.
    """

    module: ModuleType
    takes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Given:
    """Packed games, model files by row, and the board."""

    data: tuple[str, ...] = ()
    networks: Mapping[str, str] = field(default_factory=dict)
    size: int | None = None

    def command(self, recipe: str, budget: str, folder: Path, trained: Path | None) -> str:
        """The command line that gives all this."""
        words = ["tesuji", "reproduce", recipe, "--budget", budget]
        for path in self.data:
            words += ["--data", path]
        for row, network in self.networks.items():
            words += ["--networks", f"{row}={network}"]
        words += ["--size", str(self.size)] if self.size else []
        words += ["--out", str(folder)]
        return shlex.join(words + (["--trained", str(trained)] if trained else []))

    def check(self, kind: Kind, recipe: Recipe, settings: Mapping[str, Any]) -> None:
        """Refuses what the experiment cannot use, before it has cost any time."""
        for name in ("data", "networks", "size"):
            if getattr(self, name) not in ((), {}, None) and name not in kind.takes:
                raise InputError(f"{recipe.name} has no use for --{name}; leave it out")
        if self.size is not None:
            Conditions(size=self.size)
        played = self.size or settings.get("size") or settings.get("match", {}).get("size")
        if "networks" in kind.takes:
            check_names(self.networks, kind.module.given_rows(recipe, settings), f"network to give to {recipe.name} as")
            self._check_networks(played)
        if "data" in kind.takes:
            names = kind.module.to_train(recipe, settings, self.networks)
            if names and not self.data:
                raise InputError(
                    f"{recipe.name} trains networks: give --data FILE of packed games (`tesuji data pack` makes one)"
                )
            self._check_data(recipe.name, names, self.size or settings.get("size"), played)

    def _check_networks(self, played: int | None) -> None:
        for row, name in self.networks.items():
            evaluate = load(name)
            if played and not evaluate.plays(played):
                raise InputError(f"--networks {row}={name} does not play {played}x{played}; give another, or --size")

    def _check_data(self, recipe: str, names: Iterable[str], trained: int | None, played: int | None) -> None:
        """Every file holds games of the board on which the networks are trained and then play."""
        for path in self.data:
            if not Path(path).is_file():
                raise InputError(f"no data file '{path}'; make one with `tesuji data pack`")
            sizes = GamePool([PackedFile(path)], []).sizes()
            if not sizes:
                raise InputError(f"the data file '{path}' holds no games")
            shown = ", ".join(f"{size}x{size}" for size in sizes)
            if trained is None and len(sizes) > 1:
                raise InputError(f"'{path}' holds games of {shown}; choose one with --size")
            size = trained or sizes[0]
            if size not in sizes or played not in (None, size):
                wanted = f"{played}x{played}"
                raise InputError(
                    f"'{path}' holds games of {shown}, and {recipe} is to be played on {wanted}; "
                    f"give games of {wanted}" + (f", or --size {sizes[0]}" if _possible(names, sizes[0]) else "")
                )
            for name in names:
                describe(name, size=size)


def _possible(names: Iterable[str], size: int) -> bool:
    """Whether all these networks are there for boards of this size."""
    try:
        for name in names:
            describe(name, size=size)
    except InputError:
        return False
    return True
