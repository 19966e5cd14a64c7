"""`--device` and `--precision` of every command that plays, and the line about a GPU that lies idle."""

from collections.abc import Sequence
from typing import Annotated

import typer

from tesuji.base import machine
from tesuji.base.errors import InputError

PRECISIONS = ("auto", "fp32", "int8")
Precision = Annotated[
    str, typer.Option(help="What networks calculate with: fp32, int8, or auto, the faster one here of those they have.")
]
Devices = Annotated[
    list[str] | None, typer.Option("--device", help="Where networks run: cpu, cuda:0, ...; repeat it for several.")
]
PlayersPrecision = Annotated[
    str | None, typer.Option(help="what networks calculate with that do not say: fp32, int8, auto")
]
PlayersDevice = Annotated[str | None, typer.Option(help="where networks run that name no device: cpu, cuda:1, ...")]
"""Of the arena, whose players may each say their own."""
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
    if precision not in PRECISIONS:
        raise InputError(f"no precision '{precision}'; there are {', '.join(PRECISIONS)}")
    chosen = [name.strip() for text in named or ["cpu"] for name in text.split(",")]
    line = idle_gpu(chosen)
    if line:
        typer.echo(line, err=True)
    return [name if precision == "auto" or "/" in name else f"{name}/{precision}" for name in chosen]


def idle_gpu(chosen: Sequence[str]) -> str:
    """One line about a GPU that none of these devices is; empty where there is none."""
    maker = machine.gpu()
    if not maker or any(name.partition("/")[0] != "cpu" for name in chosen):
        return ""
    package, device = _PACKAGES[maker]
    from tesuji.networks.onnx.runtime import usable_devices  # brings the runtime with it: only where it matters

    first = "" if device in usable_devices() else f"pip install {package}, then "
    return f"tesuji: there is a GPU by {maker}, and it is not used; to use it, {first}add --device {device}"
