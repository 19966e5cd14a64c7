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
    score_sum: float = 0.0
    """Of Black's lead on the board over its visits."""
    visits: dict[int, int] = field(default_factory=dict)
    sums: dict[int, float] = field(default_factory=dict)
    found: dict[int, list[float]] = field(default_factory=dict)
    """Every value found after a move."""
    children: dict[int, "Entry"] = field(default_factory=dict)

    @property
    def score(self) -> float:
        return self.score_sum / self.total if self.total else 0.0


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
    c_log: float = 0.0
    c_base: float = 500.0
    c_spread: float = 0.0
    score_weight: float = 0.0
    score_weight_near: float = 0.0
    entries: dict[object, Entry] = field(default_factory=dict)
    ended: dict[object, Entry] = field(default_factory=dict)

    def run(self, game: Game, visits: int) -> Entry:
        self.root_key = self.key(game, [game.diagram()], ())
        for _ in range(visits):
            self.descend(game, [game.diagram()], ())
        return self.entries[self.root_key]

    def key(self, game: Game, boards: list[str], path: tuple[int, ...]) -> object:
        if self.history == 0:
            return path
        return (tuple(boards[-self.history :]), game.to_play, game.passes, game.board.ko)

    def descend(self, game: Game, boards: list[str], path: tuple[int, ...]) -> tuple[float, float, Entry]:
        """One descent; returns the value found, for the player to move in `game`, Black's lead and the entry."""
        key = self.key(game, boards, path)
        if game.is_over:
            score = game.black_score()
            lead = score if game.to_play == BLACK else -score
            entry = self.ended.setdefault(key, Entry(1.0 if lead > 0 else 0.0 if lead < 0 else 0.5, {}, total=0))
            entry.total += 1
            entry.score_sum += score + game.komi
            return entry.value, score + game.komi, entry
        if key not in self.entries:
            self.entries[key] = entry = self.expand(game)
            return entry.value, entry.score_sum, entry
        entry = self.entries[key]
        move = self.select(entry, game)
        after = game.copy()
        after.play(move)
        theirs, score, child = self.descend(after, [*boards, after.diagram()], (*path, move))
        value = 1 - theirs
        entry.children[move] = child
        entry.visits[move] = entry.visits.get(move, 0) + 1
        entry.sums[move] = entry.sums.get(move, 0.0) + value
        entry.found.setdefault(move, []).append(value)
        entry.total += 1
        entry.value_sum += value
        entry.score_sum += score
        return value, score, entry

    def untried(self, entry: Entry, game: Game) -> float:
        if self.first_play == "fixed":
            return 0.5
        tried = sum(entry.visits.values())
        value = {
            "parent": entry.value_sum / entry.total,
            "network": entry.value,
            "siblings": sum(entry.sums.values()) / tried if tried else entry.value,
            "best": max((entry.sums[move] / n for move, n in entry.visits.items()), default=entry.value),
        }[self.first_play]
        value += self.score_utility(entry.score, game)
        return value - self.reduction * float(np.sqrt(sum(entry.priors[move] for move in entry.visits)))

    def score_utility(self, black_score: float, game: Game) -> float:
        """What an expected lead of Black on the board adds for the player to move."""
        lead, here = black_score - game.komi, self.entries[self.root_key].score - game.komi
        utility = self.score_weight * 2 / np.pi * np.arctan(lead / (2 * game.size))
        utility += self.score_weight_near * 2 / np.pi * np.arctan((lead - 0.8 * here) / (0.75 * game.size))
        return float(utility if game.to_play == BLACK else -utility)

    def reach(self, entry: Entry) -> float:
        c = self.c + self.c_log * np.log((entry.total + self.c_base) / self.c_base)
        mean = entry.value_sum / entry.total
        found = [value for values in entry.found.values() for value in values]
        variance = (2 * 0.2**2 + sum((value - mean) ** 2 for value in found)) / (2 + len(found))
        c *= 1 + self.c_spread * (np.sqrt(variance) / 0.2 - 1)
        return float(c * entry.total**self.tau)

    def select(self, entry: Entry, game: Game) -> int:
        untried, reach = self.untried(entry, game), self.reach(entry)
        best, best_score = PASS, float("-inf")
        # Among equals the higher prior, then the lower point: the order in which the core ranks moves.
        for move in sorted(entry.priors, key=lambda move: (-entry.priors[move], move % 2**16)):
            n = entry.visits.get(move, 0)
            q = entry.sums[move] / n + self.score_utility(entry.children[move].score, game) if n else untried
            score = q + reach * entry.priors[move] / (1 + n)
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
        score = 0.0 if said.black_score is None else float(said.black_score[0])
        return Entry(value, priors, value_sum=value, score_sum=score)


def moves_by_board(game: Game) -> list[int]:
    """The moves the stones alone allow, whatever ko and superko say on the way here."""
    board = game.board
    plain = Game(size=game.size, rules=Rules(ko="simple", suicide=game.rules.suicide))
    plain.setup(black=board.stones(BLACK), white=board.stones(WHITE), to_play=game.to_play)
    return plain.legal_moves()
