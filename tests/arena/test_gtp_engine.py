"""Engines as child processes, the well-behaved and the others; all of them real processes."""

import sys
import threading
import time
from pathlib import Path

import pytest

from tests.arena.opponents import needs_gnugo
from tesuji.arena.players.description import parse_player
from tesuji.arena.players.gtp_engine import (
    EngineDiedError,
    EngineError,
    EngineGarbageError,
    EngineRefusedError,
    EngineTimeoutError,
    GtpEngine,
    find_program,
)

STRANGE = [sys.executable, str(Path(__file__).with_name("strange_engine.py"))]


def started(mode: str) -> GtpEngine:
    engine = GtpEngine([*STRANGE, mode])
    engine.start()
    return engine


def test_an_honest_engine_answers() -> None:
    engine = started("honest")
    assert engine.send("boardsize 9") == ""
    assert engine.send("genmove b") == "A1"
    assert engine.knows("genmove")
    assert not engine.knows("kgs-genmove_cleanup")
    engine.close()
    assert not engine.running


@pytest.mark.parametrize(
    ("mode", "error", "text"),
    [
        ("die", EngineDiedError, "exit code 3.*stone on the moon"),
        ("hang", EngineTimeoutError, "no answer to 'genmove b' in 0.3 s"),
        ("flood", EngineGarbageError, "without end"),
        ("binary", EngineGarbageError, "no text"),
        ("one-line", EngineGarbageError, "100000 bytes that are no text"),
        ("garbage", EngineGarbageError, "Thinking really hard"),
        ("refuse", EngineRefusedError, "I do not want to"),
    ],
)
def test_each_misbehaviour_is_named(mode: str, error: type[EngineError], text: str) -> None:
    engine = started(mode)
    engine.send("boardsize 9")
    asked = time.monotonic()
    with pytest.raises(error, match=text):
        engine.send("genmove b", timeout=0.3 if mode == "hang" else 10)
    assert time.monotonic() - asked < 20
    assert engine.running == (mode == "refuse")
    engine.close()


def test_an_engine_that_ends_at_once_says_why() -> None:
    engine = started("die-at-start")
    with pytest.raises(EngineDiedError, match=r"exit code 7.*no network found"):
        engine.send("boardsize 9")
    engine.close()


def test_it_can_be_started_again() -> None:
    engine = started("die")
    with pytest.raises(EngineDiedError):
        engine.send("genmove b")
    engine.start()
    assert engine.send("komi 7.5") == ""
    engine.close()


def test_a_flood_leaves_no_thread_behind() -> None:
    before = set(threading.enumerate())  # those of earlier tests may end meanwhile
    engine = started("flood")
    with pytest.raises(EngineGarbageError):
        engine.send("genmove b", timeout=10)
    deadline = time.monotonic() + 5
    while set(threading.enumerate()) - before and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not set(threading.enumerate()) - before


def test_a_missing_program_is_named() -> None:
    with pytest.raises(FileNotFoundError, match="no program 'no-such-engine'"):
        find_program(["no-such-engine", "--mode", "gtp"])


@needs_gnugo
def test_gnugo_takes_the_suicide_that_tromp_taylor_allows() -> None:
    engine = GtpEngine(parse_player("gnugo-tromp-taylor --level 0").command)
    engine.start()
    try:
        engine.send("boardsize 5")
        engine.send("clear_board")
        for color, vertex in (("b", "A2"), ("b", "B1"), ("w", "A3"), ("w", "B2"), ("w", "C1"), ("b", "A1")):
            engine.send(f"play {color} {vertex}")  # the three black stones of the corner take their own last liberty
        assert engine.send("list_stones black") == ""
    finally:
        engine.close()


@needs_gnugo
def test_gnu_go_plays_a_move() -> None:
    engine = GtpEngine("gnugo --mode gtp --chinese-rules --level 1")
    engine.start()
    engine.send("boardsize 9")
    engine.send("play b E5")
    assert engine.send("genmove w")[0] in "ABCDEFGHJ"
    assert engine.knows("kgs-genmove_cleanup")
    engine.close()
