"""The list of `tesuji networks`: models at hand and the zoo, with what they cost and how fast they are here."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from tesuji import networks
from tesuji.base.extras import missing_line
from tesuji.base.quantities import number
from tesuji.networks import library
from tesuji.networks.evaluators.factory import read_model
from tesuji.networks.onnx.model_file import read_info
from tesuji.networks.zoo.known_facts import BATCH, KnownFacts
from tesuji.networks.zoo.naming import OPTIONS

MEASURED_ON = 9  # lines of the board, where a network plays it


@dataclass(frozen=True)
class Entry:
    """One line of the list."""

    name: str
    network: str
    planes: str
    board: str
    parameters: int
    operations: int
    measured_on: int
    """The board its speed is measured on."""

    def facts(self) -> tuple[str, str, int, int]:
        """What its speed is remembered by."""
        return self.network, self.planes, self.measured_on, self.operations


def show(console: Console, told: Console, planes: str | None, size: int | None) -> list[dict[str, Any]]:
    """Lists all, and gives the same as rows; measures the speeds that are not known yet."""
    counted = find_spec("torch") is not None
    known = KnownFacts()
    models = [_model(name) for name in library.names()]
    examples = [name for family in networks.families() for name in family.examples] if counted else []
    zoo = {name: _network(name, planes, size, known) for name in examples}
    _measure([*models, *zoo.values()], known, told)
    speeds = _speeds([*models, *zoo.values()], size or MEASURED_ON, known)
    _show_models(console, models, speeds)
    _show_zoo(console, zoo, speeds)
    board = f"{size or MEASURED_ON}x{size or MEASURED_ON}"
    console.print(f"positions/s: measured here on {board} (* on its own board), batch {BATCH}, one thread.")
    console.print("`tesuji networks NAME` shows one in detail, `--speed` measures more.", highlight=False)
    if not counted:
        console.print(missing_line("torch", "counting and measuring networks"), markup=False)
    return [*(_plain(entry, "model", known) for entry in models), *(_plain(e, "network", known) for e in zoo.values())]


def _plain(entry: Entry, kind: str, known: KnownFacts) -> dict[str, Any]:
    return {
        "name": entry.name, "kind": kind, "network": entry.network, "planes": entry.planes, "board": entry.board,
        "parameters": entry.parameters, "operations": entry.operations, "measured_on": entry.measured_on,
        "positions_per_second": known.speed(*entry.facts()),
    }  # fmt: skip


def _model(name: str) -> Entry:
    info = read_info(read_model(name), name)
    board = "any size" if info.any_size else f"{info.size}x{info.size}"
    measured_on = MEASURED_ON if info.any_size else info.size
    return Entry(name, info.name, info.planes, board, info.parameters, info.operations, measured_on)


def _network(name: str, planes: str | None, size: int | None, known: KnownFacts) -> Entry:
    try:
        about = networks.describe(name, planes, size)
    except ValueError:  # nine komi outputs on 9x9, say: shown with its own board instead
        planes, size, about = None, None, networks.describe(name)
    try:
        measured_on = networks.describe(name, planes, size or MEASURED_ON).size
    except ValueError:
        measured_on = about.size
    board = f"{about.size}x{about.size}" + (", any" if about.any_size else "")
    return Entry(name, about.name, about.planes, board, *known.cost(about), measured_on)


def _measure(entries: Sequence[Entry], known: KnownFacts, told: Console) -> None:
    """Finds out the speeds that are not known yet, which takes a moment once."""
    missing = [entry for entry in entries if known.speed(*entry.facts()) is None]
    with Progress(console=told, transient=True, disable=not (missing and told.is_interactive)) as progress:
        task = progress.add_task("measuring, once", total=len(missing))
        for entry in missing:
            progress.update(task, description=f"measuring {entry.name}, once")
            known.measure(entry.name, *entry.facts())
            progress.advance(task)


def _speeds(entries: Sequence[Entry], usual: int, known: KnownFacts) -> dict[str, str]:
    """How fast each is, as text."""
    told = {entry.name: known.speed(*entry.facts()) or 0.0 for entry in entries}
    return {entry.name: number(told[entry.name]) + "*" * (entry.measured_on != usual) for entry in entries}


def _show_models(console: Console, models: Sequence[Entry], speeds: dict[str, str]) -> None:
    if not models:
        return
    table = Table(title="models, ready to play", title_justify="left", box=None, header_style="bold")
    for column in ("name", "network", "planes", "board", "positions/s"):
        last = column == "positions/s"
        table.add_column(column, no_wrap=column != "network", overflow="fold", justify="right" if last else "left")
    for model in models:
        table.add_row(model.name, model.network, model.planes, model.board, speeds[model.name])
    console.print(table)
    console.print()


def _show_zoo(console: Console, zoo: dict[str, Entry], speeds: dict[str, str]) -> None:
    """Every family's examples with what they cost, where torch could count it."""
    titles = f"{'parameters':>11}{'MFLOP':>8}{'positions/s':>13}"
    console.print(f"{'networks, by name':<32}{titles}  {'planes':<12}board", style="bold", soft_wrap=True)
    for family in networks.families():
        console.print(f"[bold]{family.name}[/]: {family.summary}", highlight=False)
        for name in family.examples:
            row = _row(zoo[name], speeds[name]) if name in zoo else f"  {name}"
            console.print(row, highlight=False, soft_wrap=True)
    console.print(f"\nNumbers are free, and options follow a plus: {', '.join(OPTIONS)}.", highlight=False)


def _row(entry: Entry, speed: str) -> str:
    cost = f"{number(entry.parameters):>11}{entry.operations / 1e6:>8.0f}{speed:>13}"
    return f"  {entry.name:<30}{cost}  {entry.planes:<12}{entry.board}"
