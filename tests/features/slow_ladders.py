"""Ladders as plainly as their two rules read, to hold the fast reader against."""

from collections.abc import Iterator

from tests.features.slow_position import Place, SlowPosition, Stones, other


class TooDeepError(Exception):
    """A ladder longer than the fast reader is willing to read."""


class CourseLadder:
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


class UsualLadder:
    """The rule of KataGo and GNU Go: a ladder that rests on a ko of the attacker is none."""

    def __init__(self, position: SlowPosition, prey: Place) -> None:
        self.position, self.prey, self.nodes = position, prey, 0
        self.own = position.boards[0][prey]
        self.foe = other(self.own)

    def caught(self, to_play: str) -> bool:
        """On the newest board, with its ko."""
        stones, ko = self.position.boards[0], self.position.ko
        liberties = self.position.liberties(stones, self.prey)
        if to_play == self.own:
            return len(liberties) == 1 and self.lost(stones, None)
        return len(liberties) == 1 or bool(self.starts(stones, ko))

    def starts(self, stones: Stones, ko: Place | None) -> set[Place]:
        """Where the attacker begins a ladder that works; the defender may retake a ko taken there."""
        liberties = self.position.liberties(stones, self.prey)
        if len(liberties) != 2:
            return set()
        after = {atari: self.position.after(stones, atari, self.foe) for atari in liberties if atari != ko}
        return {atari for atari, board in after.items() if board is not None and self.lost(board, None)}

    def lost(self, stones: Stones, ko: Place | None) -> bool:
        self.nodes += 1
        if self.nodes > 3000:
            raise TooDeepError
        if ko is not None:
            return False
        last = self.position.liberties(stones, self.prey)
        captures = {
            liberty
            for chain in self.touching(stones)
            if len(liberties := self.position.liberties(stones, chain)) == 1
            for liberty in liberties
        }
        for answer in sorted(last | captures):
            after = self.position.after(stones, answer, self.own)
            if after is not None and not self.attack(after, self.position.ko_after(stones, after, answer)):
                return False
        return True

    def attack(self, stones: Stones, ko: Place | None) -> bool:
        liberties = self.position.liberties(stones, self.prey)
        if len(liberties) != 2:
            return len(liberties) == 1
        if self.double_ko(stones, liberties):
            return True
        for atari in sorted(liberties):
            after = None if atari == ko else self.position.after(stones, atari, self.foe)
            if after is not None and self.lost(after, self.position.ko_after(stones, after, atari)):
                return True
        return False

    def touching(self, stones: Stones) -> set[Place]:
        around = {n for stone in self.position.chain(stones, self.prey) for n in self.position.around(stone)}
        return {place for place in around if stones.get(place) == self.foe}

    def double_ko(self, stones: Stones, liberties: set[Place]) -> bool:
        """Both liberties are mouths of kos, filling them gains nothing and nothing can be captured."""
        for mouth in liberties:
            taken = self.position.after(stones, mouth, self.foe)
            if taken is None or self.position.ko_after(stones, taken, mouth) is None:
                return False
            filled = self.position.after(stones, mouth, self.own)
            if filled is not None and len(self.position.liberties(filled, self.prey)) > 2:
                return False
        return all(len(self.position.liberties(stones, chain)) > 1 for chain in self.touching(stones))
