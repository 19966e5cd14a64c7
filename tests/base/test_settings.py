"""Settings from tables and text: typed, nested, and refused with the nearest name."""

from dataclasses import dataclass, field

import pytest

from tesuji.base.settings import changed, did_you_mean, nearest, setting_names, table


@dataclass(frozen=True)
class Inner:
    visits: int = 10
    c: float = 0.5


@dataclass(frozen=True)
class Outer:
    learning_rate: float = 0.1
    l2: float = 0.0
    files: tuple[str, ...] = ()
    limit: int | None = None
    search: Inner = field(default_factory=Inner)


def test_text_and_tables_give_the_same() -> None:
    by_text = changed(Outer(), {"search.visits": "32", "files": "a,b", "limit": "none", "l2": "1e-4"}, "test")
    by_table = changed(Outer(), {"search": {"visits": 32}, "files": ["a", "b"], "limit": None, "l2": 1e-4}, "test")
    assert by_text == by_table == Outer(l2=1e-4, files=("a", "b"), search=Inner(32))


def test_a_table_reads_back() -> None:
    options = Outer(files=("x",), search=Inner(7, 0.25))
    assert table(options) == {
        "learning_rate": 0.1, "l2": 0.0, "files": ["x"], "limit": None, "search": {"visits": 7, "c": 0.25},
    }  # fmt: skip
    assert changed(Outer(), table(options), "test") == options


def test_names_go_into_parts() -> None:
    assert setting_names(Outer) == ["learning_rate", "l2", "files", "limit", "search.visits", "search.c"]


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("visits", 3, "no test setting 'visits'; did you mean 'search.visits'?"),
        ("lr", 3, "no test setting 'lr'; did you mean 'learning_rate'?"),
        ("search.visit", 3, "no test search setting 'visit'; did you mean 'visits'?"),
        ("search", 3, "test setting search is 3; it is a table, or write search.NAME"),
        ("search.visits", "many", "test search setting visits is 'many'; it must be a whole number"),
        ("nothing.like", 1, "no test setting 'nothing.like'; there are learning_rate, l2, files,"),
    ],
)
def test_what_cannot_be_is_refused_with_a_cure(key: str, value: object, told: str) -> None:
    with pytest.raises(ValueError, match="test") as refusal:
        changed(Outer(), {key: value}, "test")
    assert told in str(refusal.value)


def test_the_nearest_name() -> None:
    assert nearest("cosin", ["cosine", "constant"]) == "cosine"
    assert nearest("xyz", ["cosine"]) is None
    assert nearest("nonsense", ["seed", "batch"]) is None, "a far one helps nobody"
    assert did_you_mean("xyz", ["cosine", "constant"]) == "; there are cosine, constant"
