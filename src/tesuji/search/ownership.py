"""Who will own each point: by the network's own head where it has one, else by games its policy plays to the end."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tesuji._core import BLACK, PASS, WHITE, Color, Game
from tesuji.features import symmetry
from tesuji.features.evaluation import Evaluator, Floats
from tesuji.features.planes import encode

_ALL_SYMMETRIES = tuple(range(symmetry.COUNT))


def black_ownership(game: Game, evaluate: Evaluator, *, rollouts: int = 16, seed: int = 1) -> Floats:
    """`[N, N]` from -1 (White's) to 1 (Black's) at the end of this game.

    The passes that ended the game are not shown to the network, and both players are taken to be on the move in turn:
    what depends on who plays next is not settled and comes out near 0.
    """
    position = without_passes(game)
    both = [position, _with_other_player(position)]
    games = [each for each in both for _ in _ALL_SYMMETRIES]
    turns = list(_ALL_SYMMETRIES) * len(both)
    judged = evaluate(encode(games, evaluate.planes, turns), [game.komi] * len(games))
    if judged.black_ownership is None:
        return _by_rollouts(both, evaluate, rollouts, seed)
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


def _with_other_player(game: Game) -> Game:
    other = game.copy()
    other.to_play = WHITE if game.to_play == BLACK else BLACK
    return other


def _by_rollouts(starts: Sequence[Game], evaluate: Evaluator, rollouts: int, seed: int) -> Floats:
    random = np.random.default_rng(seed)
    games = [start.copy() for start in starts for _ in range(max(1, rollouts // len(starts)))]
    size = games[0].size
    # Enough for every stone to be captured once and the board filled again.
    for _ in range(3 * size * size):
        running = [game for game in games if game.passes < 2 and not game.is_over]
        if not running:
            break
        judged = evaluate(encode(running, evaluate.planes), [game.komi for game in running])
        for game, policy in zip(running, judged.policy, strict=True):
            game.play(_sensible_move(game, policy, random))
    return np.asarray(np.mean([_owned(game) for game in games], axis=0), np.float32)


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
    around = neighbours(point, game.size)
    if all(board.at(other) == color for other in around) and _is_eye(game, point, color):
        return True
    before = len(board.stones(WHITE if color == BLACK else BLACK))
    board.play(point, color)
    captured = before > len(board.stones(WHITE if color == BLACK else BLACK))
    if captured or board.at(point) != color:
        return not captured
    return board.liberties(point) == 1 and len(board.chain(point)) > 2


def _is_eye(game: Game, point: int, color: Color) -> bool:
    """The usual rule: at most one diagonal in enemy hands, none at the edge."""
    row, column = divmod(point, game.size)
    board = game.board
    diagonals = [
        (row + y) * game.size + column + x
        for y in (-1, 1)
        for x in (-1, 1)
        if 0 <= row + y < game.size and 0 <= column + x < game.size
    ]
    hostile = sum(board.at(other) not in (color, None) for other in diagonals)
    return hostile <= (1 if len(diagonals) == 4 else 0)


def neighbours(point: int, size: int) -> list[int]:
    """The points next to one."""
    row, column = divmod(point, size)
    found = []
    if row:
        found.append(point - size)
    if column:
        found.append(point - 1)
    if column < size - 1:
        found.append(point + 1)
    if row < size - 1:
        found.append(point + size)
    return found
