"""Plays the nodes of a game tree on a game: moves, handicap and setup stones."""

from collections.abc import Sequence

from tesuji._core import BLACK, PASS, WHITE, Color, Game
from tesuji.base.errors import InputError
from tesuji.go.coordinates import vertex_text
from tesuji.go.errors import IllegalMoveError
from tesuji.go.sgf.variations import Node


def play_nodes(game: Game, nodes: Sequence[Node]) -> None:
    """Plays `nodes` in order on a new game.

    Stones placed after the first move begin the game anew from that position. Raises `ValueError` naming the move and
    what is wrong with it.
    """
    for number, node in enumerate(nodes):
        if node.is_setup:
            _set_up(game, node, nodes[number:])
        elif node.to_play is not None and not game.moves:
            _restart(game, node.to_play)
        for color, move in node.moves:
            _play(game, color, move)


def _play(game: Game, color: Color, move: int) -> None:
    try:
        game.play(move, color)
    except IllegalMoveError as fault:
        who = "Black" if color == BLACK else "White"
        where = "pass" if move == PASS else vertex_text(move, game.size)
        raise InputError(f"move {len(game.moves) + 1}, {who} {where}: {fault.reason}") from fault


def _set_up(game: Game, node: Node, from_here: Sequence[Node]) -> None:
    """The current stones with those of `node` added and removed, as a new start of the game."""
    placed = {name: node.setup_points(name) for name in ("AB", "AW", "AE")}
    black = (set(game.board.stones(BLACK)) - placed["AW"] - placed["AE"]) | placed["AB"]
    white = (set(game.board.stones(WHITE)) - placed["AB"] - placed["AE"]) | placed["AW"]
    to_play = node.to_play or _first_color(from_here) or (WHITE if black and not white else game.to_play)
    if _is_handicap(game, node, black, white, to_play):
        game.set_handicap(sorted(black))
    else:
        game.setup(black=sorted(black), white=sorted(white), to_play=to_play)


def _is_handicap(game: Game, node: Node, black: set[int], white: set[int], to_play: Color) -> bool:
    """HA alone places nothing; stones are a handicap where HA counts them and White begins."""
    stated = node.path()[0].text("HA").strip()
    return stated == str(len(black)) and len(black) >= 2 and not white and to_play == WHITE and not game.moves


def _restart(game: Game, to_play: Color) -> None:
    game.setup(black=game.board.stones(BLACK), white=game.board.stones(WHITE), to_play=to_play)


def _first_color(nodes: Sequence[Node]) -> Color | None:
    return next((color for node in nodes for color, _ in node.moves), None)
