"""Panels of judges: who sits, in which order, with which weight (protocol, sections 1 and 2).

The protocol's two rosters are here; a repository's configuration may add others.
"""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple

META_JUDGE = "meta-judge"
WEIGHT_TOLERANCE = Decimal("0.000001")  # by which weights may miss their sum of 1


class Seat(NamedTuple):
    """One seat of a panel.

    ``weight`` is None where the round's own weights count. ``titles`` are other names by which
    a rationale may speak of the judge.
    """

    judge_id: str
    weight: Decimal | None = None
    titles: tuple[str, ...] = ()


class Panel(NamedTuple):
    """A roster of seats, in the order in which their attestations are chained."""

    name: str
    seats: tuple[Seat, ...]

    @property
    def judge_ids(self) -> tuple[str, ...]:
        """The ids of its judges, in seat order."""
        return tuple(seat.judge_id for seat in self.seats)


_STANDARD_SEATS = (
    Seat("domain-expert", Decimal("0.4")),
    Seat("critic", Decimal("0.3")),
    Seat("completeness-auditor", Decimal("0.3")),
)
STANDARD = Panel("standard", _STANDARD_SEATS)
HIGH_STAKES = Panel(
    "high-stakes",
    (
        *(Seat(seat.judge_id, None, seat.titles) for seat in _STANDARD_SEATS),
        Seat("additional-expert"),
        Seat("tiebreaker", None, ("tie-breaker",)),
    ),
)
PROTOCOL_PANELS = (STANDARD, HIGH_STAKES)
