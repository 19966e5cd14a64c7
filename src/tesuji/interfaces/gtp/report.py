"""What the engine thinks of a position, and how each client wants to read it.

Everything in a `Report` is seen by the player to move, as the clients expect it.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from tesuji import Color
from tesuji.go.coordinates import vertex_text

_OWNERSHIP_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


@dataclass(frozen=True)
class Candidate:
    """One move under consideration."""

    move: int
    visits: int
    winrate: float
    prior: float
    lcb: float
    """Lower confidence bound of the win rate."""
    score_lead: float | None = None
    """Expected lead in points, komi included; None where the network does not say."""
    score_stdev: float | None = None
    line: Sequence[int] = ()
    """The expected continuation, this move first."""


@dataclass(frozen=True)
class Report:
    """A position after some thought; the best candidate first."""

    size: int
    to_play: Color
    visits: int
    winrate: float
    score_lead: float | None
    candidates: Sequence[Candidate]
    ownership: Sequence[float] | None = None
    """1 where the player to move owns the point, -1 the opponent; row by row from the top left."""


def lz_line(report: Report) -> str:
    """Leela Zero's format, read by Lizzie and Sabaki: integers of 1/10000."""

    def block(order: int, candidate: Candidate) -> str:
        return (
            f"info move {vertex_text(candidate.move, report.size)} visits {candidate.visits}"
            f" winrate {_ten_thousandths(candidate.winrate)} prior {_ten_thousandths(candidate.prior)}"
            f" lcb {_ten_thousandths(candidate.lcb)} order {order} pv {_variation(candidate, report.size)}"
        )

    return " ".join(block(order, candidate) for order, candidate in enumerate(report.candidates))


def kata_line(report: Report, *, ownership: bool = False, root_info: bool = False) -> str:
    """KataGo's format; what was not asked for is left out, for Sabaki takes it for a part of the last variation."""

    def block(order: int, candidate: Candidate) -> str:
        lead = candidate.score_lead or 0.0
        return (
            f"info move {vertex_text(candidate.move, report.size)} visits {candidate.visits}"
            f" utility {2 * candidate.winrate - 1:.6g} winrate {candidate.winrate:.6g}"
            f" scoreMean {lead:.6g} scoreStdev {candidate.score_stdev or 0.0:.6g} scoreLead {lead:.6g}"
            f" scoreSelfplay {lead:.6g} prior {candidate.prior:.6g} lcb {candidate.lcb:.6g}"
            f" utilityLcb {2 * candidate.lcb - 1:.6g} order {order} pv {_variation(candidate, report.size)}"
        )

    parts = [block(order, candidate) for order, candidate in enumerate(report.candidates)]
    if root_info:
        lead = report.score_lead or 0.0
        parts.append(
            f"rootInfo visits {report.visits} utility {2 * report.winrate - 1:.6g} winrate {report.winrate:.6g}"
            f" scoreMean {lead:.6g} scoreStdev 0 scoreLead {lead:.6g} scoreSelfplay {lead:.6g}"
        )
    if ownership and report.ownership is not None:
        parts.append("ownership " + " ".join(f"{owner:.6g}" for owner in report.ownership))
    return " ".join(parts)


def cgos_line(report: Report) -> str:
    """The JSON of CGOS, in one line."""
    moves = [
        {
            "move": vertex_text(candidate.move, report.size),
            "winrate": round(candidate.winrate, 6),
            **({} if candidate.score_lead is None else {"score": round(candidate.score_lead, 4)}),
            "prior": round(candidate.prior, 6),
            "visits": candidate.visits,
            "pv": _variation(candidate, report.size, start=1),
        }
        for candidate in report.candidates
    ]
    content: dict[str, object] = {"winrate": round(report.winrate, 6), "visits": report.visits, "moves": moves}
    if report.score_lead is not None:
        content["score"] = round(report.score_lead, 4)
    if report.ownership is not None:
        content["ownership"] = "".join(_ownership_letter(owner) for owner in report.ownership)
    return json.dumps(content, separators=(",", ":"))


def _ten_thousandths(share: float) -> int:
    return round(10000 * min(1.0, max(0.0, share)))


def _variation(candidate: Candidate, size: int, start: int = 0) -> str:
    line = candidate.line or (candidate.move,)
    return " ".join(vertex_text(move, size) for move in line[start:])


def _ownership_letter(owner: float) -> str:
    """CGOS sends one of 63 letters for -1 to 1."""
    return _OWNERSHIP_LETTERS[round(62 * min(1.0, max(0.0, (owner + 1) / 2)))]
