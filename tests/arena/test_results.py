"""Kills, cuts, full disks and second processes: no game is lost, none is counted twice."""

import os
from pathlib import Path

import pytest

from tesuji.arena.play.results import GameResult, ResultsError, ResultsFile, SideRecord

CONDITIONS = {"size": 9, "komi": 7.5}
PLAYERS = {"a": {"network": "x"}, "b": {"network": "y"}}


def game(key: str, result: str = "B+3.5") -> GameResult:
    return GameResult(key, "a", "b", result, "counted", moves=50, black_side=SideRecord(25, 1.5, 800), sgf="(;)")


def filled(path: Path, count: int) -> Path:
    with ResultsFile(path) as results:
        results.begin(CONDITIONS, PLAYERS)
        for number in range(count):
            results.add(game(f"g{number}"))
    return path


def test_what_was_written_is_read_back(tmp_path: Path) -> None:
    read = ResultsFile(filled(tmp_path / "results.jsonl", 3))
    assert list(read.games) == ["g0", "g1", "g2"]
    assert read.games["g1"] == game("g1")
    assert (read.conditions, read.players, read.damaged) == (CONDITIONS, PLAYERS, [])


def test_a_file_cut_at_any_byte_loses_only_the_cut_game(tmp_path: Path) -> None:
    whole = filled(tmp_path / "whole.jsonl", 3).read_bytes()
    start = whole.index(b'{"game"')
    for cut in range(start, len(whole), 7):
        path = tmp_path / "cut.jsonl"
        path.write_bytes(whole[:cut])
        complete = whole[:cut].count(b'\n{"game"') if whole[:cut].endswith(b"\n") else None
        with ResultsFile(path) as results:
            kept = whole[: whole.rfind(b"\n", 0, cut) + 1].count(b'{"game"')
            assert len(results.games) == kept
            assert bool(results.damaged) == (complete is None)
            results.begin(CONDITIONS, PLAYERS)
            results.add(game("new"))
        assert len(ResultsFile(path).games) == kept + 1
        assert not ResultsFile(path).damaged


def test_a_damaged_line_in_the_middle_is_named_and_the_rest_kept(tmp_path: Path) -> None:
    path = filled(tmp_path / "results.jsonl", 3)
    lines = path.read_bytes().splitlines(keepends=True)
    lines[-2] = lines[-2][:40] + b"\x00\xff" + lines[-2][42:]
    path.write_bytes(b"".join(lines))
    read = ResultsFile(path)
    assert list(read.games) == ["g0", "g2"]
    assert "line 5" in read.damaged[0]


def test_the_same_line_twice_counts_once(tmp_path: Path) -> None:
    path = filled(tmp_path / "results.jsonl", 2)
    last = path.read_bytes().splitlines(keepends=True)[-1]
    path.write_bytes(path.read_bytes() + last)
    assert len(ResultsFile(path).games) == 2


def test_other_conditions_or_players_are_refused(tmp_path: Path) -> None:
    path = filled(tmp_path / "results.jsonl", 1)
    with ResultsFile(path) as results:
        with pytest.raises(ResultsError, match=r"komi=7.5, not 6.5"):
            results.begin({"size": 9, "komi": 6.5}, PLAYERS)
        with pytest.raises(ResultsError, match=r"'a' was network=x and is now network=z"):
            results.begin(CONDITIONS, {"a": {"network": "z"}})
        results.begin(CONDITIONS, {"c": {"network": "z"}})  # a newcomer is welcome


def test_two_writers_are_refused(tmp_path: Path) -> None:
    path = filled(tmp_path / "results.jsonl", 1)
    with (
        ResultsFile(path),
        pytest.raises(ResultsError, match="another tournament"),
        ResultsFile(path),
    ):
        pass


def test_a_full_disk_is_named_and_leaves_no_half_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = filled(tmp_path / "results.jsonl", 2)
    before = path.read_bytes()
    real = os.write
    with ResultsFile(path) as results:
        monkeypatch.setattr(os, "write", lambda fd, data: real(fd, data[: len(data) // 2]))
        with pytest.raises(OSError, match="no space left"):
            results.add(game("late"))
        monkeypatch.undo()
        assert path.read_bytes() == before
        assert "late" not in results.games
        results.add(game("late"))
    assert len(ResultsFile(path).games) == 3


def test_on_a_truly_full_disk_nothing_is_lost() -> None:
    """/dev/full refuses every byte, as a full disk does."""
    results = ResultsFile("/dev/null")
    results._descriptor = os.open("/dev/full", os.O_WRONLY)
    with pytest.raises(OSError, match="No space left"):
        results.add(game("late"))
    results.close()
