"""The report says what the games say, stands alone, and survives hostile names."""

import csv
import json
import re
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from tesuji._core import parse_vertex
from tesuji.arena.play.conditions import Conditions
from tesuji.arena.play.live_game import Answer, LiveGame
from tesuji.arena.play.openings import EMPTY
from tesuji.arena.play.results import GameResult
from tesuji.arena.play.schedule import PlannedGame
from tesuji.arena.report.page import Report
from tesuji.arena.report.paper_tables import paper_table, width_over_depth
from tesuji.arena.report.standings import standings
from tesuji.interfaces.terminal.arena_display import standings_table

NASTY = "</script><b>@DATA@ & 'x'"


def played(
    black: str, white: str, pair: int, winner: str, moves: tuple[str, ...] = ("E5", "pass", "pass")
) -> GameResult:
    live = LiveGame(PlannedGame(black, white, pair, EMPTY), Conditions())
    for move in moves:
        live.take(Answer(parse_vertex(move, 9), 0.5, 10, 0.01))
    live.end(f"{winner}+3.5", "counted")
    return live.finished()


GAMES = [
    *(played("strong", "weak", n, "B") for n in range(6)),
    *(played("weak", "strong", n, "W") for n in range(4)),
    *(played("weak", "strong", 4 + n, "B") for n in range(2)),
    *(played(NASTY, "weak", n, "W", ("A1", "B1", "pass", "A2", "pass", "pass")) for n in range(4)),
]


def report() -> Report:
    names = ["strong", "weak", NASTY]
    state = standings(GAMES, names)
    players = {name: {"network": name} for name in names}
    return Report("A <test>", state, GAMES, Conditions().record(), players, ["a note"])


def test_the_table_on_the_terminal_fits_80_columns() -> None:
    written = StringIO()
    console = Console(width=80, file=written, highlight=False)
    console.print(standings_table(standings(GAMES[:12], ["strong", "weak"])))
    headings, *lines = written.getvalue().splitlines()
    assert headings.split() == ["player", "games", "score", "win", "rate", "95", "%", "Elo", "LOS", "s/move", "desc/s"]
    assert {len(line.rstrip()) for line in (headings, *lines)} == {len(headings.rstrip())}  # the last column is whole


class Page(HTMLParser):
    """Collects what must hold of any page: elements, and the text of the data."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.data = ""
        self._in_data = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value or "" for key, value in attrs if key in {"src", "href"}]
        self._in_data = ("id", "data") in attrs

    def handle_endtag(self, tag: str) -> None:
        self._in_data = False

    def handle_data(self, data: str) -> None:
        self.data += data if self._in_data else ""


def test_the_page_stands_alone_and_its_games_can_be_replayed(tmp_path: Path) -> None:
    page = Page()
    page.feed(report().write(tmp_path).read_text(encoding="utf-8"))
    assert page.links == []  # nothing is fetched from anywhere
    assert page.tags.count("script") == 2
    assert "svg" in page.tags
    games = json.loads(page.data)
    assert len(games) == len(GAMES)
    assert games[-1]["b"] == NASTY
    # White's second stone captured A1: the page is told, it knows no rules.
    assert [move[2:] for move in games[-1]["m"]] == [[], [], [], [72], [], []]


def test_hostile_names_stay_text() -> None:
    text = report().html()
    assert "<b>" not in text
    assert "@DATA@" not in re.sub(r"(?s)<script.*?</script>", "", text).replace("@DATA@ &amp;", "")
    assert "A &lt;test&gt;" in text


def test_standings_add_up(tmp_path: Path) -> None:
    state = report().standings
    assert state.lines[0].player == "strong"
    strong = next(line for line in state.lines if line.player == "strong")
    assert (strong.tally.wins, strong.tally.losses) == (10, 2)
    assert (strong.as_black.games, strong.as_white.games) == (6, 6)
    assert strong.descents_per_second == pytest.approx(1000)
    assert state.matrix[("strong", "weak")].wins == state.matrix[("weak", "strong")].losses == 10
    assert state.repeated == len(GAMES) - 3  # three pairings, each one game over and over
    report().write(tmp_path)
    with (tmp_path / "standings.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["player"] for row in rows} == {"strong", "weak", NASTY}
    assert float(rows[0]["rate"]) == pytest.approx(10 / 12, abs=1e-4)
    assert len((tmp_path / "games.sgfs").read_text().splitlines()) == len(GAMES)


def test_paper_layouts() -> None:
    state = standings(GAMES[:12], ["strong", "weak"])
    table = paper_table("table-9", state).splitlines()
    assert table[0].split() == ["|", "Network", "|", "Games", "|", "Winrate", "|", "σ/√n", "|"]
    assert table[2].split("|")[1:5] == [" strong  ", "    12 ", "   0.833 ", " 0.108 "]
    as_black = paper_table("table-10", state, "weak")
    assert "weak" not in as_black
    assert "1.000" in as_black
    matrix = paper_table("table-1-9x9", state).splitlines()
    assert [cell.strip() for cell in matrix[0].split("|")[1:4]] == ["Black \\ White", "weak", "strong"]
    games = [game for game in GAMES[:12] if game.black == "strong"]
    won = sum(game.black_points for game in games)
    assert [cell.strip() for cell in matrix[3].split("|")[1:4]] == ["strong", f"B {won:g}-{len(games) - won:g}", "-"]
    assert width_over_depth("se.32.768.128") == "4.00"
    assert width_over_depth("residual.20.256") == "-"
    with pytest.raises(ValueError, match="did you mean 'table-9'"):
        paper_table("table9", state)


def test_an_empty_tournament_has_a_report_too(tmp_path: Path) -> None:
    state = standings([], ["a", "b"])
    page = Report("nothing yet", state, [], Conditions().record(), {}).write(tmp_path)
    assert "0 games" in page.read_text()
