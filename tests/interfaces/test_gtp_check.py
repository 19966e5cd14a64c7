"""`tesuji gtp-check` and its fuzzer: what they find in sound and in poor engines."""

import os
import shutil
import subprocess
import sys

import pytest

from tests.interfaces.gtp_talk import QUICK, TESUJI, WAIT
from tesuji.interfaces.gtp.check.fuzz import fuzz, generated
from tesuji.interfaces.gtp.check.process import EngineError
from tesuji.interfaces.gtp.check.runner import Verdict, check
from tesuji.interfaces.gtp.check.transcript import parse_transcript, transcripts


def test_generated_lines_are_all_answered_in_form() -> None:
    told = fuzz(QUICK, 1500, seed=11, patience=WAIT)
    assert told.answered > 1000
    assert 0 < told.refused < told.answered


def test_the_fuzzer_finds_an_engine_that_forgets_ids() -> None:
    deaf = "import sys\nfor line in sys.stdin.buffer: sys.stdout.write('= yes\\n\\n'); sys.stdout.flush()"
    with pytest.raises(EngineError, match="was answered"):
        fuzz([sys.executable, "-c", deaf], 200, seed=1, patience=10)


def test_generated_lines_repeat_for_a_seed() -> None:
    assert list(generated(200, 5)) == list(generated(200, 5)) != list(generated(200, 6))


def test_the_checker_sees_what_an_engine_lacks() -> None:
    poor = (
        "import sys\n"
        "for line in sys.stdin:\n"
        "    print('= name\\nlist_commands' if 'list_commands' in line else '= Poor')\n"
        "    print(flush=True)\n"
    )
    chosen = [each for each in transcripts() if each.name in {"Sabaki.start-up", "Lizzie.analysis"}]
    verdicts = {each.transcript.name: each for each in check([sys.executable, "-c", poor], chosen, patience=5)}
    assert verdicts["Lizzie.analysis"].verdict is Verdict.NOT_OFFERED
    assert verdicts["Sabaki.start-up"].verdict is Verdict.FAILS
    assert "line " in verdicts["Sabaki.start-up"].reason


def test_a_transcript_that_cannot_be_read_names_its_line() -> None:
    with pytest.raises(ValueError, match=r"Any\.phase, line 2"):
        parse_transcript("Any.phase", "> name\n! what\n")


def check_command(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*TESUJI, "gtp-check", *arguments],
        capture_output=True,
        text=True,
        timeout=WAIT,
        env={**os.environ, "COLUMNS": "200", "PATH": f"{os.environ['PATH']}:/usr/games"},
    )


@pytest.mark.skipif(shutil.which("gnugo", path="/usr/games:/usr/bin:/usr/local/bin") is None, reason="no GNU Go here")
def test_the_checker_knows_gnu_go() -> None:
    done = check_command("gnugo --mode gtp", "--client", "GTP", "--client", "gtp2ogs")
    assert done.returncode == 0
    assert "refusals" in done.stdout
    assert "not offered" in done.stdout  # GNU Go knows no byoyomi
    assert "FAILS" not in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no-such-engine-here"], "no program 'no-such-engine-here'"),
        (["true"], "does not answer list_commands"),
        (["true", "--client", "Nobody"], "known clients: "),
    ],
)
def test_the_checker_says_what_is_wrong_in_one_line(arguments: list[str], message: str) -> None:
    done = check_command(*arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
