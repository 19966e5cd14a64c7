"""Positions a second by network, board, threads and batch, as the 2020 paper's Table I: printed and drawn."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tesuji.base.quantities import number
from tesuji.networks.devices import device_list, kind_of
from tesuji.networks.evaluators.precision import BATCH
from tesuji.networks.evaluators.speed import BATCHES, Speed, measure, peak_gflops

COLUMNS = ("network", "board", "precision", "threads", "batch", "positions/s", "GFLOP/s", "of peak")


@dataclass(frozen=True)
class SpeedOptions:
    """What to measure of each network."""

    sizes: Sequence[int | None] = (None,)
    """Board sizes; None is the network's own."""
    batches: Sequence[int] = BATCHES
    threads: Sequence[int] = (1,)
    """Threads of one evaluation."""
    callers: int = 1
    """Evaluations side by side on each device."""
    seconds: float = 0.5
    """Time for each line."""
    device: str = "cpu"
    """Or several, as in `cuda:0,cuda:1`."""
    precision: str = "all"

    @property
    def on_cpu(self) -> bool:
        """Whether the peak of a core says anything about them."""
        return all(kind_of(device) == "cpu" for device in device_list(self.device))


def measured(told: Console, names: Sequence[str], options: SpeedOptions) -> list[Speed]:
    """Measures all of them and tells on the way which one."""
    found = []
    with told.status("measuring") as status:
        for line in _lines(names, options):
            status.update(f"measured {line.name}, batch {line.batch}")
            found.append(line)
    return found


def show(console: Console, measured: Sequence[Speed], options: SpeedOptions, plot: Path | None = None) -> None:
    """Prints what was measured; draws too where `plot` names a file."""
    table = Table(box=None, header_style="bold")
    for column in COLUMNS:
        first = column == "network"
        table.add_column(column, justify="left" if first else "right", no_wrap=not first, overflow="fold")
    for line in measured:
        table.add_row(*_cells(line, options.on_cpu))
    console.print(table)
    for said in (*_gains(measured), *_without_integers(measured, options)):
        console.print(said, highlight=False)
    console.print(_how(options), highlight=False)
    if plot:
        draw(measured, plot)
        console.print(f"drawn into {plot}")


def _lines(names: Sequence[str], options: SpeedOptions) -> Iterator[Speed]:
    for name, size, threads in product(names, options.sizes, options.threads):
        yield from measure(
            name,
            size=size,
            batches=options.batches,
            threads=threads,
            callers=options.callers,
            seconds=options.seconds,
            device=options.device,
            precision=options.precision,
        )


def _gains(measured: Sequence[Speed]) -> list[str]:
    """How many times as fast integers are, for each network that was measured in both precisions."""
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for line in measured:
        if line.batch == BATCH:
            threads = f", {line.threads} threads" if line.threads > 1 else ""
            found[f"{line.name} {line.size}x{line.size}{threads}"][line.precision] = line.positions
    return [
        f"{name}: int8 {speeds['int8'] / speeds['fp32']:.2f} times fp32 at batch {BATCH}"
        for name, speeds in found.items()
        if {"fp32", "int8"} <= speeds.keys()
    ]


def _without_integers(measured: Sequence[Speed], options: SpeedOptions) -> list[str]:
    """One line about the networks that were to be measured in all their precisions and have one only."""
    with_integers = {line.name for line in measured if line.precision == "int8"}
    names = dict.fromkeys(line.name for line in measured if line.name not in with_integers)
    if options.precision != "all" or not names:
        return []
    return [f"no int8 in {', '.join(names)}: a network has it once `tesuji export --int8` has made it"]


def _cells(line: Speed, on_cpu: bool) -> tuple[str, ...]:
    peak = peak_gflops(line.threads * line.callers, line.precision) if on_cpu else 0.0
    share = f"{100 * line.gflops / peak:.0f} %" if peak else ""
    board, speed = f"{line.size}x{line.size}", number(line.positions)
    return line.name, board, line.precision, str(line.threads), str(line.batch), speed, f"{line.gflops:.1f}", share


def _how(options: SpeedOptions) -> str:
    side_by_side = options.callers * len(device_list(options.device))
    callers = f"{side_by_side} evaluations side by side; " if side_by_side > 1 else ""
    if not options.on_cpu:
        return callers + options.device
    peaks = {name: peak_gflops(1, name) for name in ("fp32", "int8")}
    told = ", ".join(f"{name} {number(peak)}" for name, peak in peaks.items() if peak)
    return f"{callers}peak of one core, measured: {told} billion operations/s"


def draw(measured: Sequence[Speed], path: Path) -> None:
    """Positions a second by batch size, a line for each network, board and number of threads."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt
    from matplotlib.ticker import LogLocator, NullLocator

    figure, axes = plt.subplots(figsize=(7, 5), layout="constrained")
    lines: dict[str, list[Speed]] = defaultdict(list)
    for speed in measured:
        threads = f", {speed.threads} threads" if speed.threads > 1 else ""
        lines[f"{speed.name}, {speed.size}x{speed.size}, {speed.precision}{threads}"].append(speed)
    for label, speeds in lines.items():
        speeds.sort(key=lambda speed: speed.batch)
        axes.plot([s.batch for s in speeds], [s.positions for s in speeds], marker="o", label=label)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")  # the zoo's speeds lie two orders of magnitude apart
    axes.set_xticks(sorted({speed.batch for speed in measured}))
    axes.xaxis.set_major_formatter("{x:g}")
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter("{x:,.0f}")
    axes.set_xlabel("batch size")
    axes.set_ylabel("positions per second")
    axes.grid(alpha=0.3)
    figure.legend(fontsize=8, loc="outside lower center", ncols=2)
    figure.savefig(path, dpi=150)
    plt.close(figure)
