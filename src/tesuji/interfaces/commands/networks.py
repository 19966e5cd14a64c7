"""`tesuji networks`: the zoo and the models at hand, one of them in detail, and how fast they are here."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from tesuji import networks
from tesuji.base.errors import InputError
from tesuji.base.pixels import check_plot
from tesuji.base.quantities import number
from tesuji.base.settings import nearest
from tesuji.features.planes import plane_set
from tesuji.interfaces.terminal import network_list, speed_table
from tesuji.interfaces.terminal.devices import MeasuredDevice, devices
from tesuji.interfaces.terminal.options import AsCsv, AsJson, Quiet, examples, is_quiet
from tesuji.interfaces.terminal.plain_output import check_form, print_csv, print_json
from tesuji.interfaces.terminal.plugins import Plugins, load_plugins
from tesuji.interfaces.terminal.speed_table import SpeedOptions
from tesuji.networks import library
from tesuji.networks.devices import PRECISIONS
from tesuji.networks.evaluators.comparison import compare
from tesuji.networks.evaluators.factory import Running, evaluator, load, read_model
from tesuji.networks.evaluators.speed import BATCHES
from tesuji.networks.onnx.model_file import ModelInfo
from tesuji.networks.zoo.naming import parse
from tesuji.training.data.real_positions import real_positions

Row = dict[str, Any]
"""What there is to tell of one network, for JSON and CSV."""

EXAMPLES = examples(
    ("all of them", "tesuji networks"),
    ("one in detail", "tesuji networks se.16.384.64"),
    ("how fast two are here, for a spreadsheet", "tesuji networks default-9x9 agz.6.64 --speed --csv"),
)


def main(
    names: Annotated[
        list[str] | None, typer.Argument(help="Networks, built-in models or model files. All when left out.")
    ] = None,
    planes: Annotated[str | None, typer.Option(help="Plane set; each network's own when left out.")] = None,
    size: Annotated[
        list[int] | None, typer.Option(help="Board size; each network's own when left out; repeat it.")
    ] = None,
    speed: Annotated[bool, typer.Option("--speed", help="Measure positions a second by batch size.")] = False,
    batch: Annotated[list[int] | None, typer.Option(help="Batch sizes to measure; repeat it.")] = None,
    threads: Annotated[list[int] | None, typer.Option(min=1, help="Threads of one evaluation; repeat it.")] = None,
    callers: Annotated[int, typer.Option(min=1, help="Evaluations side by side.")] = 1,
    seconds: Annotated[float, typer.Option(min=0.01, help="Time for each batch size.")] = 0.5,
    device: MeasuredDevice = "cpu",
    check: Annotated[
        tuple[str, str] | None,
        typer.Option(
            help="Compare two ways to run a model on real positions: fp32, int8, a device, or openvino/bf16.",
            metavar="A B",
        ),
    ] = None,
    positions: Annotated[Path | None, typer.Option(help="Packed games for --check; a sample by default.")] = None,
    count: Annotated[int, typer.Option(min=1, help="Positions for --check.")] = 500,
    precision: Annotated[str, typer.Option(help="For --speed: fp32, bf16, int8, auto, or all in the file.")] = "all",
    plot: Annotated[Path | None, typer.Option(help="Draw the speeds into this file (.png, .svg, .pdf).")] = None,
    plugin: Plugins = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    quiet: Quiet = False,
) -> None:
    """Lists the networks, shows one in detail, or measures their speed."""
    load_plugins(plugin)
    check_form(as_json, as_csv)
    check_plot(plot)
    console = Console(quiet=as_json or as_csv)
    told = Console(stderr=True, quiet=is_quiet(quiet))
    sizes: Sequence[int | None] = size or [None]
    if check:
        asked = product(names or library.names(), sizes)
        rows = [_check(console, told, name, check, lines, count, positions) for name, lines in asked]
    elif speed or plot:
        device = ",".join(devices([device], "auto"))
        options = SpeedOptions(sizes, batch or BATCHES, threads or [1], callers, seconds, device, precision)
        measured = speed_table.measured(told, names or _small(), options)
        speed_table.show(console, measured, options, plot)
        rows = [line.row() for line in measured]
    elif names:
        rows = [_detail(console, name, planes, lines) for name, lines in product(names, sizes)]
    elif len(sizes) > 1:
        raise InputError("the list shows one board size; name networks, or add --speed, for several")
    else:
        rows = network_list.show(console, told, planes, sizes[0])
    if as_json:
        print_json(rows)
    elif as_csv:
        print_csv(rows)


def _check(
    console: Console, told: Console, name: str, ways: tuple[str, str], size: int | None, count: int, games: Path | None
) -> Row:
    """How far apart the judgements of two ways to run a network are."""
    data = read_model(name)
    first, second = (evaluator(data, name, _way(way)) for way in ways)
    lines = size or first.info.size
    with told.status(f"comparing {ways[0]} and {ways[1]}"):
        found = compare(first, second, real_positions(first.planes, lines, count, games, seed=2))
    console.print(f"{name}, {lines}x{lines}: {ways[1]} against {ways[0]}", *found.lines(), sep="\n  ", highlight=False)
    differences = {f"{field}_mean_difference": gap for field, gap in found.mean.items()}
    differences |= {f"{field}_largest_difference": gap for field, gap in found.largest.items()}
    return {
        "name": name, "size": lines, "first": ways[0], "second": ways[1], "positions": found.positions,
        "same_first_move": found.same_first_move, **differences,
    }  # fmt: skip


def _way(text: str) -> Running:
    """`int8`, `cuda` or `cuda/fp32`; fp32 on the CPU where nothing else is said."""
    first, _, second = text.partition("/")
    if second:
        return Running(first, second)
    return Running(precision=first) if first in PRECISIONS else Running(first, "fp32")


def _detail(console: Console, name: str, planes: str | None, size: int | None) -> Row:
    """One network or model in detail."""
    try:
        library.find(name)
    except FileNotFoundError:
        if name.endswith(".onnx"):
            raise
        facts = _facts_of_network(_known(name), planes, size)
    else:
        facts = _facts_of_model(name)
    table = Table(title=name, title_justify="left", box=None, show_header=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for fact, value in facts.items():
        table.add_row(fact, fact_text(fact, value))
    console.print(table)
    return {fact.replace(" ", "_"): value for fact, value in facts.items()}


def _known(name: str) -> str:
    """The name, if it is of a network; else `InputError`, or `FileNotFoundError` where a model may have been meant."""
    try:
        parse(name)
    except InputError:
        if nearest(name, library.names()):
            library.find(name)
        raise
    return name


def fact_text(fact: str, value: object) -> str:
    """A fact as people read it."""
    if isinstance(value, Mapping):
        parts = {
            name: f"({fact_text(name, part)})" if isinstance(part, Mapping) else part for name, part in value.items()
        }
        return ", ".join(f"{name} {fact_text(name, part)}" for name, part in parts.items())
    if isinstance(value, list):
        return ", ".join(fact_text(fact, one) for one in value)
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, int) and not isinstance(value, bool):
        return number(value) + (" a position" if fact == "operations" else "")
    return str(value)


def _facts_of_network(name: str, planes: str | None, size: int | None) -> dict[str, Any]:
    about = networks.describe(name, planes, size)
    spec = about.spec
    network = networks.create(about.name, about.planes, about.size)
    parts: dict[str, int] = defaultdict(int)
    for weight, tensor in network.state_dict().items():
        if not weight.endswith("num_batches_tracked"):
            parts[weight.split(".")[0]] += tensor.numel()
    meaning = ", ".join(f"{n} {what}" for n, what in zip(spec.written_numbers, spec.family.numbers, strict=True))
    return {
        "name": about.name,
        "family": spec.family.summary,
        "numbers": meaning,
        "paper": spec.family.paper,
        "planes": f"{about.planes} ({about.channels})",
        "board": f"{about.size}x{about.size}" + (", and any other" if about.any_size else " only"),
        "outputs": ", ".join(about.heads),
        "policy": f"{spec.heads.policy}, {'with' if about.has_pass else 'without'} pass",
        "value of": about.value_of.replace("to_play", "the player to move"),
        "value loss": f"{spec.heads.value_loss}, weight {spec.heads.value_weight:g}",
        "parameters": networks.parameters(about.name, about.planes, about.size),
        "of which": dict(parts),
        "operations": networks.operations(about.name, about.planes, about.size),
    }


def _facts_of_model(name: str) -> dict[str, Any]:
    evaluate = load(name)
    info, size = evaluate.info, evaluate.info.size
    facts: dict[str, Any] = {
        "file": library.find(name),
        "network": evaluate.name,
        "planes": evaluate.planes,
        "board": f"{size}x{size}" + (", and any other" if evaluate.plays(size + 1) else " only"),
        "pass": "in the policy" if evaluate.has_pass else "left to the search",
        "parameters": info.parameters,
    }
    if info.operations:  # of a module of somebody's own nobody counted them
        facts["operations"] = info.operations
    if evaluate.komi_grid is not None:
        facts["win rates"] = f"for komi from {evaluate.komi_grid[0]:g} to {evaluate.komi_grid[-1]:g}"
    if isinstance(info, ModelInfo):
        facts["outputs"] = ", ".join(info.outputs)
        facts["komi"] = "read" if info.needs_komi or plane_set(info.planes).reads_komi else "not read"
        facts["written by"] = f"tesuji {info.tesuji}"
    return facts | {f"training: {key}": value for key, value in info.training.items()}


def _small() -> list[str]:
    """What is measured when nothing is named: the models at hand and the networks below a million parameters."""
    examples = [name for family in networks.families() for name in family.examples]
    return [*library.names(), *(name for name in examples if networks.parameters(name) < 1_000_000)]
