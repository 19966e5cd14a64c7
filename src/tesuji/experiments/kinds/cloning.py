"""The 9x9 paper: a network cloned from games, then taught by its own searches of their positions, against engines.

Table 1 says who wins as Black and as White, Figure 2 shows a search that finds what the policy thought little of,
Figure 3 the boards at the end of the games.
"""

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tesuji.arena.play.settings import Settings, settings_from
from tesuji.arena.players.description import complete_command, parse_player
from tesuji.arena.players.gtp_engine import find_program
from tesuji.arena.players.network_player import understood
from tesuji.arena.statistics import Tally
from tesuji.arena.tournament import play
from tesuji.base.errors import InputError
from tesuji.experiments.kinds.labels import check_settings
from tesuji.experiments.kinds.training import check_training, model_file, train_network
from tesuji.experiments.outcome import Measured, Outcome
from tesuji.experiments.recipe import Recipe, match_table
from tesuji.experiments.work import Work
from tesuji.go.drawing import draw_board
from tesuji.go.sgf.files import read_sgf
from tesuji.networks.evaluators.factory import load
from tesuji.networks.zoo.naming import parse
from tesuji.search.result import SearchResult
from tesuji.search.search import Search
from tesuji.training.data.game_set import GameSet
from tesuji.training.labels.labelling import label
from tesuji.training.labels.options import LabelOptions
from tesuji.training.run import checkpoints
from tesuji.training.run.config import TrainConfig
from tesuji.training.run.fitting import fit

SETTINGS = (
    "network", "samples", "points", "train", "size", "positions", "visits", "search", "fine", "engines", "player",
    "games", "match", "tree_positions",
)  # fmt: skip
CLONED, TAUGHT, ALL = "BC", "Self-play", "All games"


def check(recipe: Recipe, settings: dict[str, Any]) -> None:
    """Network, trainings, search and players must be possible."""
    check_settings(recipe, settings, SETTINGS)
    check_training(recipe, settings)
    parse(settings["network"])
    TrainConfig().changed(settings["fine"])
    LabelOptions("x", (__file__,), visits=int(settings["visits"]), search=tuple(settings.get("search", ())))
    if int(settings.get("games", 0)) < 2 or int(settings.get("positions", 0)) < 1:
        raise InputError(f"the recipe {recipe.name}: at least two games a meeting, at least one searched position")
    for player in _described(settings, {CLONED: Path("x.onnx"), TAUGHT: Path("y.onnx")}, settings["engines"]).players:
        if not player.is_engine:
            understood(player.options)


def run(recipe: Recipe, work: Work) -> Outcome:
    """Clones, searches, teaches, plays."""
    settings = work.settings
    work.total = 5
    name = settings["network"]
    files = {CLONED: Path(work.networks.get(CLONED, model_file(work, name)))}
    if CLONED not in work.networks:
        train_network(work, name)
    if TAUGHT in work.networks:
        files[TAUGHT] = Path(work.networks[TAUGHT])
    else:
        work.step("search positions of the games", lambda: _searched(work, files[CLONED]))
        work.step("teach", lambda: _taught(work, name, files[CLONED]))
        files[TAUGHT] = work.folder / "runs" / "taught" / "best.onnx"
    engines = {title: line for title, line in settings["engines"].items() if _installed(line)}
    told = work.step("tournament", lambda: _played(work, _described(settings, files, engines)))
    tree = work.step("a tree", lambda: _tree(work, files[TAUGHT]))
    players = [*engines, CLONED, TAUGHT]
    cells = _cells({(black, white): Tally(*counts) for black, white, *counts in told["tallies"]}, players)
    notes = [f"{title} is not installed here and left out." for title in settings["engines"] if title not in engines]
    notes += [_winners(recipe, cells, players), tree["words"]]
    figures = [tree["svg"], *told["boards"]]
    commands = ["tesuji train ...", "tesuji label ... --visits N", "tesuji train --from ...", "tesuji tournament ..."]
    return Outcome(cells, players, [*players, ALL], [one for one in figures if one], notes, commands)


def _installed(line: str) -> bool:
    try:
        find_program(shlex.split(complete_command(parse_player(line).command)))
    except FileNotFoundError:
        return False
    return True


