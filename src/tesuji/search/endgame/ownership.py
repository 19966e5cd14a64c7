"""Who will own each point: by the network's own head where it has one, else by games its policy plays to the end."""

import time

import numpy as np
from numpy.typing import NDArray

from tesuji._core import BLACK, PASS, WHITE, Game
from tesuji.features import symmetry
from tesuji.features.evaluation import Evaluator, Floats
from tesuji.features.planes import encode

MOST_SECONDS = 8.0  # for all games played out together
_ALL_SYMMETRIES = tuple(range(symmetry.COUNT))


def head_ownership(game: Game, evaluate: Evaluator) -> Floats | None:
    """`[N, N]` from -1 (White's) to 1 (Black's) as the network's head sees the end of this game; None without a head.

    The passes that ended the game are not shown to the network, and both players are taken to be on the move in turn:
    what depends on who plays next is not settled and comes out near 0.
    """
    both = _with_either_player(game)
    games = [each for each in both for _ in _ALL_SYMMETRIES]
    turns = list(_ALL_SYMMETRIES) * len(both)
    judged = evaluate(encode(games, evaluate.planes, turns), [game.komi] * len(games))
    if judged.black_ownership is None:
        return None
    back = [
        symmetry.transform(owned, symmetry.inverse(s)) for owned, s in zip(judged.black_ownership, turns, strict=True)
    ]
    return np.asarray(np.mean(back, axis=0), np.float32)


def without_passes(game: Game) -> Game:
    """The position before the passes at the end, as a copy that can be played on."""
    position = game.copy()
    while position.moves and (position.passes or position.is_over):
        position.undo()
    return position


def _with_either_player(game: Game) -> list[Game]:
    position = without_passes(game)
    other = position.copy()
    other.to_play = position.to_play.opponent
    return [position, other]


def rollout_ownership(game: Game, evaluate: Evaluator, rollouts: int = 32, seed: int = 1) -> Floats:
    """`[N, N]` as above, the mean over games that the policy plays to the end, either player beginning half of them.

    Games that are far from their end after `MOST_SECONDS`, as those from the middle of a large board on a busy machine,
    are counted as they stand.
    """
    random = np.random.default_rng(seed)
    starts = _with_either_player(game)
    games = [start.copy() for start in starts for _ in range(max(1, rollouts // len(starts)))]
    size = game.size
    deadline = time.monotonic() + MOST_SECONDS
    # Enough for every stone to be captured once and the board filled again.
    for _ in range(3 * size * size):
        running = [each for each in games if each.passes < 2 and not each.is_over]
        if not running or time.monotonic() > deadline:
            break
        judged = evaluate(encode(running, evaluate.planes), [game.komi] * len(running))
        for each, policy in zip(running, judged.policy, strict=True):
            each.play(_sensible_move(each, policy, random))
    return np.asarray(np.mean([_owned(each) for each in games], axis=0), np.float32)


def _owned(game: Game) -> Floats:
    owners = {BLACK: 1.0, WHITE: -1.0, None: 0.0}
    flat = [owners[owner] for owner in game.board.area_owners()]
    return np.array(flat, np.float32).reshape(game.size, game.size)


def _sensible_move(game: Game, policy: NDArray[np.float32], random: np.random.Generator) -> int:
    """A move by the policy that leaves own eyes and own big chains alone; pass only where there is none."""
    legal = np.array(game.legal_moves()[:-1], np.intp)
    # Gumbel's trick draws without replacement: the next of the list is the next draw.
    weights = np.log(np.maximum(policy[legal], 1e-9)) + random.gumbel(size=len(legal))
    for index in np.argsort(-weights):
        move = int(legal[index])
        if not _is_senseless(game, move):
            return move
    return PASS


def _is_senseless(game: Game, point: int) -> bool:
    board, color = game.board, game.to_play
    if board.is_eye(point, color):
        return True
    # On a copy of the game: a board alone does not know that a ko may be filled by its owner out of turn.
    after = game.copy()
    after.play(point)
    board = after.board
    if after.captured(color) > game.captured(color):
        return False
    if board.at(point) != color:
        return True  # suicide
    return board.liberties(point) == 1 and len(board.chain(point)) > 2
