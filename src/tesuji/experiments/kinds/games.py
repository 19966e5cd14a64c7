"""Tables of matches: every cell a match between two players given by patterns."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from tesuji.arena.bandit_fit import PAPER_REFERENCE, best_constants, fit_games
from tesuji.arena.play.settings import Settings, settings_from
from tesuji.arena.players.network_player import understood
from tesuji.arena.statistics import Tally
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
    work.total = len(listed)
    for row, column, words in listed:
        described = _match(recipe, settings, words, network, work.size)
        name = f"match {row} {column}"
        told = work.step(name, partial(played, work, name, described))
        tallies[row, column] = Tally(*told)
    scale = 100 if settings.get("percent") else 1
    cells = {key: Measured(scale * tally.rate, scale * tally.error) for key, tally in tallies.items()}
    rows, columns = axes(recipe, settings)
    players = [filled(recipe, settings[who], {"row": "ROW", "column": "COLUMN", "network": network}) for who in NAMES]
    command = f'tesuji match "{players[0]}" "{players[1]}" --games {settings["games"]}'
    notes = [f"{settings['games']} games a cell; ± is one standard error."]
    if settings.get("fit_bandit"):
        notes += _bandit(tallies)
    return Outcome(cells, list(rows), list(columns), notes=notes, commands=[command])


def played(work: Work, name: str, described: Settings) -> list[int]:
    """Wins, draws and losses of the first player; games of an earlier sitting count."""
    result = play_to_end(work, described, work.folder / "games" / slug(name), name)
    tally = result.standings.matrix[described.players[0].name, described.players[1].name]
    return [tally.wins, tally.draws, tally.losses]


def _match(
    recipe: Recipe, settings: Mapping[str, Any], words: dict[str, str], network: str, size: int | None
) -> Settings:
    words = {**words, "network": network}
    players = [f"{filled(recipe, settings[who], words)} name={who}" for who in NAMES]
    chosen = {"size": size} if size else {}
    return settings_from(players, {**match_table(settings), **chosen})


def _bandit(tallies: Mapping[tuple[str, str], Tally]) -> list[str]:
    """The paper's (tau, c) from budgets by constants."""
    table: dict[int, dict[float, Tally]] = {}
    for (budget, constant), tally in tallies.items():
        table.setdefault(int(budget), {})[float(constant)] = tally
    if len(table) < 2:
        return []
    found, best = fit_games(table, PAPER_REFERENCE), best_constants(table, PAPER_REFERENCE)
    chosen = ", ".join(f"{d}: {c:g}" for d, c in sorted(best.items()))
    return [
        f"Best constant by descents: {chosen}.",
        f"tau = {found.tau:.3f} ± {found.tau_error:.3f}, c = {found.c:.3f} ± {found.c_error:.3f}; "
        "the paper has 0.737 and 0.057.",
    ]
