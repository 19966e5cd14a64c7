"""The command line of `tesuji gtp`: every search option, and what a clock is spent on."""

from pathlib import Path

import pytest

from tesuji import Clock, Game, InputError
from tesuji.interfaces.cli import run
from tesuji.interfaces.commands.gtp import search_options
from tesuji.interfaces.gtp.options import GtpOptions
from tesuji.interfaces.gtp.parameters import Parameters
from tesuji.interfaces.gtp.thinker import Thinker
from tesuji.search.clock import TimeOptions, allowance


def test_every_search_option_can_be_set() -> None:
    chosen = search_options(
        {"visits": 50, "batch": None, "seed": 0}, ["first_play_value=0.25", "batch=4", "symmetry=random"]
    )
    assert (chosen.visits, chosen.batch, chosen.first_play_value, chosen.symmetry) == (50, 4, 0.25, "random")


def test_seed_0_is_a_seed() -> None:
    assert search_options({"seed": 0}, []).seed == 0
    assert search_options({"seed": None}, []).seed != 0


@pytest.mark.parametrize("text", ["first_play_valu=2", "batch=many", "symmetry=half"])
def test_an_option_that_does_not_exist_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        search_options({}, [text])


def test_the_whole_allowance_of_the_clock_is_used() -> None:
    options = GtpOptions()
    thinker = Thinker(options, Parameters.of(options), lambda: None)
    clock = Clock.absolute(300)
    fair = allowance(clock, 9, 0, TimeOptions(overhead=options.lag))
    assert thinker._budget(Game(9), clock) == {"visits": None, "seconds": pytest.approx(fair)}


@pytest.mark.parametrize("option", ["--net", "--value-net"])
def test_a_file_that_is_no_network_is_refused_at_the_start(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = tmp_path / "wrong.onnx"
    wrong.write_bytes(b"not a network")
    more = ["--net", "default-9x9"] if option == "--value-net" else []
    assert run(["gtp", *more, option, str(wrong)]) == 2
    told = capsys.readouterr()
    assert "wrong.onnx" in told.err
    assert told.out == ""


@pytest.mark.parametrize(
    ("arguments", "resign"),
    [
        ([], 0.03),
        (["--policy-only"], 0),
        (["--human", "12k"], 0),
        (["--human", "12k", "--visits", "16"], 0.03),
        (["--policy-only", "--resign", "0.1"], 0.1),
    ],
)
def test_who_does_not_read_resigns_only_when_told_to(
    arguments: list[str], resign: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[GtpOptions] = []
    monkeypatch.setattr("tesuji.interfaces.commands.gtp.converse", given.append)
    assert run(["gtp", *arguments]) == 0
    assert given[0].resign == resign
