"""The judge of a finished game: which stones are dead, alive or in seki, and the score that follows.

What can be proved is proved (Benson's pass-alive chains); the rest is the network's opinion on who owns the stones, and
where that is undecided, or the network has no such opinion, games its policy plays to the end.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

import numpy as np

from tesuji._core import Board, Color, Game
from tesuji.features.evaluation import Evaluator, Floats
from tesuji.go.results import score_text
from tesuji.search.endgame.leisure import with_lost_at_leisure
from tesuji.search.endgame.ownership import head_ownership, rollout_ownership
from tesuji.search.endgame.protections import protections
from tesuji.search.endgame.seki import with_seki
from tesuji.search.endgame.settlement import SIGN, Settlement

_DOUBT = 0.5  # mean ownership of a chain's points, either way, below which the network is not sure
_MOST_SHARED = 6  # liberties between groups in seki; a larger empty region is a game still to be played


@dataclass(frozen=True)
class Judgement:
    """The state of every stone, as points in order, and what the board is worth."""

    black_ownership: Floats
    """`[N, N]` from -1 (White's) to 1 (Black's)."""
    alive: list[int]
    dead: list[int]
    seki: list[int]
    """Stones that live without two eyes, because neither side may move; not listed among the alive."""
    owners: list[Color | None]
    """Who owns each point by area once the dead are off the board; None for neutral points."""
    black_score: float
    """Black's lead by the rules of the game once the dead are taken off, komi included."""
    unsettled: list[list[int]] = field(default_factory=list)
    """Chains whose life or death is open."""
    open_borders: list[list[int]] = field(default_factory=list)
    """Empty regions in which territory is still to be won."""
    protections: list[int] = field(default_factory=list)
    """Points that their owners have to fill once the dame are; territory rules do not count them."""

    @property
    def settled(self) -> bool:
        """Whether the judge is sure: nothing but dame is left to play."""
        return not self.unsettled and not self.open_borders and not self.protections

    def doubts(self, vertex: Callable[[int], object]) -> list[str]:
        """What the judge is not sure of, a sentence each; `vertex` writes a point, as `game.vertex` does."""
        groups = [f"the group at {vertex(chain[0])} is neither alive nor dead yet" for chain in self.unsettled]
        borders = [
            f"the border at {', '.join(str(vertex(point)) for point in region[:4])} is open: still to be played"
            for region in self.open_borders
        ]
        moves = [
            f"{vertex(point)} has to be filled once the neutral points are: not counted" for point in self.protections
        ]
        return groups + borders + moves

    @property
    def result(self) -> str:
        """`B+3.5`, `W+0.5`, or `0`."""
        return score_text(self.black_score)


