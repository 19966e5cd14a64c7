"""Links to a board for others, as long as the server runs: to watch it, or to play the other colour."""

import secrets
from dataclasses import dataclass

from tesuji.interfaces.web.game.chair import Role

MOST = 1000  # links at once; the oldest end first


@dataclass(frozen=True)
class Share:
    """What a link opens."""

    key: str
    """Of the session."""
    role: Role


class Shares:
    """Links by the secret word in them."""

    def __init__(self) -> None:
        self._by_word: dict[str, Share] = {}

    def word(self, key: str, role: Role) -> str:
        """The secret word of a link, the same for the same."""
        wanted = Share(key, role)
        for word, share in self._by_word.items():
            if share == wanted:
                return word
        word = secrets.token_urlsafe(16)
        self._by_word[word] = wanted
        while len(self._by_word) > MOST:
            del self._by_word[next(iter(self._by_word))]
        return word

    def find(self, word: str) -> Share | None:
        """What a link opens; None where it opens nothing any more."""
        return self._by_word.get(word)
