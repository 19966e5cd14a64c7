"""Layers that compute in real numbers what integers would tell, with gradients that pass the rounding.

A step is learned by its logarithm, so that it stays positive and moves by shares of itself (Esser et al. 2020,
Learned Step Size Quantization).
"""

import torch
from torch import Tensor, nn

from tesuji.networks.int8.ranges import Range


class Rounding(nn.Module):
    """A value after a turn through the integers 0 to 255, of one step or of one for each channel."""

    def __init__(self, channels: int = 0) -> None:
        super().__init__()
        self.log_step = nn.Parameter(torch.zeros(channels) if channels else torch.zeros(()))
        self.zero: Tensor
        self.register_buffer("zero", torch.zeros(()))

    @property
    def steps(self) -> Tensor:
        """What an integer is worth, `[]` or `[C]`."""
        return self.log_step.exp()

    @property
    def range(self) -> Range:
        """The same as data, of the largest step where there are several."""
        return Range(float(self.steps.detach().max()), int(self.zero))

    @torch.no_grad()
    def tell(self, steps: Tensor, zero: int) -> None:
        """Begins with these steps."""
        self.log_step.copy_(steps.log())
        self.zero.fill_(zero)

    def forward(self, numbers: Tensor) -> Tensor:
        """`[B, C, N, N]` as the integers tell it."""
        steps = self.steps[:, None, None] if self.log_step.ndim else self.steps
        low = -float(self.zero)
        return _rounded((numbers / steps).clamp(low, low + 255)) * steps


class IntegerConv(nn.Conv2d):
    """A convolution as integers compute it: of what it reads, its weights, its bias and what it gives."""

    reads: Rounding
    rounded_before: bool
    """Whether the value it reads left another convolution as integers."""
    gives: Rounding
    log_steps: nn.Parameter

    @staticmethod
    def of(layer: nn.Conv2d) -> "IntegerConv":
        """With the weights of a plain convolution."""
        made = IntegerConv(
            layer.in_channels, layer.out_channels, layer.kernel_size, layer.stride, layer.padding,  # type: ignore[arg-type]
            layer.dilation, layer.groups,  # type: ignore[arg-type]
        )  # fmt: skip
        made.load_state_dict({"bias": torch.zeros(layer.out_channels)} | dict(layer.state_dict()))
        made.log_steps = nn.Parameter(torch.zeros(layer.out_channels))
        return made

    def real(self) -> nn.Conv2d:
        """The plain convolution of the same weights."""
        made = nn.Conv2d(
            self.in_channels, self.out_channels, self.kernel_size, self.stride, self.padding,  # type: ignore[arg-type]
            self.dilation, self.groups,  # type: ignore[arg-type]
        )  # fmt: skip
        own = self.state_dict()
        made.load_state_dict({name: own[name] for name in ("weight", "bias")})
        return made

    def forward(self, planes: Tensor) -> Tensor:
        read = planes if self.rounded_before else self.reads(planes)
        steps = self.log_steps.exp()
        each = steps[:, None, None, None]
        weight = _rounded((self.weight / each).clamp(-127, 127)) * each
        assert self.bias is not None
        finest = steps * self.reads.steps  # of the sums of products, in which the bias is told
        bias = _rounded(self.bias / finest) * finest
        # A Relu that follows finds its work done: its value has no integers below zero.
        given: Tensor = self.gives(self._conv_forward(read, weight, bias))
        return given


class FixedNorm(nn.BatchNorm2d):
    """A batch norm whose statistics no longer move: the file's integers are told for these alone."""

    def train(self, mode: bool = True) -> "FixedNorm":
        """Stays as in evaluation; its factors and offsets still learn."""
        del mode
        super().train(False)
        return self


def _rounded(numbers: Tensor) -> Tensor:
    """To the nearest integers; the gradient passes as if nothing had happened."""
    return numbers + (numbers.round() - numbers).detach()
