"""What there is to know of a network before building it: a name resolved for a plane set and a board size."""

from dataclasses import dataclass
from typing import Literal

from tesuji.base.errors import InputError
from tesuji.features.planes import plane_set
from tesuji.networks.zoo.naming import Spec, parse
from tesuji.networks.zoo.registry import Heads


@dataclass(frozen=True)
class Description:
    """A network on one plane set and one board size."""

    name: str
    spec: Spec
    planes: str
    channels: int
    size: int
    """The board size it was built for."""
    any_size: bool
    """Whether it also reads boards of any other size."""
    value_of: Literal["white", "to_play"]
    """Whose win probability the network's own value output is."""
    komi_limit: int
    """The distribution of scores runs from minus this to plus this; 0 without one."""
    black_plane: int | None
    """The input plane that is all 1 when Black is to play, where the plane set has one."""

    @property
    def has_pass(self) -> bool:
        """Whether the policy speaks of passing."""
        return self.spec.heads.has_pass

    @property
    def needs_komi(self) -> bool:
        """Whether the value depends on komi."""
        return self.spec.heads.has_scores or self.spec.heads.nine

    @property
    def heads(self) -> tuple[str, ...]:
        """The outputs this network has, by their names in `Outputs`."""
        heads = self.spec.heads
        present = {
            "policy": heads.policy != "none",
            "next_policies": heads.next_moves,
            "value": heads.value != "none",
            "nine": heads.nine,
            "score": heads.has_scores,
            "black_score": heads.has_scores or heads.score,
            "ownership": heads.ownership,
        }
        return tuple(name for name, there in present.items() if there)

    def plays(self, size: int) -> bool:
        """Whether it can judge boards of this size."""
        return self.any_size or size == self.size


def describe(name: str, planes: str | None = None, size: int | None = None) -> Description:
    """A network by name, on its family's own planes and board size unless told otherwise.

    Raises `ValueError` when the name means nothing or does not fit the planes or the size.
    """
    spec = parse(name)
    heads = spec.heads
    chosen = plane_set(planes or spec.family.planes)
    size = size or spec.family.size
    if not 2 <= size <= 25:
        raise InputError(f"no board of {size}x{size}; sizes are 2 to 25")
    names = list(chosen.channel_names)
    black = names.index("black to play") if "black to play" in names else None
    turned = heads.has_scores or heads.ownership or heads.score
    if black is None and turned:
        raise InputError(
            f"'{spec.name}' needs to know who is Black, which the planes {chosen.name} do not show; "
            "leave out komi, ownership and score, or take other planes"
        )
    if heads.value == "count" and any(name.startswith("komi ") for name in names):
        raise InputError(
            f"'{spec.name}' reads komi off its scores, so the planes {chosen.name} must not show it; "
            "take planes without komi (golois-21)"
        )
    if heads.nine and size != 19:
        raise InputError(f"the nine komi outputs of '{spec.name}' are for 19x19; +komi works on any size")
    # Without a plane that shows who is Black, a value can only speak of the player to move.
    relative = black is None or heads.has_scores
    return Description(
        name=spec.name,
        spec=spec,
        planes=chosen.name,
        channels=chosen.channels,
        size=size,
        any_size=heads.policy != "dense" and heads.value not in {"az", "sap"},
        value_of="to_play" if relative else spec.family.value_of,
        komi_limit=(heads.komi_limit or default_limit(heads, size)) if heads.has_scores else 0,
        black_plane=black,
    )


def default_limit(heads: Heads, size: int) -> int:
    """The largest score a head tells apart: all of the board, but 60 points of a large one for a komi head."""
    return size * size if size <= 9 or heads.value == "count" else 60
