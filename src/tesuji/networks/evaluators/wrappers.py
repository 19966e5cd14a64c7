"""Evaluators made of evaluators: symmetries, a cache, and a policy joined with another network's value."""

import dataclasses
import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tesuji.base.errors import InputError
from tesuji.features import symmetry
from tesuji.features.evaluation import Evaluation, Evaluator, Floats, Wrapper
from tesuji.features.planes import plane_set

FIELDS = tuple(field.name for field in dataclasses.fields(Evaluation))


class AverageOfSymmetries(Wrapper):
    """Judges every position in all eight symmetries at once and averages, as Golois does (2018)."""

    def __call__(self, planes: Floats, komi: Sequence[float] | Floats) -> Evaluation:
        """Judges `planes [B, C, N, N]` of games with these komi `[B]`; the batch inside is eight times as large."""
        turned = np.concatenate([symmetry.transform(planes, s) for s in range(symmetry.COUNT)])
        symmetries = np.repeat(np.arange(symmetry.COUNT), len(planes))
        judged = turned_back(self.inner(turned, np.tile(np.asarray(komi, np.float32), symmetry.COUNT)), symmetries)
        means = {
            name: field.reshape(symmetry.COUNT, len(planes), *field.shape[1:]).mean(0, dtype=np.float32)
            for name, field in fields_of(judged).items()
        }
        return Evaluation(**means)


class RandomSymmetry(Wrapper):
    """Judges every position in one of its eight symmetries, drawn at random (AlphaGo Zero)."""

    def __init__(self, inner: Evaluator, seed: int | None = None) -> None:
        super().__init__(inner)
        self._random = np.random.default_rng(seed)
        self._lock = threading.Lock()

    def __call__(self, planes: Floats, komi: Sequence[float] | Floats) -> Evaluation:
        """Judges `planes [B, C, N, N]` of games with these komi `[B]`."""
        with self._lock:
            symmetries = self._random.integers(symmetry.COUNT, size=len(planes))
        return turned_back(self.inner(symmetry.transform_each(planes, symmetries), komi), symmetries)


class Cached(Wrapper):
    """Remembers the last positions it judged; a position is its planes and its komi."""

    def __init__(self, inner: Evaluator, capacity: int = 50_000) -> None:
        super().__init__(inner)
        self.capacity = capacity
        self.hits = self.misses = 0
        self._kept: OrderedDict[bytes, dict[str, Any]] = OrderedDict()
        self._lock = threading.Lock()

    def __call__(self, planes: Floats, komi: Sequence[float] | Floats) -> Evaluation:
        """Judges `planes [B, C, N, N]` of games with these komi `[B]`."""
        if not len(planes):
            return self.inner(planes, komi)
        komis = np.asarray(komi, np.float32)
        keys = [_key(position, one) for position, one in zip(planes, komis, strict=True)]
        with self._lock:
            rows = [self._kept.get(key) for key in keys]
            for key, row in zip(keys, rows, strict=True):
                if row is not None:
                    self._kept.move_to_end(key)
        missing = [i for i, row in enumerate(rows) if row is None]
        if missing:
            fresh = fields_of(self.inner(planes[missing], komis[missing]))
            for place, i in enumerate(missing):
                rows[i] = {name: field[place] for name, field in fresh.items()}
        self._keep(keys, rows, len(missing))
        return Evaluation(**{name: np.stack([row[name] for row in rows if row]) for name in rows[0] or {}})

    def _keep(self, keys: list[bytes], rows: list[dict[str, Any] | None], missing: int) -> None:
        with self._lock:
            self.misses += missing
            self.hits += len(keys) - missing
            for key, row in zip(keys, rows, strict=True):
                assert row is not None
                self._kept[key] = row
            while len(self._kept) > self.capacity:
                self._kept.popitem(last=False)


class Joined(Wrapper):
    """The policy of one network and the value of another, as Golois plays (2018).

    Both must read the same planes, or the value network the first ones of the policy's. All but the policy comes from
    the value network.
    """

    def __init__(self, policy: Evaluator, value: Evaluator) -> None:
        seen, asked = (list(plane_set(one.planes).channel_names) for one in (policy, value))
        if seen[: len(asked)] != asked:
            raise InputError(
                f"cannot join '{policy.name}' on {policy.planes} with '{value.name}' on {value.planes}: "
                "both must read the same planes"
            )
        super().__init__(policy)
        self.value = value
        self._shared = len(asked)
        self.name = f"{policy.name} & {value.name}"
        self.komi_grid = value.komi_grid

    def plays(self, size: int) -> bool:
        """Whether both can judge boards of this size."""
        return self.inner.plays(size) and self.value.plays(size)

    def __call__(self, planes: Floats, komi: Sequence[float] | Floats) -> Evaluation:
        """Judges `planes [B, C, N, N]` of games with these komi `[B]`."""
        judged = fields_of(self.value(np.ascontiguousarray(planes[:, : self._shared]), komi))
        judged["policy"] = self.inner(planes, komi).policy
        return Evaluation(**judged)


def fields_of(evaluation: Evaluation) -> dict[str, Any]:
    """The fields that are there."""
    values = {name: getattr(evaluation, name) for name in FIELDS}
    return {name: value for name, value in values.items() if value is not None}


def turned_back(evaluation: Evaluation, symmetries: NDArray[np.integer]) -> Evaluation:
    """What is said of positions under symmetries, as said of the positions themselves."""
    inverses = np.array([symmetry.inverse(int(s)) for s in symmetries])
    fields = fields_of(evaluation)
    fields["policy"] = symmetry.transform_policy_each(evaluation.policy, inverses)
    if evaluation.black_ownership is not None:
        fields["black_ownership"] = symmetry.transform_each(evaluation.black_ownership, inverses)
    return Evaluation(**fields)


def _key(planes: Floats, komi: np.float32) -> bytes:
    """Planes are zeros and ones in every plane set, so their bits are enough; others count as they are."""
    bits = np.packbits(planes != 0).tobytes() if ((planes == 0) | (planes == 1)).all() else planes.tobytes()
    return komi.tobytes() + bytes([planes.shape[-1]]) + bits
