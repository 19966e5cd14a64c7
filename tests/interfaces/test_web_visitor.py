"""What the scripted visitor calls a fault."""

from tests.interfaces.visitor import Trace, faults


def traces(*server_mb: float) -> list[Trace]:
    return [Trace(1.0, megabytes, 10.0, 500, []) for megabytes in server_mb]


def test_flat_memory_is_no_fault_and_growth_is() -> None:
    assert faults(traces(100, 200, 210, 220, 221, 219, 222, 220, 221)) == []
    assert faults(traces(100, 200, 210, 220, 240, 260, 280, 300, 320)) == ["server_mb grew from 230.0 to 310.0"]


def test_an_error_in_the_console_names_its_game() -> None:
    bad = Trace(1.0, 1.0, 1.0, 1, ["oh"])
    assert faults([*traces(1), bad]) == ["game 2: oh"]
