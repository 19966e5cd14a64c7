"""Plays the nodes of a game tree on a game: moves, handicap and setup stones."""

from collections.abc import Sequence

from tesuji._core import BLACK, PASS, WHITE, Color, Game
from tesuji.go.coordinates import vertex_text
from tesuji.go.errors import IllegalMoveError, RecordedMoveError
from tesuji.go.sgf.variations import Node


def play_nodes(game: Game, nodes: Sequence[Node]) -> None:
    """Plays `nodes`, which begin at the root, in order on a new game.

    Stones placed after the first move begin the game anew from that position. Raises `ValueError` naming the move and
    what is wrong with it.
    """
    handicap = nodes[0].text("HA").strip()
    for node, mover in zip(nodes, _next_movers(nodes), strict=True):
        if node.is_setup:
            _set_up(game, node, mover, handicap)
        elif node.to_play is not None and not game.move_count:
            _restart(game, node.to_play)
        for color, move in node.moves:
            _play(game, color, move)


def _play(game: Game, color: Color, move: int) -> None:
    try:
        game.play(move, color)
    except IllegalMoveError as fault:
        where = "pass" if move == PASS else vertex_text(move, game.size)
        raise RecordedMoveError(game.move_count + 1, color, where, fault.reason) from fault


def _set_up(game: Game, node: Node, mover: Color | None, handicap: str) -> None:
    """The current stones with those of `node` added and removed, as a new start of the game."""
    placed = {name: node.setup_points(name) for name in ("AB", "AW", "AE")}
    black = (set(game.board.stones(BLACK)) - placed["AW"] - placed["AE"]) | placed["AB"]
    white = (set(game.board.stones(WHITE)) - placed["AB"] - placed["AE"]) | placed["AW"]
    to_play = node.to_play or mover or (WHITE if black and not white else game.to_play)
    if _is_handicap(game, handicap, black, white, to_play):
        game.set_handicap(sorted(black))
    else:
        game.setup(black=sorted(black), white=sorted(white), to_play=to_play)


def _is_handicap(game: Game, stated: str, black: set[int], white: set[int], to_play: Color) -> bool:
    """HA alone places nothing; stones are a handicap where HA counts them and White begins."""
    return stated == str(len(black)) and len(black) >= 2 and not white and to_play == WHITE and not game.move_count


def _restart(game: Game, to_play: Color) -> None:
    game.setup(black=game.board.stones(BLACK), white=game.board.stones(WHITE), to_play=to_play)


def _next_movers(nodes: Sequence[Node]) -> list[Color | None]:
    """Who moves first at each node or after it. All at once, from the back: a file may set up stones at every node."""
    movers: list[Color | None] = []
    later: Color | None = None
    for node in reversed(nodes):
        later = node.mover or later
        movers.append(later)
    return movers[::-1]
