"""Which network plays which board: one chooser for GTP, page and analysis."""

from pathlib import Path

import numpy as np
import pytest

from tesuji import Game, InputError
from tesuji.features.evaluation import ConstantEvaluator, Evaluation
from tesuji.interfaces.engine.mind import Mind
from tesuji.interfaces.engine.networks import Networks


@pytest.mark.parametrize(
    ("size", "name"),
    [(5, "default-9x9"), (7, "default-9x9"), (9, "default-9x9"), (13, "default-19x19"), (19, "default-19x19")],
)
def test_the_fittest_of_the_package_plays(size: int, name: str) -> None:
    assert Networks().choose(size) == name


def test_the_chosen_one_comes_first_where_it_can_play(network_file: Path) -> None:
    networks = Networks(str(network_file))
    assert networks.own == "small"
    assert networks.choose(9) == "small"
    assert networks.names()[0] == "small"


def test_a_wish_is_fulfilled_or_refused(network_file: Path) -> None:
    networks = Networks(str(network_file))
    assert networks.choose(9, "default-9x9") == "default-9x9"
    with pytest.raises(InputError, match="no network 'gone' here"):
        networks.choose(9, "gone")


def test_a_network_told_a_rank_plays_its_board_alone_with_the_engines_eyes() -> None:
    networks = Networks()
    assert networks.choose(9, "human-9x9@12k") == "human-9x9@12k"
    assert "as people of 12k do" in networks.description("human-9x9@12k", 9)
    assert networks.get("human-9x9@12k").komi_grid is not None  # of default-9x9
    with pytest.raises(InputError, match="does not play 19x19"):
        networks.choose(19, "human-9x9@12k")
    with pytest.raises(InputError, match="asks for no rank"):
        networks.get("default-9x9@12k")
    assert Networks("human-9x9@3d").own == "human-9x9@3d"
    assert Networks("human-9x9@3d").choose(9) == "human-9x9@3d"


def test_a_value_network_joins_the_chosen_policy(network_file: Path) -> None:
    networks = Networks("default-9x9", value_net="default-9x9")
    joined = networks.for_size(9, networks.own)
    assert joined.plays(9)
    assert joined is networks.get("default-9x9")
    with pytest.raises(InputError, match="joins the policy of another"):
        Networks(value_net="default-9x9")


def test_hundreds_of_handicap_stones_ask_the_network_about_once_each(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = 0

    def evaluation(self: Mind, game: Game, symmetry: int = 0, network: str = "") -> Evaluation:
        nonlocal asked
        asked += 1
        return ConstantEvaluator()(np.zeros((1, 21, game.size, game.size), np.float32), [7.5])

    monkeypatch.setattr(Mind, "evaluation", evaluation)
    assert len(set(Mind(Networks()).handicap(Game(size=9), 60))) == 60
    assert asked <= 60 + 9 * 7
