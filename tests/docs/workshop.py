"""A folder in which the docs' examples find the files they name, small and real, and budgets a test can afford."""

import lzma
import re
import shlex
import shutil
import zipfile
from functools import cache
from itertools import cycle
from pathlib import Path

import tesuji
from tests.docs.pages import PAGES, Block, blocks
from tesuji.experiments.recipe import BUDGETS
from tesuji.training.data.packing import export_games_data

SAMPLES = Path(tesuji.__file__).parent / "training" / "data" / "samples"
NETWORK = "a0.1.8+conv+pass+komi+ownership"
# Pages whose commands are kept as they were given, long ago and on other networks.
RECORDS = {"results.md", "CHANGELOG.md"}
SHELL = {"|", ";", "&&", ">", "2>"}


@cache
def small_network(seed: int = 1, planes: str | None = None) -> tuple[bytes, bytes]:
    """Weights and model file of a network of random weights."""
    import tempfile

    import torch

    from tesuji import networks

    torch.manual_seed(seed)
    network = networks.create(NETWORK, planes=planes, size=9).eval()
    with tempfile.TemporaryDirectory() as folder:
        weights, model = Path(folder) / "n.safetensors", Path(folder) / "n.onnx"
        networks.save_weights(network, weights)
        networks.export(network, model)
        return weights.read_bytes(), model.read_bytes()


def short_game() -> tesuji.Game:
    """Twenty moves of 9x9."""
    return played("E5 C3 G3 G7 C6 C7 D7 D8 E7 C5 D6 B6 E8 F3 F2 E3 G4 D2 E2 D4")


def played(moves: str) -> tesuji.Game:
    game = tesuji.Game(size=9, komi=7)
    for move in moves.split():
        game.play(move)
    return game


def provide(path: Path) -> None:
    """Makes a file that an example names but does not make: by the end of its name."""
    if path.exists() or path.suffix not in KINDS:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    KINDS[path.suffix](path)


def _katago(path: Path) -> None:
    from tests.networks.katago_files import KatagoFile

    path.write_bytes(KatagoFile(14, ["ordinary", "gpool"], seed=3).packed())


def _keras(path: Path) -> None:
    from tests.networks.keras_models import build_models

    build_models(path.parent, "mobile-9.h5")
    (path.parent / "mobile-9.h5").rename(path)


def _lines_of_games(path: Path) -> None:
    """One game a line, of players of low and of high rank."""
    lines = []
    for rank, start in zip(cycle(("18k", "2d")), ["E5", "D4", "C3", "D5", "E4", "F5", "E6", "D6"], strict=False):
        game = played(f"{start} G7 G3 C7 F8 E2 C5 H5 D8 F2")
        game.resign(tesuji.BLACK)
        written = path.with_name("one.sgf")
        tesuji.write_sgf(game, written)
        ranks = f"(;BR[{rank}]WR[{rank}]"
        lines.append(written.read_text(encoding="utf-8").replace("\n", " ").replace("(;", ranks, 1))
        written.unlink()
    text = "\n".join(lines).encode()
    path.write_bytes(lzma.compress(text) if path.suffix == ".xz" else text)


def _game(path: Path) -> None:
    game = short_game()
    game.play(sum(path.stem.encode()) % 9)  # the last move is another for another name: equal games count once
    tesuji.write_sgf(game, path)
    path.write_text(path.read_text(encoding="utf-8").replace("(;", "(;PB[my name]", 1), encoding="utf-8")


