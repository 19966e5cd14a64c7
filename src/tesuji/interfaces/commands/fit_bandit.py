"""`tesuji fit-bandit`: the paper's experiment for any network, from PUCT constants to (tau, c)."""

import json
import time
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from tesuji._core import Game
from tesuji.arena.bandit_fit import (
    PAPER_BUDGETS,
    PAPER_C,
    PAPER_CONSTANTS,
    PAPER_REFERENCE,
    PAPER_TAU,
    BanditFit,
    Grid,
    bandit_player,
    best_constants,
    cells,
    fit_games,
    read_table,
    table_text,
)
from tesuji.arena.play.conditions import Conditions
from tesuji.arena.play.director import CONCURRENT, Effort
from tesuji.arena.play.settings import Settings
from tesuji.arena.players.network_player import devices_of
from tesuji.base import machine
from tesuji.base.errors import InputError
from tesuji.base.files import write_atomically
from tesuji.base.measuring import rate
from tesuji.base.quantities import duration, number
from tesuji.features.planes import encode
from tesuji.go.rules import usual_komi
from tesuji.interfaces.terminal.arena_run import play
from tesuji.interfaces.terminal.devices import PlayersDevice, PlayersPrecision, tell_idle_gpu_of
from tesuji.interfaces.terminal.options import OUT, Concurrent, Komi, Quiet, examples, is_quiet
from tesuji.networks.evaluators.factory import load

_PAPER_BUDGETS = ",".join(map(str, PAPER_BUDGETS))
_PAPER_CONSTANTS = ",".join(map(str, PAPER_CONSTANTS))
BATCH = 16
MOVES_SHARE = 0.85
"""Moves of a usual game, by points of the board, for the estimate."""

EXAMPLES = examples(
    ("the paper's whole experiment, which takes days", "tesuji fit-bandit default-9x9"),
    ("a small one", "tesuji fit-bandit --budgets 16,64 --constants 0.1,0.2,0.4 --games 40"),
    ("the fit alone, from a table of win rates", "tesuji fit-bandit --from table.csv --verify-constants ''"),
)


def main(
    network: Annotated[str, typer.Argument(help="name or file of the network")] = "default-9x9",
    budgets: Annotated[str, typer.Option(help="descents a move, separated by commas")] = _PAPER_BUDGETS,
    constants: Annotated[str, typer.Option(help="PUCT constants to try")] = _PAPER_CONSTANTS,
    reference: Annotated[float, typer.Option(help="constant they all play against")] = PAPER_REFERENCE,
    games: Annotated[int, typer.Option(help="games per cell of the tables")] = 400,
    table: Annotated[
        Path | None, typer.Option("--from", help="fit this table (CSV: budgets by constants, win rates in %) instead")
    ] = None,
    verify: Annotated[str, typer.Option(metavar="TAU,C", help="check this pair; the fitted one by default")] = "",
    verify_constants: Annotated[
        str, typer.Option(help="PUCT constants it is checked against; empty for no check")
    ] = "0.1,0.15,0.2",
    verify_budgets: Annotated[str, typer.Option(help="descents a move of the check; --budgets by default")] = "",
    size: Annotated[int, typer.Option(help="lines of the board")] = 9,
    komi: Komi = None,
    adjudicate: Annotated[str, typer.Option(help="end decided games early: agree or referee")] = "",
    device: PlayersDevice = None,
    precision: PlayersPrecision = None,
    seed: Annotated[int, typer.Option(help="of openings and random choices")] = 1,
    threads: Annotated[int, typer.Option(help="threads; 0 for all cores")] = 0,
    concurrent: Concurrent = CONCURRENT,
    out: Annotated[Path, typer.Option(*OUT, help="folder of the games and tables")] = Path("fit-bandit"),
    quiet: Quiet = False,
) -> None:
    """Plays PUCT constants against each other at several budgets, fits (tau, c), and checks the fit by games."""
    conditions = Conditions(
        size=size, komi=usual_komi(size) if komi is None else komi, seed=seed, adjudicate=adjudicate
    )
    running = {key: text for key, text in (("device", device), ("precision", precision)) if text is not None}
    effort = Effort(threads=threads, concurrent=concurrent)
    runner = _Runner(network, running, conditions, games, effort, out, quiet)
    # Everything that may be wrong is found before the first of many games.
    visits, tried = _whole(budgets, "budgets"), _numbers(constants, "constants")
    if len(visits) < 2:
        raise InputError(f"--budgets={budgets}: the fit needs at least two whole numbers")
    against = _numbers(verify_constants, "verify-constants") if verify_constants else []
    checked = _whole(verify_budgets, "verify-budgets") if verify_budgets else visits
    pair = _pair(verify)
    if reference <= 0:
        raise InputError(f"--reference={reference:g}: positive numbers only")
    given = _given(table, games) if table else None
    tell_idle_gpu_of([bandit_player(network, 1, reference, None, running)])
    out.mkdir(parents=True, exist_ok=True)
    first_work = 0 if given or pair else len([c for c in tried if c != reference]) * sum(visits)
    runner.announce((first_work + len(against) * sum(checked)) * games)
    texts = []
    found = pair
    if given or pair is None:
        first = given or runner.table("table-1", visits, [c for c in tried if c != reference], reference)
        fitted, best = fit_games(first, reference), best_constants(first, reference)
        texts.append(_first_table(first, fitted, best, reference, games))
        typer.echo(texts[0])
        noted = asdict(fitted) | {"network": network, "best": best}
        write_atomically(out / "fit.json", json.dumps(noted, indent=1) + "\n")
        found = pair or fitted
    assert found is not None
    if against:
        second = runner.table("table-2", checked, against, round(found.c, 4), round(found.tau, 3))
        texts.append(_second_table(second, found))
        typer.echo("\n" + texts[-1])
    write_atomically(out / "tables.md", "\n\n".join(texts) + "\n")


