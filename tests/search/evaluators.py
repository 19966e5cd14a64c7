"""Evaluators that need no network: deterministic, and known to the last bit."""

import hashlib
from collections.abc import Sequence

import numpy as np

from tesuji.features.evaluation import Evaluation, Floats, NetworkInfo


class Uniform:
    """Knows nothing: all moves alike, every position even."""

    name = "uniform"
    planes = "golois-31"
    has_pass = True
    komi_grid: Floats | None = None
    info = NetworkInfo()

    def __call__(self, planes: Floats, komi: Sequence[float] | Floats) -> Evaluation:
        count, _, size, _ = planes.shape
        policy = np.full((count, size * size + 1), 1 / (size * size + 1), np.float32)
        return Evaluation(policy, np.full(count, 0.5, np.float32))

    def plays(self, size: int) -> bool:
        return True


class Hash(Uniform):
    """Random numbers, but the same for the same planes."""

    name = "hash"

    def __init__(self, sharpness: float = 4.0) -> None:
        self.sharpness = sharpness

    def __call__(self, planes: Floats, komi: Sequence[float] | Floats) -> Evaluation:
        policies, values = [], []
        for row in planes:
            seed = int.from_bytes(
                hashlib.blake2b(np.ascontiguousarray(row).tobytes(), digest_size=8).digest(), "little"
            )
            random = np.random.default_rng(seed)
            logits = self.sharpness * random.random(planes.shape[-1] ** 2 + 1)
            weights = np.exp(logits)
            policies.append((weights / weights.sum()).astype(np.float32))
            values.append(np.float32(random.random()))
        return Evaluation(np.stack(policies), np.array(values, np.float32))


class Owning(Hash):
    """A hash evaluator that also tells score and ownership: Black owns the left half."""

    def __call__(self, planes: Floats, komi: Sequence[float] | Floats) -> Evaluation:
        plain = super().__call__(planes, komi)
        count, _, size, _ = planes.shape
        ownership = np.tile(np.where(np.arange(size) < size // 2, 1.0, -1.0).astype(np.float32), (count, size, 1))
        return Evaluation(plain.policy, plain.value, np.full(count, 3.0, np.float32), ownership)


class Counting(Hash):
    """A hash evaluator that tells a score as well, between -20 and 20."""

    def __call__(self, planes: Floats, komi: Sequence[float] | Floats) -> Evaluation:
        plain = super().__call__(planes, komi)
        return Evaluation(plain.policy, plain.value, (40 * plain.policy[:, 0] / plain.policy.max(1) - 20))