def _archive(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("first.sgf", "second.sgf"):
            _game(path.with_name(name))
            archive.write(path.with_name(name), name)
            path.with_name(name).unlink()


def _games_data(path: Path) -> None:
    games = tesuji.GameSet(SAMPLES / "19x19.games")
    export_games_data([games.record(number) for number in range(len(games))], path)


def _cup(path: Path) -> None:
    path.write_text('games = 2\nvisits = 2\nplayers = ["default-9x9", "default-9x9 c=0.2 name=other"]\n')


KINDS = {
    ".data": _games_data,
    ".toml": _cup,
    ".games": lambda path: shutil.copy(SAMPLES / "9x9.games", path),
    # What is handed in reads the planes of the course.
    ".onnx": lambda path: path.write_bytes(
        small_network(sum(path.name.encode()), "golois-31" if path.parent.name == "handed-in" else None)[1]
    ),
    ".safetensors": lambda path: path.write_bytes(small_network()[0]),
    ".sgf": _game,
    ".xz": _lines_of_games,
    ".sgfs": _lines_of_games,
    ".zip": _archive,
    ".gz": _katago,
    ".h5": _keras,
}


def commands(block: Block) -> list[list[str]]:
    """The `tesuji` commands of a block, as words; what a shell does with their output is left out."""
    if block.language not in {"", "sh", "console"}:
        return []
    found = []
    for line in block.text.replace("\\\n", " ").splitlines():
        rest = line.removeprefix("$ ").rpartition("| ")[2] if " | tesuji " in line else line
        if not rest.startswith("tesuji "):
            continue
        words = shlex.split(rest, comments=True)
        end = next((at for at, word in enumerate(words) if word in SHELL), len(words))
        found.append(words[1:end])
    return found


def all_commands() -> list[tuple[str, list[str]]]:
    """Where each command of README and docs stands, and its words."""
    pages = [page for page in PAGES if page.name not in RECORDS]
    return [(block.where, words) for page in pages for block in blocks(page) for words in commands(block)]


def outputs(words: list[str]) -> set[str]:
    """What a command writes."""
    return {words[at + 1] for at, word in enumerate(words[:-1]) if word in {"-o", "--out", "--output", "--log"}}


CUTS = {
    "--games": "2", "--visits": "4", "--minutes": "0.02", "--count": "40", "--positions": "4", "--seconds": "0.02",
    "--epochs": "0.5", "--rounds": "1", "--leaf-visits": "8", "--deep-visits": "8", "--steps": "2",
}  # fmt: skip
TRAINING = ("epoch_samples=32", "batch=16", "validation_games=2")
LEARNING = ("gate_games=2", "gate_visits=2", "selfplay.fast_visits=2", "selfplay.full_share=1", "train.batch=16")
# Options that a command gets where it names none: as short as it can be.
ADDED = {
    "train": {"--epochs": "0.5", **{f"--set {setting}": "" for setting in TRAINING}},
    "learn": {"--rounds": "1", "--games": "2", "--visits": "4", **{f"--set {setting}": "" for setting in LEARNING}},
    "match": {"--games": "2", "--visits": "2"},
    "tournament": {"--games": "2", "--visits": "2"},
    "league": {"--games": "2", "--seconds": "0.02"},
    "fit-bandit": {"--games": "2", "--budgets": "2,4", "--constants": "0.1,0.2"},
    "regret": {"--positions": "2", "--judge": "default-9x9 visits=2"},
    "review": {"--visits": "4"},
}


def smaller(words: list[str]) -> list[str]:
    """The command with a budget for a test: the numbers of its options are cut, and networks are of one block."""
    cut = [re.sub(r"\bse\.\d+\.\d+\.\d+", "se.1.16.8", word) for word in words]
    cut = [re.sub(r"\bvisits=\d+", "visits=2", word) for word in cut]
    for at, word in enumerate(cut[:-1]):
        if cut[at + 1].replace(".", "").isdigit():
            cut[at + 1] = CUTS.get(word, cut[at + 1])
        if word == "--size" and words[0] in {"match", "tournament"}:
            cut[at + 1] = "9"  # our networks play it too, and sooner
    if words[0] == "reproduce" and len(words) > 1:
        cut = [*(word for word in cut if word not in {"--budget", *BUDGETS}), "--budget", BUDGETS[0]]
    for option, value in ADDED.get(words[0], {}).items():
        instead = {"--visits": "--seconds", "--epochs": "--steps"}.get(option)
        if option not in cut and instead not in cut:
            cut += [*option.split(), value] if value else option.split()
    return [*cut, "--size", "9"] if words == ["networks"] else cut  # the speed of every network is measured
