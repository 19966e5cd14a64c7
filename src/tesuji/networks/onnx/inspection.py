"""What a model file may hold, looked at before onnxruntime sees it: strangers' files are read, never trusted.

Refused are weights outside the file (they could be any file of this machine), tensors that claim another size than
they have, and graphs within the graph: loops run for ever, and an If hides what it does from the trial board. What is
left takes a time and a memory that are bounded when it runs.
"""

import math
from collections.abc import Iterator

from tesuji.base.errors import InputError
from tesuji.networks.onnx import protobuf

_WIDTHS = {1: 4, 2: 1, 3: 1, 4: 2, 5: 2, 6: 4, 7: 8, 9: 1, 10: 2, 11: 8, 12: 4, 13: 8, 16: 2}  # bytes by ONNX's types
_PLAIN = ("weights outside the file", "a model file holds all of its own; export it again as one file")

# Fields of ONNX's messages, by number.
_MODEL_GRAPH, _MODEL_TRAINING, _MODEL_FUNCTIONS = 7, 20, 25
_GRAPH_NODE, _GRAPH_TENSOR, _GRAPH_SPARSE = 1, 5, 15
_NODE_ATTRIBUTE = 5
_TENSOR_DIMS, _TENSOR_TYPE, _TENSOR_RAW, _TENSOR_OUTSIDE, _TENSOR_LOCATION = 1, 2, 9, 13, 14
_ATTRIBUTE_TENSORS, _ATTRIBUTE_GRAPHS, _ATTRIBUTE_SPARSE = {5, 10}, {6, 11}, {22, 23}


def inspect_model(data: bytes, where: str) -> None:
    """Raises `ValueError` in one line when the file holds what no model file needs."""
    try:
        for field, content in protobuf.fields(memoryview(data)):
            if field == _MODEL_GRAPH:
                _graph(content, where)
            elif field in {_MODEL_TRAINING, _MODEL_FUNCTIONS}:
                raise _refusal(where, "functions or training steps of its own", "a model file is one plain graph")
    except InputError:
        raise
    except (IndexError, ValueError) as problem:
        raise InputError(f"{where}: not an ONNX file, or only part of one ({problem})") from None


def _refusal(where: str, what: str, cure: str) -> InputError:
    return InputError(f"{where}: it holds {what}; {cure}")


def _graph(graph: memoryview, where: str) -> None:
    for field, content in protobuf.fields(graph):
        if field == _GRAPH_NODE:
            _node(content, where)
        elif field == _GRAPH_TENSOR:
            _tensor(content, where)
        elif field == _GRAPH_SPARSE:
            raise _refusal(where, "sparse weights", "a model file has plain ones")


def _node(node: memoryview, where: str) -> None:
    for field, content in protobuf.fields(node):
        if field == _NODE_ATTRIBUTE:
            for inner, value in protobuf.fields(content):
                if inner in _ATTRIBUTE_TENSORS:
                    _tensor(value, where)
                elif inner in _ATTRIBUTE_GRAPHS:
                    raise _refusal(where, "a graph within its graph, as of If, Loop or Scan", "no network needs one")
                elif inner in _ATTRIBUTE_SPARSE:
                    raise _refusal(where, "sparse weights", "a model file has plain ones")


def _tensor(tensor: memoryview, where: str) -> None:
    """Its numbers must be in the file, and as many as its shape says."""
    dims: list[int] = []
    kind, raw = 0, None
    for field, content in protobuf.fields(tensor):
        if field == _TENSOR_OUTSIDE or (field == _TENSOR_LOCATION and any(content)):
            raise _refusal(where, *_PLAIN)
        if field == _TENSOR_DIMS:
            dims += _integers(content)
        elif field == _TENSOR_TYPE:
            kind = next(_integers(content), 0)
        elif field == _TENSOR_RAW:
            raw = len(content)
    claimed, width = math.prod(dims), _WIDTHS.get(kind)
    exact = raw is not None and width is not None
    # Written one by one, or of less than a byte each: then no more than the bytes could hold.
    right = claimed * (width or 1) == raw if exact else claimed <= 8 * len(tensor)
    if not right or any(dim < 0 for dim in dims):
        raise _refusal(where, f"a weight that claims {claimed} numbers in {len(tensor)} bytes", "it is damaged")


def _integers(content: memoryview) -> Iterator[int]:
    """The whole numbers of a field: one, or several packed."""
    position = 0
    while position < len(content):
        value, position = protobuf.read_varint(content, position)
        yield value - (1 << 64) if value >> 63 else value
