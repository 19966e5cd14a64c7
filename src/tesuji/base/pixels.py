"""Pictures in pixels, from pictures in lines."""


def as_png(svg: str, zoom: float = 2.0) -> bytes:
    """A picture of SVG text as PNG, `zoom` pixels for each unit of the drawing."""
    try:
        import resvg_py
    except ImportError:
        raise ImportError("a picture as PNG needs resvg-py: pip install 'tesuji-go[plot]'") from None
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, zoom=zoom))
