"""`tesuji networks`: the zoo and the models at hand, one of them in detail, and how fast they are here."""

from collections import defaultdict
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from tesuji import networks
from tesuji.networks import library, plugins
from tesuji.networks.evaluator import load
from tesuji.networks.naming import OPTIONS
from tesuji.networks.speed import BATCHES, Speed, measure, peak_gflops


def main(
    names: Annotated[
        list[str] | None, typer.Argument(help="Networks, built-in models or model files. All when left out.")
    ] = None,
    planes: Annotated[str | None, typer.Option(help="Plane set; each network's own when left out.")] = None,
    size: Annotated[int | None, typer.Option(help="Board size; each network's own when left out.")] = None,
    speed: Annotated[bool, typer.Option("--speed", help="Measure positions a second by batch size.")] = False,
    batch: Annotated[list[int] | None, typer.Option(help="Batch sizes to measure; repeat it.")] = None,
    threads: Annotated[int, typer.Option(min=1, help="Threads of one evaluation.")] = 1,
    callers: Annotated[int, typer.Option(min=1, help="Evaluations side by side.")] = 1,
    seconds: Annotated[float, typer.Option(min=0.01, help="Time for each batch size.")] = 0.5,
    device: Annotated[str, typer.Option(help="cpu, cuda, ... as onnxruntime offers.")] = "cpu",
    plot: Annotated[Path | None, typer.Option(help="Draw the speeds into this file (.png, .svg, .pdf).")] = None,
    from_file: Annotated[
        list[Path] | None, typer.Option("--from", help="A Python file that registers networks of your own.")
    ] = None,
) -> None:
    """Lists the networks, shows one in detail, or measures their speed."""
    plugins.load_installed()
    for file in from_file or []:
        plugins.load_file(file)
    console = Console()
    if speed or plot:
        measured = _speeds(console, names or _small(), size, batch or list(BATCHES), threads, callers, seconds, device)
        if plot:
            draw(measured, plot)
            console.print(f"drawn into {plot}")
    elif names:
        for name in names:
            _detail(console, name, planes, size)
    else:
        _models(console)
        _zoo(console, planes, size)


def _number(value: float) -> str:
    return f"{value:,.0f}".replace(",", " ")


def _models(console: Console) -> None:
    """The model files that load by name."""
    if not library.names():
        return
    table = Table(title="models, ready to play", title_justify="left", box=None, header_style="bold")
    for column in ("name", "network", "planes", "board"):
        table.add_column(column, no_wrap=True)
    for name in library.names():
        info = load(name).info
        board = "any size" if info.any_size else f"{info.size}x{info.size}"
        table.add_row(name, info.name, info.planes, board)
    console.print(table)
    console.print()


def _zoo(console: Console, planes: str | None, size: int | None) -> None:
    """Every family's examples with what they cost, which torch must count."""
    counted = find_spec("torch") is not None
    console.print(f"{'networks, by name':<32}{'parameters':>11}{'MFLOP':>8}  {'planes':<12}board", style="bold")
    for family in networks.families():
        console.print(f"[bold]{family.name}[/]: {family.summary}", highlight=False)
        for name in family.examples:
            row = _row(name, planes, size) if counted else f"  {name}"
            console.print(row, highlight=False, soft_wrap=True)
    options = ", ".join(OPTIONS)
    console.print(f"\nNumbers are free, and options follow a plus: {options}.", highlight=False)
    console.print("`tesuji networks NAME` shows one in detail, `--speed` measures.", highlight=False)
    if not counted:
        console.print("Building and counting them needs torch: pip install 'tesuji[train]'.", markup=False)


def _row(name: str, planes: str | None, size: int | None) -> str:
    from tesuji.networks.cost import operations_of, outline
    from tesuji.networks.layers import size_as_keras

    try:
        network = outline(name, planes, size)
    except ValueError:  # nine komi outputs on 9x9, say: shown with its own board instead
        network = outline(name)
    about = network.description
    cost = f"{_number(size_as_keras(network)):>11}{operations_of(network) / 1e6:>8.0f}"
    board = f"{about.size}x{about.size}" + (", any" if about.any_size else "")
    return f"  {name:<30}{cost}  {about.planes:<12}{board}"


