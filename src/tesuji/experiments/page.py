"""The page of an experiment: the paper's table and ours, agreement in words, what was scaled down, where it was run."""

import html
from collections.abc import Mapping, Sequence

from tesuji.experiments.outcome import Measured, Outcome
from tesuji.experiments.recipe import Recipe

_STYLE = """
:root{color-scheme:light dark}body{font:15px/1.55 system-ui,sans-serif;max-width:1100px;margin:2em auto;padding:0 1em}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:13.5px}
td,th{padding:.25em .7em;text-align:right;border-bottom:1px solid #8884}td:first-child,th:first-child{text-align:left}
.paper{color:#888}.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(420px,1fr));gap:1em}
pre{overflow:auto;font-size:12.5px;background:#8881;padding:.6em}.scroll{overflow-x:auto}
"""


def page(
    recipe: Recipe, budget: str, outcome: Outcome, verdict: Sequence[str], scaled: Sequence[str],
    origin: Mapping[str, str], command: str,
) -> str:  # fmt: skip
    """One HTML file that needs nothing else; `scaled` says what was scaled down."""
    title = html.escape(f"{recipe.name}: {recipe.title}")
    nothing = "Nothing." if budget == "paper" else "Nothing; this needs no more."
    parts = [
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title><style>{_STYLE}</style>',
        f"<h1>{title}</h1><p>{html.escape(recipe.paper)}</p>",
        "<h2>Agreement</h2>",
        _list(verdict or ["Nothing to compare: ours stand alone."]),
        "<h2>The paper's numbers and ours</h2>",
        f"<p>{html.escape(recipe.lost)}</p>" if recipe.lost else "",
        f'<div class="scroll">{_table(recipe, outcome)}</div>',
        f'<div class="figures">{"".join(f"<figure>{figure}</figure>" for figure in outcome.figures)}</div>',
        _list(outcome.notes),
        f"<h2>Scaled down (budget {budget})</h2>",
        _list([*(scaled or [nothing]), *recipe.notes]),
        "<h2>Where and how</h2>",
        f"<pre>{html.escape(command)}\n{html.escape(chr(10).join(outcome.commands))}</pre>",
        _list([f"{key}: {value}" for key, value in origin.items()]),
        "</html>",
    ]
    return "\n".join(part for part in parts if part) + "\n"


def _list(lines: Sequence[str]) -> str:
    return "<ul>" + "".join(f"<li>{html.escape(line)}</li>" for line in lines) + "</ul>" if lines else ""


def _table(recipe: Recipe, outcome: Outcome) -> str:
    """Each column of ours beside the paper's where the paper has one."""
    table = recipe.table
    with_paper = [column for column in outcome.columns if table and column in table.columns]
    heads = [html.escape(table.corner if table else "")]
    for column in outcome.columns:
        heads += [f'<span class="paper">{html.escape(column)}, paper</span>'] if column in with_paper else []
        heads.append(html.escape(column) + (", ours" if column in with_paper else ""))
    lines = ["".join(f"<th>{head}</th>" for head in heads)]
    for row in outcome.rows:
        cells = [html.escape(row)]
        for column in outcome.columns:
            if column in with_paper and table:
                cells.append(f'<span class="paper">{html.escape(_theirs(table.cells.get((row, column), "")))}</span>')
            cells.append(html.escape(_shown(outcome.cells.get((row, column)))))
        lines.append("".join(f"<td>{cell}</td>" for cell in cells))
    return "<table>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>"


def _theirs(text: str) -> str:
    """The paper's text; whole numbers grouped as ours are, so that equal ones look equal."""
    return f"{int(text):,}" if text.isdecimal() else text


def _shown(cell: Measured | None) -> str:
    return cell.shown() if cell else ""


def markdown(recipe: Recipe, outcome: Outcome) -> str:
    """The same table as Markdown, a cell `paper / ours`."""
    table = recipe.table
    lines = [["", *outcome.columns], ["---"] + ["---:"] * len(outcome.columns)]
    for row in outcome.rows:
        line = [row]
        for column in outcome.columns:
            theirs = _theirs(table.cells.get((row, column), "")) if table else ""
            ours = _shown(outcome.cells.get((row, column)))
            line.append(f"{theirs} / {ours}" if theirs and ours else ours)
        lines.append(line)
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
