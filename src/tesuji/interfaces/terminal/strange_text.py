"""What strangers wrote, fit for a terminal: names of players, and faults that quote a file."""

import re

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")  # all but tabs and ends of lines


def shown(text: str) -> str:
    """The text without control characters, which move the cursor, rename the window or make a terminal answer."""
    return _CONTROL.sub("", text)
