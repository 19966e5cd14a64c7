"""Who plays whom: round robin, gauntlet and Swiss, each opening twice with colours swapped."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Protocol

from tesuji.arena.play.openings import Opening
from tesuji.arena.play.results import GameResult
from tesuji.base.errors import InputError


@dataclass(frozen=True)
class PlannedGame:
    """One game to be played."""

    black: str
    white: str
    pair: int
    """Number of the opening within the meeting of these two; both games of a pair share it."""
    opening: Opening
    round: int = 0

    @property
    def key(self) -> str:
        """No two games of a tournament share it, and another opening makes it another game."""
        return f"{self.black}|{self.white}|{self.round}|{self.pair}|{self.opening.name}"


class Schedule(Protocol):
    """Games to play, some of them known only once others are finished."""

    def due(self, played: Mapping[str, GameResult]) -> list[PlannedGame]:
        """Games that can be played now and are not among those played; empty when all is done."""
        ...

    @property
    def total(self) -> int:
        """Games in all."""
        ...

    @property
    def swap(self) -> bool:
        """Whether each opening is played twice with colours swapped."""
        ...


@dataclass(frozen=True)
class Meetings:
    """A fixed list of meetings, all of the same number of games."""

    meetings: Sequence[tuple[str, str]]
    games: int
    openings: Sequence[Opening]
    swap: bool = True
    """Each opening twice with colours swapped; else the first named is always Black, as in the papers."""

    def __post_init__(self) -> None:
        _check_games(self.games, self.swap)

    @property
    def total(self) -> int:
        return len(self.meetings) * self.games

    def due(self, played: Mapping[str, GameResult]) -> list[PlannedGame]:
        """Pair by pair over all meetings, so that an unfinished tournament is even."""
        pairs = self.games // 2 if self.swap else self.games
        plan = (
            planned
            for pair in range(pairs)
            for first, second in self.meetings
            for planned in games_of_pair(first, second, pair, self.openings, self.swap)
        )
        return [planned for planned in plan if planned.key not in played]


def round_robin(players: Sequence[str], games: int, openings: Sequence[Opening], swap: bool = True) -> Meetings:
    """Everybody against everybody, `games` games each."""
    _check_players(players)
    return Meetings(list(combinations(players, 2)), games, openings, swap)


def gauntlet(players: Sequence[str], games: int, openings: Sequence[Opening], swap: bool = True) -> Meetings:
    """The first player against each of the others."""
    _check_players(players)
    return Meetings([(players[0], other) for other in players[1:]], games, openings, swap)


@dataclass(frozen=True)
class Swiss:
    """Rounds among players of like points; nobody meets the same opponent twice while that can be avoided."""

    players: Sequence[str]
    rounds: int
    games: int
    """Per meeting."""
    openings: Sequence[Opening]
    swap: bool = True

    def __post_init__(self) -> None:
        _check_players(self.players)
        _check_games(self.games, self.swap)
        if self.rounds < 1:
            raise InputError(f"rounds={self.rounds}: a Swiss tournament has at least one round")

    @property
    def total(self) -> int:
        return self.rounds * (len(self.players) // 2) * self.games

    def due(self, played: Mapping[str, GameResult]) -> list[PlannedGame]:
        """What is missing of the first unfinished round; pairings follow from the games, so a resume agrees."""
        points: dict[str, float] = dict.fromkeys(self.players, 0.0)
        met: set[frozenset[str]] = set()
        free: set[str] = set()
        for number in range(self.rounds):
            pairs, alone = pair_by_points(self.players, points, met, free)
            plan = [planned for meeting in pairs for planned in self._games(meeting, number)]
            missing = [planned for planned in plan if planned.key not in played]
            if missing:
                return missing
            for planned in plan:
                game = played[planned.key]
                points[planned.black] += game.black_points
                points[planned.white] += 1 - game.black_points
            met |= {frozenset(meeting) for meeting in pairs}
            if alone:
                free.add(alone)
                points[alone] += self.games
        return []

    def _games(self, meeting: tuple[str, str], number: int) -> Iterable[PlannedGame]:
        for pair in range(self.games // 2 if self.swap else self.games):
            yield from games_of_pair(*meeting, pair, self.openings, self.swap, number)


def pair_by_points(
    players: Sequence[str], points: Mapping[str, float], met: set[frozenset[str]], free: set[str]
) -> tuple[list[tuple[str, str]], str]:
    """Meetings of one round, and who has none (empty with an even number).

    The bye goes to the lowest who had none. The rest meet in order of points, by search, with as few repeated
    meetings as possible.
    """
    order = sorted(players, key=lambda name: (-points[name], players.index(name)))
    alone = ""
    if len(order) % 2:
        alone = next((name for name in reversed(order) if name not in free), order[-1])
        order.remove(alone)
    for repeats in range(len(order) // 2 + 1):
        pairs = _match(order, met, repeats)
        if pairs is not None:
            return pairs, alone
    raise AssertionError("with every repetition allowed a pairing exists")


def _match(order: Sequence[str], met: set[frozenset[str]], repeats: int) -> list[tuple[str, str]] | None:
    if not order:
        return []
    first, *others = order
    for other in others:
        repeated = frozenset((first, other)) in met
        if repeated and not repeats:
            continue
        rest = _match([name for name in others if name != other], met, repeats - repeated)
        if rest is not None:
            return [(first, other), *rest]
    return None


def games_of_pair(
    first: str, second: str, pair: int, openings: Sequence[Opening], swap: bool, number: int = 0
) -> list[PlannedGame]:
    """The two games of one opening, or the one where colours are fixed."""
    opening = openings[pair % len(openings)]
    plan = [PlannedGame(first, second, pair, opening, number)]
    return [*plan, PlannedGame(second, first, pair, opening, number)] if swap else plan


def scores_of_pairs(games: Iterable[GameResult], player: str, per_pair: int = 2) -> list[float]:
    """`player`'s mean points per complete pair, in the order of the schedule up to the first one unfinished."""
    by_pair: dict[int, dict[str, float]] = defaultdict(dict)
    for game in games:
        by_pair[game.pair][game.black] = game.points(player)
    scores = []
    for pair in range(len(by_pair)):
        if len(by_pair.get(pair, {})) < per_pair:
            break
        scores.append(sum(by_pair[pair].values()) / per_pair)
    return scores


def _check_players(players: Sequence[str]) -> None:
    if len(players) < 2:
        raise InputError("a tournament needs at least two players")
    twice = sorted({name for name in players if players.count(name) > 1})
    if twice:
        raise InputError(f"two players are called '{twice[0]}'; give one of them another name=")


def _check_games(games: int, swap: bool) -> None:
    if games < 1:
        raise InputError(f"games={games}: at least one game")
    if swap and games % 2:
        raise InputError(f"games={games}: each opening is played twice with colours swapped, so even numbers only")
