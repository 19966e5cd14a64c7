"""The command `tesuji`: finds the subcommand, and turns bad input into one clear line and exit code 2.

A defect of ours is never shown as bad input: it keeps its traceback and exits 1."""

import glob
import importlib
import io
import os
import sys
import traceback
from dataclasses import dataclass

import typer
from rich.console import Console

from tesuji.base.errors import InputError
from tesuji.base.extras import missing_line
from tesuji.base.settings import did_you_mean, nearest
from tesuji.interfaces.terminal.logs import LEVELS, start_logging
from tesuji.interfaces.terminal.options import shown_examples
from tesuji.interfaces.terminal.strange_text import shown


@dataclass(frozen=True)
class Command:
    """One subcommand: where it lives and what it does, known without importing it."""

    module: str  # below tesuji.interfaces.commands; its `main` is the typer function, or `app` a group of them
    summary: str


# Imported only when called, so that `tesuji gtp` answers at once and playing never loads torch.
COMMANDS = {
    "compare": Command("compare", "Training runs side by side: costs, speed, accuracy, Pareto fronts, a fit."),
    "reproduce": Command("reproduce", "A table or figure of the papers: their numbers, ours, and how they agree."),
    "plan": Command("plan", "The network to train for this machine and a time per move."),
    "board": Command("board", "A position of a game record as a picture, SVG or PNG."),
    "plot": Command("plot", "Training curves of one or more runs in one picture."),
    "train": Command("train", "Supervised training from packed games."),
    "label": Command("label", "A strong network judges positions: training data for a small one."),
    "bench": Command("bench", "Speed of every part, and one signature of behaviour."),
    "data": Command("data", "Packs game records into one file; tells what a file holds; gives some to start with."),
    "play": Command("play", "The board in the browser, against the built-in network."),
    "match": Command("match", "Games between two networks or engines, with ratings and a report."),
    "gtp": Command("gtp", "The engine for Sabaki, Lizzie, GoGui, OGS, KGS, CGOS: GTP on stdin and stdout."),
    "gtp-check": Command("gtp_check", "Holds any GTP engine against what the clients send."),
    "tournament": Command("tournament", "Round robin, gauntlet or Swiss among many players."),
    "export": Command("export", "A checkpoint or a Keras model becomes a model file."),
    "networks": Command("networks", "The zoo: parameters, planes, speed; one network in detail."),
    "analysis": Command("analysis", "JSON analysis for KaTrain, Ogatak, LizzieYzy, in KataGo's protocol."),
    "analysis-check": Command("analysis_check", "Holds any JSON analysis engine against what the clients send."),
    "review": Command("review", "Whole games judged: annotated SGF, a report to look through, problems from mistakes."),
    "league": Command("league", "The weekly tournament of a class among submitted networks."),
    "selfplay": Command("selfplay", "Games of a network against itself, with what its searches found."),
    "learn": Command("learn", "Learning by self-play: play, train, gate, again; from zero or from a network."),
    "completion": Command("completion", "Commands and options completed at the prompt: bash, zsh, fish."),
    "regret": Command("regret", "What players lose per move, by a judge's word: strength without games."),
    "fit-bandit": Command("fit_bandit", "The search constants (tau, c) of a network, by the paper's experiment."),
}


FIRST_STEPS = (
    ("a game in the browser", "tesuji play"),
    ("where a game of yours turned", "tesuji review game.sgf"),
    ("two networks against each other", "tesuji match default-9x9 mine.onnx --games 100"),
)

# Options before the command, for every command.
WISHES = {"--debug", "--verbose", "--quiet"}


def load(name: str) -> typer.Typer:
    """The subcommand as a typer application of its own."""
    module = importlib.import_module(f"tesuji.interfaces.commands.{COMMANDS[name].module}")
    app: typer.Typer | None = getattr(module, "app", None)
    if app is None:
        app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
        app.command(cls=module.EXAMPLES)(module.main)
    return app