def _detail(console: Console, name: str, planes: str | None, size: int | None) -> None:
    """One network or model in detail."""
    try:
        library.find(name)
    except FileNotFoundError:
        if name.endswith(".onnx"):
            raise
        facts = _facts_of_network(name, planes, size)
    else:
        facts = _facts_of_model(name)
    table = Table(title=name, title_justify="left", box=None, show_header=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for fact, value in facts.items():
        table.add_row(fact, str(value))
    console.print(table)


def _facts_of_network(name: str, planes: str | None, size: int | None) -> dict[str, Any]:
    about = networks.describe(name, planes, size)
    spec = about.spec
    network = networks.create(about.name, about.planes, about.size)
    parts: dict[str, int] = defaultdict(int)
    for weight, tensor in network.state_dict().items():
        if not weight.endswith("num_batches_tracked"):
            parts[weight.split(".")[0]] += tensor.numel()
    meaning = ", ".join(f"{n} {what}" for n, what in zip(spec.numbers, spec.family.numbers, strict=True))
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
        "parameters": _number(networks.parameters(about.name, about.planes, about.size)),
        "of which": ", ".join(f"{part} {_number(count)}" for part, count in parts.items()),
        "operations": f"{_number(networks.operations(about.name, about.planes, about.size))} a position",
    }


def _facts_of_model(name: str) -> dict[str, Any]:
    info = load(name).info
    komi = "read" if info.needs_komi or info.planes == "golois-31" else "not read"
    if info.komi_grid:
        komi += f", win rates from {info.komi_grid[0]:g} to {info.komi_grid[-1]:g}"
    return {
        "file": library.find(name),
        "network": info.name,
        "planes": info.planes,
        "board": f"{info.size}x{info.size}" + (", and any other" if info.any_size else " only"),
        "outputs": ", ".join(info.outputs),
        "pass": "in the policy" if info.has_pass else "left to the search",
        "komi": komi,
        "parameters": _number(info.parameters),
        "operations": f"{_number(info.operations)} a position",
        "written by": f"tesuji {info.tesuji}",
        **{f"training: {key}": value for key, value in info.training.items()},
    }


def _small() -> list[str]:
    """What is measured when nothing is named: the models at hand and the networks below a million parameters."""
    examples = [name for family in networks.families() for name in family.examples]
    return [*library.names(), *(name for name in examples if networks.parameters(name) < 1_000_000)]


def _speeds(
    console: Console,
    names: list[str],
    size: int | None,
    batches: list[int],
    threads: int,
    callers: int,
    seconds: float,
    device: str,
) -> list[Speed]:
    """Measures and prints, line by line, as the 2020 paper's Table I."""
    columns = ("network", "board", "batch", "positions/s", "GFLOP/s", "of peak")
    peak = peak_gflops(threads * callers) if device == "cpu" else 0.0
    measured = []
    table = Table(box=None, header_style="bold")
    for column in columns:
        first = column == "network"
        table.add_column(column, justify="left" if first else "right", no_wrap=not first, overflow="fold")
    for name in names:
        with console.status(f"measuring {name}"):
            for line in measure(
                name, size=size, batches=batches, threads=threads, callers=callers, seconds=seconds, device=device
            ):
                measured.append(line)
                share = f"{100 * line.gflops / peak:.0f} %" if peak else ""
                board, rate = f"{line.size}x{line.size}", f"{line.gflops:.1f}"
                table.add_row(line.name, board, str(line.batch), _number(line.positions), rate, share)
    console.print(table)
    how = f"{callers} side by side, " if callers > 1 else ""
    known = f"; peak {peak:.0f} GFLOP/s measured" if peak else ""
    console.print(f"{how}{threads} thread{'s' * (threads > 1)} each{known}", highlight=False)
    return measured


def draw(measured: list[Speed], path: Path) -> None:
    """Positions a second by batch size, a line for each network."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 4.5))
    lines: dict[str, list[Speed]] = defaultdict(list)
    for speed in measured:
        lines[f"{speed.name}, {speed.size}x{speed.size}"].append(speed)
    for label, speeds in lines.items():
        axes.plot([s.batch for s in speeds], [s.positions for s in speeds], marker="o", label=label)
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_ylim(bottom=0)
    axes.set_xlabel("batch size")
    axes.set_ylabel("positions per second")
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(path)
    plt.close(figure)
