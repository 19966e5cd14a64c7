"""Tables of trained networks that meet: a round robin, or all against one reference."""

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tesuji.arena.play.settings import Settings, settings_from
from tesuji.arena.players.network_player import understood
from tesuji.arena.report.standings import Standings
from tesuji.arena.statistics import Tally
from tesuji.experiments.kinds.by_hand import tournament_command
from tesuji.experiments.kinds.labels import check_settings, filled, labelled, whole
from tesuji.experiments.kinds.training import check_training, model_file, train_network, training_command
from tesuji.experiments.long_steps import play_to_end
from tesuji.experiments.outcome import RATIO, Measured, Outcome
from tesuji.experiments.recipe import Recipe, match_table
from tesuji.experiments.work import Work
from tesuji.networks.zoo.naming import parse

SETTINGS = (
    "rows", "player", "players", "reference", "reference_player", "policy", "games", "match", "samples", "points",
    "train", "size", "as_black", "column", "percent",
)  # fmt: skip


def check(recipe: Recipe, settings: dict[str, Any]) -> None:
    """Networks, training and players must be possible."""
    check_settings(recipe, settings, SETTINGS, ("rows",))
    check_training(recipe, settings)
    whole(recipe, settings, "games", least=2)
    networks = _networks(recipe, settings)
    for name in networks.values():
        parse(name)
    for player in settings_from(
        *_described(recipe, settings, {label: Path("x.onnx") for label in networks}, None)
    ).players:
        if not player.is_engine:
            understood(player.options)


def given_rows(recipe: Recipe, settings: dict[str, Any]) -> list[str]:
    """Each row, and the policy where there is one."""
    return list(_networks(recipe, settings))


def to_train(recipe: Recipe, settings: dict[str, Any], networks: Mapping[str, str]) -> list[str]:
    """The networks that were not given."""
    return [name for label, name in _networks(recipe, settings).items() if label not in networks]


def run(recipe: Recipe, work: Work) -> Outcome:
    """Trains the networks that were not given, then plays."""
    settings = work.settings
    networks = _networks(recipe, settings)
    work.total = len(networks) + 1
    files = {}
    for label, name in networks.items():
        if label in work.networks:
            files[label] = Path(work.networks[label])
        else:
            train_network(work, name)
            files[label] = model_file(work, name)
    players, table = _described(recipe, settings, files, work.size)
    told = work.step("tournament", lambda: _played(work, settings, settings_from(players, table)))
    column, scale = settings.get("column", "Winrate"), 100 if settings.get("percent") else 1
    tallies = {label: Tally(*told[label]) for label in _rows(settings) if sum(told.get(label, ()))}
    cells = {
        (label, column): Measured(round(scale * tally.rate, 4), round(scale * tally.error, 4))
        for label, tally in tallies.items()
    }
    cells |= {(label, "Games"): Measured(float(tally.games)) for label, tally in tallies.items()}
    columns = ["Games", column]
    if recipe.table and RATIO in recipe.table.columns:
        shapes = {label: parse(networks[label]).shape for label in tallies if label not in work.networks}
        cells |= {(label, RATIO): Measured(round(width / depth, 2)) for label, (depth, width) in shapes.items()}
        columns.insert(0, RATIO)
    rows = sorted(tallies, key=lambda label: -tallies[label].rate)
    given = [f"{label}: {work.networks.get(label, name)}." for label, name in networks.items()]
    commands = [training_command(work, name) for name in to_train(recipe, dict(settings), work.networks)]
    commands.append(tournament_command(players, table, work.folder / "games"))
    return Outcome(cells, rows, columns, notes=given, commands=commands)


def _rows(settings: Mapping[str, Any]) -> dict[str, str]:
    return labelled(settings["rows"])


def _networks(recipe: Recipe, settings: Mapping[str, Any]) -> dict[str, str]:
    """All that is trained: the rows, and a policy that joins the rows' values where there is one."""
    found = _rows(settings)
    if "policy" in settings:
        found["policy"] = str(settings["policy"])
    return found


def _described(
    recipe: Recipe, settings: Mapping[str, Any], files: Mapping[str, Path], size: int | None
) -> tuple[list[str], dict[str, Any]]:
    """The players in words, and the table of their tournament."""

    def player(pattern: str, label: str) -> dict[str, str]:
        words = {name: shlex.quote(str(files.get(name, ""))) for name in (label, "policy")}
        return {"file": words[label], "policy": words["policy"], "label": label, "pattern": pattern}

    own = settings.get("players", {})
    patterns = {label: own.get(label, settings.get("player", "{file}")) for label in _rows(settings)}
    reference = settings.get("reference")
    words = [player(pattern, label) for label, pattern in patterns.items()]
    table = match_table(settings)
    if reference:
        words.insert(0, player(settings.get("reference_player", "{file}"), reference) | {"label": "reference"})
        table["schedule"] = "gauntlet"
        if settings.get("as_black"):
            table["colors"] = "b-black"
        else:
            words = [one for one in words if one["label"] != reference]
    lines = [f'{filled(recipe, one["pattern"], one)} "name={one["label"]}"' for one in words]
    return lines, table | ({"size": size} if size else {})


def _played(work: Work, settings: Mapping[str, Any], described: Settings) -> dict[str, list[int]]:
    result = play_to_end(work, described, work.folder / "games", "tournament")
    return {label: _counted(settings, result.standings, label) for label in _rows(settings)}


def _counted(settings: Mapping[str, Any], standings: Standings, label: str) -> list[int]:
    line = next((line for line in standings.lines if line.player == label), None)
    tally = Tally() if line is None else line.as_black if settings.get("as_black") else line.tally
    return [tally.wins, tally.draws, tally.losses]
