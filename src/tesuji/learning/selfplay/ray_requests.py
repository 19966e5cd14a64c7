"""What an actor asks a Ray cluster for; apart from Ray, which need not be installed to know it."""

from tesuji.base.errors import InputError
from tesuji.networks.devices import device_list, needs_gpu, without_number


def one_device(text: str) -> str:
    """The device of every actor, of a list such as `cuda:0,cuda:1`: Ray hands the GPUs out, and each sees its own as 0.

    Raises `InputError` for a list of several kinds: Ray cannot be asked for one or another.
    """
    found = sorted({without_number(word) for word in device_list(text)})
    if len(found) > 1:
        raise InputError(f"on Ray all workers run on one kind of device, in one precision, not on {', '.join(found)}")
    return found[0]


def actor_options(device: str) -> dict[str, int]:
    """What an actor on this device needs. Never restarted by Ray: we order a dead one's games anew, from the living."""
    return {"num_cpus": 1, "num_gpus": int(needs_gpu(device)), "max_restarts": 0, "max_task_retries": 0}
