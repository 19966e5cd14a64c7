"""A finished self-play game as plain data: it travels between processes and machines, then becomes a record."""

from dataclasses import dataclass

from tesuji._core import WHITE, Game, PackedRecord
from tesuji.go.results import winner_of
from tesuji.search.result import SearchResult


@dataclass(frozen=True)
class SearchedPosition:
    """What a full search said of one position."""

    position: int
    """Moves played before it."""
    policy: tuple[tuple[int, float], ...]
    """Moves and their shares, those without any left out."""
    white_winrate: float


@dataclass(frozen=True)
class PlayedGame:
    """One game and what was found while it was played."""

    number: int
    """Given out by whoever ordered the game; nobody else has it."""
    game: Game
    result: str
    """As in SGF; `B+` without a margin, or `?`, where the game was cut off and only the board as it stood is known."""
    targets: tuple[SearchedPosition, ...]
    start_moves: int
    """Moves that were there before self-play began."""
    evaluations: int
    """Positions the network judged for it."""
    visits: int
    resigner: int = 0
    """The first colour that would have given up, whether it was allowed to or not; 0 for nobody."""
    played_out: bool = False
    """Whether nobody was allowed to resign."""
    cut: bool = False
    """Whether the move limit ended it."""
    winner_low: float = 1.0
    """In a game played out: the lowest win probability that the later winner held for `resign_moves` moves."""

    @property
    def wrongly_resigned(self) -> bool:
        """Played to the end, the side that wanted to give up did not lose."""
        winner = winner_of(self.result) or 0
        return self.played_out and self.resigner != 0 and winner != 3 - self.resigner

    def record(self) -> PackedRecord:
        """As a packed file holds it, with a target for every full search."""
        record = PackedRecord.of(self.game, self.result)
        for target in self.targets:
            record.add_target(target.position, list(target.policy), target.white_winrate)
        return record

    def row(self) -> dict[str, float | int | str | bool]:
        """Numbers for the account of a folder."""
        return {
            "number": self.number,
            "moves": self.game.move_count,
            "start_moves": self.start_moves,
            "komi": self.game.komi,
            "result": self.result,
            "targets": len(self.targets),
            "evaluations": self.evaluations,
            "visits": self.visits,
            "resigner": self.resigner,
            "played_out": self.played_out,
            "cut": self.cut,
            "wrong": self.wrongly_resigned,
            "winner_low": round(self.winner_low, 4),
        }


def searched(result: SearchResult) -> SearchedPosition:
    """The target of a full search: shares of the visits, or the improved policy where Gumbel's halving ran."""
    if result.improved_policy is not None:
        shares = result.improved_policy
    else:
        total = sum(move.visits for move in result.moves)
        shares = {move.move: move.visits / total for move in result.moves} if total else result.priors
    policy = tuple((move, float(share)) for move, share in shares.items() if share > 1e-4)
    return SearchedPosition(len(result.position.moves), policy, root_value(result)[1])


def root_value(result: SearchResult) -> tuple[float, float]:
    """(of the player to move, of White): the mean over all descents, which noise and luck move least."""
    visited = [move for move in result.moves if move.visits]
    total = sum(move.visits for move in visited)
    if any(move.proven for move in visited):
        value = 1.0
    elif total:
        value = (sum(move.visits * move.value for move in visited) + result.network_value) / (total + 1)
    else:
        value = result.network_value
    return value, value if result.position.to_play == WHITE else 1.0 - value
