"""Tables of matches: every cell a match between two players given by patterns."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from tesuji.arena.bandit_fit import PAPER_C, PAPER_REFERENCE, PAPER_TAU, best_constants, fit_games
from tesuji.arena.play.settings import Settings, settings_from
from tesuji.arena.players.network_player import understood
from tesuji.arena.statistics import Tally
from tesuji.experiments.kinds.by_hand import tournament_command
from tesuji.experiments.kinds.labels import axes, check_settings, filled, grid, whole
from tesuji.experiments.long_steps import play_to_end
from tesuji.experiments.outcome import Measured, Outcome
from tesuji.experiments.recipe import Recipe, match_table
from tesuji.experiments.work import Work, slug

SETTINGS = (
    "rows", "columns", "like_paper", "candidate", "opponent", "network", "games", "match", "percent", "fit_bandit",
)  # fmt: skip
NAMES = ("candidate", "opponent")


def check(recipe: Recipe, settings: dict[str, Any]) -> None:
    """Players and conditions of every match must be possible; no network is loaded for it."""
    check_settings(recipe, settings, SETTINGS, ("network", *NAMES))
    whole(recipe, settings, "games", least=2)
    for _, _, words in grid(recipe, settings):
        for player in _match(recipe, settings, words, settings["network"], None).players:
            understood(player.options)


def given_rows(recipe: Recipe, settings: dict[str, Any]) -> list[str]:
    """One network plays all matches."""
    return ["network"]


def run(recipe: Recipe, work: Work) -> Outcome:
    """Plays every cell; games are kept as they finish."""
    settings, tallies = work.settings, {}
    network = work.networks.get("network", settings["network"])
    listed = list(grid(recipe, settings))
    work.total, commands = len(listed), []
    for row, column, words in listed:
        described = _match(recipe, settings, words, network, work.size)
        name = f"match {row} {column}"
        told = work.step(name, partial(played, work, name, described))
        players, table = _described(recipe, settings, words, network, work.size)
        commands.append(tournament_command(players, table, games_of(work, name)))
        tallies[row, column] = Tally(*told)
    scale = 100 if settings.get("percent") else 1
    cells = {key: Measured(scale * tally.rate, scale * tally.error) for key, tally in tallies.items()}
    rows, columns = axes(recipe, settings)
    notes = [f"{settings['games']} games a cell; ± is one standard error."]
    said: list[str] = []
    if settings.get("fit_bandit"):
        best, said = _bandit(tallies)
        notes += best
    return Outcome(cells, list(rows), list(columns), notes=notes, agreement=said, commands=commands)


def played(work: Work, name: str, described: Settings) -> list[int]:
    """Wins, draws and losses of the first player; games of an earlier sitting count."""
    result = play_to_end(work, described, games_of(work, name), name)
    tally = result.standings.matrix[described.players[0].name, described.players[1].name]
    return [tally.wins, tally.draws, tally.losses]


def games_of(work: Work, name: str) -> Path:
    """Where the games of a match are kept."""
    return work.folder / "games" / slug(name)


def _match(
    recipe: Recipe, settings: Mapping[str, Any], words: dict[str, str], network: str, size: int | None
) -> Settings:
    return settings_from(*_described(recipe, settings, words, network, size))


def _described(
    recipe: Recipe, settings: Mapping[str, Any], words: dict[str, str], network: str, size: int | None
) -> tuple[list[str], dict[str, Any]]:
    """Both players in words, and the table of their match."""
    words = {**words, "network": network}
    players = [f"{filled(recipe, settings[who], words)} name={who}" for who in NAMES]
    return players, match_table(settings) | ({"size": size} if size else {})


def _bandit(tallies: Mapping[tuple[str, str], Tally]) -> tuple[list[str], list[str]]:
    """The paper's (tau, c) from budgets by constants: the best ones, and whether the fit agrees."""
    table: dict[int, dict[float, Tally]] = {}
    for (budget, constant), tally in tallies.items():
        table.setdefault(int(budget), {})[float(constant)] = tally
    if len(table) < 2:
        return [], []
    found, best = fit_games(table, PAPER_REFERENCE), best_constants(table, PAPER_REFERENCE)
    chosen = ", ".join(f"{d}: {c:g}" for d, c in sorted(best.items()))
    told = f"tau = {found.tau:.3f} ± {found.tau_error:.3f}, c = {found.c:.3f} ± {found.c_error:.3f}"
    away = [abs(found.tau - PAPER_TAU) > 2 * found.tau_error, abs(found.c - PAPER_C) > 2 * found.c_error]
    agreed = {0: "both", 1: "one of them", 2: "neither"}[sum(away)]
    said = f"{told}; the paper's {PAPER_TAU} and {PAPER_C}: {agreed} within two standard errors."
    return [f"Best constant by descents: {chosen}."], [said]
