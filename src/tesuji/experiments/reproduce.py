"""One call runs an experiment of the papers: `tesuji.experiments.reproduce.reproduce("2021-table-4")`."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tesuji.base.files import write_atomically
from tesuji.base.settings import check_names
from tesuji.experiments.agreement import verdict
from tesuji.experiments.given import Given, Kind
from tesuji.experiments.kinds import (
    cloning,
    counts,
    formula,
    games,
    league,
    pareto_front,
    pooling,
    speed,
    training,
    value_front,
)
from tesuji.experiments.outcome import Outcome
from tesuji.experiments.page import markdown, page
from tesuji.experiments.provenance import provenance
from tesuji.experiments.recipe import Recipe, recipe
from tesuji.experiments.scaling import scaled_down
from tesuji.experiments.work import Told, Work

PAGE = "page.html"
KINDS = {
    "cloning": Kind(cloning, ("data", "networks", "size")),
    "counts": Kind(counts),
    "formula": Kind(formula),
    "games": Kind(games, ("networks", "size")),
    "league": Kind(league, ("data", "networks", "size")),
    "pareto": Kind(pareto_front, ("size",)),
    "pooling": Kind(pooling),
    "speed": Kind(speed, ("size",)),
    "training": Kind(training, ("data", "size")),
    "value-front": Kind(value_front, ("data", "size")),
}


@dataclass(frozen=True)
class Reproduced:
    """What came out, and where the page lies."""

    recipe: Recipe
    outcome: Outcome
    verdict: Sequence[str]
    folder: Path

    @property
    def page(self) -> Path:
        return self.folder / PAGE

    def markdown(self) -> str:
        """The table, a cell `paper / ours`."""
        return markdown(self.recipe, self.outcome)


def checked(one: Recipe, budget: str, changes: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The settings at this budget; refuses a recipe that could not be run."""
    check_names([one.kind], KINDS, f"kind of experiment in {one.name}")
    settings = one.at(budget) | dict(changes or {})
    KINDS[one.kind].module.check(one, settings)
    return settings


def reproduce(
    name: str, *, budget: str = "small", data: Sequence[str | Path] = (), networks: Mapping[str, str] | None = None,
    size: int | None = None, folder: str | Path | None = None, trained: str | Path | None = None,
    changes: Mapping[str, Any] | None = None,
    tell: Callable[[Told], None] = lambda told: None,
) -> Reproduced:  # fmt: skip
    """Runs what is missing of an experiment and writes its page.

    `networks` gives model files in place of networks that would be trained, by row (`network` for the one of a table of
    matches). `trained` is a folder in which experiments find each other's trainings; without `folder` there is one in
    any case. `changes` replaces settings of the recipe. A killed run goes on when called again with the same arguments.
    """
    one = recipe(name)
    settings = checked(one, budget, changes)
    given = Given(tuple(str(path) for path in data), dict(networks or {}), size)
    given.check(KINDS[one.kind], one, settings)
    where = Path(folder) if folder is not None else Path("reproduce") / f"{one.name}-{budget}"
    shared = Path(trained) if trained is not None else Path("reproduce") / "trained" if folder is None else None
    work = Work(where, settings, given.data, given.networks, size, shared, tell)
    work.begin(
        {
            "recipe": one.name, "budget": budget, "data": given.data, "networks": given.networks, "size": size,
            "settings": settings,
        }
    )  # fmt: skip
    outcome = KINDS[one.kind].module.run(one, work)
    said, origin = verdict(one, outcome), provenance()
    command = given.command(one.name, budget, where, shared)
    if changes:
        command += f"\nwith these settings changed from Python: {json.dumps(dict(changes))}"
    scaled = scaled_down(one, budget, settings, size)
    write_atomically(where / PAGE, page(one, budget, outcome, said, scaled, origin, command))
    record = {
        "recipe": one.name, "budget": budget, **outcome.record(), "verdict": said, "scaled": scaled, "command": command,
        "origin": origin,
    }  # fmt: skip
    write_atomically(where / "result.json", json.dumps(record, indent=1) + "\n")
    return Reproduced(one, outcome, said, where)
