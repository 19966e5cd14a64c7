"""A session as data for the disk, and back: the record, the place in it, what was found about it."""

from typing import Any

from tesuji.base.errors import InputError
from tesuji.interfaces.web.game.judgement import Judgement
from tesuji.interfaces.web.game.record import Record
from tesuji.interfaces.web.game.session import Look, Session
from tesuji.interfaces.web.game.setup import Setup


def state_of(session: Session) -> dict[str, Any]:
    """All that must survive a restart."""
    record = session.record
    numbers = {node: number for number, node in enumerate(record.root.walk())}
    return {
        "version": 1,
        "setup": session.setup.as_dict(),
        "sgf": record.to_sgf().decode("utf-8"),
        "path": record.path(),
        "mode": session.mode,
        "look": vars(session.look),
        "judgements": {
            str(numbers[node]): judgement.as_dict() for node, judgement in session.judgements.items() if node in numbers
        },
    }


def session_from(state: dict[str, Any]) -> Session:
    """The session as it was saved. Raises `ValueError` where the state makes no sense."""
    try:
        session = Session(Setup.from_dict(state["setup"]))
        record = Record.from_sgf(state["sgf"].encode("utf-8"))
        record.follow(state["path"])
        if state["mode"] not in {"play", "scoring", "review"}:
            raise InputError(f"no mode {state['mode']!r}")
        session.adopt(session.setup, record, state["mode"])
        session.look = Look(**state["look"])
        nodes = list(record.root.walk())
        known = {int(number): Judgement.from_dict(data) for number, data in state["judgements"].items()}
        session.judgements = {nodes[number]: judgement for number, judgement in known.items()}
    except (KeyError, TypeError, AttributeError, IndexError) as fault:
        raise InputError(f"the saved game cannot be read: {fault!r}") from fault
    if session.mode == "scoring":
        session.start_counting()
    return session
