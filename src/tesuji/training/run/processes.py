"""Several processes that train one network together, as `torchrun` starts them; one process needs none of it."""

import os
from collections.abc import Sequence
from datetime import timedelta
from types import TracebackType

import torch
from torch import distributed, nn
from torch.nn.parallel import DistributedDataParallel

from tesuji.base.errors import InputError


class Processes:
    """This process among the others of a run. Use it as a context: it joins the group and leaves it."""

    def __init__(self, device: str = "auto") -> None:
        self.rank = int(os.environ.get("RANK", "0"))
        self.count = int(os.environ.get("WORLD_SIZE", "1"))
        self.device = _device(device, int(os.environ.get("LOCAL_RANK", "0")))

    @property
    def first(self) -> bool:
        """Whether this is the process that writes files and speaks."""
        return self.rank == 0

    def __enter__(self) -> "Processes":
        if self.count > 1:
            backend = "nccl" if self.device.type == "cuda" else "gloo"
            # Validation happens in the first process while the others wait: give it time.
            distributed.init_process_group(backend, timeout=timedelta(hours=1))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.count > 1 and distributed.is_initialized():
            distributed.destroy_process_group()

    def wrap(self, network: nn.Module) -> nn.Module:
        """The network with gradients averaged over the processes; the network itself when there is only one."""
        if self.count == 1:
            return network
        devices = [self.device.index] if self.device.type == "cuda" else None
        # Heads whose targets a batch does not have get no gradient in that step.
        return DistributedDataParallel(network, device_ids=devices, find_unused_parameters=True)

    def agree(self, numbers: Sequence[float]) -> list[float]:
        """The first process's numbers, in every process: clocks and interrupts differ, decisions must not."""
        if self.count == 1:
            return list(numbers)
        tensor = torch.tensor(numbers, dtype=torch.float64, device=self.device)
        distributed.broadcast(tensor, 0)
        return [float(number) for number in tensor.tolist()]

    def any(self, flag: bool) -> bool:
        """Whether it holds in some process."""
        if self.count == 1:
            return flag
        tensor = torch.tensor(float(flag), device=self.device)
        distributed.all_reduce(tensor, distributed.ReduceOp.MAX)
        return bool(tensor.item())


def best_precision(device: torch.device) -> str:
    """bf16 where the device has instructions for it: half the time, and weights and losses stay float32."""
    if device.type == "cuda":
        return "bf16" if torch.cuda.is_bf16_supported(including_emulation=False) else "fp32"
    # Torch offers these without a promise to keep them; where they are gone, fp32 is never wrong.
    questions = ("_is_avx512_bf16_supported", "_is_amx_tile_supported")
    return "bf16" if any(getattr(torch.cpu, name, bool)() for name in questions) else "fp32"


def _device(name: str, local: int) -> torch.device:
    if name == "auto":
        name = f"cuda:{local}" if torch.cuda.is_available() else "cpu"
    try:
        device = torch.device(name)
    except RuntimeError:
        raise InputError(f"device is '{name}'; it is auto, cpu, cuda or cuda:N") from None
    if device.type == "cuda" and not torch.cuda.is_available():
        raise InputError(f"device is '{name}', but torch sees no GPU here; use cpu")
    if device.type == "cuda" and device.index is None:
        device = torch.device("cuda", local)
    return device
