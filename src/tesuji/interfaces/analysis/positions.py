"""The positions of a query: set up, played through as tolerantly as KataGo plays them, ready to be searched."""

from collections.abc import Iterator
from itertools import islice, takewhile

from tesuji import BLACK, PASS, WHITE, Color, Game
from tesuji.base.errors import InputError
from tesuji.go.coordinates import vertex_text
from tesuji.interfaces.analysis.messages import QueryError
from tesuji.interfaces.analysis.query import Query


def check_moves(query: Query) -> None:
    """Raises `QueryError` for an illegal move."""
    for _ in _games(query):
        pass


def position_at(query: Query, turn: int) -> Game:
    """The game after so many moves, as a search can take it."""
    return _searchable(next(islice(_games(query), turn, None)))


def _games(query: Query) -> Iterator[Game]:
    """The game before the first move, after it, and so on; each valid until the next is asked for."""
    game = _beginning(query)
    yield game
    for number, (color, move) in enumerate(query.moves):
        if color != game.to_play or game.is_over:
            game = _afresh(game, color)  # as KataGo does: who breaks the order begins a new history
        try:
            game.play(move, color)
        except InputError:
            game = _afresh(game, color)  # a ko taken too early is played all the same
            try:
                game.play(move, color)
            except InputError:
                text = f"Illegal move {number}: {vertex_text(move, query.size)}"
                raise QueryError(text, "moves") from None
        yield game


def _beginning(query: Query) -> Game:
    stones: dict[int, Color] = {}
    for color, point in query.stones:
        stones[point] = color  # a second stone replaces the first
    black = sorted(point for point, color in stones.items() if color == BLACK)
    white = sorted(point for point, color in stones.items() if color == WHITE)
    handicap = len(black) if black and not white else 0
    first = query.first_player or (query.moves[0][0] if query.moves else WHITE if handicap >= 2 else BLACK)
    if not stones:
        # Black's moves at the start, one after the other, are handicap stones too.
        handicap = len(list(takewhile(lambda move: move[0] == BLACK and move[1] != PASS, query.moves)))
    game = Game(query.size, query.komi + query.rules.bonus(handicap), query.rules.rules)
    try:
        game.setup(black=black, white=white, to_play=first)
    except InputError as fault:
        raise QueryError(str(fault).splitlines()[0], "initialStones") from None
    return game


def _afresh(game: Game, to_play: Color) -> Game:
    """The same stones without a history."""
    board = game.board
    fresh = Game(game.size, game.komi, game.rules)
    fresh.setup(black=board.stones(BLACK), white=board.stones(WHITE), to_play=to_play)
    return fresh


def _searchable(game: Game) -> Game:
    """A copy a search can take: where two passes ended the game, as if they had not been made."""
    return _afresh(game, game.to_play) if game.is_over else game.copy()
