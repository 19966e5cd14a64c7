"""`tesuji board GAME.sgf -o x.svg`: a position of a game record as a picture."""

from pathlib import Path
from typing import Annotated

import typer

from tesuji import Game
from tesuji.base.errors import InputError
from tesuji.base.files import write_atomically
from tesuji.base.pixels import as_png
from tesuji.base.quantities import counted
from tesuji.go.drawing import draw_board
from tesuji.go.sgf.files import read_collection, read_sgf, write_tree
from tesuji.interfaces.terminal.options import OUT, examples

SUFFIXES = (".svg", ".png")

EXAMPLES = examples(
    ("the final position", "tesuji board game.sgf -o final.svg"),
    ("the third game of a tournament", "tesuji board games.sgfs --game 3 -o third.svg"),
    ("after 30 moves, with numbers, in pixels", "tesuji board game.sgf --move 30 --numbers -o thirty.png"),
)


def main(
    record: Annotated[Path, typer.Argument(help="game record", metavar="GAME.sgf")],
    out: Annotated[Path, typer.Option(*OUT, help="picture to write: .svg or .png")],
    game: Annotated[int, typer.Option(min=1, help="which game of a file of several")] = 1,
    move: Annotated[int | None, typer.Option(min=0, help="after this many moves; the end when left out")] = None,
    numbers: Annotated[bool, typer.Option("--numbers", help="the number of its move on each stone")] = False,
    coordinates: Annotated[bool, typer.Option(help="letters and numbers around the board")] = True,
    title: Annotated[str, typer.Option(help="a line above the board")] = "",
    zoom: Annotated[float, typer.Option(min=0.1, max=20, help="pixels for each unit, for .png")] = 2.0,
) -> None:
    """Draws the final position of the main line, or the one after `--move` moves."""
    if out.suffix.lower() not in SUFFIXES:
        raise InputError(f"'{out.name}' is no picture we write; end it in {' or '.join(SUFFIXES)}")
    position = _game(record, game)
    if move is not None and move > len(position.moves):
        raise InputError(f"--move={move}: {record.name} has {len(position.moves)} moves")
    while move is not None and len(position.moves) > move:
        position.undo()
    picture = draw_board(position, numbers=numbers, coordinates=coordinates, title=title)
    write_atomically(out, as_png(picture, zoom) if out.suffix.lower() == ".png" else picture)
    print(f"wrote {out}")


def _game(record: Path, number: int) -> Game:
    """The game of this number in a file, counted from 1."""
    if not record.is_file():
        raise InputError(f"no file '{record}'")
    if number == 1:
        return read_sgf(record)  # by its path, so that faults name it
    trees = read_collection(record)
    if number > len(trees):
        raise InputError(f"--game={number}: {record.name} holds {counted(len(trees), 'game')}")
    return read_sgf(write_tree(trees[number - 1]))
