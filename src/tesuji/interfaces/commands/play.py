"""`tesuji play`: the board in the browser."""

from typing import Annotated

import typer
from rich.console import Console

from tesuji.base.extras import need
from tesuji.interfaces.terminal.devices import Devices, Precision, devices
from tesuji.interfaces.terminal.options import examples

EXAMPLES = examples(
    ("the board, on this machine", "tesuji play"),
    ("against a network of one's own", "tesuji play --net mine.onnx"),
    ("for others in the house, with a token", "tesuji play --host 0.0.0.0 --no-browser"),
)


def main(
    port: Annotated[int, typer.Option(help="Port; the next free one is taken where it is in use.")] = 8080,
    host: Annotated[
        str, typer.Option(help="Address to listen on. Others than 127.0.0.1 ask visitors for a token.")
    ] = "127.0.0.1",
    net: Annotated[str, typer.Option(help="Network to play with: a name or a model file.")] = "",
    device: Devices = None,
    precision: Precision = "auto",
    browser: Annotated[bool, typer.Option(help="Open the page in the browser.")] = True,
    sessions: Annotated[int, typer.Option(min=1, max=1000, help="Boards open at once.")] = 32,
    threads: Annotated[int, typer.Option(min=0, max=256, help="Threads that search; 0: all cores.")] = 0,
) -> None:
    """Opens the board in a browser, to play against the network and to look through games."""
    need("nicegui", "the board in the browser")
    from tesuji.interfaces.web.server.run import ServeOptions, serve

    console = Console(highlight=False, soft_wrap=True)
    options = ServeOptions(
        host=host,
        port=port,
        net=net,
        browser=browser,
        sessions=sessions,
        workers=threads,
        devices=tuple(devices(device, precision)),
    )
    serve(options, lambda text: console.print(text, markup=False))
