"""The planner, one panel over any axis, and leagues by name."""

from pathlib import Path

import pytest

from tests.experiments.test_compare import SHAPES, make_run
from tesuji import InputError
from tesuji.arena.presets import PRESETS, preset
from tesuji.experiments.plan import elo_of_a_percent, plan
from tesuji.interfaces.cli import run
from tesuji.networks.zoo.description import Description
from tesuji.networks.zoo.known_facts import KnownFacts


def test_a_percent_of_accuracy_is_worth_what_table_10_says() -> None:
    """From 53.98 % and 0.043 to 60.16 % and 0.675: about a hundred Elo each."""
    assert 70 < elo_of_a_percent() < 130


def test_the_plan_keeps_the_limit_and_ranks(tmp_path: Path) -> None:
    facts = KnownFacts(tmp_path / "known.json")
    told: list[tuple[str, int, int]] = []
    found = plan(
        0.1, 9, most_parameters=20_000, depths=(2, 4), widths=(8, 64, 16), facts=facts,
        progress=lambda *step: told.append(step),
    )  # fmt: skip
    assert told[0] == ("se.2.48.8", 0, len(found))
    assert [done for _, done, _ in told] == list(range(len(found)))
    assert found
    assert all(one.parameters <= 20_000 for one in found)
    assert found[0].elo == 0
    assert [one.elo for one in found] == sorted((one.elo for one in found), reverse=True)
    with pytest.raises(InputError, match="allow more"):
        plan(1, 9, most_parameters=1, depths=(2,), widths=(8,), facts=facts)
    with pytest.raises(InputError, match="some time"):
        plan(0, 9)


def test_networks_far_above_the_limit_are_not_even_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[str] = []

    def cost(self: KnownFacts, about: Description) -> tuple[int, int]:
        counted.append(about.name)
        return 1_000_000, 1

    monkeypatch.setattr(KnownFacts, "cost", cost)
    with pytest.raises(InputError, match="allow more"):
        plan(1, 9, most_parameters=1000, depths=(2, 4), widths=(64, 8, 128), facts=KnownFacts(tmp_path / "known.json"))
    assert counted == ["se.2.48.8", "se.4.48.8"]


@pytest.mark.parametrize("x", ["samples", "time", "parameters"])
def test_one_panel_over_any_axis(x: str, tmp_path: Path) -> None:
    runs = [str(make_run(tmp_path / name, name, accuracy)) for name, accuracy in SHAPES.items()]
    out = tmp_path / "x.svg"
    assert run(["plot", *runs, "-o", str(out), "--x", x, "--y", "mse"]) == 0
    assert out.exists()
    assert run(["plot", *runs, "-o", str(out), "--x", "moon"]) == 2


def test_courses_by_name() -> None:
    assert preset("dauphine-2026").limit == 100_000
    assert preset("dauphine-2020").limit == 1_000_000
    assert all(one.summary for one in PRESETS.values())
    with pytest.raises(InputError, match="did you mean 'dauphine-2026'"):
        preset("dauphine-2027")
