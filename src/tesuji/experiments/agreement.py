"""Agreement or not between a paper's numbers and ours, in words computed from the numbers."""

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from scipy.stats import kendalltau

from tesuji.experiments.outcome import RATIO, Outcome, plain
from tesuji.experiments.recipe import Claim, Recipe

_SIGMAS = 2.0
_ALIKE = ("counts", "formula", "games")  # kinds whose columns are of one unit, so that all cells may be taken together
_GIVEN = ("Games", RATIO)  # columns that say what was done, not what came out


def verdict(recipe: Recipe, outcome: Outcome) -> list[str]:
    """Sentences on equality, errors and order; empty where nothing can be compared."""
    said = []
    for column in outcome.columns:
        pairs = _pairs(recipe, outcome, column)
        if pairs and column not in _GIVEN:
            said.append(f"{column}: {_numbers(pairs)}{_order(pairs)}.")
    if len(said) > 1 and recipe.kind in _ALIKE:
        everything = [pair for column in outcome.columns for pair in _pairs(recipe, outcome, column)]
        said.insert(0, f"All cells: {_numbers(everything)}.")
    said += [_claimed(claim, outcome) for claim in recipe.claims]
    said += outcome.agreement
    return [sentence for sentence in said if sentence]


Pair = tuple[float, float, float]
"""The paper's number, ours, and the error of their difference; 0 where neither knows one."""


def _pairs(recipe: Recipe, outcome: Outcome, column: str) -> list[Pair]:
    found = []
    for row in outcome.rows:
        ours = outcome.cells.get((row, column))
        theirs = recipe.table.number(row, column) if recipe.table else None
        if ours is not None and theirs is not None and not math.isnan(ours.value):
            error = math.hypot(recipe.paper_error(row, column), ours.error or 0.0)
            found.append((theirs, ours.value, error))
    return found


def _numbers(pairs: Sequence[Pair]) -> str:
    equal = sum(theirs == ours for theirs, ours, _ in pairs)
    if equal == len(pairs):
        return f"all {len(pairs)} numbers equal the paper's" if len(pairs) > 1 else "equals the paper's"
    with_error = [(theirs, ours, error) for theirs, ours, error in pairs if error]
    if not with_error:
        furthest = max(abs(theirs - ours) for theirs, ours, _ in pairs)
        return f"{equal} of {len(pairs)} equal the paper's, the others differ by at most {plain(furthest)}"
    within = sum(abs(theirs - ours) <= _SIGMAS * error for theirs, ours, error in with_error)
    mean = plain(float(f"{sum(abs(theirs - ours) for theirs, ours, _ in pairs) / len(pairs):.3g}"))
    return f"{within} of {len(with_error)} within two standard errors of the paper's, {mean} apart on average"


def _order(pairs: Sequence[Pair]) -> str:
    """How far the order of the rows is kept, by Kendall's tau."""
    theirs, ours = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    if len(pairs) < 3 or len(set(theirs)) == 1 or len(set(ours)) == 1:
        return ""
    tau = float(kendalltau(theirs, ours).statistic)
    word = "kept" if tau > 0.999 else "mostly kept" if tau >= 0.5 else "partly kept" if tau > 0.15 else "not kept"
    same_best = max(range(len(pairs)), key=theirs.__getitem__) == max(range(len(pairs)), key=ours.__getitem__)
    return f"; order {word} (Kendall's tau {tau:.2f}), largest {'the same' if same_best else 'another'}"


def _claimed(claim: Claim, outcome: Outcome) -> str:
    """Whether the order that the paper states in words holds here, pair by neighbouring pair."""
    rows = [row for row in claim.order if (row, claim.column) in outcome.cells]
    if len(rows) < 2:
        return ""
    held, doubtful, broken = 0, 0, []
    for better, worse in _neighbours(rows):
        first, second = outcome.cells[better, claim.column], outcome.cells[worse, claim.column]
        lead = (second.value - first.value) if claim.lower else (first.value - second.value)
        error = math.hypot(first.error or 0.0, second.error or 0.0)
        if lead > 0:
            held += 1
            doubtful += lead <= _SIGMAS * error
        else:
            broken.append(f"{better} not before {worse}" + (", within the error" if -lead <= _SIGMAS * error else ""))
    stated = " > ".join(rows)
    if not broken:
        unsure = f"; {doubtful} of {held} steps within the error" if doubtful else ""
        return f"The paper's order by {claim.column}, best first ({stated}), holds{unsure}."
    return f"The paper's order by {claim.column}, best first ({stated}), holds in part: {'; '.join(broken)}."


def _neighbours(rows: Sequence[str]) -> Iterator[tuple[str, str]]:
    return pairwise(rows)