def judge(game: Game, evaluate: Evaluator, *, rollouts: int | None = None, seed: int = 1) -> Judgement:
    """Judges the stones on the board as if the game ended here; the game itself is left as it is.

    `rollouts` is how many games are played out where they are needed: by default fewer on larger boards.
    """
    # 32 on 9x9 and smaller, 8 on 19x19: about a second either way with a small network.
    count = max(8, 32 * 81 // max(81, game.size**2)) if rollouts is None else rollouts
    owned = head_ownership(game, evaluate)
    if owned is None:
        owned = rollout_ownership(game, evaluate, count, seed)
    elif _in_doubt(Settlement.of(game.board, owned)):
        owned = np.float32(0.5) * (owned + rollout_ownership(game, evaluate, count, seed))
    return judge_by_ownership(game, owned)


def judge_by_ownership(game: Game, owned: Floats) -> Judgement:
    """The same from an ownership `[N, N]` found elsewhere, as by a search."""
    settlement = with_seki(Settlement.of(game.board, owned))
    lost = with_lost_at_leisure(settlement, _without_two_eyes(settlement))
    # By area rules the last ko is played out, and a seki elsewhere keeps threats that nobody can take away.
    if game.rules.scoring == "territory" or not any(_stones_in_seki(game.board.without(sorted(lost.dead)))):
        settlement = lost
    judged = judge_by_dead(game, settlement.dead, settlement.owned)
    borders = [sorted(region) for region in settlement.open_borders]
    seki = set(judged.seki)  # alive, though nobody could say who owns the points between
    open_chains = [chain for chain in _in_doubt(settlement) if not seki & set(chain)]
    return replace(judged, unsettled=open_chains, open_borders=borders)


def judge_by_dead(game: Game, dead_stones: Iterable[int], owned: Floats | None = None) -> Judgement:
    """The same from the dead stones, as players agree on them; the ownership is then the owners of the points."""
    board, dead = game.board, sorted(dead_stones)
    cleared = board.without(dead)
    seki = sorted(_stones_in_seki(cleared))
    others = set(dead) | set(seki)
    alive = [point for color in SIGN for point in board.stones(color) if point not in others]
    score, filled = game.black_score(dead=dead), dict[int, Color]()
    if game.rules.scoring == "territory":
        filled = protections(cleared, seki)
        score -= eyes_in_seki(cleared, seki) + sum(SIGN[color] for color in filled.values())
    owners = cleared.area_owners()
    if owned is None:
        flat = [0.0 if owner is None else SIGN[owner] for owner in owners]
        owned = np.array(flat, np.float32).reshape(board.size, board.size)
    return Judgement(owned, sorted(alive), dead, seki, owners, score, protections=sorted(filled))


def _without_two_eyes(settlement: Settlement) -> set[int]:
    """Stones in doubt, or in what looks like a seki."""
    in_doubt = {stone for chain in settlement.unsettled for stone in chain}
    return in_doubt | set(_stones_in_seki(settlement.board.without(sorted(settlement.dead))))


def _in_doubt(settlement: Settlement) -> list[list[int]]:
    """The chains whose fate is in real doubt."""
    flat = settlement.owned.reshape(-1)
    return [chain for chain in settlement.unsettled if abs(float(np.mean(flat[chain]))) < _DOUBT]


def _stones_in_seki(board: Board) -> Iterable[int]:
    """Living groups with less than two points of their own that share a liberty with the enemy.

    A group is what hangs together by chains, by the empty regions nobody else touches, and by neutral points that two
    of its parts touch: dame not yet filled. After a game is played out the shared liberties of all others have been
    filled or cost nothing.
    """
    owners = board.area_owners()
    small = {point for region in _connected(board, owners, None) if len(region) <= _MOST_SHARED for point in region}
    for color in SIGN:
        safe = set(board.pass_alive(color)[0])
        for group in _joined(board, owners, _connected(board, owners, color)):
            stones = {point for point in group if board.at(point) == color}
            around = {other for stone in stones for other in board.neighbours(stone)}
            shared = {point for point in around if owners[point] is None}
            if len(group) - len(stones) < 2 and shared and shared <= small and not stones & safe:
                yield from stones


def _connected(board: Board, owners: list[Color | None], color: Color | None) -> Iterable[set[int]]:
    """Connected sets of points that belong to a colour by area, or to nobody."""
    left = {point for point, owner in enumerate(owners) if owner == color}
    while left:
        group, front = set(), [left.pop()]
        while front:
            point = front.pop()
            group.add(point)
            for other in board.neighbours(point):
                if other in left:
                    left.remove(other)
                    front.append(other)
        yield group


def _joined(board: Board, owners: list[Color | None], groups: Iterable[set[int]]) -> list[set[int]]:
    """The groups, those made one that a neutral point lies between."""
    joined: list[tuple[set[int], set[int]]] = []  # points, and the neutral ones around them
    for group in groups:
        points = set(group)
        dame = {near for point in group for near in board.neighbours(point) if owners[near] is None}
        for other in [other for other in joined if other[1] & dame]:
            joined.remove(other)
            points, dame = points | other[0], dame | other[1]
        joined.append((points, dame))
    return [points for points, _ in joined]


def eyes_in_seki(board: Board, seki: list[int]) -> float:
    """Black's points minus White's that territory rules do not count: those inside groups in seki."""
    owners, stones = board.area_owners(), set(seki)
    lead = 0.0
    for color, sign in SIGN.items():
        for group in _connected(board, owners, color):
            if group & stones:
                lead += sign * sum(board.at(point) is None for point in group)
    return lead
