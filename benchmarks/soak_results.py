"""What the works of `benchmarks/soak.py` have left on the disk: how much, and whether any is lost or there twice."""

import json
from collections import Counter
from pathlib import Path

from tesuji.learning.selfplay.shards import shards
from tesuji.training.data.game_set import GameSet


def counted(name: str, folder: Path, disk: Path) -> int:
    """What a work has done so far, by its files. For works that are not running."""
    if name == "tournament":
        return len(_keys(disk / name / "results.jsonl"))
    if name == "selfplay":
        return sum(shard.games for shard in shards(disk / name))
    path = folder / name / "done"
    return path.read_bytes().count(b"\n") if path.exists() else 0


def wrong(name: str, disk: Path) -> list[str]:
    """What is wrong with the results of a work at the end."""
    if name == "tournament":
        twice = [key for key, count in Counter(_keys(disk / name / "results.jsonl")).items() if count > 1]
        return [f"{len(twice)} games twice"] if twice else []
    if name == "selfplay":
        return _wrong_shards(disk / name)
    return []


def _keys(path: Path) -> list[str]:
    """The games of a results file; a last line that a kill has cut is none."""
    if not path.exists():
        return []
    lines = path.read_bytes().split(b"\n")[:-1]
    return [value["game"]["key"] for value in map(json.loads, lines) if "game" in value]


def _wrong_shards(folder: Path) -> list[str]:
    faults, following = [], 0
    for shard in shards(folder):
        if shard.first != following:
            faults.append(f"games {following} to {shard.first - 1} are lost or twice")
        following = shard.last + 1
        try:
            games = sum(1 for record in GameSet(shard.path) if record.moves)
        except (OSError, ValueError) as fault:
            faults.append(f"{shard.path.name}: {fault}")
            continue
        if games != shard.games:
            faults.append(f"{shard.path.name} holds {games} games")
    return faults
