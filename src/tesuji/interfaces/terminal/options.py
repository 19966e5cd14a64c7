"""Options that mean the same in every command, and the examples under its `--help`."""

import logging
import re
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from tesuji.base.errors import InputError
from tesuji.base.settings import did_you_mean

OUT = ("--out", "-o")
"""What is written goes there: the option has one name in all commands."""

Quiet = Annotated[bool, typer.Option("--quiet", help="No progress: only what was asked for, and what is wrong.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
AsCsv = Annotated[bool, typer.Option("--csv", help="Print CSV instead of a table.")]

# Of everything that plays games.
Komi = Annotated[float | None, typer.Option(help="points given to White; the usual komi when left out")]
Visits = Annotated[
    int | None, typer.Option(help="budget of networks that name none, 64 if no time is given; 0: policy")
]
Seconds = Annotated[float | None, typer.Option(help="seconds a move instead, for networks")]
Parallel = Annotated[int, typer.Option(help="games with engines side by side; 0 chooses")]
Threads = Annotated[int, typer.Option(help="threads for games among networks; 0 for all cores")]
Concurrent = Annotated[int, typer.Option(help="games that share batches in one thread")]

_KINDS = {"int": "NUMBER", "float": "NUMBER", "str": "TEXT", "path": "PATH"}
_WANTED = {
    "int_parsing": "a whole number", "float_parsing": "a number", "greater_than_equal": "at least {ge:g}",
    "less_than_equal": "at most {le:g}",
}  # fmt: skip


def examples(*pairs: tuple[str, str], others: bool = False) -> type[TyperCommand]:
    """The kind of a command whose `--help` ends with these: what somebody wants, and the line that does it.

    With `others`, options it does not know are words of a command line it is given, and need no quotes.
    """

    class WithExamples(TyperCommand):
        """A command that shows how it is used."""

        examples = pairs
        ignore_unknown_options = others

        def get_help_option_names(self, ctx: Any) -> list[str]:
            return _ways_to_help(super().get_help_option_names(ctx), also_short=not others)

        def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
            if others and args[:1] == ["-h"]:  # in the first place it is no word of an engine's command line
                args = ["--help"]
            try:
                return super().parse_args(ctx, args)
            except Exception as problem:
                if not hasattr(problem, "format_message"):  # a word of the line; its class is not ours to name
                    raise
                raise InputError(_refusal(problem, self, ctx)) from problem

        def get_params(self, ctx: Any) -> list[Any]:
            return _in_plain_words(super().get_params(ctx))

        def format_help(self, ctx: Any, formatter: Any) -> None:
            super().format_help(ctx, formatter)  # drawn by rich; what the formatter holds follows it
            formatter.write(shown_examples(pairs))

    return WithExamples


def group_examples(*pairs: tuple[str, str]) -> type[TyperGroup]:
    """The same for a command that has commands of its own."""

    class WithExamples(TyperGroup):
        """A group of commands that shows how they are used."""

        examples = pairs

        def get_help_option_names(self, ctx: Any) -> list[str]:
            return _ways_to_help(super().get_help_option_names(ctx))

        def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
            return super().parse_args(ctx, args or ["--help"])  # by itself it would leave the examples out

        def get_params(self, ctx: Any) -> list[Any]:
            return _in_plain_words(super().get_params(ctx))

        def format_help(self, ctx: Any, formatter: Any) -> None:
            super().format_help(ctx, formatter)
            formatter.write(shown_examples(pairs))

    return WithExamples


def shown_examples(pairs: Iterable[tuple[str, str]]) -> str:
    """Wishes and the lines that fulfil them, as they stand below a help."""
    return " Examples:\n" + "".join(f"   # {wish}\n   {line}\n" for wish, line in pairs)


def _ways_to_help(names: Iterable[str], also_short: bool = True) -> list[str]:
    """`-h` as well, which many try first; not where it may be a word of somebody else's command line."""
    return [*names, "-h"] if also_short else list(names)


def _in_plain_words(params: Iterable[Any]) -> list[Any]:
    """Options that say what they take in a word, not by Python's types."""
    found = list(params)
    for one in found:
        if hasattr(one, "display_type_rich"):  # of newer typers
            one.display_type_rich = partial(_kind, one)
    return found


def _kind(one: Any, ctx: Any) -> str | None:
    """What an option takes, in a word; arguments and switches need none."""
    if one.param_type_name == "argument" or one.is_flag:
        return None
    shown = str(one.display_type(ctx))  # such as <int range> or <list[Path]>
    metavar: str | None = one.metavar
    return metavar or _KINDS.get(re.sub(r"list\[| range|\W", "", shown).lower(), shown)


def _refusal(problem: Any, command: TyperCommand, ctx: Any) -> str:
    """What is wrong with a command line, in one line as everywhere."""
    more = f"`{ctx.command_path} --help` tells more"
    if hasattr(problem, "possibilities"):
        options = [option for one in command.params for option in one.opts if option.startswith("--")]
        return f"no option '{problem.option_name}'{did_you_mean(problem.option_name, options, more)}"
    if hasattr(reason := problem.__cause__, "errors"):  # of newer typers, in the words of pydantic
        fault = reason.errors()[0]
        if wanted := _WANTED.get(fault["type"]):
            name, must = problem.param.opts[0], wanted.format(**fault.get("ctx", {}))
            return f"{name} is '{fault['input']}'; it must be {must}"
    told = str(problem.format_message())
    return f"{told[:1].lower()}{told[1:].rstrip('.')}; {more}"


def assignments(texts: Iterable[str]) -> dict[str, str]:
    """The pairs of `--set key=value`."""
    pairs = {}
    for text in texts:
        key, sign, value = text.partition("=")
        if not sign or not key.strip():
            raise InputError(f"--set takes key=value, not '{text}'")
        pairs[key.strip()] = value.strip()
    return pairs


def folder_of(run: Path | None, out: Path | None) -> Path | None:
    """The folder of a run, given as a word or by `--out`."""
    if run is not None and out is not None and run != out:
        raise InputError(f"two folders for one run: '{run}' and '{out}'; give one")
    return out or run


def is_quiet(asked: bool) -> bool:
    """Whether nothing is to be told on the way: by the command's own `--quiet`, or by the one before it."""
    return asked or logging.getLogger("tesuji").level >= logging.WARNING
