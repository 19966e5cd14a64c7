"""What a search found, in the protocol's fields: every number by the perspective the client asked for."""

import hashlib
from collections.abc import Sequence
from statistics import NormalDist
from typing import Any

import numpy as np

from tesuji import BLACK, WHITE, Game
from tesuji.features.evaluation import Evaluation, Evaluator, Floats
from tesuji.features.planes import encode
from tesuji.features.symmetry import COUNT, transform
from tesuji.go.coordinates import vertex_text
from tesuji.interfaces.analysis.messages import number, numbers
from tesuji.interfaces.analysis.query import Query
from tesuji.search.result import RootMove, SearchResult

_OPEN = 1e-4  # win rates are kept this far from certainty where points are read out of them


def answer(
    query: Query, turn: int, result: SearchResult, evaluate: Evaluator, during: bool, human: Evaluator | None = None
) -> dict[str, Any]:
    """One answer about one position; `human` imitates the people of the query's profile."""
    said = None if human is None else human(encode([result.position], human.planes), [result.position.komi])
    view = View(query, result, said)
    moves = view.moves()
    content: dict[str, Any] = {
        "id": query.id,
        "turnNumber": turn,
        "isDuringSearch": during,
        "moveInfos": [view.move_info(move, order) for order, move in enumerate(moves)],
        "rootInfo": view.root_info(),
    }
    if {"ownership", "ownership_stdev"} & query.wanted:
        owned = result.black_ownership if result.black_ownership is not None else _board_ownership(result.position)
        view.add_ownership(content, owned, "ownership" in query.wanted, "ownership_stdev" in query.wanted)
    if {"moves_ownership", "moves_ownership_stdev"} & query.wanted and moves:
        for info, owned in zip(content["moveInfos"], _ownership_after(result.position, moves, evaluate), strict=True):
            view.add_ownership(info, owned, "moves_ownership" in query.wanted, "moves_ownership_stdev" in query.wanted)
    if "policy" in query.wanted:
        content["policy"] = _policy(result)
    if query.settings.human_profile:
        content["humanPolicy"] = _policy(result, view.human)
    return content


def no_answer(query: Query, turn: int) -> dict[str, Any]:
    """The answer to a question that was taken back before anything was found."""
    return {"id": query.id, "turnNumber": turn, "isDuringSearch": False, "noResults": True}


