"""KataGo's inputs, version 7, as plainly as their definition reads, to hold the fast encoder against."""

from dataclasses import dataclass, field

import numpy as np

from tests.features.slow_ladders import UsualLadder
from tests.features.slow_position import Place, SlowPosition, Stones, other

Chain = set[Place]


@dataclass
class SlowGame:
    """All that happened, newest first, under rules in plain words."""

    size: int
    komi: float
    ko_rule: str
    suicide: bool
    territory: bool
    to_play: str = "X"
    boards: list[Stones] = field(default_factory=lambda: [{}])
    turns: list[tuple[str, Place | None]] = field(default_factory=list)
    kos: list[Place | None] = field(default_factory=lambda: [None])

    def position(self, age: int = 0) -> SlowPosition:
        return SlowPosition(self.size, self.to_play, self.komi, self.boards[age:], [], self.kos[age])

    def play(self, place: Place | None) -> None:
        stones, position = self.boards[0], self.position()
        self.boards.insert(0, self.after(place))
        self.kos.insert(0, None if place is None or place not in self.boards[0] else
                        position.ko_after(stones, self.boards[0], place))  # fmt: skip
        self.turns.insert(0, (self.to_play, place))
        self.to_play = other(self.to_play)

    def after(self, place: Place | None) -> Stones:
        """The board after a move; suicide takes the mover's own stones off."""
        stones, position = self.boards[0], self.position()
        if place is None:
            return stones
        result = position.after(stones, place, self.to_play)
        if result is not None:
            return result
        mixed = {**stones, place: self.to_play}
        gone = position.chain(mixed, place)
        return {point: stone for point, stone in mixed.items() if point not in gone}

    def passes(self) -> int:
        count = 0
        while count < len(self.turns) and self.turns[count][1] is None:
            count += 1
        return count


def encode(game: SlowGame) -> np.ndarray:
    """`[42, N, N]`: planes, and numbers spread over the board; last of all who is to move."""
    out = np.zeros((42, game.size, game.size), np.float32)
    own, foe, komi = game.to_play, other(game.to_play), own_komi(game)
    owners = {} if game.territory else area(game)
    score = sum(1 if owner == own else -1 for owner in owners.values())
    hidden = not game.territory and game.passes() >= 1 and score + komi <= 0
    shown = 0 if hidden else turns_shown(game)
    drawn = stones_and_bans(game)
    for age in range(shown):
        if game.turns[age][1] is None:
            out[22 + age] = 1
        else:
            drawn[9 + age] = {game.turns[age][1]}
    for age in range(3):
        drawn[14 + age], starts = ladders(game, min(age, shown))
        if age == 0:
            drawn[17] = starts
    drawn[18] = {place for place, owner in owners.items() if owner == own}
    drawn[19] = {place for place, owner in owners.items() if owner == foe}
    for channel, places in drawn.items():
        for place in places:
            assert place is not None
            out[channel][place] = 1
    most = game.size**2 + 20
    clipped = max(-most, min(most, komi))
    kinds = {"simple": (0, 0), "positional": (1, 0.5), "situational": (1, -0.5)}
    numbers = {
        27: clipped / 20, 28: kinds[game.ko_rule][0], 29: kinds[game.ko_rule][1], 30: game.suicide,
        31: game.territory, 32: game.territory, 36: game.passes() >= 1 and not hidden,
        40: 0 if game.territory else wave(clipped, game.size), 41: game.to_play == "X",
    }  # fmt: skip
    for channel, number in numbers.items():
        out[channel] = number
    return out


def own_komi(game: SlowGame) -> float:
    white = game.komi
    if game.territory:  # every stone costs its player a point
        placed = [color for color, place in game.turns if place is not None] + list(game.boards[-1].values())
        white += placed.count("X") - placed.count("O")
    return white if game.to_play == "O" else -white


def wave(komi: float, size: int) -> float:
    """Up through the komi that can draw, down through the others, a triangle of height one half."""
    drawable = [k for k in range(-1000, 1000) if k % 2 == size % 2]
    floor = max(k for k in drawable if k <= komi)
    over = komi - floor
    return float(np.interp(over, [0, 0.5, 1.5, 2], [0, 0.5, -0.5, 0]))


