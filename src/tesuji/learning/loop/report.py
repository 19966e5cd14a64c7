"""The page of a learning run: strength, losses, games and speed over its rounds; one file that needs nothing else."""

import html
import random
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tesuji._core import PackedRecord
from tesuji.arena.ratings import Rating, rate
from tesuji.base.files import write_atomically
from tesuji.base.quantities import counted, duration
from tesuji.learning.loop import gate
from tesuji.learning.loop.charts import board, curves
from tesuji.learning.loop.config import LearnConfig
from tesuji.learning.loop.run_folder import RunFolder, State
from tesuji.learning.selfplay.shards import shards
from tesuji.training.data.game_set import GameSet

_SAMPLES = 8
_STYLE = """
:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:1320px;margin:2em auto;padding:0 1em}
.charts,.games{display:grid;grid-template-columns:repeat(auto-fill,minmax(340px,1fr));gap:1.2em}
.games{grid-template-columns:repeat(auto-fill,minmax(210px,1fr))}figure{margin:0}figcaption{font-size:13px}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:13px}
td,th{padding:.2em .6em;text-align:right;border-bottom:1px solid #8884}.refused{opacity:.55}
.title{font-size:13px;font-weight:600;fill:currentColor}.tick{font-size:11px;fill:currentColor}.grid{stroke:#8884}
pre{overflow:auto;font-size:12px}
"""


def write(folder: RunFolder, config: LearnConfig, state: State) -> Path:
    """Writes `report.html` and returns its path."""
    page = folder.folder / "report.html"
    write_atomically(page, _page(folder, config, state).encode())
    return page


def _page(folder: RunFolder, config: LearnConfig, state: State) -> str:
    title = html.escape(f"Learning {config.selfplay.size}x{config.selfplay.size}: {folder.folder.name}")
    seconds = sum(row.get("seconds", 0) for row in state.rounds)
    games = sum(row["selfplay"]["games"] for row in state.rounds)
    accepted = sum(bool(row["gate"]["passed"]) for row in state.rounds)
    summary = (
        f"{counted(len(state.rounds), 'round')} in {duration(seconds)}; {counted(games, 'game')} of self-play; "
        f"{counted(accepted, 'network')} passed "
        f"the gate; the best is {state.best}."
    )
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title><style>{_STYLE}</style>'
        f"<h1>{title}</h1><p>{summary}</p>"
        f'<section class="charts">{"".join(_charts(folder, state))}</section>'
        f"<h2>Rounds</h2>{_table(state, elo(folder, state))}"
        f'<h2>Games of the last round</h2><section class="games">{"".join(_samples(folder, state))}</section>'
        f"<h2>Settings</h2><pre>{html.escape(_settings(config))}</pre></html>"
    )


def elo(folder: RunFolder, state: State) -> dict[str, Rating]:
    """Ratings of all networks from all matches of the gate, with their errors; the first network is 0."""
    games = [game for row in state.rounds for game in gate.games_of(folder.match(row["round"]))]
    names = sorted({name for game in games for name in (game.black, game.white)})
    if len(names) < 2:
        return {}
    ratings = rate([(game.black, game.white, game.black_points) for game in games], names)
    return {name: ratings.difference(name, names[0]) for name in names}


def _charts(folder: RunFolder, state: State) -> Iterator[str]:
    rounds = state.rounds
    found = elo(folder, state)
    rated = {int(name): rating.elo for name, rating in found.items()}
    errors = {float(name): rating.error for name, rating in found.items()}
    best = [(row["round"], rated[int(row["best"])]) for row in rounds if int(row["best"]) in rated]

    def over(get: Callable[[dict[str, Any]], Any]) -> list[tuple[float, float]]:
        values = [(row["round"], get(row)) for row in rounds]
        return [(float(number), float(value)) for number, value in values if value is not None]

    yield curves("Elo ± one error, first network 0", {"candidate": sorted(rated.items()), "best": best}, errors=errors)
    yield curves(
        "Share of points", {"gate": over(lambda row: row["gate"].get("rate")),
                            "against no network": over(lambda row: row.get("anchor", {}).get("rate"))},
    )  # fmt: skip
    yield curves("Policy, cross entropy", {"policy": over(lambda row: row["training"].get("cross_entropy"))})
    yield curves("Value, squared error", {"value": over(lambda row: row["training"].get("value_mse"))})
    yield curves("Moves in a game", {"length": over(lambda row: row["selfplay"]["length"])})
    yield curves("Games won by Black", {"black": over(lambda row: row["selfplay"]["black_wins"])})
    yield curves("Wrong among wishes to resign", {"wrong": over(_wrong)})
    yield curves("Evaluations a second", {"speed": over(lambda row: row["selfplay"].get("evaluations_per_second"))})


def _wrong(row: dict[str, Any]) -> float | None:
    wishes = row["selfplay"]["wishes"]
    return row["selfplay"]["wrong"] / wishes if wishes else None


def _table(state: State, rated: Mapping[str, Rating]) -> str:
    heads = (
        "round",
        "network",
        "games",
        "moves",
        "targets",
        "samples",
        "policy",
        "value",
        "gate",
        "Elo",
        "verdict",
        "s",
    )
    lines = []
    for row in state.rounds:
        played, trained, test = row["selfplay"], row["training"], row["gate"]
        points = f"{test['points']:g}/{test['games']}" if "games" in test else ""
        rating = rated.get(row["network"])
        strength = f"{rating.elo:+.0f} ± {rating.error:.0f}" if rating else ""
        verdict = "passed" if test["passed"] else "failed" if trained.get("failed") else "refused"
        cells = (
            row["round"], trained.get("name", ""), played["games"], played["length"], played["targets"],
            trained.get("samples", ""), trained.get("cross_entropy", ""), trained.get("value_mse", ""), points,
            strength, verdict, row["seconds"],
        )  # fmt: skip
        kind = "" if test["passed"] else ' class="refused"'
        lines.append(f"<tr{kind}>" + "".join(f"<td>{html.escape(str(cell))}</td>" for cell in cells) + "</tr>")
    return "<table><tr>" + "".join(f"<th>{head}</th>" for head in heads) + "</tr>" + "".join(lines) + "</table>"


def _samples(folder: RunFolder, state: State) -> Iterator[str]:
    if not state.rounds:
        return
    paths = [shard.path for shard in shards(folder.games(state.rounds[-1]["round"]))]
    records: list[PackedRecord] = [record for path in paths[-1:] for record in GameSet(path)]
    for record in random.Random(1).sample(records, min(_SAMPLES, len(records))):
        caption = f"{html.escape(record.result)}, komi {record.komi:g}, {counted(len(record.moves), 'move')}"
        yield f"<figure>{board(record)}<figcaption>{caption}</figcaption></figure>"


def _settings(config: LearnConfig) -> str:
    return "\n".join(_lines(config.plain(), ""))


def _lines(table: Mapping[str, Any], above: str) -> Iterator[str]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _lines(value, f"{above}{key}.")
        else:
            yield f"{above}{key} = {value}"
