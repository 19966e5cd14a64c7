"""Keys of sessions: made by this server alone, known again after a restart; one that somebody made up opens nothing."""

import base64
import contextlib
import hashlib
import hmac
import os
import re
import secrets
from pathlib import Path

_CHANCE, _SEAL = 12, 6  # bytes; together the 24 letters of a key
_SECRET = 32
# b64decode takes + for - and / for _, too: a second spelling would be a second visitor with the same seal.
_FORM = re.compile(r"[A-Za-z0-9_-]{24}")


class Keys:
    """Makes keys nobody can guess, and tells its own from all others by a seal that needs the secret on disk."""

    def __init__(self, folder: Path) -> None:
        self._secret = _secret(folder / "secret")

    def new(self) -> str:
        """A key nobody can guess."""
        chance = secrets.token_bytes(_CHANCE)
        return base64.urlsafe_b64encode(chance + self._seal(chance)).decode()

    def is_ours(self, key: str) -> bool:
        """Whether this server, or one before it with the same folder, made this key."""
        if not _FORM.fullmatch(key):
            return False
        whole = base64.urlsafe_b64decode(key)
        return hmac.compare_digest(whole[_CHANCE:], self._seal(whole[:_CHANCE]))

    def _seal(self, chance: bytes) -> bytes:
        return hmac.digest(self._secret, chance, hashlib.sha256)[:_SEAL]


def _secret(path: Path) -> bytes:
    """The secret of this folder, made by whoever comes first; one cut short by a crash is made anew."""
    for _ in range(2):
        with contextlib.suppress(FileExistsError):
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(secrets.token_bytes(_SECRET))
        found = path.read_bytes()
        if len(found) == _SECRET:
            return found
        path.unlink()
    raise OSError(f"cannot keep a secret in {path}; remove that file")
