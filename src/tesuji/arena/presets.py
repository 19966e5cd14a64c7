"""Leagues of known courses: the limits and conditions by name."""

from dataclasses import dataclass

from tesuji.base.settings import check_names


@dataclass(frozen=True)
class Preset:
    """What a course asks of its networks and how they meet."""

    limit: int
    """Most parameters a network may have, counted as Keras counts."""
    seconds: float
    """Processor time for a move on one core; 0 for the policy without search."""
    summary: str
    size: int = 19
    planes: str = ""
    """The plane set every network must read; empty for any."""


PRESETS = {
    "dauphine-2020": Preset(1_000_000, 0.0, "below a million parameters; the 2020 paper's course"),
    "dauphine-2026": Preset(
        100_000, 2.0, "below 100,000 parameters, 31 planes, two seconds of processor time a move", planes="golois-31"
    ),
}


def preset(name: str) -> Preset:
    """The preset of this name. Raises `ValueError` with the nearest one."""
    check_names([name], PRESETS, "preset of a league")
    return PRESETS[name]
