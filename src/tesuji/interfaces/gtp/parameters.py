"""What a client may change while the engine runs, by KataGo's names."""

from dataclasses import dataclass, fields

from tesuji.interfaces.gtp.options import GtpOptions
from tesuji.interfaces.gtp.protocol import GtpError
from tesuji.interfaces.gtp.words import Words, shown


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
        value: bool | int | float
        kind = type(getattr(self, self._known(name)))
        if kind is bool:
            if text.lower() not in {"true", "false"}:
                raise GtpError(f"{name} is true or false, not '{shown(text)}'")
            value = text.lower() == "true"
        elif kind is int:
            value = Words([text]).integer(name, 0, 2**31)
        else:
            value = Words([text]).number(name, -1 if name == "resignThreshold" else 0, 1e6)
        setattr(self, name, value)

    def _known(self, name: str) -> str:
        if name not in self.names():
            raise GtpError(f"unknown parameter '{shown(name)}'; known: {', '.join(self.names())}")
        return name
