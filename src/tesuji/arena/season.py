"""The season of a league: all weeks together, and one page that leads to each of them."""

import html
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tesuji.arena.play.results import GameResult, ResultsFile
from tesuji.arena.report.page import PAGE
from tesuji.arena.report.standings import Line, Standings, standings
from tesuji.base.files import write_atomically
from tesuji.base.quantities import counted

_STYLE = (
    ":root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:1000px;margin:24px auto;"
    "padding:0 1em}table{border-collapse:collapse;font-variant-numeric:tabular-nums}"
    "th,td{text-align:right;padding:4px 10px;border-bottom:1px solid #8884}th:nth-child(2),td:nth-child(2)"
    "{text-align:left}"
)


@dataclass(frozen=True)
class Season:
    """The weeks of a league in order, and what they add up to."""

    weeks: Mapping[str, tuple[GameResult, ...]]
    standings: Standings

    @classmethod
    def read(cls, folder: Path) -> "Season":
        """Every week below this folder that has a report."""
        names = sorted(page.parent.name for page in folder.glob(f"*/{PAGE}"))
        weeks = {name: tuple(ResultsFile(folder / name / "results.jsonl")) for name in names}
        return cls(weeks, standings([game for games in weeks.values() for game in games], []))

    def played(self, player: str) -> list[str]:
        """The weeks in which a player took part."""
        return [week for week, games in self.weeks.items() if any(player in (g.black, g.white) for g in games)]

    def page(self) -> str:
        """Standings of the season, and links to the weeks, the newest first."""
        links = "".join(
            f'<li><a href="{html.escape(week)}/{PAGE}">{html.escape(week)}</a>: {counted(len(games), "game")}</li>'
            for week, games in sorted(self.weeks.items(), reverse=True)
        )
        rows = "".join(self._row(number, line) for number, line in enumerate(self.standings.lines, 1))
        head = "<tr><th><th>player<th>weeks<th>games<th>win rate<th>Elo</tr>"
        return (
            '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
            f"<title>League</title><style>{_STYLE}</style><h1>League</h1>"
            f"<h2>The season: {counted(len(self.weeks), 'week')}</h2><table>{head}{rows}</table>"
            "<p>A player is who hands in a file of that name. Elo by Bradley-Terry over all games, mean of the "
            f"field 0, ± one standard error.</p><h2>Weeks</h2><ul>{links}</ul></html>\n"
        )

    def _row(self, number: int, line: Line) -> str:
        cells = (
            number, html.escape(line.player), len(self.played(line.player)), line.tally.games,
            f"{100 * line.tally.rate:.1f} % ± {100 * line.tally.sigma:.1f}",
            f"{line.rating.elo:+.0f} ± {line.rating.error:.0f}",
        )  # fmt: skip
        return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def write_index(folder: Path) -> None:
    """Writes `index.html` of a league's folder."""
    write_atomically(folder / "index.html", Season.read(folder).page())
