"""The plane sets as slowly and plainly as their definitions read, to hold the fast encoder against."""

import math
from collections.abc import Callable

import numpy as np

from tests.features.slow_ladders import CourseLadder
from tests.features.slow_position import Place, SlowPosition, Stones, other


def encode(position: SlowPosition, planes: str) -> np.ndarray:
    """`[C, N, N]` of zeros and ones."""
    drawings: dict[str, Callable[[SlowPosition], list[set[Place]]]] = {
        "golois-21": golois,
        "golois-31": lambda p: golois(p) + komi(p),
        "agz-17": agz,
        "toronto-18": toronto,
        "alphago-47": alphago,
        "leela-18": leela,
        "human-30": lambda p: golois(p) + [set()] * 9,  # a game in play knows no ranks
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
        if liberties == 1 and CourseLadder(position, any_stone, position.ko).caught(stones, color):
            lost |= chain
            beside_lost |= beside
        if liberties == 2 and CourseLadder(position, any_stone, position.ko).caught(stones, other(color)):
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


def leela(position: SlowPosition) -> list[set[Place]]:
    colors = (position.to_play, other(position.to_play))
    history = [of_color(board, color) for color in colors for board in past(position, 8)]
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
            if in_two and CourseLadder(position, near, ko).caught(result, foe):
                ladder_capture.add(move)
        for chain in position.chains(stones):
            prey = min(chain)
            if stones[prey] == own and liberties[prey] == 1:
                ladder = CourseLadder(position, prey, ko)
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
