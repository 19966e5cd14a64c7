"""Tournaments on the terminal: the live view while games are played, and the table at the end."""

import time
from dataclasses import dataclass

from rich.console import Group, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from tesuji.arena.play.director import Director
from tesuji.arena.report.standings import Standings
from tesuji.base.quantities import counted, duration
from tesuji.interfaces.terminal.strange_text import shown


@dataclass
class Progress:
    """A tournament and when it was started, to tell how long it will take."""

    director: Director
    started: float
    already: int = -1
    _table: tuple[int, Table] | None = None

    def __post_init__(self) -> None:
        self.already = len(self.director.results.games)

    def table(self) -> Table:
        """The standings, computed anew only when a game has finished."""
        played = len(self.director.results.games)
        if self._table is None or self._table[0] != played:
            self._table = played, standings_table(self.director.standings())
        return self._table[1]


def progress_line(progress: Progress) -> str:
    """How many games were played, how long it took and how long it will take."""
    director = progress.director
    played, total = len(director.results.games), director.schedule.total
    elapsed = time.monotonic() - progress.started
    fresh = played - progress.already
    left = f", {duration(elapsed / fresh * (total - played))} left" if fresh else ""
    return f"{played} of {counted(total, 'game')}, {duration(elapsed)}{left}"


def progress_view(progress: Progress) -> RenderableType:
    """The state of a running tournament."""
    director = progress.director
    done = ProgressBar(total=max(1, director.schedule.total), completed=len(director.results.games), width=40)
    bar = Table.grid()
    bar.add_row(done, Text(f" {progress_line(progress)}"))
    parts: list[RenderableType] = [progress.table(), bar]
    if director.test:
        parts.append(Text(director.test.in_words(director.players[0])))
    return Group(*parts)


def standings_table(state: Standings) -> Table:
    """The leaderboard."""
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")  # it fits 80 columns
    table.add_column("", justify="right")
    table.add_column("player", overflow="fold", min_width=14)
    for name in ("games", "score", "win rate", "95 %", "Elo", "LOS", "s/move", "desc/s"):
        table.add_column(name, justify="right", no_wrap=True)
    for number, line in enumerate(state.lines, 1):
        low, high = line.tally.wilson()
        table.add_row(
            str(number),
            Text(shown(line.player)),
            str(line.tally.games),
            str(line.tally),
            f"{line.tally.rate:.1%}±{100 * line.tally.sigma:.1f}",
            f"{low:.0%}..{high:.0%}",
            f"{line.rating.elo:+.0f}±{line.rating.error:.0f}" if line.tally.games else "",
            f"{line.superiority:.0%}" if number < len(state.lines) and line.tally.games else "",
            f"{line.seconds_per_move:.2g}" if line.tally.games else "",
            f"{line.descents_per_second:.0f}" if line.descents_per_second else "",
        )
    return table
