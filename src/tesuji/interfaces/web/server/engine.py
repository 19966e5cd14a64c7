"""What the engine does for a session, in a thread of its own: answer, hint, review, analyse, count."""

import random
import threading
from typing import Any

import numpy as np

from tesuji import Color, Game, encode
from tesuji.features.evaluation import Evaluator
from tesuji.interfaces.web.game.judgement import Candidate, Judgement
from tesuji.interfaces.web.game.levels import Level, level
from tesuji.interfaces.web.game.setup import Seat
from tesuji.interfaces.web.server.networks import Networks
from tesuji.search.endgame.judge import judge
from tesuji.search.endgame.resigning import ResignOptions
from tesuji.search.options import SearchOptions
from tesuji.search.players import PlayerOptions, SearchPlayer
from tesuji.search.result import SearchResult

MEMORY_MB = 96  # of one tree; a session has two at most
MOST_VISITS = 100_000  # where a live analysis rests
PICTURE_VISITS = 400
SLICE_SECONDS = 0.4  # after which a live analysis lets other sessions have the thread
ANALYST = level("full")  # who analyses, hints and reviews


class Engine:
    """The players of one session, each with what its search still knows; two at most, as in a watched game."""

    def __init__(self, networks: Networks) -> None:
        self.networks = networks
        self._players: dict[tuple[str, Color | None, str], SearchPlayer] = {}

    def player_for(
        self, size: int, network: str = "", color: Color | None = None, strength: Level = ANALYST
    ) -> SearchPlayer:
        """The player with this network; one for each colour, as each counts its own hopeless moves."""
        name, evaluator = self.networks.best_for(size, network)
        key = (name, color, strength.key)
        player = self._players.pop(key) if key in self._players else _sit_down(evaluator, strength)
        self._players[key] = player  # most recently used last
        while len(self._players) > 2:
            del self._players[next(iter(self._players))]
        return player

    def forget(self) -> None:
        """Gives the memory of all trees back."""
        self._players.clear()

    def answer(self, game: Game, seat: Seat, stop: threading.Event) -> tuple[int | None, Judgement]:
        """The engine's move (None resigns) and what it thinks of the position."""
        strength = level(seat.level)
        player = self.player_for(game.size, seat.network, game.to_play, strength)
        if game.move_count < 2:
            player.reset()
        time: dict[str, Any] = {"unlimited": True, "seconds": seat.seconds} if strength.timed else {}
        decision = player.move(game, stop=stop, **time)
        assert decision.result is not None
        return None if decision.resign else decision.move, judgement_of(decision.result)

    def look(self, game: Game, visits: int, seconds: float, stop: threading.Event, network: str = "") -> Judgement:
        """A search of this many visits, or less if the time ends before."""
        search = self.player_for(game.size, network).search
        return judgement_of(search.run(game, visits=visits, seconds=seconds, stop=stop))

    def analyse(self, game: Game, stop: threading.Event, network: str = "") -> tuple[Judgement, bool]:
        """Another slice of a search without end; also whether it is deep enough to rest."""
        search = self.player_for(game.size, network).search
        result = search.run(game, unlimited=True, seconds=SLICE_SECONDS, stop=stop)
        rests = result.memory_full or result.root_visits >= MOST_VISITS
        policy, _, curve = first_opinion(search.evaluate, game)
        return judgement_of(result, policy, curve), rests

    def picture(self, game: Game, network: str = "") -> str:
        """The search tree of this position, drawn as Figure 2 of the 9x9 paper."""
        search = self.player_for(game.size, network).search
        return search.run(game, visits=PICTURE_VISITS, seconds=3.0).picture(depth=2, width=3)

    def status(self, game: Game, network: str = "") -> tuple[list[int], list[float]]:
        """The dead stones, and who owns each point."""
        _, evaluator = self.networks.best_for(game.size, network)
        opinion = judge(game, evaluator)
        return opinion.dead, [float(value) for value in opinion.black_ownership.reshape(-1)]


def _sit_down(evaluator: Evaluator, strength: Level) -> SearchPlayer:
    patience = ResignOptions() if strength.reads else ResignOptions(threshold=0)
    options = SearchOptions(**strength.search, memory_mb=MEMORY_MB, seed=random.getrandbits(32))
    return SearchPlayer(evaluator, options, PlayerOptions(resign=patience))


Curve = list[tuple[float, float]]


def first_opinion(evaluate: Evaluator, game: Game) -> tuple[list[float], float, Curve | None]:
    """The network without search: policy over legal moves, value of the player to move, win rate against komi."""
    evaluation = evaluate(encode([game], evaluate.planes), [game.komi])
    policy = evaluation.policy[0].copy()
    legal = np.zeros(len(policy), bool)
    legal[game.legal_moves()] = True  # PASS is -1: the last entry
    policy = np.where(legal, policy, 0)
    grid = evaluate.komi_grid
    curve = None
    if evaluation.komi_curve is not None and grid is not None:
        curve = [(float(komi), float(share)) for komi, share in zip(grid, evaluation.komi_curve[0], strict=True)]
    shares = policy / max(float(policy.sum()), 1e-9)
    return [round(float(share), 4) for share in shares], float(evaluation.value[0]), curve


def judgement_of(result: SearchResult, policy: list[float] | None = None, curve: Curve | None = None) -> Judgement:
    """What the page keeps of a search."""
    seen = [move for move in result.moves if move.visits > 0][:12] or list(result.moves[:1])
    owned = result.black_ownership
    return Judgement(
        white_winrate=float(result.white_winrate),
        visits=result.root_visits,
        candidates=[
            Candidate(
                move.move, move.visits, float(move.value), float(move.prior), list(move.pv[:12]), move.black_score
            )
            for move in seen
        ],
        black_score=result.black_score,
        black_ownership=None if owned is None else [round(float(value), 2) for value in owned.reshape(-1)],
        policy=policy,
        komi_curve=curve,
        speed=result.descents_per_second,
        depth=result.depth,
    )


def finished(result: str) -> Judgement:
    """The position at the end of a game, known without search."""
    share = {"B": 0.0, "W": 1.0}.get(result[:1], 0.5)
    try:
        lead: float | None = float(result[2:]) * (1 if result[0] == "B" else -1) if result != "0" else 0.0
    except (ValueError, IndexError):
        lead = None
    return Judgement(white_winrate=share, visits=1, black_score=lead)
