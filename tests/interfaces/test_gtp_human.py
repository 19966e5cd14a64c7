"""`tesuji gtp --human`: an engine that plays like people of a rank."""

import pytest

from tests.interfaces.gtp_talk import TESUJI, ask, refused
from tesuji.interfaces.cli import run
from tesuji.interfaces.gtp.check.process import EngineProcess


def test_it_plays_9x9_by_drawing_moves_and_refuses_other_boards() -> None:
    with EngineProcess([*TESUJI, "gtp", "--human", "12 kyu", "--threads", "1"]) as engine:
        moves = set()
        for _ in range(6):
            ask(engine, "clear_board")
            ask(engine, "play b e5")
            moves.add(ask(engine, "genmove w"))
        assert len(moves) > 1  # drawn, not the same for ever
        ask(engine, "boardsize 19")
        assert "does not play 19x19" in refused(engine, "genmove b")
        ask(engine, "boardsize 9")
        assert ask(engine, "genmove b")


def test_what_is_no_rank_is_told_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["gtp", "--human", "99k"]) == 2
    assert "no rank '99k'; write 30k to 1k or 1d to 9d" in capsys.readouterr().err
