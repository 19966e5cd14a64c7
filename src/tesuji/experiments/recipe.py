"""Recipes: one TOML file for each table or figure of the papers, with the paper's numbers in a CSV file beside it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from tesuji.base.errors import InputError
from tesuji.base.settings import check_names, did_you_mean
from tesuji.base.toml import read_toml
from tesuji.experiments.paper_table import RECIPES, PaperTable, read_table
from tesuji.search.options import PAPERS_SEARCH

BUDGETS = ("minutes", "small", "paper")
_TEXT, _LIST, _TABLE, _NUMBER = (str, "text"), (list, "a list"), (dict, "a table"), ((int, float), "a number")
_KINDS: dict[str, tuple[Any, str]] = {
    "title": _TEXT, "paper": _TEXT, "kind": _TEXT, "covers": _LIST, "lost": _TEXT, "notes": _LIST, "errors": _TABLE,
    "error": _NUMBER, "settings": _TABLE, "budget": _TABLE, "claims": _LIST,
}  # fmt: skip
_KEYS = tuple(_KINDS)


@dataclass(frozen=True)
class Claim:
    """What the paper says in words of an order: these rows, best first, by one column."""

    column: str
    order: tuple[str, ...]
    lower: bool = False
    """Whether less is better."""


@dataclass(frozen=True)
class Recipe:
    """One experiment of a paper, as data."""

    name: str
    title: str
    paper: str
    kind: str
    """Which part of the program runs it; `tesuji.experiments.kinds` has them."""
    covers: tuple[str, ...] = ()
    """Further tables and figures of the paper that the same work shows."""
    lost: str = ""
    """What of the paper's numbers is not to be had, so that ours stand alone."""
    notes: tuple[str, ...] = ()
    """What a reader should know: what differs from the paper at any budget, and why."""
    errors: Mapping[str, str] = field(default_factory=dict)
    """Columns of the paper's table, and the columns that hold their errors."""
    error: float = 0.0
    """The paper's error of every cell, where it gives one for all."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    budgets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """What each budget changes; `scaled` says in words what the changes do not tell themselves."""
    claims: tuple[Claim, ...] = ()
    table: PaperTable | None = None

    @property
    def needs_data(self) -> bool:
        """Whether it trains, on games of the user's."""
        return "samples" in self.settings

    def at(self, budget: str) -> dict[str, Any]:
        """The settings at this budget."""
        check_names([budget], BUDGETS, "budget")
        return dict(self.settings) | {k: v for k, v in self.budgets.get(budget, {}).items() if k != "scaled"}

    def scaled(self, budget: str) -> str:
        """A remark on what this budget scales down."""
        return str(self.budgets.get(budget, {}).get("scaled", ""))

    def paper_error(self, row: str, column: str) -> float:
        """The error the paper states for a cell; 0 where it states none."""
        stated = self.table and column in self.errors and self.table.number(row, self.errors[column])
        return stated or self.error


def _in_order(path: Path) -> str:
    """What recipes are sorted by: Table 2 stands before Table 10."""
    return re.sub(r"(?<=-)\d+", lambda number: number[0].zfill(4), path.stem)


@cache
def _readable() -> tuple[dict[str, Recipe], dict[str, str]]:
    """Recipes by name, and what is wrong with those that cannot be read."""
    found: dict[str, Recipe] = {}
    broken: dict[str, str] = {}
    for path in sorted(RECIPES.glob("*.toml"), key=_in_order):
        try:
            found[path.stem] = read_recipe(path)
        except InputError as problem:
            broken[path.stem] = str(problem)
    return found, broken


def recipes() -> dict[str, Recipe]:
    """Every recipe that can be read, by name."""
    return _readable()[0]


def broken_recipes() -> dict[str, str]:
    """What is wrong with the others, by name: one of them must not hide all the rest."""
    return _readable()[1]


def recipe(name: str) -> Recipe:
    """The recipe of this name, or the one that covers it. Raises `ValueError` with the nearest name."""
    known, broken = recipes(), broken_recipes()
    if name in broken:
        raise InputError(broken[name])
    for one in known.values():
        if name == one.name or name in one.covers:
            return one
    names = [*known, *(other for one in known.values() for other in one.covers)]
    raise InputError(f"no experiment '{name[:60]}'{did_you_mean(name, names, '`tesuji reproduce` lists them')}")


def _check(told: Mapping[str, Any], name: str) -> None:
    """Raises `InputError` for a recipe that lacks something, or has it of another kind."""
    check_names(told, _KEYS, f"key of the recipe {name}")
    for key in ("title", "paper", "kind"):
        if key not in told:
            raise InputError(f'{name} lacks {key} = "..."')
    for key, value in told.items():
        kind, words = _KINDS[key]
        if not isinstance(value, kind) or isinstance(value, bool):
            raise InputError(f"{name}: {key} must be {words}")
    if abs(told.get("error", 0)) > 1e9:
        raise InputError(f"{name}: no paper has an error of that size")
    for key, values in told.get("budget", {}).items():
        if not isinstance(values, dict):
            raise InputError(f"{name}: budget.{key} must be a table")
    for claim in told.get("claims", ()):
        if not isinstance(claim, dict) or not isinstance(claim.get("order"), list) or "column" not in claim:
            raise InputError(f'{name}: a claim has column = "..." and order = ["...", ...]')
    check_names(told.get("budget", {}), BUDGETS, f"budget of the recipe {name}")


def read_recipe(path: Path) -> Recipe:
    """A recipe from its file, with the CSV file of the same name where there is one."""
    told = read_toml(path)
    _check(told, path.name)
    table = path.with_suffix(".csv")
    return Recipe(
        name=path.stem,
        title=told["title"],
        paper=told["paper"],
        kind=told["kind"],
        covers=tuple(told.get("covers", ())),
        lost=told.get("lost", ""),
        notes=tuple(told.get("notes", ())),
        errors=told.get("errors", {}),
        error=float(told.get("error", 0.0)),
        settings=told.get("settings", {}),
        budgets=told.get("budget", {}),
        claims=tuple(
            Claim(one["column"], tuple(one["order"]), bool(one.get("lower", False))) for one in told.get("claims", ())
        ),
        table=read_table(table) if table.exists() else None,
    )


def match_table(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Conditions of a recipe's games and options of all its players, as a tournament file has them."""
    return {**PAPERS_SEARCH, **settings.get("match", {}), "games": settings["games"]}
