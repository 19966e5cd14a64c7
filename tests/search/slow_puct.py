"""PUCT as plainly as the papers write it: dictionaries, recursion, one evaluation at a time."""

from dataclasses import dataclass, field

import numpy as np

import tesuji
from tesuji import BLACK, PASS, WHITE, Game, Rules
from tesuji.features.evaluation import Evaluator


@dataclass
class Entry:
    """A position: visits, and of every move its prior, visits and sum of values for the player to move."""

    value: float
    priors: dict[int, float]
    total: int = 1
    value_sum: float = 0.0
    visits: dict[int, int] = field(default_factory=dict)
    sums: dict[int, float] = field(default_factory=dict)


@dataclass
class SlowPuct:
    """Searches with `Q + c * P * N**tau / (1 + n)`; an untried move is worth what `first_play` says."""

    evaluate: Evaluator
    c: float
    tau: float
    history: int
    """Positions that tell entries apart; 0 for a tree without transpositions."""
    first_play: str = "parent"
    reduction: float = 0.0
    entries: dict[object, Entry] = field(default_factory=dict)

    def run(self, game: Game, visits: int) -> Entry:
        for _ in range(visits):
            self.descend(game, [game.diagram()], ())
        return self.entries[self.key(game, [game.diagram()], ())]

    def key(self, game: Game, boards: list[str], path: tuple[int, ...]) -> object:
        if self.history == 0:
            return path
        return (tuple(boards[-self.history :]), game.to_play, game.passes, game.board.ko)

    def descend(self, game: Game, boards: list[str], path: tuple[int, ...]) -> float:
        """One descent; returns the value found, for the player to move in `game`."""
        if game.is_over:
            lead = game.black_score() if game.to_play == BLACK else -game.black_score()
            return 1.0 if lead > 0 else 0.0 if lead < 0 else 0.5
        key = self.key(game, boards, path)
        if key not in self.entries:
            self.entries[key] = entry = self.expand(game)
            return entry.value
        entry = self.entries[key]
        move = self.select(entry, game)
        after = game.copy()
        after.play(move)
        value = 1 - self.descend(after, [*boards, after.diagram()], (*path, move))
        entry.visits[move] = entry.visits.get(move, 0) + 1
        entry.sums[move] = entry.sums.get(move, 0.0) + value
        entry.total += 1
        entry.value_sum += value
        return value

    def untried(self, entry: Entry) -> float:
        if self.first_play == "fixed":
            return 0.5
        tried = sum(entry.visits.values())
        value = {
            "parent": entry.value_sum / entry.total,
            "network": entry.value,
            "siblings": sum(entry.sums.values()) / tried if tried else entry.value,
        }[self.first_play]
        return value - self.reduction * float(np.sqrt(sum(entry.priors[move] for move in entry.visits)))

    def select(self, entry: Entry, game: Game) -> int:
        untried = self.untried(entry)
        best, best_score = PASS, float("-inf")
        # Among equals the higher prior, then the lower point: the order in which the core ranks moves.
        for move in sorted(entry.priors, key=lambda move: (-entry.priors[move], move % 2**16)):
            n = entry.visits.get(move, 0)
            q = entry.sums[move] / n if n else untried
            score = q + self.c * entry.total**self.tau * entry.priors[move] / (1 + n)
            if score > best_score and game.is_legal(move):
                best, best_score = move, score
        return best

    def expand(self, game: Game) -> Entry:
        said = self.evaluate(tesuji.encode([game], self.evaluate.planes), [game.komi])
        moves = moves_by_board(game)
        total = np.float32(0)
        for move in moves:
            total += said.policy[0][move]
        priors = {move: float(said.policy[0][move] * (np.float32(1) / total)) for move in moves}
        value = float(said.value[0])
        return Entry(value, priors, value_sum=value)


def moves_by_board(game: Game) -> list[int]:
    """The moves the stones alone allow, whatever ko and superko say on the way here."""
    board = game.board
    plain = Game(size=game.size, rules=Rules(ko="simple", suicide=game.rules.suicide))
    plain.setup(black=board.stones(BLACK), white=board.stones(WHITE), to_play=game.to_play)
    return plain.legal_moves()
