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
from tesuji.base.errors import InputError
from tesuji.experiments.kinds.by_hand import label_command, tournament_command, train_command
from tesuji.experiments.kinds.labels import check_settings, whole
from tesuji.experiments.kinds.training import check_training, model_file, train_network, training_command
from tesuji.experiments.long_steps import play_to_end, train_to_end
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
from tesuji.training.run.config import TrainConfig
from tesuji.training.run.starting import start_from

SETTINGS = (
    "network", "samples", "points", "train", "size", "positions", "visits", "search", "fine", "engines", "player",
    "games", "match", "tree_positions",
)  # fmt: skip
CLONED, TAUGHT, ALL = "BC", "Self-play", "All games"
SEARCHED = "searched.games"
_TREE_POSITIONS = 12  # searched for the one to show, where the recipe says nothing else


def check(recipe: Recipe, settings: dict[str, Any]) -> None:
    """Network, trainings, search and players must be possible."""
    check_settings(recipe, settings, SETTINGS, ("network", "fine", "engines"))
    check_training(recipe, settings)
    parse(settings["network"])
    TrainConfig().changed(settings["fine"])
    visits = whole(recipe, settings, "visits")
    LabelOptions("x", (__file__,), visits=visits, search=tuple(settings.get("search", ())))
    whole(recipe, settings, "games", least=2)
    whole(recipe, settings, "positions")
    whole(recipe, settings, "tree_positions", usual=_TREE_POSITIONS)
    files = {CLONED: Path("x.onnx"), TAUGHT: Path("y.onnx")}
    for player in settings_from(*_described(settings, files, settings["engines"], None)).players:
        if not player.is_engine:
            understood(player.options)


def given_rows(recipe: Recipe, settings: dict[str, Any]) -> list[str]:
    """The clone, and what became of it."""
    return [CLONED, TAUGHT]


def to_train(recipe: Recipe, settings: dict[str, Any], networks: Mapping[str, str]) -> list[str]:
    """The network of the paper; whatever is given, positions of the games are searched."""
    return [settings["network"]]


def run(recipe: Recipe, work: Work) -> Outcome:
    """Clones, searches, teaches, plays."""
    settings = work.settings
    work.total = 5
    files = _trained(work)
    engines = {title: line for title, line in settings["engines"].items() if _installed(line)}
    lines, table = _described(settings, files, engines, work.size)
    told = work.step("tournament", lambda: _played(work, settings_from(lines, table)))
    tree = work.step("a tree", lambda: _tree(work, files[TAUGHT]))
    players = [*engines, CLONED, TAUGHT]
    cells = _cells({(black, white): Tally(*counts) for black, white, *counts in told["tallies"]}, players)
    notes = [f"{title} is not installed here and left out." for title in settings["engines"] if title not in engines]
    notes += [_winners(recipe, cells, players), tree["words"]]
    figures = [tree["svg"], *told["boards"]]
    commands = [*_commands(work, files), tournament_command(lines, table, work.folder / "games")]
    return Outcome(cells, players, [*players, ALL], [one for one in figures if one], notes, commands)


def _trained(work: Work) -> dict[str, Path]:
    """The model files of both networks, trained where they were not given."""
    name, given = work.settings["network"], work.networks
    files = {row: Path(given[row]) for row in (CLONED, TAUGHT) if row in given}
    if CLONED in given and TAUGHT not in given:
        name = start_from(_weights(given[CLONED])).network
    if CLONED not in given:
        train_network(work, name)
        files[CLONED] = model_file(work, name)
    if TAUGHT not in given:
        work.step("search positions of the games", lambda: _searched(work, files[CLONED]))
        work.step("teach", lambda: _taught(work, name, files[CLONED]))
        files[TAUGHT] = _taught_folder(work) / "best.onnx"
    return files


def _weights(model: str | Path) -> str:
    """What a training begins from to go on with a model: the weights beside its file, or those built in."""
    if not Path(model).is_file():
        return str(model)
    beside = Path(model).with_suffix(".safetensors")
    if not beside.is_file():
        raise InputError(f"{CLONED}={model} has no weights beside it to teach further; give {TAUGHT}=FILE, too")
    return str(beside)


def _taught_folder(work: Work) -> Path:
    return work.folder / "runs" / "taught"


def _commands(work: Work, files: Mapping[str, Path]) -> list[str]:
    """Cloning, searching and teaching by hand, as far as it was done here."""
    name, told, searched = work.settings["network"], [], work.folder / SEARCHED
    if CLONED not in work.networks:
        told.append(training_command(work, name))
    if TAUGHT not in work.networks:
        told.append(label_command(_label_options(work, files[CLONED]), int(work.settings["positions"]), searched))
        start = _weights(files[CLONED])
        told.append(
            train_command(_taught_folder(work), start_from(start).network, [searched], work.settings["fine"], start)
        )
    return told


def _installed(line: str) -> bool:
    try:
        find_program(shlex.split(complete_command(parse_player(line).command)))
    except FileNotFoundError:
        return False
    return True


def _label_options(work: Work, teacher: Path) -> LabelOptions:
    settings = work.settings
    return LabelOptions(
        str(teacher), work.data, komi="game", rules=str(settings.get("match", {}).get("rules", "tromp-taylor")),
        visits=int(settings["visits"]), search=tuple(settings.get("search", ())), batch=16,
    )  # fmt: skip


def _searched(work: Work, teacher: Path) -> int:
    options, count = _label_options(work, teacher), int(work.settings["positions"])
    return label(
        options, work.folder / SEARCHED, count, processes=1, progress=lambda told: work.moved(told.done / told.wanted)
    )


def _taught(work: Work, name: str, cloned: Path) -> float:
    searched, folder = work.folder / SEARCHED, _taught_folder(work)
    done = train_to_end(work, name, [searched], folder, work.settings["fine"], start=_weights(cloned))
    return float(done.history[-1]["top1"])


def _described(
    settings: Mapping[str, Any], files: Mapping[str, Path], engines: Mapping[str, str], size: int | None
) -> tuple[list[str], dict[str, Any]]:
    """The players in words, and the table of their tournament."""
    lines = [f'"name={title}" {line}' for title, line in engines.items()]
    pattern = str(settings.get("player", "{file}"))
    lines += [f'"name={title}" ' + pattern.format(file=shlex.quote(str(path))) for title, path in files.items()]
    return lines, match_table(settings) | ({"size": size} if size else {})


def _played(work: Work, described: Settings) -> dict[str, Any]:
    """Who won how often as Black, and the last boards of the taught network's first games with each opponent."""
    result = play_to_end(work, described, work.folder / "games", "cloning and self-play")
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
    settings = work.settings
    games = GameSet(*work.data, size=work.size or settings.get("size"))
    evaluate, rng = load(network), np.random.default_rng(1)
    best: SearchResult | None = None
    for game in rng.choice(games.games, int(settings.get("tree_positions", _TREE_POSITIONS))):
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
