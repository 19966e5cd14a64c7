"""Boards drawn in tests."""

from tesuji import BLACK, Board, Color, Game, Rules


def diagram(text: str) -> str:
    """A drawing as `Board.diagram()` writes it, whatever the indentation."""
    return "\n".join(line.strip() for line in text.strip().splitlines())


def game_on(text: str, rules: str | Rules = "tromp-taylor", to_play: Color = BLACK, komi: float = 0) -> Game:
    """A game that starts from a drawn position."""
    board = Board.from_diagram(text)
    game = Game(board.size, komi, rules)
    game.setup(black=board.stones(Color.BLACK), white=board.stones(Color.WHITE), to_play=to_play)
    return game
