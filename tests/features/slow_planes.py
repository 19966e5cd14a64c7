"""The plane sets as slowly and plainly as their definitions read, to hold the fast encoder against.

A position is a list of boards, newest first, each a dict from (row, column) to "X" (Black) or "O" (White).
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

Place = tuple[int, int]
Stones = dict[Place, str]


class TooDeepError(Exception):
    """A ladder longer than the fast reader is willing to read."""


def other(color: str) -> str:
    return "O" if color == "X" else "X"


@dataclass
class SlowPosition:
    size: int
    to_play: str
    komi: float
    boards: list[Stones]
    """Newest first."""
    moves: list[Place | None]
    """All moves so far, newest first; None is a pass."""
    ko: Place | None = None

    def around(self, place: Place) -> list[Place]:
        row, column = place
        near = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
        return [(r, c) for r, c in near if 0 <= r < self.size and 0 <= c < self.size]

    def chain(self, stones: Stones, place: Place) -> set[Place]:
        chain, waiting = {place}, [place]
        while waiting:
            for near in self.around(waiting.pop()):
                if stones.get(near) == stones[place] and near not in chain:
                    chain.add(near)
                    waiting.append(near)
        return chain

    def liberties(self, stones: Stones, place: Place) -> set[Place]:
        return {n for stone in self.chain(stones, place) for n in self.around(stone) if n not in stones}

    def chains(self, stones: Stones) -> list[set[Place]]:
        found: list[set[Place]] = []
        for place in stones:
            if not any(place in chain for chain in found):
                found.append(self.chain(stones, place))
        return found

    def after(self, stones: Stones, place: Place, color: str) -> Stones | None:
        """The board after a stone, or None where it is occupied or suicide."""
        if place in stones:
            return None
        result = {**stones, place: color}
        for near in self.around(place):
            if result.get(near) == other(color) and not self.liberties(result, near):
                for dead in self.chain(result, near):
                    del result[dead]
        return result if self.liberties(result, place) else None

    def ko_after(self, stones: Stones, result: Stones, place: Place) -> Place | None:
        taken = [p for p in stones if p not in result]
        single = len(self.chain(result, place)) == 1 and len(self.liberties(result, place)) == 1
        return taken[0] if len(taken) == 1 and single else None

    def legal(self, place: Place) -> Stones | None:
        return None if place == self.ko else self.after(self.boards[0], place, self.to_play)


class Ladder:
    """Can a chain be caught by ataris? A ko taken while reading binds whoever moves next."""

    def __init__(self, position: SlowPosition, prey: Place, ko: Place | None) -> None:
        self.position, self.prey, self.ko, self.nodes = position, prey, ko, 0

    def caught(self, stones: Stones, to_play: str) -> bool:
        count = len(self.position.liberties(stones, self.prey))
        if stones[self.prey] == to_play:
            return count == 1 and self.lost(stones, self.ko, 0)
        return count <= 2 and self.attack(stones, self.ko, 0)

    def count_node(self, depth: int) -> None:
        self.nodes += 1
        if self.nodes > 1000 or depth > 99:
            raise TooDeepError

    def attack(self, stones: Stones, ko: Place | None, depth: int) -> bool:
        self.count_node(depth)
        liberties = self.position.liberties(stones, self.prey)
        if len(liberties) == 1:
            return liberties != {ko}
        for atari in sorted(liberties):
            after = None if atari == ko else self.position.after(stones, atari, other(stones[self.prey]))
            if after is not None and self.lost(after, self.position.ko_after(stones, after, atari), depth + 1):
                return True
        return False

    def answers(self, stones: Stones) -> Iterator[Place]:
        yield from self.position.liberties(stones, self.prey)
        for stone in self.position.chain(stones, self.prey):
            for near in self.position.around(stone):
                if stones.get(near) == other(stones[self.prey]):
                    liberties = self.position.liberties(stones, near)
                    if len(liberties) == 1:
                        yield from liberties

    def lost(self, stones: Stones, ko: Place | None, depth: int) -> bool:
        self.count_node(depth)
        for answer in sorted(set(self.answers(stones))):
            after = None if answer == ko else self.position.after(stones, answer, stones[self.prey])
            if after is None:
                continue
            free = len(self.position.liberties(after, self.prey)) >= 3
            if free or not self.attack(after, self.position.ko_after(stones, after, answer), depth + 1):
                return False
        return True


def encode(position: SlowPosition, planes: str) -> np.ndarray:
    """`[C, N, N]` of zeros and ones."""
    drawings = {
        "golois-21": golois,
        "golois-31": lambda p: golois(p) + komi(p),
        "agz-17": agz,
        "toronto-18": toronto,
        "alphago-47": alphago,
    }
    drawn = drawings[planes](position)
    out = np.zeros((len(drawn), position.size, position.size), np.float32)
    for channel, places in enumerate(drawn):
        for place in places:
            out[channel][place] = 1
    return out


def everywhere(position: SlowPosition, true: bool = True) -> set[Place]:
    return {(r, c) for r in range(position.size) for c in range(position.size)} if true else set()


def of_color(stones: Stones, color: str) -> set[Place]:
    return {place for place, stone in stones.items() if stone == color}


def past(position: SlowPosition, count: int) -> list[Stones]:
    return (position.boards + [{}] * count)[:count]


def golois(position: SlowPosition) -> list[set[Place]]:
    stones = position.boards[0]
    lost, beside_lost, threat, beside_threat = set(), set(), set(), set()
    counts: list[set[Place]] = [set() for _ in range(6)]
    for chain in position.chains(stones):
        any_stone = min(chain)
        color = stones[any_stone]
        liberties = len(position.liberties(stones, any_stone))
        counts[min(liberties, 6) - 1] |= chain
        beside = {
            stone
            for place in chain
            for near in position.around(place)
            if stones.get(near) == other(color)
            for stone in position.chain(stones, near)
        }
        if liberties == 1 and Ladder(position, any_stone, position.ko).caught(stones, color):
            lost |= chain
            beside_lost |= beside
        if liberties == 2 and Ladder(position, any_stone, position.ko).caught(stones, other(color)):
            threat |= chain
            beside_threat |= beside
    history = [
        of_color(board, color) for board in past(position, 5) for color in (position.to_play, other(position.to_play))
    ]
    black = everywhere(position, position.to_play == "X")
    return [black, lost, beside_lost, threat, beside_threat, *counts, *history]


def komi(position: SlowPosition) -> list[set[Place]]:
    return [everywhere(position, math.floor(position.komi) == k) for k in range(10)]


def agz(position: SlowPosition) -> list[set[Place]]:
    colors = (position.to_play, other(position.to_play))
    history = [of_color(board, color) for board in past(position, 8) for color in colors]
    return [*history, everywhere(position, position.to_play == "X")]


def toronto(position: SlowPosition) -> list[set[Place]]:
    history = [of_color(board, color) for color in "XO" for board in past(position, 8)]
    turn = [everywhere(position, position.to_play == color) for color in "XO"]
    return history + turn


def one_hot(numbers: dict[Place, int]) -> list[set[Place]]:
    return [{p for p, n in numbers.items() if min(n, 8) == k} for k in range(1, 9)]


def alphago(position: SlowPosition) -> list[set[Place]]:
    stones, own, foe = position.boards[0], position.to_play, other(position.to_play)
    age = {p: position.moves.index(p) + 1 if p in position.moves else 8 for p in stones}
    liberties = {p: len(position.liberties(stones, p)) for p in stones}
    captures, self_atari, after_move = {}, {}, {}
    ladder_capture, ladder_escape, sensible = set(), set(), set()
    for move in everywhere(position):
        result = position.legal(move)
        if result is None:
            continue
        ko = position.ko_after(stones, result, move)
        captures[move] = len(of_color(stones, foe)) - len(of_color(result, foe))
        after_move[move] = len(position.liberties(result, move))
        if after_move[move] == 1:
            self_atari[move] = len(position.chain(result, move))
        if not is_eye(position, move):
            sensible.add(move)
        for near in position.around(move):
            in_two = stones.get(near) == foe and liberties[near] == 2
            if in_two and Ladder(position, near, ko).caught(result, foe):
                ladder_capture.add(move)
        for chain in position.chains(stones):
            prey = min(chain)
            if stones[prey] == own and liberties[prey] == 1:
                ladder = Ladder(position, prey, ko)
                if move in set(ladder.answers(stones)) and not ladder.caught(result, foe):
                    ladder_escape.add(move)
    colors = [of_color(stones, own), of_color(stones, foe), everywhere(position) - set(stones)]
    numbers = [age, liberties, captures, self_atari, after_move]
    hot = [plane for number in numbers for plane in one_hot(number)]
    return [*colors, everywhere(position), *hot, ladder_capture, ladder_escape, sensible]


def is_eye(position: SlowPosition, move: Place) -> bool:
    """An empty point surrounded by own stones, with at most one hostile diagonal (none at the edge)."""
    stones = position.boards[0]
    if any(stones.get(near) != position.to_play for near in position.around(move)):
        return False
    row, column = move
    diagonals = [(row + dr, column + dc) for dr in (-1, 1) for dc in (-1, 1)]
    inside = [(r, c) for r, c in diagonals if 0 <= r < position.size and 0 <= c < position.size]
    hostile = sum(stones.get(d) == other(position.to_play) for d in inside)
    return hostile <= (1 if len(inside) == 4 else 0)
