"""`tesuji review`: whole games judged; an annotated SGF, a report in HTML and JSON for each, problems from mistakes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from tesuji import Color
from tesuji.base.errors import InputError
from tesuji.base.files import write_atomically
from tesuji.base.quantities import counted, seconds_in
from tesuji.go.sgf.files import GameRecord
from tesuji.interfaces.engine.networks import Networks
from tesuji.interfaces.terminal.bars import moving_line
from tesuji.interfaces.terminal.devices import Devices, Precision, devices
from tesuji.interfaces.terminal.logs import start_logging
from tesuji.interfaces.terminal.options import OUT, AsCsv, AsJson, Quiet, examples, is_quiet
from tesuji.interfaces.terminal.plain_output import check_form, print_csv, print_json
from tesuji.interfaces.terminal.records import read_games
from tesuji.interfaces.terminal.strange_text import shown
from tesuji.reviews.annotated import annotated_sgf
from tesuji.reviews.game_review import GameFacts, GameReview
from tesuji.reviews.options import ReviewOptions
from tesuji.reviews.page import index_page, report_page
from tesuji.reviews.problems import Problem, problems_in, write_problems
from tesuji.reviews.reviewer import review_game
from tesuji.reviews.strength import strength

SHOWN_MISTAKES = 8
_GAMES = "SGF files, collections of games, archives (zip, sgfs.xz, ...), or folders of them."
MOST_GAMES = 50

EXAMPLES = examples(
    ("one game: report, notes, variations", "tesuji review game.sgf"),
    (
        "my own mistakes in a folder, as problems, a minute a game",
        "tesuji review games --player Anna --problems mine.sgf --budget 1m",
    ),
    ("every move as a row of a spreadsheet", "tesuji review game.sgf --csv"),
)


def main(
    games: Annotated[list[Path], typer.Argument(metavar="GAME.sgf...", help=_GAMES)],
    out: Annotated[Path, typer.Option(*OUT, help="Folder for what is written.")] = Path("review"),
    net: Annotated[str, typer.Option(help="Model by name or file; chosen by board size if absent.")] = "",
    visits: Annotated[int, typer.Option(min=1, help="Visits of every position.")] = ReviewOptions.visits,
    deep_visits: Annotated[int, typer.Option(min=0, help="Visits of critical moves; 0: four times as many.")] = 0,
    budget: Annotated[str, typer.Option(help="Time for a game, such as 30s or 2m; visits are cut to fit.")] = "",
    player: Annotated[str, typer.Option(help="Whose mistakes: black, white, or part of a name.")] = "",
    most: Annotated[int, typer.Option(min=1, help="Games taken of collections, archives and folders.")] = MOST_GAMES,
    least: Annotated[float, typer.Option(help="Points lost from which a move is a mistake.")] = 2.0,
    problems: Annotated[Path | None, typer.Option(help="Write problems from the mistakes into this SGF file.")] = None,
    problem_points: Annotated[float, typer.Option(help="Points a mistake must have lost to become a problem.")] = 3.0,
    threads: Annotated[int, typer.Option(min=0, help="Threads that search; 0: all cores.")] = 0,
    device: Devices = None,
    precision: Precision = "auto",
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    quiet: Quiet = False,
) -> None:
    """Judges every move of games: what it lost, why, and what was better.

    Writes NAME.sgf with notes and variations, NAME.html to look through, NAME.json for programs.
    """
    check_form(as_json, as_csv)
    options = ReviewOptions(
        visits=visits,
        deep_visits=deep_visits,
        least_points=least,
        budget=seconds_in(budget, "--budget") if budget else None,
        threads=threads,
    )
    records = records_in(games, player, most)
    networks = Networks(net, devices=devices(device, precision))
    networks.check()
    out.mkdir(parents=True, exist_ok=True)
    if problems is not None and not problems.parent.is_dir():
        raise InputError(f"no folder {problems.parent} to write {problems.name} in")
    reviews: list[GameReview] = []
    collected: list[Problem] = []
    if quiet:
        start_logging({"--quiet"})  # the engine says which network plays
    with Bars(is_quiet(quiet), len(records)) as bars:
        for facts, record in records:
            network = networks.choose(record.game.size)
            evaluators = networks.on_all_devices(network)
            bars.begin(facts.name)
            review = review_game(record.game, evaluators, options, facts, bars, network=network)
            reviews.append(review)
            colors = facts.colors_of(player)
            write_review(review, out, colors)
            if problems is not None:
                collected += problems_in(
                    review, evaluators, least_points=problem_points, colors=colors, threads=threads
                )
    if len(reviews) > 1:
        write_atomically(out / "index.html", index_page([(f"{one.facts.name}.html", one) for one in reviews]))
    if as_json:
        print_json([one.to_dict() for one in reviews])
    elif as_csv:
        print_csv([row for one in reviews for row in one.to_rows()])
    else:
        show(reviews, player, out)
    if problems is not None:
        tell_problems(collected, problems)


def records_in(paths: Sequence[Path], player: str, most: int) -> list[tuple[GameFacts, GameRecord]]:
    """The games to review, each under a name of its own."""
    found = [(GameFacts.of(one.record, one.name), one) for one in read_games(paths, most)]
    if not found:
        raise InputError(f"no game to review in {', '.join(map(str, paths))}")
    wanted = [(facts, one.record) for facts, one in found if facts.colors_of(player)]
    if not wanted:
        known = sorted({name for facts, _ in found for name in (facts.black, facts.white) if name})
        raise InputError(f"nobody called '{player}' plays here; players: {', '.join(known[:8]) or 'without names'}")
    return wanted


def write_review(review: GameReview, out: Path, colors: Sequence[Color]) -> None:
    """The three files of one game; mistakes of these colours alone."""
    name = review.facts.name
    write_atomically(out / f"{name}.sgf", annotated_sgf(review, colors))
    write_atomically(out / f"{name}.html", report_page(review, colors))
    write_atomically(out / f"{name}.json", json.dumps(review.to_dict(), ensure_ascii=False, indent=1))


def show(reviews: Sequence[GameReview], player: str, out: Path) -> None:
    """A table of the players, then the biggest mistakes."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    several = len(reviews) > 1
    for heading in ("game", "player") if several else ("player",):
        table.add_column(heading, overflow="fold", min_width=len(heading))
    for heading in ("moves", "lost", "a move", "1st choice", "mistakes", "blunders"):
        table.add_column(heading, justify="right", no_wrap=True)
    lines = [(one.facts.name, one.summary(color)) for one in reviews for color in one.facts.colors_of(player)]
    if any(told.strength for _, told in lines):
        table.add_column("plays like", no_wrap=True)
    for name, told in lines:
        player_name = shown(told.name)
        cells: list[Text | str] = [
            *([Text(name)] if several else []),
            Text(f"{player_name} ({told.color})" if player_name.lower() != told.color else player_name),
            str(told.moves),
            "" if told.points is None else f"{told.points:.1f}",
            f"{100 * told.winrate_a_move:.1f} %" if told.points_a_move is None else f"{told.points_a_move:.2f}",
            f"{told.first_choice:.0%}",
            str(told.grades["mistake"]),
            str(told.grades["blunder"]),
        ]
        table.add_row(*cells, *([told.strength or ""] if len(table.columns) > len(cells) else []))
    console = Console(highlight=False)
    console.print(table)
    if player and (seems := together_over(reviews, player)):
        console.print(f"{player} over {len(reviews)} games: {seems}", markup=False)
    if not several:
        for move in reviews[0].mistakes(reviews[0].facts.colors_of(player))[:SHOWN_MISTAKES]:
            console.print(f"{move.number:4}. {move.text}", markup=False, soft_wrap=True)
    page = out / ("index.html" if several else f"{reviews[0].facts.name}.html")
    console.print(f"report: {page}", markup=False, soft_wrap=True)


