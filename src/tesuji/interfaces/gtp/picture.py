"""The board in text, for people who look over the engine's shoulder."""

from tesuji import BLACK, WHITE, Color, Game
from tesuji._core import star_points

_COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
_LETTERS: dict[Color | None, str] = {BLACK: "X", WHITE: "O", None: "."}


def board_picture(game: Game) -> str:
    """X black, O white, + star points, the last move in brackets, then captures and what comes next."""
    size, board = game.size, game.board
    last = game.moves[-1][1] if game.moves else None
    stars = set(star_points(size))
    header = "   " + " ".join(_COLUMNS[:size])
    lines = [header]
    for row in range(size):
        cells = [_LETTERS[board.at(point)] for point in range(row * size, (row + 1) * size)]
        cells = ["+" if cell == "." and row * size + c in stars else cell for c, cell in enumerate(cells)]
        gaps = [" "] * (size + 1)
        if last is not None and last // size == row:  # a pass is -1 and in no row
            gaps[last % size : last % size + 2] = ["(", ")"]
        middle = "".join(gap + cell for gap, cell in zip(gaps, cells, strict=False))
        lines.append(f"{size - row:>2}{middle}{gaps[-1]}{size - row}")
    lines += [
        header,
        "Black (X) to play" if game.to_play == BLACK else "White (O) to play",
        f"Move {len(game.moves) + 1}, komi {game.komi:g}, {game.rules.name or 'own'} rules",
        f"Black has captured {game.captured(BLACK)}, White {game.captured(WHITE)}",
    ]
    if game.moves:
        color, move = game.moves[-1]
        lines.append(f"Last move: {'Black' if color == BLACK else 'White'} {game.vertex(move)}")
    return "\n" + "\n".join(lines)