def overview() -> str:
    """The list of subcommands, and what most people begin with."""
    lines = [f"  {name:<14} {command.summary}" for name, command in sorted(COMMANDS.items())]
    return (
        "Usage: tesuji [--quiet | --verbose] [--debug] COMMAND [OPTIONS]\n\n"
        + "\n".join(lines)
        + f"\n\n{shown_examples(FIRST_STEPS)}"
        + "\n`tesuji COMMAND --help` tells more. --debug (or TESUJI_DEBUG=1) shows where bad input was noticed,"
        + f"\n--verbose and --quiet (or TESUJI_LOG={'|'.join(LEVELS)}) how much is told on the way."
    )


def missing(problem: ImportError) -> str:
    """What to say of a package that is not installed; empty where that is no extra of ours."""
    package = (problem.name or "").split(".")[0]
    told = str(problem)
    return told if "pip install" in told else missing_line(package)


def said_of(problem: InputError | OSError) -> str:
    """The reason without the number that systems give it, after the file where one is known."""
    if not isinstance(problem, OSError) or problem.strerror is None:
        return str(problem)
    return f"{problem.filename}: {problem.strerror}" if problem.filename else problem.strerror


def fail(message: str) -> int:
    """Says what is wrong on stderr, in one line; the exit code of bad input."""
    Console(stderr=True, highlight=False, soft_wrap=True).print(f"tesuji: {shown(message)}", markup=False)
    return 2


def main() -> None:
    """Entry point of the console script."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a console or pipe that lacks a sign shows a question mark instead
            stream.reconfigure(errors="replace")
    sys.exit(run(expanded(sys.argv[1:]) if sys.platform == "win32" else sys.argv[1:]))


def expanded(arguments: list[str]) -> list[str]:
    """`runs/*/best.onnx` as the files it stands for, which the shells of Windows leave to programs."""
    return [name for word in arguments for name in sorted(glob.glob(word) if set("*?") & set(word) else ()) or [word]]


def run(arguments: list[str]) -> int:
    """Runs one command line and returns its exit code."""
    arguments, wishes = _split_wishes(arguments)
    if not arguments or arguments[0] in {"-h", "--help"}:
        print(overview())
        return 0
    if arguments[0] == "--version":
        from tesuji import __version__

        print(__version__)
        return 0
    name, *rest = arguments
    if name not in COMMANDS:
        if name.startswith("-"):
            return fail(f"no option '{name}' before the command; {_options_before(name)}")
        return fail(f"no command '{name}'{did_you_mean(name, COMMANDS, '`tesuji --help` lists them')}")
    debug = "--debug" in wishes or os.environ.get("TESUJI_DEBUG", "0") not in {"", "0"}
    try:
        start_logging(wishes & {"--quiet", "--verbose"})
        app = load(name)
        inner = [one.name for one in app.registered_commands if one.name]
        if inner and rest and not rest[0].startswith("-") and rest[0] not in inner:
            return fail(f"no command '{name} {rest[0]}'{did_you_mean(rest[0], inner)}")
        code = app(args=rest, prog_name=f"tesuji {name}", standalone_mode=True)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 1
    except (InputError, OSError, ImportError) as problem:
        message = missing(problem) if isinstance(problem, ImportError) else said_of(problem)
        if not message:
            return _tell_defect()
        if debug:
            traceback.print_exc()
        return fail(message)
    except Exception:
        return _tell_defect()
    return int(code or 0)


def _split_wishes(arguments: list[str]) -> tuple[list[str], set[str]]:
    """The options before the command, which every command has, apart from the rest."""
    count = next((i for i, word in enumerate(arguments) if word not in WISHES), len(arguments))
    return arguments[count:], set(arguments[:count])


def _options_before(name: str) -> str:
    """The option that was meant, or all there are; by their letters, since two dashes make any two alike."""
    known = [*sorted(WISHES), "--version", "--help"]
    near = nearest(name.lstrip("-"), [one.lstrip("-") for one in known])
    return f"did you mean '--{near}'?" if near else f"there are {', '.join(known)}"


def _tell_defect() -> int:
    """A defect of ours, with all that helps to find it."""
    traceback.print_exc()
    fail("this is a defect of Tesuji, not of your input; please report it with the lines above")
    return 1