def together_over(reviews: Sequence[GameReview], player: str) -> str:
    """How strong a player seems over several games on boards of one size; empty where there are none such."""
    first = reviews[0]
    games = [review.played(color) for review in reviews for color in review.facts.colors_of(player)]
    if len(games) < 2 or any(review.game.size != first.game.size for review in reviews):
        return ""
    seems = strength(first.network, first.game.size, first.visits, games)
    return seems.text if seems else ""


def tell_problems(problems: Sequence[Problem], path: Path) -> None:
    """Writes the collection, or says that there is none."""
    if not problems:
        typer.echo("no mistake here makes a clear problem: nothing written", err=True)
        return
    write_problems(problems, path)
    typer.echo(f"{counted(len(problems), 'problem')}: {path}", err=True)


class Bars:
    """How far the review has come, on stderr."""

    def __init__(self, quiet: bool, games: int) -> None:
        self._progress = moving_line(Console(stderr=True), disable=quiet)
        self._games = self._progress.add_task("games", total=games, text="") if games > 1 else None
        self._task = self._progress.add_task("", total=None, text="")
        self._name, self._begun = "", 0

    def __enter__(self) -> Bars:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def begin(self, name: str) -> None:
        """The next game."""
        self._name = name[:30]
        if self._games is not None:
            self._progress.update(self._games, completed=self._begun)
        self._begun += 1

    def __call__(self, what: str, done: int, total: int) -> None:
        """One stage of the game under way."""
        self._progress.update(self._task, description=self._name, completed=done, total=total, text=what)
