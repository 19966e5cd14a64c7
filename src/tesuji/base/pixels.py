"""Pictures: what could be drawn is known before the work; pixels from lines."""

from pathlib import Path

from tesuji.base.errors import InputError
from tesuji.base.extras import need

KINDS = (".png", ".svg", ".pdf")
"""Pictures that matplotlib draws for us."""


def check_plot(picture: Path | None) -> None:
    """Refuses before the work what could not be drawn after it: without matplotlib, without a folder, of no kind."""
    if picture is None:
        return
    need("matplotlib", "a picture")
    if picture.suffix.lower() not in KINDS:
        raise InputError(f"'{picture.name}' is no picture we draw; end it in {', '.join(KINDS)}")
    if not picture.parent.is_dir():
        raise InputError(f"no folder {picture.parent} to draw {picture.name} in")


def as_png(svg: str, zoom: float = 2.0) -> bytes:
    """A picture of SVG text as PNG, `zoom` pixels for each unit of the drawing."""
    need("resvg_py", "a picture as PNG")
    import resvg_py

    return bytes(resvg_py.svg_to_bytes(svg_string=svg, zoom=zoom))
