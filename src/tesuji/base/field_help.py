"""`help()` of a class tells what each of its fields means: the text below a field, which Python itself throws away."""

import ast
import inspect
import textwrap
from typing import TypeVar

Described = TypeVar("Described")


class _Doc:
    """A class's docstring with its fields, read from the source when somebody asks and not at every start."""

    def __init__(self, summary: str) -> None:
        self.summary = summary

    def __get__(self, instance: object, owner: type) -> str:
        lines = [f"    {name}: {text}" for name, text in _fields(owner)]
        return self.summary.rstrip() + "\n\n" + "\n".join(lines) if lines else self.summary


def with_field_help(described: type[Described]) -> type[Described]:
    """The same class; its docstring goes on with a line for each field, as it stands in the source."""
    described.__doc__ = _Doc(described.__doc__ or "")  # type: ignore[assignment]  # asked by `help` as any attribute
    return described


def _fields(owner: type) -> list[tuple[str, str]]:
    """Names, types and usual values of the fields with what is written below each; none where there is no source."""
    try:
        [definition] = ast.parse(textwrap.dedent(inspect.getsource(owner))).body
    except (OSError, TypeError, SyntaxError, ValueError):
        return []
    body = getattr(definition, "body", [])
    found = []
    for one, below in zip(body, [*body[1:], None], strict=True):
        if not isinstance(one, ast.AnnAssign) or ast.unparse(one.target).startswith("_"):
            continue
        value = f" = {ast.unparse(one.value)}" if isinstance(one.value, ast.Constant | ast.UnaryOp) else ""
        text = ast.get_docstring(ast.Module([below], [])) if isinstance(below, ast.Expr) else None
        meaning = "\n" + textwrap.fill(text, 100, initial_indent=" " * 8, subsequent_indent=" " * 8) if text else ""
        found.append((ast.unparse(one.target), ast.unparse(one.annotation) + value + meaning))
    return found
