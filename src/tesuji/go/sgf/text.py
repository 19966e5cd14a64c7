"""SGF as text: from bytes in any declared encoding to nodes of properties, and back; knows nothing of Go."""

import codecs
import re
from collections.abc import Callable, Iterator
from typing import TypeVar

from sgfmill import sgf_grammar

from tesuji.base.errors import InputError
from tesuji.go.sgf.encodings import codec_of, guess

Properties = dict[str, list[str]]
"""Identifier -> values, each as it stands between the brackets, escapes included."""

Node = TypeVar("Node")

_MOST_BRACKETS = 2_000_000  # a large joseki dictionary has a tenth of it; more would only fill the memory
# Bounded: else every `CA[` that is never closed would be read to the end of the file.
_CHARSET = re.compile(rb"(?<![A-Za-z])CA\s{0,20}\[\s{0,20}([^\]\s]{1,40})\s{0,20}\]")
_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


class SgfError(InputError):
    """A file that is not a sound game record; the message names the file and the fault."""

    def __init__(self, source: str, fault: object, kind: str = "") -> None:
        """`kind` names one of the usual faults, for those who tell them in other languages."""
        # The fault may quote the file: keep it to one short line.
        text = " ".join(str(fault).split())
        super().__init__(f"{source}: {text if len(text) <= 200 else text[:200] + '...'}")
        self.kind = kind

    def __reduce__(self) -> tuple[type, tuple[str, str, str]]:
        """Travels between processes as it is."""
        source, _, fault = str(self).partition(": ")
        return SgfError, (source, fault, self.kind)


def decode(data: bytes) -> str:
    """The text of an SGF file: by its byte order mark, by CA, or else UTF-8 where valid and a guess where not.

    Decoding comes before parsing: the second byte of a Shift-JIS or Big5 character may be a backslash, which a parser
    of bytes would take for an escape and so lose the closing bracket behind it.
    """
    for mark, encoding in _BYTE_ORDER_MARKS.items():
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    declared = _CHARSET.search(data)
    codec = codec_of(declared[1].decode("ascii", "replace")) if declared else None
    if codec is not None:
        return data.decode(codec, "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode(guess(data), "replace")


def parse(data: bytes, source: str) -> sgf_grammar.Coarse_game_tree:
    """The first game tree in `data`; `source` names it in errors."""
    try:
        return sgf_grammar.parse_sgf_game(_checked(data, source))
    except ValueError as fault:
        raise SgfError(source, f"not a sound SGF file: {fault}", "unsound") from None


def parse_all(data: bytes, source: str) -> list[sgf_grammar.Coarse_game_tree]:
    """Every game tree in `data`; the first alone where something behind it is damaged."""
    try:
        return list(sgf_grammar.parse_sgf_collection(_checked(data, source)))
    except ValueError:
        return [parse(data, source)]


def _checked(data: bytes, source: str) -> bytes:
    """The text in UTF-8, unless it is more than any file of games."""
    brackets = sum(data.count(mark) for mark in (b"(", b")", b";", b"[", b"]"))
    if brackets > _MOST_BRACKETS:
        raise SgfError(source, f"{brackets} brackets and nodes, more than any game has (at most {_MOST_BRACKETS})")
    return decode(data).encode("utf-8", "replace")


def walk(tree: sgf_grammar.Coarse_game_tree) -> Iterator[tuple[int, Properties]]:
    """Every node as (number of its parent, properties), parents first, children in order; the root's parent is -1."""
    waiting = [(tree, -1)]
    number = -1
    while waiting:
        branch, parent = waiting.pop()
        for raw in branch.sequence:
            number += 1
            # A name of small letters alone is no name, and could not be written again.
            yield parent, {name: [value.decode("utf-8") for value in raw[name]] for name in raw if name}
            parent = number
        waiting.extend((child, parent) for child in reversed(branch.children))


def serialise(root: Node, children: Callable[[Node], list[Node]], properties: Callable[[Node], Properties]) -> bytes:
    """A tree of nodes as SGF in UTF-8."""
    text: bytes = sgf_grammar.block_format(_pieces(root, children, properties))
    return text


def _pieces(
    root: Node, children: Callable[[Node], list[Node]], properties: Callable[[Node], Properties]
) -> Iterator[bytes]:
    """What a file is made of, lines may end behind each; sgfmill's own way through a tree takes five times as long."""
    waiting: list[Node | None] = [root]
    while waiting:
        node = waiting.pop()
        if node is None:
            yield b")"
            continue
        yield b"("
        while True:
            yield b";"
            for name, values in sorted(properties(node).items(), key=_place):
                yield f"{name}[{']['.join(values)}]".encode() if values else name.encode()
            following = children(node)
            if len(following) != 1:
                break
            node = following[0]
        waiting.append(None)
        waiting.extend(reversed(following))
    yield b"\n"


def _place(named: tuple[str, list[str]]) -> tuple[bool, str]:
    """FF first, as some readers need it, then by name."""
    return named[0] != "FF", named[0]


def text_of(value: str) -> str:
    """What a property value says, its escapes resolved."""
    text: bytes = sgf_grammar.text_value(value.encode("utf-8", "replace"))
    return text.decode("utf-8")


def value_of(text: str) -> str:
    """The property value that says this text."""
    value: bytes = sgf_grammar.escape_text(text.encode("utf-8", "replace"))
    return value.decode("utf-8")
