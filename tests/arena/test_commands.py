"""The commands as users type them: they finish, resume, refuse clearly, and a kill loses nothing."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.arena.opponents import STRANGE
from tests.small_disk import SmallDisk, small_disk
from tesuji.arena.play.results import ResultsFile
from tesuji.interfaces.cli import run

__all__ = ["small_disk"]

# A shell that starts the tests in the background has its children ignore Ctrl-C: undo that.
COMMAND = (
    "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from tesuji.interfaces.cli import run; sys.exit(run(sys.argv[1:]))"
)
QUICK = ["--size", "5", "--komi", "0.5", "--visits", "4", "--openings", "random:2", "--quiet"]


def test_match_then_the_same_command_again(
    small_networks: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["match", *small_networks[:2], "--games", "8", "--out", str(tmp_path / "m"), *QUICK]
    assert run([*command, "--as", "table-9"]) == 0
    said = capsys.readouterr().out
    assert "σ/√n" in said
    assert "report:" in said
    before = (tmp_path / "m" / "results.jsonl").read_bytes()
    assert run(command) == 0
    assert (tmp_path / "m" / "results.jsonl").read_bytes() == before
    assert run([*command[:4], "12", *command[5:]]) == 0  # more games: only the new ones are played
    assert len(ResultsFile(tmp_path / "m" / "results.jsonl").games) == 12


def test_a_match_leaves_a_line_in_the_log_of_ideas(small_networks: list[str], tmp_path: Path) -> None:
    log = tmp_path / "ideas.md"
    command = ["match", f"{small_networks[0]} name=new", f"{small_networks[1]} name=old", "--games", "4", *QUICK]
    test = ["--sprt", "elo0=0 elo1=10", "--log", str(log), "--note", "a trial"]
    assert run([*command, *test, "--out", str(tmp_path / "m")]) == 0
    lines = log.read_text().splitlines()
    assert len(lines) == 3
    assert lines[2].startswith("| new | old | 4 games, 5x5, komi 0.5 | ")
    assert "LLR" in lines[2]
    assert "| undecided | a trial |" in lines[2]


def test_seconds_take_the_place_of_visits(small_networks: list[str], tmp_path: Path) -> None:
    command = ["match", *small_networks[:2], "--games", "2", "--size", "5", "--seconds", "0.001", "--quiet"]
    assert run([*command, "--out", str(tmp_path / "s")]) == 0
    described = (tmp_path / "s" / "results.jsonl").read_text().splitlines()[1:3]
    budgets = [json.loads(line)["description"] for line in described]
    assert [(budget["visits"], budget["seconds"]) for budget in budgets] == [("None", "0.001")] * 2


def test_a_killed_match_goes_on_where_it_was(small_networks: list[str], tmp_path: Path) -> None:
    arguments = [
        "match",
        *small_networks[:2],
        "--games",
        "60",
        "--concurrent",
        "4",
        "--out",
        str(tmp_path / "k"),
        *QUICK,
    ]
    process = subprocess.Popen([sys.executable, "-c", COMMAND, *arguments], stdout=subprocess.DEVNULL)
    file = tmp_path / "k" / "results.jsonl"
    deadline = time.monotonic() + 120
    while not (file.exists() and file.read_bytes().count(b'{"game"') >= 3) and time.monotonic() < deadline:
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    kept = set(ResultsFile(file).games)
    assert kept
    assert run(arguments) == 0
    games = ResultsFile(file).games
    assert len(games) == 60
    assert kept <= set(games)


def test_a_match_on_a_full_disk_says_so_and_keeps_its_games(
    small_networks: list[str], tmp_path: Path, small_disk: SmallDisk, capsys: pytest.CaptureFixture[str]
) -> None:
    out = small_disk.folder / "m"
    command = ["match", *small_networks[:2], "--out", str(out), *QUICK[:-3], "--openings", "none", "--quiet"]
    assert run([*command, "--games", "2"]) == 0
    kept = set(ResultsFile(out / "results.jsonl").games)
    small_disk.fill()
    capsys.readouterr()
    assert run([*command, "--games", "40"]) == 2
    said = capsys.readouterr().err
    assert "results.jsonl: no space left" in said.lower()  # by the system's words or, after half a line, by ours
    assert "all games before this one are kept" in said
    assert kept <= set(ResultsFile(out / "results.jsonl").games)
    small_disk.grow(4096)
    assert run([*command, "--games", "40"]) == 0
    assert len(ResultsFile(out / "results.jsonl").games) == 40


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_writes_the_report_and_leaves_no_engine(
    small_networks: list[str], tmp_path: Path, ending: signal.Signals
) -> None:
    out = tmp_path / "c"
    arguments = ["match", small_networks[0], f"name=slow timeout=30 {STRANGE} hang 2", "--games", "4"]
    arguments += ["--out", str(out), *QUICK[:-3], "--openings", "none", "--quiet"]
    process = subprocess.Popen([sys.executable, "-c", COMMAND, *arguments], stdout=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while not (out / "results.jsonl").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(1.0)
    started = time.monotonic()
    process.send_signal(ending)
    said, _ = process.communicate(timeout=60)
    assert time.monotonic() - started < 15  # the hanging engine is not waited for
    assert process.returncode == 130
    assert "the same command plays the rest" in said
    assert (out / "report.html").exists()
    assert not ResultsFile(out / "results.jsonl").games  # its interrupted game counts for nothing


def test_a_tournament_file(small_networks: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(
        f"""
        title = "Cup"
        size = 5
        komi = 0.5
        games = 2
        schedule = "swiss"
        rounds = 2
        openings = "random:2"
        visits = 2
        players = ["{small_networks[2]} name=third", "{small_networks[3]} name=fourth policy"]

        [[player]]
        name = "first"
        network = "{small_networks[0]}"
        visits = 4

        [[player]]
        name = "second"
        network = "{small_networks[1]}"
        choice = "lcb"
        """
    )
    assert run(["tournament", str(file), "--out", str(tmp_path / "t"), "--quiet", "--set", "seed=5"]) == 0
    results = ResultsFile(tmp_path / "t" / "results.jsonl")
    assert len(results.games) == 8
    assert results.conditions is not None
    assert results.conditions["seed"] == 5
    assert {"first", "second", "third", "fourth"} == set(results.players)
    assert "Cup" in (tmp_path / "t" / "report.html").read_text()


def test_fit_bandit(small_networks: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["fit-bandit", small_networks[0], "--budgets", "2,4", "--constants", "0.1,0.3"]
    command += ["--verify-constants", "0.1", "--verify-budgets", "2"]
    command += ["--games", "2", "--size", "5", "--komi", "0.5", "--out", str(tmp_path), "--quiet"]
    assert run(command) == 0
    said = capsys.readouterr().out
    assert "tau = " in said
    assert said.count("| average") == 2
    assert json.loads((tmp_path / "fit.json").read_text())["network"] == small_networks[0]


def test_fit_bandit_takes_a_given_table_and_checks_a_given_pair(
    small_networks: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "table.csv"
    table.write_text("d,0.05,0.15,0.25\n16,60,40,30\n64,50,56,45\n256,40,52,58\n")
    command = ["fit-bandit", small_networks[0], "--size", "5", "--komi", "0.5", "--quiet"]
    first = [*command, "--from", str(table), "--games", "400", "--verify-constants", ""]
    assert run([*first, "--out", str(tmp_path / "a")]) == 0
    said = capsys.readouterr().out
    assert "16: 0.05, 64: 0.15, 256: 0.25" in said
    assert not list((tmp_path / "a").rglob("results.jsonl")), "a given table is not played"
    pair = ["--games", "2", "--verify", "0.737,0.057", "--verify-budgets", "4", "--verify-constants", "0.1"]
    assert run([*command, *pair, "--out", str(tmp_path / "b")]) == 0
    assert "GPUCT tau = 0.737, c = 0.057 against PUCT" in capsys.readouterr().out
    assert len(list((tmp_path / "b").rglob("results.jsonl"))) == 1
    table.write_text("no,table\n")
    assert run([*command, "--from", str(table), "--out", str(tmp_path / "c")]) == 2
    assert "table.csv: " in capsys.readouterr().err


def test_fit_bandit_says_how_long_it_will_take(
    small_networks: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["fit-bandit", small_networks[0], "--budgets", "2,4", "--constants", "0.1,0.3", "--games", "2"]
    assert run([*command, "--size", "5", "--komi", "0.5", "--verify-constants", "", "--out", str(tmp_path)]) == 0
    told = capsys.readouterr().err
    assert re.search(r"about \d+ s at [\d,.]+ positions/s a core", told)
    assert re.search(r"about \d+ s left", told)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["match", "no-such-net", "gnugo"], "no model 'no-such-net'"),
        (["match", "{0}", "gtp:no-such-program"], "no program 'no-such-program'"),
        (["match", "{0}", "{0}"], "two players are called"),
        (["match", "{0}", "{1}", "--games", "3"], "even numbers"),
        (["match", "{0}", "{1}", "--rules", "japanese"], "count area"),
        (["match", "{0}", "{1}", "--size", "99"], "2 to 25"),
        (["match", "{0}", "{1}", "--komi", "7.3"], "komi=7.3"),
        (["match", "{0}", "{1}", "--openings", "nowhere"], "no file or folder 'nowhere'"),
        (["match", "{0}", "{1}", "--colors", "red"], "colors=red"),
        (["match", "{0}", "{1}", "--sprt", "elo9=1"], "elo9"),
        (["match", "{0} viists=3", "{1}"], "did you mean 'visits'"),
        (["match", "{0}", "name=tiny " + STRANGE + " only-19"], "does not play 9x9"),
        (["match", "{0}", "name=dead " + STRANGE + " die-at-start"], "no network found"),
        (["match", "{0}", "{1}", "--seconds", "0"], "some time to think"),
        (["match", "{0} seconds=0", "{1}"], "some time to think"),
        (["match", "{0}", "{1}", "--visits", "-1"], "visits=-1"),
        (["match", "{0}", "{1}", "--set", "cc=0.2"], "no tournament setting 'cc'"),
        (["match", "{0}", "{1}", "--set", "c=high"], "c is 'high'; it must be a number"),
        (["match", "{0}", "{1}", "--as", "table-99"], "did you mean 'table-9'"),
        (["match", "{0}", "{1}", "--threads", "-2"], "threads=-2"),
        (["match", "{0}", "{1}", "--concurrent", "0"], "concurrent=0"),
        (["match", "{0} value=no-such-net", "{1}"], "no model 'no-such-net'"),
        (["match", "{0}", "{1}", "--log", "ideas.txt"], ".csv or .md"),
        (["tournament", "{0}", "{1}", "--as", "table99"], "no table layout"),
        (["tournament", "{0}", "{1}", "--set", "gammes=3"], "did you mean 'games'"),
        (["tournament", "{0}"], "at least two players"),
        (["tournament", "missing.toml"], "missing.toml"),
        (["league", "missing-folder"], "missing-folder"),
        (["league", "missing-folder", "--set", "visit=3"], "did you mean 'visits'"),
        (["fit-bandit", "{0}", "--budgets", "x"], "numbers separated by commas"),
        (["fit-bandit", "{0}", "--budgets", "16"], "at least two whole numbers"),
        (["fit-bandit", "{0}", "--verify-constants", "0.1;0.2"], "numbers separated by commas"),
        (["fit-bandit", "{0}", "--verify", "0.7"], "tau and a positive c"),
        (["fit-bandit", "{0}", "--verify-budgets", "2.5"], "whole numbers"),
    ],
)
def test_bad_input_is_one_clear_line(
    small_networks: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], why: str
) -> None:
    filled = [word.format(*small_networks) if "{" in word else word for word in arguments]
    assert run([*filled, "--out", str(tmp_path / "o"), "--quiet"]) == 2
    said = capsys.readouterr().err.strip()
    assert why in said
    assert "Traceback" not in said
    assert not ResultsFile(tmp_path / "o" / "results.jsonl").games, "found before the first game"