def _searched(work: Work, teacher: Path) -> int:
    settings = work.settings
    options = LabelOptions(
        str(teacher), work.data, komi="game", rules=str(settings.get("match", {}).get("rules", "tromp-taylor")),
        visits=int(settings["visits"]), search=tuple(settings.get("search", ())), batch=16,
    )  # fmt: skip
    return label(options, work.folder / "searched.games", int(settings["positions"]), processes=1)


def _taught(work: Work, name: str, cloned: Path) -> float:
    folder = work.folder / "runs" / "taught"
    begun = checkpoints.newest(folder) is not None
    start: dict[str, Any] = {} if begun else {"start": str(cloned.parent)}
    done = fit(name, [work.folder / "searched.games"], folder=folder, resume=begun, **start, **work.settings["fine"])
    return float(done.history[-1]["top1"])


def _described(settings: Mapping[str, Any], files: Mapping[str, Path], engines: Mapping[str, str]) -> Settings:
    lines = [f'"name={title}" {line}' for title, line in engines.items()]
    pattern = str(settings.get("player", "{file}"))
    lines += [f'"name={title}" ' + pattern.format(file=shlex.quote(str(path))) for title, path in files.items()]
    return settings_from(lines, match_table(settings))


def _played(work: Work, described: Settings) -> dict[str, Any]:
    """Who won how often as Black, and the last boards of the taught network's first games with each opponent."""
    result = play(described, work.folder / "games", title="cloning and self-play")
    tallies = [[*pair, one.wins, one.draws, one.losses] for pair, one in result.standings.as_black.items()]
    boards: dict[tuple[str, str], str] = {}
    for game in result.games:
        pair = game.black, game.white
        if TAUGHT in pair and pair not in boards:
            boards[pair] = draw_board(read_sgf(game.sgf.encode()), title=f"{pair[0]} - {pair[1]}: {game.result}")
    return {"tallies": tallies, "boards": list(boards.values())}


def _cells(tallies: Mapping[tuple[str, str], Tally], players: list[str]) -> dict[tuple[str, str], Measured]:
    cells = {}
    for (black, white), tally in tallies.items():
        winner = "B" if tally.rate > 0.5 else "W" if tally.rate < 0.5 else "="
        cells[black, white] = Measured(tally.rate, text=f"{winner} {tally.wins}-{tally.losses}")
    for player in players:
        own = sum((one for (black, _), one in tallies.items() if black == player), Tally())
        own += sum((one.reversed for (_, white), one in tallies.items() if white == player), Tally())
        cells[player, ALL] = Measured(round(own.rate, 3), round(own.error, 3))
    return cells


def _winners(recipe: Recipe, cells: Mapping[tuple[str, str], Measured], players: list[str]) -> str:
    pairs = [(black, white) for black in players for white in players if (black, white) in cells]
    theirs = recipe.table.cells if recipe.table else {}
    same = sum(cells[pair].text[0] == theirs.get(pair) for pair in pairs)
    return f"{same} of {len(pairs)} cells have the paper's winner."


def _tree(work: Work, network: Path) -> dict[str, str]:
    """The search of the position whose choice the policy liked least, of a few from the games."""
    settings, games = work.settings, GameSet(*work.data)
    evaluate, rng = load(network), np.random.default_rng(1)
    best: SearchResult | None = None
    for game in rng.choice(games.games, int(settings.get("tree_positions", 12))):
        position = games.record(int(game)).game()
        for _ in range(position.move_count // 2 + position.is_over):
            position.undo()
        if position.is_over:
            continue
        found = Search(evaluate, visits=int(settings["visits"])).run(position)
        if best is None or found.priors.get(found.move, 1.0) < best.priors.get(best.move, 1.0):
            best = found
    if best is None:
        return {"svg": "", "words": "No position to search."}
    chosen = best.moves[0]
    words = (
        f"Figure 2: {best.position.vertex(chosen.move)} has a prior of {chosen.prior:.3f} and "
        f"{chosen.visits} of {best.root_visits} visits after the search."
    )
    return {"svg": best.picture(2, 3), "words": words}
