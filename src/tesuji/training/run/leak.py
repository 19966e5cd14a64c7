"""The proof that no position of a validation game is ever trained on."""

from tesuji.base.errors import InputError
from tesuji.training.data.game_set import GameSet


class LeakError(InputError):
    """Training and validation share a game."""


def check_no_leak(train: GameSet, validation: GameSet) -> None:
    """Raises `LeakError` if a training game is a validation game, a duplicate of one (also turned), or a part of one.

    `GameSet.split` and `GameSet.without` make sets that pass.
    """
    shared = train.shared_with(validation)
    if len(shared):
        named = ", ".join(str(game) for game in shared[:5]) + (", ..." if len(shared) > 5 else "")
        raise LeakError(
            f"{len(shared)} of {len(train)} training games are also validation games ({named}); "
            "take train.without(validation)"
        )