class View:
    """A search as one perspective sees it."""

    def __init__(self, query: Query, result: SearchResult, human: Evaluation | None = None) -> None:
        self._query, self._result = query, result
        self.human = None if human is None else _legal_shares(result, human.policy[0])
        """Shares of people's moves, where the query asks for people and a network imitates them."""
        player = result.position.to_play
        self._flip = {"BLACK": player == WHITE, "WHITE": player == BLACK, "SIDETOMOVE": False}[
            query.settings.perspective
        ]
        seer = {"BLACK": BLACK, "WHITE": WHITE, "SIDETOMOVE": player}[query.settings.perspective]
        self._sign = 1.0 if seer == BLACK else -1.0

    def moves(self) -> list[RootMove]:
        """Those searched, the chosen one first, then by visits."""
        seen = [move for move in self._result.moves if move.visits > 0]
        return sorted(seen, key=lambda move: (move.move != self._result.move, -move.visits, -move.prior))

    def _share(self, value: float) -> float:
        return number(1.0 - value if self._flip else value)

    def _lead(self, black_score: float | None, share: float) -> float:
        """Points for the perspective; where the network tells none, a guess that agrees with the win rate."""
        if black_score is not None:
            return number(self._sign * black_score)
        certain = min(1 - _OPEN, max(_OPEN, share))
        return number(NormalDist().inv_cdf(certain) * self._result.position.size)

    def _spread(self, lead: float, share: float) -> float:
        """The standard deviation of the score that makes lead and win rate agree, within reason."""
        size = self._result.position.size
        certain = min(1 - _OPEN, max(_OPEN, share))
        distance = abs(NormalDist().inv_cdf(certain))
        return number(min(2.0 * size, max(0.5, abs(lead) / distance)) if distance > 0.05 else float(size))

    def move_info(self, move: RootMove, order: int) -> dict[str, Any]:
        """One entry of `moveInfos`."""
        size, length = self._result.position.size, self._query.settings.pv_length
        share, lcb = self._share(move.value), self._share(min(1.0, max(0.0, move.lcb)))
        lead = self._lead(move.black_score, share)
        info: dict[str, Any] = {
            "move": vertex_text(move.move, size),
            "order": order,
            "visits": move.visits,
            "edgeVisits": move.visits,
            "weight": float(move.visits),
            "edgeWeight": float(move.visits),
            "playSelectionValue": float(move.visits),
            "winrate": share,
            "lcb": lcb,
            "utility": number(2 * share - 1),
            "utilityLcb": number(2 * lcb - 1),
            "scoreLead": lead,
            "scoreMean": lead,
            "scoreSelfplay": lead,
            "scoreStdev": self._spread(lead, share),
            "prior": number(move.prior),
            "pv": [vertex_text(each, size) for each in move.pv[:length]],
        }
        if self._query.settings.human_profile:
            info["humanPrior"] = number(move.prior if self.human is None else float(self.human[move.move]))
        if "no_result_value" in self._query.wanted:
            info["noResultValue"] = 0.0
        if "pv_visits" in self._query.wanted:
            info["pvVisits"] = info["pvEdgeVisits"] = list(move.pv_visits[:length])
        return info

    def root_info(self) -> dict[str, Any]:
        """`rootInfo`; of the raw values the network's win rate is its own, the others follow the search."""
        result = self._result
        share, raw = self._share(result.value), self._share(result.network_value)
        lead = self._lead(result.black_score, share)
        spread = self._spread(lead, share)
        info = {
            "currentPlayer": "B" if result.position.to_play == BLACK else "W",
            "visits": result.root_visits,
            "weight": float(result.root_visits),
            "winrate": share,
            "utility": number(2 * share - 1),
            "scoreLead": lead,
            "scoreSelfplay": lead,
            "scoreStdev": spread,
            "rawWinrate": raw,
            "rawLead": lead,
            "rawScoreSelfplay": lead,
            "rawScoreSelfplayStdev": spread,
            "rawNoResultProb": 0.0,
            "rawStWrError": -1.0,
            "rawStScoreError": -1.0,
            "rawVarTimeLeft": -1.0,
            **_hashes(result.position),
        }
        if self._query.settings.human_profile:
            info |= {"humanWinrate": raw, "humanScoreMean": lead, "humanScoreStdev": spread}
            info |= {"humanStWrError": -1.0, "humanStScoreError": -1.0}
        return info

    def add_ownership(self, content: dict[str, Any], black: Floats, mean: bool, deviation: bool) -> None:
        """Who will own each point, row by row from the top left."""
        flat = black.reshape(-1)
        if mean:
            content["ownership"] = numbers((self._sign * flat).tolist())
        if deviation:
            content["ownershipStdev"] = numbers(np.sqrt(np.maximum(0.0, 1.0 - flat * flat)).tolist())


def _policy(result: SearchResult, shares: Floats | None = None) -> list[float]:
    """The network's shares of the moves, or those given, pass last; -1 where a move is not allowed."""
    policy = [-1.0] * (result.position.size**2 + 1)
    for move in result.moves:  # PASS is -1: the last entry
        policy[move.move] = number(move.prior if shares is None else float(shares[move.move]))
    return policy


def _legal_shares(result: SearchResult, policy: Floats) -> Floats:
    """A policy over the moves that are allowed."""
    shares = np.zeros_like(policy)
    moves = [move.move for move in result.moves]
    shares[moves] = policy[moves]
    return shares / max(float(shares.sum()), 1e-9)


def _ownership_after(game: Game, moves: Sequence[RootMove], evaluate: Evaluator) -> list[Floats]:
    """What the network says of the board after each move, for Black."""
    after = []
    for move in moves:
        position = game.copy()
        position.play(move.move)
        after.append(position)
    owned = evaluate(encode(after, evaluate.planes), [game.komi] * len(after)).black_ownership
    return [_board_ownership(position) for position in after] if owned is None else list(owned)


def _board_ownership(game: Game) -> Floats:
    """The area as it stands, for networks that say nothing of it."""
    value = {BLACK: 1.0, WHITE: -1.0, None: 0.0}
    return np.array([value[owner] for owner in game.board.area_owners()], np.float32).reshape(game.size, game.size)


def _hashes(game: Game) -> dict[str, str]:
    """The position's own hash, and one that turned and mirrored positions share."""
    size = game.size
    board = np.zeros(size * size, np.int8)
    board[list(game.board.stones(BLACK))] = 1
    board[list(game.board.stones(WHITE))] = 2
    square = board.reshape(1, size, size)
    told = f"{int(game.to_play)} {game.komi} {game.rules} ".encode()
    all_of_them = [
        hashlib.blake2b(told + transform(square, turn).tobytes(), digest_size=16).hexdigest().upper()
        for turn in range(COUNT)
    ]
    return {"thisHash": all_of_them[0], "symHash": min(all_of_them)}