def _first_table(grid: Grid, found: BanditFit, best: dict[int, float], reference: float, games: int) -> str:
    """The paper's Table 1 and the fit to it."""
    chosen = ", ".join(f"{d}: {c:g}" for d, c in sorted(best.items()))
    parts = [
        f"PUCT constants against {reference:g}, {games} games a cell (win rate in %, ± σ/√n)",
        table_text(grid, list(next(iter(grid.values())))),
        f"best constant by budget: {chosen}",
        f"tau = {found.tau:.3f} ± {found.tau_error:.3f}, c = {found.c:.3f} ± {found.c_error:.3f} "
        f"(paper: tau = {PAPER_TAU}, c = {PAPER_C})",
        *(["tau lies at the end of the range searched: the best one lies beyond"] if found.at_edge else []),
    ]
    return "\n\n".join(parts)


def _second_table(grid: Grid, found: BanditFit) -> str:
    """The paper's Table 2: the fitted bandit against constants of PUCT."""
    turned = {d: {c: tally.reversed for c, tally in row.items()} for d, row in grid.items()}
    heading = f"GPUCT tau = {found.tau:.3g}, c = {found.c:.4g} against PUCT"
    return heading + "\n\n" + table_text(turned, list(next(iter(turned.values()))), "d")


class _Runner:
    """Plays the tables of the experiment, each budget a gauntlet of its own that can be resumed."""

    def __init__(
        self, network: str, running: Mapping[str, str], conditions: Conditions, games: int, effort: Effort, out: Path,
        quiet: bool,
    ) -> None:  # fmt: skip
        """`running` is the network's device and precision, where they are told."""
        self.network, self.conditions, self.games = network, conditions, games
        self._running = running
        self.effort, self.out, self.quiet = effort, out, is_quiet(quiet)
        self._left = 0.0

    def announce(self, work: float) -> None:
        """Says how long it will take: `work` is games times descents a move; speed is measured for a moment."""
        self._left = work
        if self.quiet or not work:
            return
        evaluate = load(self.network, device=devices_of(self._running)[0] or "cpu")
        games = [Game(size=self.conditions.size)] * BATCH
        planes = encode(games, evaluate.planes)
        speed = rate(lambda: len(evaluate(planes, [self.conditions.komi] * BATCH).value), 0.3)
        moves = MOVES_SHARE * self.conditions.size**2
        threads = self.effort.threads or machine.cores()
        typer.echo(f"about {duration(work * moves / speed / threads)} at {number(speed)} positions/s a core", err=True)

    def _tell(self, work: float, begun: float, fresh: bool) -> None:
        """How long the rest will take, by what the last part took."""
        self._left -= work
        if fresh and not self.quiet and self._left > 0:
            seconds = (time.monotonic() - begun) * self._left / work
            typer.echo(f"about {duration(seconds)} left", err=True)

    def table(self, name: str, budgets: list[int], constants: list[float], c: float, tau: float | None = None) -> Grid:
        """Results of PUCT with each constant at each budget against PUCT with `c`, or against GPUCT (tau, c)."""
        grid = {}
        for budget in budgets:
            opponent = bandit_player(self.network, budget, c, tau, self._running)
            others = [bandit_player(self.network, budget, constant, None, self._running) for constant in constants]
            settings = Settings([opponent, *others], self.conditions, "gauntlet", self.games)
            folder = self.out / name / f"{budget}-descents-{settings.fingerprint()}"
            begun, fresh = time.monotonic(), not (folder / "results.jsonl").exists()
            outcome = play(settings, folder, f"{budget} descents", effort=self.effort, quiet=self.quiet)
            if outcome.interrupted:
                typer.echo("interrupted; the same command plays the rest.")
                raise typer.Exit(130)
            self._tell(budget * len(constants) * self.games, begun, fresh)
            grid[budget] = cells(outcome.standings, constants, opponent.name)
        return grid


def _whole(text: str, option: str) -> list[int]:
    budgets = _numbers(text, option)
    if any(budget != int(budget) for budget in budgets):
        raise InputError(f"--{option}={text}: whole numbers of descents, separated by commas")
    return [int(budget) for budget in budgets]


def _given(table: Path, games: int) -> Grid:
    try:
        return read_table(table.read_text(encoding="utf-8"), games)
    except InputError as fault:
        raise InputError(f"{table}: {fault}") from None


def _pair(text: str) -> BanditFit | None:
    """The pair to check, where one is named."""
    words = text.split(",") if text else []
    try:
        numbers = [float(word) for word in words]
    except ValueError:
        numbers = []
    if words and (len(numbers) != 2 or numbers[0] < 0 or numbers[1] <= 0):
        raise InputError(f"--verify={text}: tau and a positive c, as 0.737,0.057")
    return BanditFit(numbers[0], numbers[1], residual=0.0) if words else None


def _numbers(text: str, option: str) -> list[float]:
    try:
        numbers = sorted({float(word) for word in text.split(",")})
    except ValueError:
        raise InputError(f"--{option} takes numbers separated by commas, not '{text}'") from None
    if not numbers or numbers[0] <= 0:
        raise InputError(f"--{option}={text}: positive numbers only")
    return numbers
