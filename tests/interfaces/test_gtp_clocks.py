"""Time: what each server tells, and a simulated server that takes it seriously."""

import os
import time
from collections.abc import Iterator

import pytest

from tests.interfaces.gtp_talk import TESUJI, WAIT, ask
from tesuji.interfaces.gtp.check.process import EngineProcess
from tesuji.search.clock import Clock

# Without a limit of its own: the clock alone decides.
COMMAND = [*TESUJI, "gtp", "--net", "default-9x9", "--resign", "0"]
NEARLY_ENDLESS = [*COMMAND, "--seconds", "30"]


@pytest.fixture(scope="module")
def shared() -> Iterator[EngineProcess]:
    with EngineProcess(NEARLY_ENDLESS) as process:
        ask(process, "tesuji-policy")
        yield process


@pytest.fixture
def engine(shared: EngineProcess) -> EngineProcess:
    ask(shared, "time_settings 0 1 0")
    ask(shared, "clear_board")
    return shared


def seconds_for_a_move(engine: EngineProcess, *lines: str) -> float:
    for line in lines:
        ask(engine, line)
    started = time.monotonic()
    ask(engine, "genmove b")
    return time.monotonic() - started


@pytest.mark.parametrize(
    ("settings", "left"),
    [
        ("time_settings 1800 0 0", "time_left b 2 0"),
        ("time_settings 0 300 10", "time_left b 4 4"),
        ("kgs-time_settings absolute 900", "time_left b 2 0"),
        ("kgs-time_settings canadian 0 300 10", "time_left b 3 3"),
        ("kgs-time_settings byoyomi 600 1 3", "time_left b 1 3"),
        ("kata-time_settings byoyomi 600 1 3", "time_left b 1 1"),
        ("kata-time_settings fischer 600 0", "time_left b 2 0"),
        ("kata-time_settings fischer-capped 600 0.5 900 -1", "time_left b 1 0"),
    ],
)
def test_the_time_left_is_believed(engine: EngineProcess, settings: str, left: str) -> None:
    # 30 s a move would be allowed without the clock; every clock here has less than 5 s for it.
    assert seconds_for_a_move(engine, settings, left) < 10


@pytest.mark.parametrize("settings", ["time_settings 0 0 0", "time_settings 0 1 0", "kgs-time_settings none"])
def test_no_limit_leaves_the_engine_its_own(engine: EngineProcess, settings: str) -> None:
    ask(engine, "kata-set-param maxTime 0.4")
    try:
        assert seconds_for_a_move(engine, "time_settings 1 0 0", settings) > 0.25
    finally:
        ask(engine, "kata-set-param maxTime 30")


@pytest.mark.parametrize(
    "line",
    [
        "time_settings",
        "time_settings 1 2",
        "time_settings a b c",
        "time_left purple 1 0",
        "time_left b nan 0",
        "kgs-time_settings hourglass 3",
        "kgs-time_settings fischer 10 1",
        "kata-time_settings byoyomi 10 0 0",
        "kata-time_settings canadian 10 30 0",
        "kata-time_settings fischer-capped 10 1",
    ],
)
def test_clocks_that_make_no_sense_are_refused(engine: EngineProcess, line: str) -> None:
    engine.send(line + "\n")
    assert engine.answer(WAIT).startswith("?")


@pytest.mark.parametrize(
    ("settings", "clock", "moves"),
    [
        ("kata-time_settings fischer 1 0.5", Clock.fischer(1, 0.5), 20),
        ("time_settings 5 0 0", Clock.absolute(5), 60),
        ("kgs-time_settings byoyomi 1 0.6 1", Clock.byoyomi(1, 0.6, 1), 10),
        ("time_settings 1 3 5", Clock.canadian(1, 3, 5), 12),
    ],
    ids=["fischer", "sudden-death", "byoyomi", "canadian"],
)
def test_a_server_never_sees_the_flag_fall(settings: str, clock: Clock, moves: int) -> None:
    cores = os.cpu_count() or 1
    if os.getloadavg()[0] > 4 * cores:
        pytest.skip(f"load {os.getloadavg()[0]:.0f} on {cores} cores: no clock can be kept here")
    with EngineProcess(COMMAND) as engine:
        ask(engine, "tesuji-policy")
        ask(engine, settings)
        for _ in range(moves):
            main = clock.period_left is None
            left, stones = (clock.main, 0) if main else (clock.period_left, clock.stones_left or clock.periods)
            ask(engine, f"time_left b {left} {stones}")
            started = time.monotonic()
            ask(engine, "genmove b")
            clock = clock.after(time.monotonic() - started)  # raises when the time is up
            ask(engine, "undo")
