"""Players in words, and clear words about wrong ones."""

from pathlib import Path

import pytest

from tests.search.evaluators import Uniform
from tesuji import InputError
from tesuji.arena.players.description import PlayerDescription, describe, parse_player, player_from_table
from tesuji.arena.players.network_player import network_player, search_defaults

DEFAULTS = search_defaults(64, None)


def parsed(line: str) -> PlayerDescription:
    return parse_player(line, DEFAULTS)


def test_a_person_is_a_network_told_a_rank_that_plays_by_instinct() -> None:
    person = parsed("human-9x9 human=12k")
    assert (person.network, person.value) == ("human-9x9@12k", "default-9x9")
    assert person.options["choice"] == "soft-prior"
    assert person.options["visits"] == 1
    careful = parsed("human-9x9 human=12k visits=16")
    assert careful.options["choice"] == "careful-prior"
    assert careful.options["visits"] == "16"
    assert parsed("name=me human-9x9 human=1d temperature=0.5").options["temperature"] == "0.5"


def test_a_network_takes_the_common_budget_unless_it_has_its_own() -> None:
    assert parsed("default-9x9").options == {"visits": 64}
    assert parsed("default-9x9 visits=8 c=0.3").options == {"visits": "8", "c": "0.3"}
    assert parsed("default-9x9 seconds=1").options == {"seconds": "1"}
    assert parsed("default-9x9 policy").options == {"policy": "yes"}
    common = {"visits": 64, "symmetry": "random", "c": 0.2}
    own = parse_player("default-9x9 visits=8 c=0.3", common).options
    assert own == {"visits": "8", "c": "0.3", "symmetry": "random"}


def test_names_tell_players_apart() -> None:
    assert parsed("default-9x9").name == "default-9x9"
    assert parsed("default-9x9 visits=8 choice=lcb").name == "default-9x9 visits=8 choice=lcb"
    assert parsed("runs/first/best.onnx").name == "first/best"
    assert parsed("friend.h5").name == "friend"
    assert parsed("name=me default-9x9").name == "me"
    assert parsed("gnugo").name == "GNU Go"
    assert parsed("gnugo --mode gtp --level 3").name == "GNU Go --level 3"


def test_engines() -> None:
    assert parsed("gnugo").command == "gnugo --mode gtp --chinese-rules --positional-superko"
    assert parsed("gnugo --mode gtp --level 3").command == "gnugo --mode gtp --level 3"
    free = parsed("/usr/games/gnugo-tromp-taylor --level 1")
    assert free.command.startswith("/usr/games/gnugo --mode gtp")
    assert free.command.endswith("--allow-suicide --capture-all-dead --level 1")
    assert free.name == "GNU Go (Tromp-Taylor) --level 1"
    own = parsed("name=mine timeout=5 gtp:./engine --weights 'my file'")
    assert (own.command, own.name) == ("./engine --weights 'my file'", "mine")
    assert own.options == {"timeout": "5"}
    assert parsed("gtp: ./engine").command == "./engine"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("", "neither a network nor an engine"),
        ("visits=3", "neither a network nor an engine"),
        ("default-9x9 visit=3", "did you mean 'visits'"),
        ("visits=3 gnugo", "no option of the engine .* 'visits'"),
        ("default-9x9 'open quote", "quotation"),
        ("name=a|b default-9x9", "neither"),
    ],
)
def test_wrong_descriptions(line: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        parsed(line)


def test_tables() -> None:
    table = {"name": "x", "network": "a.onnx", "visits": 32, "choice": "lcb"}
    assert player_from_table(table, {}).options == {"visits": 32, "choice": "lcb"}
    with pytest.raises(ValueError, match="either network= or command="):
        player_from_table({"network": "a", "command": "b"}, {})


def test_a_file_in_python_is_a_player_and_a_network_in_memory_is_told_what_to_become() -> None:
    assert describe(Path("my nets/a.onnx"), {}).network == str(Path("my nets/a.onnx"))
    with pytest.raises(InputError, match=r"a Thing cannot play as it is.*fitted\.export"):
        describe(type("Thing", (), {})(), {})


def test_a_value_network_of_its_own() -> None:
    player = parsed("policy.onnx value=value.onnx c=0.3")
    assert (player.network, player.value, player.networks) == (
        "policy.onnx",
        "value.onnx",
        ("policy.onnx", "value.onnx"),
    )
    assert player.options == {"visits": 64, "c": "0.3"}
    assert player.name == "policy value=value.onnx c=0.3"


def test_the_record_follows_the_file(tmp_path: Path) -> None:
    path = tmp_path / "n.onnx"
    path.write_bytes(b"one")
    before = parsed(str(path)).record()
    path.write_bytes(b"two")
    assert parsed(str(path)).record() != before


def test_a_built_in_network_counts_by_its_content_too() -> None:
    assert len(parsed("default-9x9").record()["sha256"]) == 16


def test_the_budget_of_players_that_name_none() -> None:
    assert search_defaults(None, None) == {"visits": 64}
    assert search_defaults(0, None) == {"policy": True}
    assert search_defaults(None, 0.5) == {"seconds": 0.5}, "time takes the place of the usual visits"
    assert search_defaults(32, 0.5) == {"seconds": 0.5, "visits": 32}, "whichever comes first"


def test_options_become_a_search() -> None:
    player = network_player(parsed("n visits=8 c=0.3 reuse=no choice=lcb resign=0.1"), [Uniform()], 9)
    assert (player.search.visits, player.search.c, player.search.reuse) == (8, 0.3, False)
    assert player.behaviour.resign.threshold == 0.1
    assert network_player(parsed("n"), [Uniform()], 9).behaviour.resign.threshold == 0
    policy = network_player(parsed("n policy choice=policy-2021"), [Uniform()], 9).search
    assert (policy.visits, policy.choice) == (1, "policy-2021")
    same = [network_player(parsed(line), [Uniform()], 9).search for line in ("n policy", "n visits=0")]
    assert same[0] == same[1], "no visits are the policy alone, as --visits 0 says for all"
    timed = network_player(parsed("n seconds=0.5"), [Uniform()], 9)
    assert (timed.search.visits, timed.is_timed, timed.is_disturbed) == (None, True, True)
    worked = network_player(parsed("n seconds=0.5 clock=processor"), [Uniform()], 9)
    assert (worked.is_timed, worked.is_disturbed) == (True, False), "games beside it take nothing of its own work"
    assert network_player(parsed("n seconds=0.5 clock=processor threads=2"), [Uniform()], 9).is_disturbed


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("n visits=many", "visits is 'many'; it must be a whole number"),
        ("n visits=-1", "visits"),
        ("n choice=luck", "no move choice 'luck'"),
        ("n reuse=maybe", "true or false"),
        ("n c=-1", "player 'n c=-1'"),
    ],
)
def test_wrong_values_name_the_player(line: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        network_player(parsed(line), [Uniform()], 9)
