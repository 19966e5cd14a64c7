"""What a model file may hold, looked at before onnxruntime sees it: strangers' files are read, never trusted.

Refused are weights outside the file (they could be any file of this machine), tensors that claim another size than
they have, strings, operations off the list, more parts than any network has (the runtime takes memory for each, and
time for each pair), and graphs within the graph: loops run for ever, and an If hides what it does from the trial board.
What is left takes a time and a memory that are bounded when it runs.
"""

import math
from collections.abc import Iterator
from itertools import islice

from tesuji.base.errors import InputError
from tesuji.networks.onnx import operations, protobuf

MOST_NODES, MOST_PARTS = 10_000, 1_000_000  # of a graph, of all its messages; our largest have 260 and 4,000
MOST_REST = 64 << 20  # bytes of a graph beside its weights; ours have 22 kB
MOST_DIMS = 32  # of a weight
_WIDTHS = {1: 4, 2: 1, 3: 1, 4: 2, 5: 2, 6: 4, 7: 8, 9: 1, 10: 2, 11: 8, 12: 4, 13: 8, 16: 2}  # bytes by ONNX's types
_STRING = 8  # as a type
_PLAIN = ("weights outside the file", "a model file holds all of its own; export it again as one file")
_TOO_MUCH = "no network is so large; export it again"

# Fields of ONNX's messages, by number.
_MODEL_GRAPH, _MODEL_TRAINING, _MODEL_FUNCTIONS = 7, 20, 25
_GRAPH_NODE, _GRAPH_TENSOR, _GRAPH_SPARSE = 1, 5, 15
_NODE_KIND, _NODE_ATTRIBUTE, _NODE_DOMAIN = 4, 5, 7
_TENSOR_DIMS, _TENSOR_TYPE, _TENSOR_STRINGS, _TENSOR_RAW, _TENSOR_OUTSIDE, _TENSOR_LOCATION = 1, 2, 6, 9, 13, 14
_TENSOR_NUMBERS = {4, 5, 7, _TENSOR_RAW, 10, 11}
_ATTRIBUTE_NAME, _ATTRIBUTE_TENSORS, _ATTRIBUTE_GRAPHS, _ATTRIBUTE_SPARSE = 1, {5, 10}, {6, 11}, {22, 23}


def inspect_model(data: bytes, where: str) -> None:
    """Raises `ValueError` in one line when the file holds what no model file needs."""
    try:
        _Inspection(where).model(memoryview(data))
    except InputError:
        raise
    except (IndexError, ValueError) as problem:
        raise InputError(f"{where}: not an ONNX file, or only part of one ({problem})") from None


class _Inspection:
    """One look through a file, which counts what it meets."""

    def __init__(self, where: str) -> None:
        self._where = where
        self._parts = self._nodes = self._rest = 0

    def model(self, data: memoryview) -> None:
        for field, content in self._fields(data):
            if field == _MODEL_GRAPH:
                self._graph(content)
            elif field in {_MODEL_TRAINING, _MODEL_FUNCTIONS}:
                raise self._refusal("functions or training steps of its own", "a model file is one plain graph")

    def _fields(self, message: memoryview) -> Iterator[tuple[int, memoryview]]:
        for field in protobuf.fields(message):
            self._parts += 1
            if self._parts > MOST_PARTS:
                raise self._refusal(f"more than {MOST_PARTS:,} parts", _TOO_MUCH)
            yield field

    def _refusal(self, what: str, cure: str) -> InputError:
        return InputError(f"{self._where}: it holds {what}; {cure}")

    def _count_rest(self, content: memoryview) -> None:
        self._rest += len(content)
        if self._rest > MOST_REST:
            raise self._refusal(f"more than {MOST_REST >> 20} MB beside its weights", _TOO_MUCH)

    def _graph(self, graph: memoryview) -> None:
        for field, content in self._fields(graph):
            if field == _GRAPH_TENSOR:
                self._tensor(content)
                continue
            self._count_rest(content)
            if field == _GRAPH_NODE:
                self._node(content)
            elif field == _GRAPH_SPARSE:
                raise self._refusal("sparse weights", "a model file has plain ones")

    def _node(self, node: memoryview) -> None:
        self._nodes += 1
        if self._nodes > MOST_NODES:
            raise self._refusal(f"more than {MOST_NODES:,} operations", _TOO_MUCH)
        kind = domain = ""
        for field, content in self._fields(node):
            if field == _NODE_KIND:
                kind = bytes(content).decode()
            elif field == _NODE_DOMAIN:
                domain = bytes(content).decode()
            elif field == _NODE_ATTRIBUTE:
                self._attribute(content)
        if not operations.is_allowed(domain, kind):
            named = f"{domain}.{kind}" if domain else kind
            raise self._refusal(f"an operation '{named[:60]}'", "networks/onnx/operations.py lists those that are read")

    def _attribute(self, attribute: memoryview) -> None:
        for field, content in self._fields(attribute):
            if field in _ATTRIBUTE_TENSORS:
                self._tensor(content)
            elif field in _ATTRIBUTE_GRAPHS:
                raise self._refusal("a graph within its graph, as of If, Loop or Scan", "no network needs one")
            elif field in _ATTRIBUTE_SPARSE:
                raise self._refusal("sparse weights", "a model file has plain ones")
            elif field == _ATTRIBUTE_NAME and bytes(content[:12]) == b"value_string":
                raise self._refusal("strings as values", "no network needs them")

    def _tensor(self, tensor: memoryview) -> None:
        """Its numbers must be in the file, and as many as its shape says."""
        dims: list[int] = []
        kind, raw = 0, None
        for field, content in self._fields(tensor):
            if field not in _TENSOR_NUMBERS:
                self._count_rest(content)
            if field == _TENSOR_OUTSIDE or (field == _TENSOR_LOCATION and any(content)):
                raise self._refusal(*_PLAIN)
            if field == _TENSOR_DIMS:
                dims += islice(_integers(content), MOST_DIMS + 1)
                if len(dims) > MOST_DIMS:  # of more the product alone takes minutes
                    raise self._refusal(f"a weight of more than {MOST_DIMS} dimensions", "it is damaged")
            elif field == _TENSOR_TYPE:
                kind = next(_integers(content), 0)
            elif field == _TENSOR_RAW:
                raw = len(content)
            if kind == _STRING or field == _TENSOR_STRINGS:
                raise self._refusal("strings as values", "no network needs them")
        claimed, width = math.prod(dims), _WIDTHS.get(kind)
        exact = raw is not None and width is not None
        # Written one by one, or of less than a byte each: then no more than the bytes could hold.
        right = claimed * (width or 1) == raw if exact else claimed <= 8 * len(tensor)
        if not right or any(dim < 0 for dim in dims):
            raise self._refusal(f"a weight that claims {claimed} numbers in {len(tensor)} bytes", "it is damaged")


def _integers(content: memoryview) -> Iterator[int]:
    """The whole numbers of a field: one, or several packed."""
    position = 0
    while position < len(content):
        value, position = protobuf.read_varint(content, position)
        yield value - (1 << 64) if value >> 63 else value
