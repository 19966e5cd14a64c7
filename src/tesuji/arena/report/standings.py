"""What the games of a tournament add up to: leaderboard, matrix, ratings and what each side spent."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from tesuji.arena.play.results import GameResult
from tesuji.arena.ratings import Rating, Ratings, rate
from tesuji.arena.statistics import Tally
from tesuji.base.quantities import counted


@dataclass(frozen=True)
class Line:
    """One player's line of the leaderboard."""

    player: str
    tally: Tally
    as_black: Tally
    as_white: Tally
    rating: Rating
    superiority: float
    """Likelihood of being stronger than the player one line below; 1 on the last line."""
    seconds_per_move: float
    descents_per_second: float
    forfeits: int
    """Games lost by what the player did rather than on the board."""

    def in_words(self) -> str:
        """`62.5 % ± 8.6 of 32 games, Elo +44 ± 31`."""
        if not self.tally.games:
            return "no games"
        rate = f"{100 * self.tally.rate:.1f} % ± {100 * self.tally.sigma:.1f} of {counted(self.tally.games, 'game')}"
        return f"{rate}, Elo {self.rating.elo:+.0f} ± {self.rating.error:.0f}"

    def row(self) -> dict[str, str | int | float]:
        """The line as plain names and numbers, for a spreadsheet or a data frame."""
        low, high = self.tally.wilson()
        return {
            "player": self.player,
            "games": self.tally.games,
            "wins": self.tally.wins,
            "draws": self.tally.draws,
            "losses": self.tally.losses,
            "rate": round(self.tally.rate, 4),
            "sigma": round(self.tally.sigma, 4),
            "wilson_low": round(low, 4),
            "wilson_high": round(high, 4),
            "elo": round(self.rating.elo, 1),
            "elo_error": round(self.rating.error, 1),
            "superiority_over_next": round(self.superiority, 4),
            "seconds_per_move": round(self.seconds_per_move, 4),
            "descents_per_second": round(self.descents_per_second),
            "forfeits": self.forfeits,
        }


@dataclass(frozen=True)
class Standings:
    """The state of a tournament."""

    lines: tuple[Line, ...]
    """Strongest first."""
    matrix: dict[tuple[str, str], Tally]
    """How the first did against the second."""
    as_black: dict[tuple[str, str], Tally]
    """The same of the games in which the first was Black."""
    ratings: Ratings | None
    black: Tally
    """All games, as Black."""
    average_length: float
    repeated: int
    """Games that went exactly like an earlier one: they say nothing new."""
    endings: Counter[str]
    """How games ended."""

    @property
    def games(self) -> int:
        return self.black.games

    def remarks(self) -> list[str]:
        """What a reader should know of these games: repeated ones."""
        if not self.repeated:
            return []
        repeat = "repeats" if self.repeated == 1 else "repeat"
        return [f"{counted(self.repeated, 'game')} {repeat} another one move by move, which says nothing new."]


def standings(games: Iterable[GameResult], players: Sequence[str]) -> Standings:
    """Adds up the games; `players` are listed even before their first game."""
    played = list(games)
    names = list(dict.fromkeys([*players, *(name for game in played for name in (game.black, game.white))]))
    matrix = _matrix(played)
    ratings = rate([(g.black, g.white, g.black_points) for g in played], names) if len(names) > 1 else None
    order = ratings.ranking() if ratings else names
    lines = []
    for name, below in zip_longest(order, order[1:]):
        superiority = ratings.superiority(name, below) if ratings and below else 1.0
        lines.append(_line(name, played, ratings[name] if ratings else Rating(0, 0), superiority))
    sequences = Counter((g.black, g.white, _moves_of(g.sgf)) for g in played if g.sgf)
    return Standings(
        lines=tuple(lines),
        matrix=matrix,
        as_black=_as_black(played),
        ratings=ratings,
        black=Tally.of(game.black_points for game in played),
        average_length=sum(game.moves for game in played) / len(played) if played else 0.0,
        repeated=sum(count - 1 for count in sequences.values()),
        endings=Counter(_ending(game) for game in played),
    )


def _line(name: str, played: Sequence[GameResult], rating: Rating, superiority: float) -> Line:
    own = [game for game in played if name in (game.black, game.white)]
    sides = [game.side(name) for game in own]
    seconds, moves = sum(side.seconds for side in sides), sum(side.moves for side in sides)
    black = Tally.of(game.points(name) for game in own if game.black == name)
    white = Tally.of(game.points(name) for game in own if game.white == name)
    return Line(
        player=name,
        tally=black + white,
        as_black=black,
        as_white=white,
        rating=rating,
        superiority=superiority,
        seconds_per_move=seconds / moves if moves else 0.0,
        descents_per_second=sum(side.descents for side in sides) / seconds if seconds else 0.0,
        forfeits=sum(game.forfeited and game.points(name) == 0 for game in own),
    )


def _matrix(played: Sequence[GameResult]) -> dict[tuple[str, str], Tally]:
    matrix: dict[tuple[str, str], Tally] = {}
    for game in played:
        one = Tally.of([game.black_points])
        for pair, tally in (((game.black, game.white), one), ((game.white, game.black), one.reversed)):
            matrix[pair] = matrix.get(pair, Tally()) + tally
    return matrix


def _as_black(played: Sequence[GameResult]) -> dict[tuple[str, str], Tally]:
    found: dict[tuple[str, str], Tally] = {}
    for game in played:
        pair = game.black, game.white
        found[pair] = found.get(pair, Tally()) + Tally.of([game.black_points])
    return found


def _moves_of(sgf: str) -> str:
    """The part of the text that two equal games share: everything after the root node."""
    return sgf.partition(";")[2].partition(";")[2]


def _ending(game: GameResult) -> str:
    """A few words under which like endings are counted together."""
    if game.forfeited:
        return "forfeited" if game.result.endswith("F") else "out of time"
    return game.how.split(",")[0].split(" as ")[0]
