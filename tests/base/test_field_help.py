"""`help()` tells what each field of a class means."""

import inspect
from dataclasses import dataclass, fields

import tesuji
from tesuji.base.field_help import with_field_help


@with_field_help
@dataclass(frozen=True)
class Tea:
    """A cup."""

    minutes: float = 3.5
    """How long it draws."""
    kind: str = "green"
    _warm: bool = True


def test_the_lines_below_the_fields_are_told() -> None:
    told = inspect.getdoc(Tea)
    assert told == "A cup.\n\nminutes: float = 3.5\n    How long it draws.\nkind: str = 'green'"
    assert Tea(4).__doc__ == Tea.__doc__


def test_without_its_source_the_summary_remains() -> None:
    made = type("Made", (), {"__doc__": "Not from a file.", "__module__": "nowhere"})
    assert with_field_help(made).__doc__ == "Not from a file."


def test_options_and_results_are_explained() -> None:
    for name in tesuji.__all__:
        one = getattr(tesuji, name)
        if hasattr(one, "__dataclass_fields__"):
            told = inspect.getdoc(one)
            assert told is not None
            assert all(f"{field.name}: " in told for field in fields(one) if not field.name.startswith("_")), name


def test_signatures_are_short_enough_to_read() -> None:
    """Types of arrays were spelt out to hundreds of letters."""
    for name in ("encode", "Evaluation", "load", "review", "fit"):
        assert "_typing" not in str(inspect.signature(getattr(tesuji, name))), name
