"""Commands that do by hand what an experiment did, for its page."""

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tesuji.training.labels.options import LabelOptions


def train_command(
    folder: Path, network: str, data: Sequence[str | Path], settings: Mapping[str, Any], start: str = ""
) -> str:
    """The training of one network."""
    words = ["tesuji", "train", str(folder), "--network", network]
    for path in data:
        words += ["--data", str(path)]
    return shlex.join([*words, *(["--from", start] if start else []), *_set(settings)])


def label_command(options: LabelOptions, count: int, output: Path) -> str:
    """The search of positions by a teacher."""
    words = ["tesuji", "label", options.teacher, *options.games, "--count", str(count), "--komi", options.komi]
    words += ["--rules", options.rules, "--visits", str(options.visits), "--batch", str(options.batch)]
    for one in options.search:
        words += ["--set", one]
    return shlex.join([*words, "--out", str(output)])


def tournament_command(players: Sequence[str], table: Mapping[str, Any], folder: Path) -> str:
    """A tournament of these players under these conditions."""
    return shlex.join(["tesuji", "tournament", *players, *_set(table), "--out", str(folder)])


def networks_command(
    models: Sequence[str], batches: Sequence[int], size: int | None, seconds: float, precision: str = "all"
) -> str:
    """The measurement of these networks' speeds."""
    words = ["tesuji", "networks", *models, "--speed", *(["--size", str(size)] if size else [])]
    for batch in batches:
        words += ["--batch", str(batch)]
    return shlex.join(
        [*words, "--seconds", f"{seconds:g}", *(["--precision", precision] if precision != "all" else [])]
    )


def _set(settings: Mapping[str, Any]) -> list[str]:
    words = []
    for key, value in settings.items():
        listed = isinstance(value, list | tuple)
        words += ["--set", f"{key}={','.join(map(str, value)) if listed else value}"]
    return words
