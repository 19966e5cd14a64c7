"""Which real numbers the 256 integers stand for: the range of a value, the steps of weights."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tesuji.features.evaluation import Floats

_TRIED = np.linspace(0.3, 1.0, 22)


@dataclass(frozen=True)
class Range:
    """Real number = `step` * (integer - `zero`), integers from 0 to 255."""

    step: float
    zero: int

    def rounded(self, numbers: Floats) -> Floats:
        """The numbers as the integers tell them."""
        integers = np.clip(np.rint(numbers / self.step) + self.zero, 0, 255)
        rounded: Floats = ((integers - self.zero) * self.step).astype(np.float32)
        return rounded


def best_range(numbers: Floats) -> Range:
    """The range with the least squared error: rare large numbers are cut off where that makes the common ones finer.

    All numbers count, not a sample of them: those that matter most in a network are the rare ones.
    """
    flat = numbers.reshape(-1)
    low, high = min(0.0, float(flat.min())), max(0.0, float(flat.max()))  # zero itself must be exact: boards end in it
    tried = [_range(low * share, high * share) for share in _TRIED]
    errors = [float(((candidate.rounded(flat) - flat) ** 2).mean()) for candidate in tried]
    return tried[int(np.argmin(errors))]


def channel_ranges(numbers: Floats) -> list[Range]:
    """The best range of each channel of `[B, C, N, N]` alone."""
    return [best_range(channel) for channel in np.moveaxis(numbers, 1, 0)]


def shared_zero(own: list[Range]) -> tuple[NDArray[np.float64], int]:
    """The steps of channels that share one zero, though each would like its own: the zero with the smallest steps."""
    below = np.array([channel.step * channel.zero for channel in own])
    above = np.array([channel.step * (255 - channel.zero) for channel in own])
    zeros = [0] if not below.any() else range(4, 252, 4)
    tried = [(np.maximum(below / max(zero, 1), above / (255 - zero)), zero) for zero in zeros]
    return min(tried, key=lambda one: float((one[0] ** 2).sum()))


def _range(low: float, high: float) -> Range:
    step = (high - low) / 255 or 1.0
    return Range(step, int(np.clip(round(-low / step), 0, 255)))


def weight_steps(weight: Floats) -> Floats:
    """`[O]` the step of each output channel with the least squared error, integers from -127 to 127."""
    flat = weight.reshape(len(weight), -1)
    largest = np.maximum(np.abs(flat).max(1), 1e-12)
    best, steps = np.full(len(flat), np.inf), largest / 127
    for share in _TRIED[_TRIED >= 0.5]:
        tried = largest * share / 127
        error = ((_integers(flat, tried) * tried[:, None] - flat) ** 2).sum(1)
        steps, best = np.where(error < best, tried, steps), np.minimum(error, best)
    found: Floats = steps.astype(np.float32)
    return found


def weight_integers(weight: Floats, steps: Floats) -> NDArray[np.int8]:
    """The weights in such steps."""
    return _integers(weight.reshape(len(weight), -1), steps).reshape(weight.shape).astype(np.int8)


def _integers(flat: Floats, steps: Floats) -> Floats:
    clipped: Floats = np.clip(np.rint(flat / steps[:, None]), -127, 127)
    return clipped
