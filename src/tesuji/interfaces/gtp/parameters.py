"""What a client may change while the engine runs, by KataGo's names."""

from dataclasses import dataclass, fields
from typing import Any

from tesuji.base.errors import InputError
from tesuji.base.settings import typed
from tesuji.interfaces.gtp.arguments import shown
from tesuji.interfaces.gtp.options import GtpOptions
from tesuji.interfaces.gtp.protocol import GtpError


@dataclass
class Parameters:
    """Budget and behaviour; field names are KataGo's, because clients know them."""

    maxVisits: int  # noqa: N815
    """Most descents for one move; 0 for no limit."""
    maxTime: float  # noqa: N815
    """Most seconds for one move; 0 for no limit of its own."""
    ponderingEnabled: bool  # noqa: N815
    allowResignation: bool  # noqa: N815
    resignThreshold: float  # noqa: N815
    """As KataGo's: from -1 (lost) to 1 (won)."""
    lagBuffer: float  # noqa: N815
    """Seconds kept back on every clock."""

    @classmethod
    def of(cls, options: GtpOptions) -> "Parameters":
        """The values at the start."""
        return cls(
            maxVisits=options.search.visits or 0,
            maxTime=options.search.seconds or 0.0,
            ponderingEnabled=options.ponder,
            allowResignation=options.resign > 0,
            resignThreshold=2 * options.resign - 1,
            lagBuffer=options.lag,
        )

    @staticmethod
    def names() -> list[str]:
        """Every parameter."""
        return [each.name for each in fields(Parameters)]

    def text(self, name: str) -> str:
        """The value of a parameter, as it would be set."""
        value = getattr(self, self._known(name))
        return str(value).lower() if isinstance(value, bool) else f"{value:g}"

    def set(self, name: str, text: str) -> None:
        """Changes one; raises `GtpError` if it is unknown or the value does not fit."""
        kind = type(getattr(self, self._known(name)))
        try:
            value: Any = typed(name, text[:40], kind, "engine")
        except InputError as fault:
            raise GtpError(str(fault)) from None
        low = -1 if name == "resignThreshold" else 0
        if not low <= value <= 2**31:
            raise GtpError(f"{name} lies between {low} and {2**31}, not at {shown(text)}")
        setattr(self, name, value)

    def _known(self, name: str) -> str:
        if name not in self.names():
            raise GtpError(f"unknown parameter '{shown(name)}'; known: {', '.join(self.names())}")
        return name
