"""Settings from `--set key=value`."""

from collections.abc import Iterable

from tesuji.base.errors import InputError


def assignments(texts: Iterable[str]) -> dict[str, str]:
    """The pairs of `--set key=value`."""
    pairs = {}
    for text in texts:
        key, sign, value = text.partition("=")
        if not sign or not key.strip():
            raise InputError(f"--set takes key=value, not '{text}'")
        pairs[key.strip()] = value.strip()
    return pairs