def turns_shown(game: SlowGame) -> int:
    if game.passes() >= 2:
        limit = 1
    else:
        limit = 5
        for age in range(len(game.turns) - 2):
            if game.turns[age + 1][1] is None and game.turns[age + 2][1] is None:
                limit = min(limit, age + 2)  # the game was over before that move
    shown, expected = 0, other(game.to_play)
    for color, _ in game.turns[:limit]:
        if color != expected:
            break
        shown, expected = shown + 1, other(expected)
    return shown


def stones_and_bans(game: SlowGame) -> dict[int, set[Place | None]]:
    stones, position = game.boards[0], game.position()
    places = {(r, c) for r in range(game.size) for c in range(game.size)}
    drawn: dict[int, set[Place | None]] = {
        0: set(places),
        1: {p for p in stones if stones[p] == game.to_play},
        2: {p for p in stones if stones[p] != game.to_play},
        **{2 + k: {p for p in stones if len(position.liberties(stones, p)) == k} for k in (1, 2, 3)},
        6: {game.kos[0]} - {None},
    }
    if game.ko_rule == "simple":
        return drawn
    start = "X" if len(game.turns) % 2 == (game.to_play == "O") else "O"
    seen = [(board, start if (len(game.boards) - 1 - age) % 2 == 0 else other(start))
            for age, board in enumerate(game.boards)]  # fmt: skip
    for place in places - set(stones):
        legal = position.after(stones, place, game.to_play) is not None
        joins = any(stones.get(near) == game.to_play for near in position.around(place))
        if not legal and not (game.suicide and joins):
            continue
        after = game.after(place)
        for board, to_play in seen:
            if board == after and (game.ko_rule == "positional" or to_play == other(game.to_play)):
                drawn[6].add(place)
    return drawn


def ladders(game: SlowGame, age: int) -> tuple[set[Place | None], set[Place | None]]:
    """The stones in ladders that many moves ago; the points where the player to move starts one that works."""
    stones, position, caught, starts = game.boards[age], game.position(age), set(), set()
    for chain in position.chains(stones):
        prey = min(chain)
        liberties = len(position.liberties(stones, prey))
        ladder = UsualLadder(position, prey)
        if liberties == 1 and ladder.caught(stones[prey]):
            caught |= chain
        if liberties == 2 and (works := ladder.starts(stones, position.ko)):
            caught |= chain
            if stones[prey] != game.to_play:
                starts |= works
    return set(caught), set(starts)


def area(game: SlowGame) -> dict[Place, str]:
    """Owners: what pass-alive stones enclose, empty points that touch one colour, then every stone itself."""
    stones, position = game.boards[0], game.position()
    owners = dict(stones)
    everywhere = {(r, c) for r in range(game.size) for c in range(game.size)}
    for region in regions(position, everywhere - set(stones)):
        colors = {stones[near] for point in region for near in position.around(point) if near in stones}
        if len(colors) == 1:
            owners |= dict.fromkeys(region, colors.pop())
    for color in "XO":
        for region in enclosed(game, color):
            inner = [p for p in region if all(stones.get(near) != color for near in position.around(p))]
            if len(inner) <= 1 or not any(point in stones for point in region):
                owners |= dict.fromkeys(region, color)
    return owners


def regions(position: SlowPosition, points: set[Place]) -> list[set[Place]]:
    found = []
    rest = set(points)
    while rest:
        board = dict.fromkeys(rest, "X")
        region = position.chain(board, next(iter(rest)))
        found.append(region)
        rest -= region
    return found


def enclosed(game: SlowGame, color: str) -> list[set[Place]]:
    """Benson: the regions whose whole border lives even if its owner always passes."""
    stones, position = game.boards[0], game.position()
    chains = [chain for chain in position.chains(stones) if stones[min(chain)] == color]
    everywhere = {(r, c) for r in range(game.size) for c in range(game.size)}
    left = regions(position, everywhere - {p for p in stones if stones[p] == color}) if chains else []

    def touches(point: Place, chain: Chain) -> bool:
        return any(near in chain for near in position.around(point))

    def vital(region: set[Place], chain: Chain) -> bool:
        must = region if game.suicide else {point for point in region if point not in stones}
        return any(touches(point, chain) for point in region) and all(touches(point, chain) for point in must)

    alive = chains
    while True:
        living = [chain for chain in alive if sum(vital(region, chain) for region in left) >= 2]
        dead = [chain for chain in chains if chain not in living]
        left = [region for region in left if not any(touches(p, chain) for p in region for chain in dead)]
        if len(living) == len(alive):
            return left
        alive = living
