"""Rows and columns of a recipe: the paper's labels, and the words that stand for them in patterns."""

from collections.abc import Iterator, Mapping
from typing import Any

from tesuji.base.errors import InputError
from tesuji.base.settings import check_names, typed
from tesuji.experiments.recipe import Recipe

_TEXT, _LIST, _TABLE = (str, "text"), (list, "a list"), (Mapping, "a table")
_LABELS = (list, Mapping), "a list or a table"
_KINDS: dict[str, tuple[Any, str]] = {
    **dict.fromkeys(("rows", "columns"), _LABELS), **dict.fromkeys(("dominated", "relative", "search"), _LIST),
    **dict.fromkeys(("match", "train", "fine", "engines", "players", "residual"), _TABLE),
    **dict.fromkeys(("network", "what", "candidate", "opponent", "player", "policy", "reference", "column"), _TEXT),
}  # fmt: skip


def check_settings(
    recipe: Recipe, settings: Mapping[str, Any], known: tuple[str, ...], needed: tuple[str, ...] = ()
) -> None:
    """Refuses a key of `[settings]` or of a budget that this kind of experiment does not have or cannot read.

    `needed` are those it cannot do without.
    """
    check_names(settings, known, f"setting of the recipe {recipe.name}")
    for key in needed:
        if key not in settings:
            raise InputError(f"the recipe {recipe.name} lacks {key} in [settings]")
    for key, value in settings.items():
        kind, words = _KINDS.get(key, (object, ""))
        if not isinstance(value, kind):
            raise InputError(f"the recipe {recipe.name}: {key} must be {words}")


def whole(recipe: Recipe, settings: Mapping[str, Any], key: str, least: int = 1, usual: int = 0) -> int:
    """A setting that is a whole number, `usual` where the recipe leaves it out; refuses less than `least`."""
    found = typed(key, settings.get(key, usual), int, f"recipe {recipe.name}:")
    assert isinstance(found, int)
    if found < least:
        raise InputError(f"the recipe {recipe.name}: {key} is {found}; it must be at least {least}")
    return found


def labelled(told: Any) -> dict[str, str]:
    """Labels and their words, from a list (each its own word) or a table."""
    if isinstance(told, Mapping):
        return {str(label): str(words) for label, words in told.items()}
    return {str(label): str(label) for label in told}


def axes(recipe: Recipe, settings: Mapping[str, Any]) -> tuple[dict[str, str], dict[str, str]]:
    """Rows and columns as the settings say, else as in the paper's table."""
    table = recipe.table
    if table is None and not ("rows" in settings and "columns" in settings):
        raise InputError(f"the recipe {recipe.name} has no table and must name its rows and columns")
    rows = settings.get("rows") if "rows" in settings or table is None else table.rows
    columns = settings.get("columns") if "columns" in settings or table is None else table.columns
    return labelled(rows), labelled(columns)


def grid(recipe: Recipe, settings: Mapping[str, Any]) -> Iterator[tuple[str, str, dict[str, str]]]:
    """Every cell of the grid with its words; with `like_paper` only cells that the paper fills."""
    rows, columns = axes(recipe, settings)
    for row, row_words in rows.items():
        for column, column_words in columns.items():
            if settings.get("like_paper") and recipe.table and (row, column) not in recipe.table.cells:
                continue
            yield row, column, {"row": row_words, "column": column_words}


def filled(recipe: Recipe, pattern: str, words: Mapping[str, str]) -> str:
    """A pattern with its words in place of `{row}`, `{column}` and others; runs of blanks become one."""
    try:
        return " ".join(pattern.format(**words).split())
    except (KeyError, IndexError) as unknown:
        raise InputError(f"the recipe {recipe.name}: nothing stands for {unknown} in '{pattern}'") from None
