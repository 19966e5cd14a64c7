"""`tesuji analysis`: KataGo's JSON analysis protocol on standard input and output, or over a websocket."""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer

from tesuji.base.errors import InputError
from tesuji.interfaces.analysis.settings import AnalysisSettings, read_config, read_overrides
from tesuji.interfaces.engine.streams import end, leave, only_for_answers
from tesuji.interfaces.terminal.devices import Devices, Precision, devices
from tesuji.interfaces.terminal.options import examples

if TYPE_CHECKING:
    from tesuji.interfaces.analysis.analyst import Analyst
    from tesuji.interfaces.analysis.conversation import Conversation

log = logging.getLogger(__name__)

EXAMPLES = examples(
    ("an engine for KaTrain, Ogatak, LizzieYzy", "tesuji analysis"),
    ("as KataGo is started, with its own options", "tesuji analysis -model default-9x9 -override-config maxVisits=200"),
    ("for programs on this machine, over a websocket", "tesuji analysis --serve 127.0.0.1:2388"),
)


def main(
    net: Annotated[
        str, typer.Option("--net", "-model", help="Model by name or file; chosen by board size if absent.")
    ] = "",
    config: Annotated[
        list[Path] | None, typer.Option("--config", "-config", help="Config file in KataGo's form; repeat it.")
    ] = None,
    override: Annotated[
        list[str] | None, typer.Option("--override-config", "-override-config", help="Settings as k=v,k=v.")
    ] = None,
    human_model: Annotated[
        str, typer.Option("--human-model", "-human-model", help="Accepted, not used: human-9x9 is built in.")
    ] = "",
    threads: Annotated[
        int,
        typer.Option(
            "--threads", "--analysis-threads", "-analysis-threads", min=0, help="Threads that search; 0: all cores."
        ),
    ] = 0,
    visits: Annotated[int | None, typer.Option(min=1, help="Visits of a query that names none.")] = None,
    device: Devices = None,
    precision: Precision = "auto",
    quit_at_once: Annotated[
        bool, typer.Option("--quit-without-waiting", "-quit-without-waiting", help="At the end of input stop at once.")
    ] = False,
    serve: Annotated[
        str, typer.Option(help="Listen for websockets on [HOST:]PORT instead, as in --serve 127.0.0.1:2388.")
    ] = "",
    token: Annotated[str, typer.Option(help="Secret of the websocket, sent as ?token=; needed beyond here.")] = "",
) -> None:
    """Analysis engine for KaTrain, Ogatak, LizzieYzy, analyze-sgf and every other client of KataGo's protocol.

    Works without any option. What KataGo's command line takes is taken too; its search settings are left alone.
    """
    settings = settings_from(config or [], override or [])
    if visits is not None:
        settings, _ = settings.changed({"maxVisits": visits})
    if human_model:
        log.warning("-human-model %s is not used", human_model)
    chosen = devices(device, precision)
    check_devices(chosen)
    if serve:
        from tesuji.interfaces.analysis.serve import address_of, listen

        host, port = address_of(serve, token)
        listen(lambda: make_analyst(net, settings, threads, chosen), host, port, token, log.info)
        return
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, leave)
    stream = only_for_answers()
    try:
        converse(make_analyst(net, settings, threads, chosen), stream, quit_at_once)
    except SystemExit as stop:  # a signal
        end(stop.code if isinstance(stop.code, int) else 1)
    end(0)


def check_devices(named: list[str]) -> None:
    """Raises `InputError` for a device that is not here, before any client is listened to."""
    from tesuji.interfaces.engine.networks import Networks

    Networks(devices=named).check_devices()


def settings_from(files: list[Path], overrides: list[str]) -> AnalysisSettings:
    """The settings of config files, then of `-override-config`. Raises `InputError`."""
    given: dict[str, str] = {}
    for path in files:
        if not path.is_file():
            raise InputError(f"no config file '{path}'")
        given |= read_config(path)
    for text in overrides:
        given |= read_overrides(text)
    settings, unknown = AnalysisSettings().changed(given)
    if unknown:
        log.warning("config settings nobody knows: %s", ", ".join(unknown)[:400])
    return settings


def make_analyst(net: str, settings: AnalysisSettings, threads: int, devices: list[str]) -> Analyst:
    """The thinking; a model file that cannot be read is told, and the built-in networks play.

    Raises `InputError` for integers asked of a network that has none.
    """
    from tesuji.interfaces.analysis.analyst import Analyst
    from tesuji.interfaces.engine.networks import Networks

    networks = Networks(net, devices=devices)
    if networks.own:
        try:
            networks.get(networks.own)
        except (InputError, OSError) as fault:
            if networks.asks_for_integers:
                raise
            log.warning("%s; the built-in networks play", str(fault).splitlines()[0])
            networks = Networks(devices=devices)
    return Analyst(networks, settings, threads)


def converse(analyst: Analyst, stream: BinaryIO, quit_at_once: bool) -> None:
    """Answers the lines of standard input until it ends."""
    from tesuji.interfaces.analysis.conversation import Conversation

    conversation = Conversation(analyst, _writer(stream))
    log.info("Started, ready to begin handling requests")
    _read(conversation)
    if not quit_at_once:
        conversation.wait()


def _read(conversation: Conversation) -> None:
    from tesuji.interfaces.analysis.conversation import LONGEST

    with os.fdopen(0, "rb", buffering=1 << 16, closefd=False) as source:
        while line := source.readline(LONGEST + 2):
            while len(line) > LONGEST and not line.endswith(b"\n") and (more := source.readline(1 << 16)):
                line = line[: LONGEST + 1] + more[-1:]  # the rest of a line too long is passed over
            conversation.receive(line.decode("utf-8", "replace"))


def _writer(stream: BinaryIO) -> Callable[[str], None]:
    def write(line: str) -> None:
        try:
            stream.write(line.encode("utf-8", "replace") + b"\n")
            stream.flush()
        except (BrokenPipeError, ValueError):
            os._exit(0)  # nobody reads any more: there is nothing left to say

    return write
