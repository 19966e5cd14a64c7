"""`tesuji gtp`: the engine on standard input and output."""

import signal
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any

import typer

from tesuji._core import rank_inputs
from tesuji.base import machine
from tesuji.base.settings import changed
from tesuji.interfaces.engine.streams import end, leave, only_for_answers
from tesuji.interfaces.gtp.options import GtpOptions, usual_search
from tesuji.interfaces.terminal.devices import Devices, Precision, devices
from tesuji.interfaces.terminal.options import assignments, examples
from tesuji.networks.library import HUMAN
from tesuji.search.endgame.resigning import ResignOptions
from tesuji.search.instinct import as_people_play
from tesuji.search.options import SearchOptions

EXAMPLES = examples(
    ("an engine for any Go program", "tesuji gtp"),
    ("a network of one's own, five seconds a move", "tesuji gtp --net mine.onnx --seconds 5"),
    ("19x19 with Japanese rules, thinking on your time", "tesuji gtp --size 19 --rules japanese --ponder"),
    ("a server that counts the board as it stands, as CGOS does", "tesuji gtp --rules tromp-taylor"),
)


def main(
    net: Annotated[str, typer.Option(help="Model by name or file; chosen by board size if absent.")] = "",
    human: Annotated[
        str, typer.Option(help="Play like a person of this rank, such as 12k (9x9); --visits 16 looks before it moves.")
    ] = "",
    value_net: Annotated[str, typer.Option(help="Another model whose value joins the policy of --net.")] = "",
    device: Devices = None,
    precision: Precision = "auto",
    visits: Annotated[int | None, typer.Option(min=1, help="Most visits for a move.")] = None,
    seconds: Annotated[
        float | None, typer.Option(min=0.001, help="Most seconds for a move; 1 where nothing else limits it.")
    ] = None,
    threads: Annotated[int, typer.Option(min=0, max=256, help="Threads that search; 0 for all cores, 8 at most.")] = 0,
    batch: Annotated[int | None, typer.Option(min=1, help="Leaves evaluated at once.")] = None,
    symmetry: Annotated[str | None, typer.Option(help="Views of a leaf: none, random, all.")] = None,
    tau: Annotated[float | None, typer.Option(help="Growth of the prior's weight with the visits.")] = None,
    c: Annotated[float | None, typer.Option(help="Weight of the prior.")] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="Any search option, as in --set first_play=network; repeat it.")
    ] = None,
    size: Annotated[int, typer.Option(min=2, max=25, help="Board size until the client sets it.")] = 9,
    rules: Annotated[str, typer.Option(help="Rules until the client sets them.")] = "chinese",
    komi: Annotated[float | None, typer.Option(help="Komi until the client sets it; the usual one if absent.")] = None,
    policy_only: Annotated[bool, typer.Option("--policy-only", help="The network's choice, without search.")] = False,
    resign: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=0.5,
            show_default=f"{ResignOptions.threshold:g}, 0 without search",
            help="Win rate below which to resign; 0 never.",
        ),
    ] = None,
    move_choice: Annotated[str | None, typer.Option(help="How the move is chosen from the search.")] = None,
    ponder: Annotated[bool, typer.Option("--ponder", help="Think on the opponent's time.")] = False,
    gtp_name: Annotated[str, typer.Option(help="What `name` answers, for clients that look at it.")] = "Tesuji",
    gtp_version: Annotated[str | None, typer.Option(help="What `version` answers; Lizzie wants 0.15 or more.")] = None,
    log: Annotated[str | None, typer.Option(help="File to which the conversation is appended.")] = None,
    lag: Annotated[float, typer.Option(min=0, max=60, help="Seconds kept back on every clock.")] = 0.2,
    seed: Annotated[int | None, typer.Option(min=0, help="Of random choices; by the clock if absent.")] = None,
) -> None:
    """GTP engine for Sabaki, Lizzie, GoGui, gtp2ogs, kgsGtp, CGOS and every other client."""
    named = {"visits": visits, "seconds": seconds, "threads": threads or None, "batch": batch, "symmetry": symmetry}
    named |= {"tau": tau, "c": c, "choice": move_choice, "seed": seed}
    where = devices(device, precision)
    if human:
        human, _ = rank_inputs(human)
        named = as_people_play(human, visits or 0) | {key: value for key, value in named.items() if value is not None}
    without_search = policy_only or bool(human and not visits)
    # A player by instinct knows too little of the game to resign it.
    usual_resign = 0.0 if without_search else ResignOptions.threshold
    options = GtpOptions(
        net=f"{net or HUMAN}@{human}" if human else net,
        value_net=value_net,
        devices=tuple(where),
        search=search_options(named, settings or [], where),
        size=size,
        rules=rules,
        komi=komi,
        policy_only=without_search,
        resign=usual_resign if resign is None else resign,
        ponder=ponder,
        name=gtp_name,
        version=gtp_version,
        log=log,
        lag=lag,
    )
    converse(options)


def search_options(named: dict[str, Any], settings: list[str], devices: Sequence[str] = ("cpu",)) -> SearchOptions:
    """The options of the command line: the usual ones, then `--set`, then those with a name of their own."""
    usual = replace(usual_search(devices), threads=min(8, machine.cores()), seed=time.time_ns())
    given = {name: value for name, value in named.items() if value is not None}
    return changed(usual, {**assignments(settings), **given}, "search")


def converse(options: GtpOptions) -> None:
    """Runs the engine on the process's own streams until the client leaves."""
    from tesuji.interfaces.gtp.attendance import attend
    from tesuji.interfaces.gtp.engine import Engine
    from tesuji.interfaces.gtp.streams import Answers, Lines

    _check(options)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, leave)
    answers = Answers(only_for_answers(), options.log)
    engine = Engine(options, Lines(0).start(), answers)
    code = 0
    try:
        code = attend(engine)
    except BrokenPipeError:
        pass  # nobody reads any more: there is nothing left to say
    except SystemExit as stop:  # a signal
        code = stop.code if isinstance(stop.code, int) else 1
    finally:
        answers.close()
    end(code)


def _check(options: GtpOptions) -> None:
    """Refuses at once what would otherwise fail in the middle of a game."""
    from tesuji import Rules
    from tesuji.interfaces.engine.networks import Networks
    from tesuji.search.choice import choice_named

    Networks(options.net, options.value_net, options.devices).check()

    Rules.named(options.rules)
    choice_named(options.search.choice)
