"""`--device` and `--precision` of every command that plays, and the line about a GPU that lies idle."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from tesuji.base import machine
from tesuji.networks.devices import device_list, kind_of

if TYPE_CHECKING:
    from tesuji.arena.players.description import PlayerDescription

Precision = Annotated[
    str,
    typer.Option(
        help="What networks calculate with: fp32, int8, bf16 (on openvino), or auto, the faster here of fp32 and int8."
    ),
]
Devices = Annotated[
    list[str] | None, typer.Option("--device", help="Where networks run: cpu, cuda:0, ...; several: cuda:0,cuda:1.")
]
PlayersPrecision = Annotated[
    str | None, typer.Option(help="what networks calculate with that do not say: fp32, int8, bf16, auto")
]
PlayersDevice = Annotated[str | None, typer.Option(help="where networks run that name no device: cpu, cuda:0,cuda:1")]
"""Of the arena, whose players may each say their own."""
MeasuredDevice = Annotated[
    str, typer.Option(help="Where networks run: cpu, cuda, ... as onnxruntime offers; side by side: cuda:0,cuda:1.")
]
WorkersDevice = Annotated[
    str,
    typer.Option(
        help="where networks run in self-play: cpu, cuda, ...; several in turn: cuda:0,cuda:1; on Ray one GPU a worker"
    ),
]
_PACKAGES = {"NVIDIA": ("onnxruntime-gpu", "cuda"), "AMD": ("onnxruntime-migraphx", "migraphx")}


def devices(named: Sequence[str] | None, precision: str) -> list[str]:
    """The devices in words that tell the precision too, as in `cuda:1/fp32`; all the lower layers need to know.

    A GPU that is here but not used is told on standard error.
    """
    chosen = device_list(named or ["cpu"], precision)
    _tell_idle_gpu(chosen)
    return chosen


def tell_idle_gpu_of(players: "Iterable[PlayerDescription]") -> None:
    """The same line for the arena, whose players may each name their devices."""
    named = [str(player.options.get("device", "cpu")) for player in players if not player.is_engine]
    if named:
        _tell_idle_gpu(device_list(named))


def _tell_idle_gpu(chosen: Sequence[str]) -> None:
    if line := idle_gpu(chosen):
        typer.echo(line, err=True)


def idle_gpu(chosen: Sequence[str]) -> str:
    """One line about a GPU that none of these devices is; empty where there is none."""
    maker = machine.gpu()
    if not maker or any(kind_of(name) != "cpu" for name in chosen):
        return ""
    package, device = _PACKAGES[maker]
    from tesuji.networks.onnx.runtime import usable_devices  # brings the runtime with it: only where it matters

    first = "" if device in usable_devices() else f"pip install {package}, then "
    return f"tesuji: there is a GPU by {maker}, and it is not used; to use it, {first}add --device {device}"
