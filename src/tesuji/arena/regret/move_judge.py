"""What a strong player holds positions and moves for, each asked once and remembered on disk."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from tesuji._core import BLACK, PASS, Game
from tesuji.arena.play.conditions import Conditions
from tesuji.arena.play.openings import Opening
from tesuji.arena.players.description import PlayerDescription
from tesuji.arena.players.hall import Hall
from tesuji.arena.regret.lines import GrowingLines, fingerprint
from tesuji.base.errors import InputError
from tesuji.features.planes import encode
from tesuji.search.pool import SearchPool
from tesuji.search.result import SearchResult

TOGETHER = 32
"""Positions searched side by side, each one leaf at a time, so that they share the network's batches."""


@dataclass(frozen=True)
class Worth:
    """What a position is worth to the player to move, or a move to the player who makes it."""

    winrate: float
    lead: float | None
    """Points ahead; None where the network tells no score."""


class MoveJudge:
    """A network with some visits. A move is worth what a search of the position after it finds."""

    def __init__(self, description: PlayerDescription, conditions: Conditions, folder: Path) -> None:
        if description.is_engine:
            raise InputError("the judge is a network: an engine tells no values")
        hall = Hall([description], conditions)
        player = hall.networks[description.name]
        if player.search.visits is None:
            raise InputError("the judge thinks in visits, so that its word does not depend on the machine")
        self.name, self.conditions = description.name, conditions
        self.evaluate = player.evaluate
        self.options = replace(player.search, batch=1, reuse=False, threads=1)
        # As it was described: what it said stays valid when the search learns options it does not use.
        self.about = {"judge": description.record(), "conditions": board_of(conditions)}
        self.folder = folder / f"judge-{fingerprint(self.about)}"
        """Where its answers are kept; another judge or another komi has another one."""
        self._kept = GrowingLines(self.folder / "judgements.jsonl", self.about)
        self._worth = {
            (row["position"], row["move"]): Worth(row["winrate"], row["lead"]) for row in self._kept if "move" in row
        }

    def begin(self, position: Opening) -> Game:
        """The position as a game."""
        return position.begin(self.conditions.size, self.conditions.komi, self.conditions.rules)

    def glance(self, games: Sequence[Game]) -> list[float]:
        """Win rates of the players to move, by the network alone."""
        komi = [game.komi for game in games]
        return [float(value) for value in self.evaluate(encode(games, self.evaluate.planes), komi).value]

    def worths(
        self, moves: Sequence[tuple[Opening, int]], progress: Callable[[int, int], None] = lambda done, total: None
    ) -> list[Worth]:
        """What each of these moves is worth to the player who makes it."""
        missing = list(dict.fromkeys((p, move) for p, move in moves if (p.name, move) not in self._worth))
        after = [self._after(position, move) for position, move in missing]
        running = [number for number, game in enumerate(after) if not game.is_over]
        for number, game in enumerate(after):
            if game.is_over:
                self._keep(*missing[number], _final(game))
        for done, (place, result) in enumerate(self.searched([after[number] for number in running]), 1):
            found = worth_of(result)
            lead = None if found.lead is None else -found.lead
            self._keep(*missing[running[place]], Worth(1 - found.winrate, lead))
            progress(done, len(running))
        return [self._worth[position.name, move] for position, move in moves]

    def _after(self, position: Opening, move: int) -> Game:
        game = self.begin(position)
        game.play(move)
        return game

    def _keep(self, position: Opening, move: int, worth: Worth) -> None:
        self._worth[position.name, move] = worth
        lead = None if worth.lead is None else round(worth.lead, 3)
        row = {"position": position.name, "move": move, "winrate": round(worth.winrate, 5), "lead": lead}
        self._kept.add(row)

    def searched(self, games: Sequence[Game]) -> Iterator[tuple[int, SearchResult]]:
        """The judge's searches of these positions with their numbers, in the order in which they end."""
        pool = SearchPool(self.evaluate, self.options, size=self.conditions.size, batch=TOGETHER)
        waiting = iter(enumerate(games))
        number_of: dict[int, int] = {}
        resting = [pool.open() for _ in range(min(TOGETHER, len(games)))]
        while True:
            for number, game in islice(waiting, len(resting)):
                slot = resting.pop()
                number_of[id(slot)] = number
                pool.submit(slot, game)
            if not pool.busy:
                return
            for done in pool.step():
                resting.append(done.slot)
                yield number_of[id(done.slot)], done.result


def board_of(conditions: Conditions) -> dict[str, Any]:
    """What of the conditions a position depends on."""
    return {"size": conditions.size, "komi": conditions.komi, "rules": conditions.rules}


def worth_of(result: SearchResult) -> Worth:
    """The mean of all a search saw of a position, which a few visits more change little; a proof is final."""
    visits = sum(move.visits for move in result.moves)
    total = sum(move.visits * move.value for move in result.moves if move.visits)
    score = result.black_score
    lead = None if score is None else score if result.position.to_play == BLACK else -score
    proofs = {move.proven for move in result.moves}
    if True in proofs or proofs == {False}:
        return Worth(float(True in proofs), lead)
    return Worth((result.network_value + total) / (1 + visits), lead)


def _final(game: Game) -> Worth:
    """A game that a pass has ended, seen by the player who passed."""
    score = game.black_score()
    mover, last = game.moves[-1]
    assert last == PASS
    lead = score if mover == BLACK else -score
    return Worth(0.5 if lead == 0 else float(lead > 0), float(lead))
