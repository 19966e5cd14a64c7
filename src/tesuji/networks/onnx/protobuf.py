"""Protocol buffers, read and written by hand: as much of them as an ONNX file needs.

A dozen lines each way replace a dependency of 20 MB, so that playing, also with the networks of other programs, needs
only numpy and onnxruntime.
"""

import struct
from collections.abc import Iterable, Iterator

Piece = bytes | memoryview


def fields(data: memoryview) -> Iterator[tuple[int, memoryview]]:
    """Number and content of every field of a message. Raises `ValueError` or `IndexError` where it is none."""
    position = 0
    while position < len(data):
        tag, position = read_varint(data, position)
        kind = tag & 7
        if kind == 0:
            _, end = read_varint(data, position)
        elif kind == 2:
            length, position = read_varint(data, position)
            end = position + length
        elif kind in {1, 5}:
            end = position + struct.calcsize("q" if kind == 1 else "i")
        else:
            raise ValueError("no protocol buffer")
        if end > len(data):
            raise ValueError("cut short")
        yield tag >> 3, data[position:end]
        position = end


def read_varint(data: memoryview, position: int) -> tuple[int, int]:
    """A whole number of at most 64 bits at a place, and where it ends."""
    value = shift = 0
    while shift < 70:
        byte = data[position]
        position += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value & (1 << 64) - 1, position
        shift += 7
    raise ValueError("a number without end")


def varint(value: int) -> bytes:
    """A whole number, negative ones in 64 bits."""
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def number(field: int, value: int) -> bytes:
    """A field that holds a whole number."""
    return varint(field << 3) + varint(value)


def real(field: int, value: float) -> bytes:
    """A field that holds a number of single precision."""
    return varint(field << 3 | 5) + struct.pack("<f", value)


def content(field: int, *parts: str | Piece) -> bytes:
    """A field that holds text, bytes, or a message given by its own fields."""
    pieces = [part.encode() if isinstance(part, str) else part for part in parts]
    return b"".join([varint(field << 3 | 2), varint(sum(map(len, pieces))), *pieces])


def packed(field: int, values: Iterable[int]) -> bytes:
    """A field that holds several whole numbers, none as no field."""
    listed = [varint(value) for value in values]
    return content(field, *listed) if listed else b""
