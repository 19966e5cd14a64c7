"""Muon: steps of kernels made orthogonal, so that all directions of a layer learn, not the loudest alone.

Jordan et al., "Muon: An optimizer for hidden layers in neural networks", 2024; steps as large as those of AdamW after
Liu et al., "Muon is Scalable for LLM Training", 2025, so that AdamW's rates and decay serve here too.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

_LEAST_SIDE = 16  # kernels of fewer inputs or outputs have hardly a direction to spare
_ROUNDS = 5
_STEPS = (3.4445, -4.7750, 2.0315)  # a polynomial that brings singular values near one in five rounds
_ADAM_SIZE = 0.2  # usual size of a number in a step of AdamW


class Muon(torch.optim.AdamW):
    """Muon for kernels, AdamW for everything else. All groups take AdamW's settings, `betas[0]` is the momentum."""

    @torch.no_grad()
    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Moves kernels along their orthogonal steps; AdamW then moves what still holds a gradient."""
        for group in self.param_groups:
            for kernel in group["params"]:
                if kernel.grad is not None and is_wide(kernel):
                    self._move(kernel, kernel.grad, group)
                    kernel.grad = None
        return super().step(closure)

    def __setstate__(self, state: dict[str, Any]) -> None:
        """AdamW looks for a count of steps at everything that has a state, when a run goes on; kernels keep none."""
        for kept in state["state"].values():
            kept.setdefault("step", torch.tensor(0.0))
        super().__setstate__(state)  # type: ignore[no-untyped-call]

    def _move(self, kernel: Tensor, gradient: Tensor, group: dict[str, Any]) -> None:
        state = self.state[kernel]
        if not state:
            state["momentum"] = torch.zeros_like(kernel)
        momentum = state["momentum"].lerp_(gradient, 1 - group["betas"][0])
        # Nesterov: as if the momentum had already seen this gradient once more.
        ahead = gradient.lerp(momentum, group["betas"][0]).flatten(1)
        size = _ADAM_SIZE * max(ahead.shape) ** 0.5
        kernel.mul_(1 - group["lr"] * group["weight_decay"])
        kernel.add_(orthogonal(ahead).view(kernel.shape), alpha=-group["lr"] * size)


def is_wide(kernel: Tensor) -> bool:
    """Whether a parameter is a kernel with enough inputs and outputs."""
    return kernel.ndim > 1 and min(kernel.shape[0], kernel[0].numel()) >= _LEAST_SIDE


def orthogonal(matrix: Tensor) -> Tensor:
    """A matrix with the same directions, all about as long as the others (singular values from 0.7 to 1.2)."""
    a, b, c = _STEPS
    tall = matrix.shape[0] > matrix.shape[1]
    found = (matrix.T if tall else matrix).float()
    found = found / (found.norm() + 1e-7)
    for _ in range(_ROUNDS):
        square = found @ found.T
        found = a * found + (b * square + c * square @ square) @ found
    turned: Tensor = found.T if tall else found
    return turned.to(matrix.dtype)
