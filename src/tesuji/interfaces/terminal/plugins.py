"""The option `--plugin` of every command that builds networks by name."""

from pathlib import Path
from typing import Annotated

import typer

from tesuji.networks.zoo import plugins

Plugins = Annotated[
    list[Path] | None,
    typer.Option("--plugin", help="Python file that registers networks of your own; it is run. Repeatable."),
]


def load_plugins(files: list[Path] | None) -> None:
    """Runs the files; what installed packages offer is known without."""
    for file in files or []:
        plugins.load_file(file)
