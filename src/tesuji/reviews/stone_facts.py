"""What stones and liberties tell about a bad move: eyes, ladders, ataris, captures."""

from collections.abc import Iterator
from contextlib import suppress

from tesuji._core import PASS, Board, Color
from tesuji.base.errors import InputError
from tesuji.reviews.moment import Moment, Reason, count_of


def fills_own_eye(moment: Moment) -> Reason | None:
    """A stone into an own eye whose stones nobody attacks."""
    if moment.move == PASS or not moment.board.is_eye(moment.move, moment.color):
        return None
    around = [p for p in moment.board.neighbours(moment.move) if moment.board.at(p) == moment.color]
    if any(moment.board.liberties(point) == 1 for point in around):
        return None
    return Reason("eye", f"fills own eye at {moment.name(moment.move)}", (moment.move,))


def loses_ladder(moment: Moment) -> Iterator[Reason]:
    """Own chains the opponent now catches in a ladder, beginning with the expected reply."""
    enemy = moment.color.opponent
    for chain in moment.after.chains(moment.color):
        point = _old_stone(chain, moment.move)
        if moment.after.liberties(point) != 2 or moment.reply not in moment.after.liberty_points(point):
            continue
        if not moment.after.is_captured(point, enemy) or (moment.move not in chain and _is_lost(moment, point)):
            continue
        line = ladder_line(moment.after, point, enemy, moment.reply)
        if line:
            shown = " ".join(moment.name(move) for move in line[:5]) + (" ..." if len(line) > 5 else "")
            yield Reason(
                "ladder", f"loses the ladder: {moment.name(point)} is caught after {shown}", tuple(chain), line
            )


def _is_lost(moment: Moment, point: int) -> bool:
    """Whether the chain would be caught after the better move too."""
    board = moment.after_better
    return board.at(point) != moment.color or board.is_captured(point, moment.color.opponent)


def ladder_line(board: Board, point: int, attacker: Color, first: int, most: int = 60) -> tuple[int, ...]:
    """The moves of a ladder that catches the chain at `point`; empty where it does not begin with `first`."""
    board, defender = board.copy(), attacker.opponent
    line: list[int] = []
    while len(line) < most:
        tries = board.liberty_points(point) if line else [first]
        chase = next((move for move in tries if _chases(board, move, point, attacker)), None)
        if chase is None:
            return tuple(line)
        line.append(chase)
        board.play(chase, attacker)
        if board.at(point) != defender:
            return tuple(line)
        escape = board.liberty_points(point)[0]
        with suppress(InputError):
            board.play(escape, defender)
        line.append(escape)
        if board.at(escape) != defender:  # there is no room to run: the attacker takes there
            return tuple(line)
    return tuple(line)


def _chases(board: Board, move: int, point: int, attacker: Color) -> bool:
    tried = board.copy()
    try:
        tried.play(move, attacker)
    except InputError:
        return False
    return tried.at(point) != attacker.opponent or tried.is_captured(point, attacker.opponent)


def leaves_in_atari(moment: Moment) -> Iterator[Reason]:
    """Own chains with one liberty, which the expected reply takes."""
    for chain in moment.after.chains(moment.color):
        if moment.after.liberty_points(chain[0]) != [moment.reply]:
            continue
        stones, name = count_of(len(chain), "stone"), moment.name(_old_stone(chain, moment.move))
        if moment.move not in chain:
            yield Reason("atari", f"leaves {stones} at {name} in atari", tuple(chain))
        elif len(chain) > 1:
            yield Reason("self-atari", f"puts {stones} at {name} into atari", tuple(chain))
        else:
            yield Reason("self-atari", f"plays a stone that {moment.name(moment.reply)} takes", tuple(chain))


def misses_capture(moment: Moment) -> Iterator[Reason]:
    """Enemy chains that the better move would have taken, at once or in a ladder."""
    enemy = moment.color.opponent
    for chain in moment.board.chains(enemy):
        liberties = moment.board.liberty_points(chain[0])
        if moment.better not in liberties:
            continue
        name, taker = moment.name(chain[0]), moment.name(moment.better)
        if len(liberties) == 1:
            stones = count_of(len(chain), "stone")
            text = f"misses the capture of {stones}: {taker} takes {name}"
            yield Reason("capture", text, tuple(chain))
        elif _could_be_caught(moment, chain[0]):
            line = ladder_line(moment.board, chain[0], moment.color, moment.better)
            yield Reason("missed-ladder", f"misses the ladder: {taker} catches {name}", tuple(chain), line)


def _could_be_caught(moment: Moment, point: int) -> bool:
    """In a ladder that the better move begins, and not after the move played."""
    enemy = moment.color.opponent
    if not _chases(moment.board, moment.better, point, moment.color):
        return False
    return moment.after.at(point) == enemy and not moment.after.is_captured(point, enemy)


def _old_stone(chain: list[int], played: int) -> int:
    """A stone of the chain that was there before, if there is one."""
    return next((point for point in chain if point != played), chain[0])
