"""Rule sets have one owner: their names, how people write them, and the komi that goes with them."""

import pickle
from pathlib import Path

import pytest

from tesuji import Game, Rules, read_sgf, write_sgf
from tesuji._core import PackedRecord
from tesuji.go.rules import LABELS, NAMES, komi_from_text, rules_for_kgs, usual_komi
from tesuji.training.data.game_set import GameSet
from tesuji.training.data.packing import pack_games


@pytest.mark.parametrize("name", NAMES)
def test_a_rule_set_keeps_its_name_everywhere(name: str, tmp_path: Path) -> None:
    rules = Rules.named(name)
    game = Game(size=9, rules=rules)
    game.play("E5")
    write_sgf(game, tmp_path / "x.sgf")
    pack_games([PackedRecord.of(game)], tmp_path / "x.games")
    packed = GameSet(tmp_path / "x.games").record(0)
    assert packed.rules is not None
    for kept in (
        game.rules,
        Rules.from_text(rules.sgf),
        Rules.from_text(rules.label),
        Rules.from_text(f"{name.replace('-', '_').upper()} rules"),
        read_sgf(tmp_path / "x.sgf").rules,
        packed.rules,
        pickle.loads(pickle.dumps(rules)),
        pickle.loads(pickle.dumps(game)).rules,
    ):
        assert kept == rules
        assert kept.name == name
    assert LABELS[name] == rules.label


def test_korean_rules_play_like_japanese_ones_and_are_not_japanese() -> None:
    korean, japanese = Rules.named("korean"), Rules.named("japanese")
    assert korean.plays_like(japanese)
    assert korean != japanese
    assert Rules(ko="simple", scoring="territory") == japanese  # parts alone name the first rule set that has them
    assert eval(repr(korean), {"Rules": Rules}) == korean


def test_a_wrong_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(ValueError, match=r"no rules 'chinse'; did you mean 'chinese'\? known: chinese, japanese"):
        Rules.named("chinse")
    with pytest.raises(ValueError, match=r"no rules 'ing'; known: chinese"):
        Rules.named("ing")
    with pytest.raises(ValueError, match=r"no ko rule 'positonal'; did you mean 'positional'\?"):
        Rules(ko="positonal")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("size", [2, 9, 10, 19])
def test_usual_komi(name: str, size: int) -> None:
    expected = 6.5 if name in {"japanese", "korean"} else 7 if size <= 9 else 7.5
    assert usual_komi(size, name) == usual_komi(size, Rules.named(name)) == expected
    assert Game(size=size, rules=name).komi == expected
    assert usual_komi(size, name, handicap=True) == 0.5


def test_a_komi_given_is_the_komi() -> None:
    assert Game(size=9, komi=0).komi == 0
    assert komi_from_text(" 6,5 ") == 6.5
    assert komi_from_text("6 1/2") is None


@pytest.mark.parametrize(
    ("stated", "points"),
    [("375", 7.5), ("3.75", 7.5), ("2.75", 5.5), ("650", 6.5), ("750", 7.5), ("1000", 1000), ("2.25", 2.25), ("0", 0),
     ("6.5", 6.5), ("361", 361), ("200", 200), ("7.3", 7.3)],
)  # fmt: skip
def test_komi_as_chinese_servers_write_it(stated: str, points: float) -> None:
    """In stones, of two points each, or without its decimal point."""
    assert komi_from_text(stated) == pytest.approx(points)
    game = read_sgf(f"(;SZ[19]KM[{stated}]RU[Chinese];B[pd])".encode())
    assert game.komi == pytest.approx(points)


def test_kgs_has_words_of_its_own() -> None:
    words = {name: rules_for_kgs(name) for name in NAMES}
    assert words == {
        "chinese": "chinese",
        "japanese": "japanese",
        "korean": "japanese",
        "aga": "aga",
        "new-zealand": "new_zealand",
        "tromp-taylor": "chinese",
    }


def test_nobody_else_keeps_a_usual_komi_or_a_list_of_rules() -> None:
    source = Path(__file__).parent.parent.parent / "src" / "tesuji"
    owners = {source / "go" / "rules.py", source / "interfaces" / "engine" / "kata_rules.py"}  # and KataGo's words
    for path in set(source.rglob("*.py")) - owners:
        text = path.read_text(encoding="utf-8")
        assert '"korean"' not in text, f"{path.name} names rules of its own"
        assert "def usual_komi" not in text, f"{path.name} has a usual komi of its own"
