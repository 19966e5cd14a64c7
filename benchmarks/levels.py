"""Measures the levels of the page: each against the one below it, and some against GNU Go.

    python benchmarks/levels.py [--games 100] [--peer-games 40] [--levels KEY ...] [--people] [--out levels]
                                [--size 9] [--step 1]

Plays through the arena with exactly the search options of each level and prints what to write into `Level.measured` in
src/tesuji/interfaces/web/game/levels.py. Kill it at any time; the same command plays only what is missing. The timed
level is measured by descents (2,000: about two seconds a move on one core), so that a busy machine does not weaken it.
On other boards than 9x9 fewer matches will do: `--step 3` plays every third level against the third below it.
"""

import argparse
from itertools import pairwise
from pathlib import Path

from tesuji.arena.play.conditions import Conditions
from tesuji.arena.play.director import Effort
from tesuji.arena.play.settings import Settings
from tesuji.arena.players.description import PlayerDescription, player_from_table
from tesuji.arena.statistics import Tally
from tesuji.interfaces.engine.networks import Networks
from tesuji.interfaces.terminal.arena_run import play
from tesuji.interfaces.web.game.levels import GNUGO, HUMAN_LEVELS, LEVELS, Level, Score

TIMED_VISITS = 2000
AGAINST_PEER = ("beginner", "improver", "casual", "club")


def player(level: Level, size: int) -> PlayerDescription:
    """The level as the arena plays it on a board of so many lines."""
    budget = {"visits": TIMED_VISITS} if level.timed else {}
    usual = Networks().choose(size)
    people = {"network": level.network, "value": usual} if level.human else {"network": usual}
    return player_from_table({"name": level.name, **people, **level.search, **budget})


def match(level: Level, opponent: PlayerDescription, games: int, folder: Path, size: int) -> Tally:
    """How the level does against the opponent."""
    # Decided games are not played to the last point where nothing but networks play: both must agree on them.
    ending = "" if opponent.is_engine else "agree"
    settings = Settings([player(level, size), opponent], Conditions(size=size, adjudicate=ending), games=games)
    outcome = play(settings, folder, f"{level.name} against {opponent.name}", effort=Effort(parallel=1), quiet=True)
    if outcome.interrupted:
        raise SystemExit(130)
    return outcome.standings.matrix[level.name, opponent.name]


def score(tally: Tally, opponent: str) -> Score:
    """The score as a level keeps it."""
    return Score(opponent, tally.wins, tally.games, tally.draws)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100, help="between neighbours")
    parser.add_argument("--peer-games", type=int, default=40, help="against GNU Go, and of the timed level")
    parser.add_argument("--only", choices=("neighbours", "peer"), help="one half, to run both side by side")
    parser.add_argument("--levels", nargs="+", metavar="KEY", help="these alone, against the one below")
    parser.add_argument("--people", action="store_true", help="the levels that play like people instead")
    parser.add_argument("--out", type=Path, default=Path("levels"), help="folder of results")
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--step", type=int, default=1, help="so many levels between the two of a match")
    given = parser.parse_args()
    ladder = (HUMAN_LEVELS if given.people else LEVELS)[:: given.step]
    wanted = given.levels or [level.key for level in ladder]
    told: dict[str, list[Score]] = {key: [] for key in wanted}
    for below, level in pairwise(ladder) if given.only != "peer" else ():
        if level.key not in wanted:
            continue
        games = given.peer_games if level.timed else given.games
        tally = match(level, player(below, given.size), games, given.out / level.key, given.size)
        told[level.key].append(score(tally, below.key))
        print(level.key, *told[level.key], flush=True)
    gnugo = player_from_table({"name": GNUGO, "command": "gnugo"})
    for level in ladder if given.only != "neighbours" else ():
        if level.key in AGAINST_PEER and level.key in wanted:
            tally = match(level, gnugo, given.peer_games, given.out / f"{level.key}-gnugo", given.size)
            told[level.key].append(score(tally, gnugo.name))
            print(level.key, *told[level.key], flush=True)
    for key, found in told.items():
        print(f"{key}: measured={tuple(found)}" if found else f"{key}: not measured")


if __name__ == "__main__":
    main()
