"""KA103, KA104 and KA134: when a round's attestations were recorded (design, section 3.2)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from kattest.instant import Instant, Timestamp
from kattest.jsondoc import pointer_to
from kattest.rules.base import Fault, Spot, check
from kattest.rules.subjects import RoundSubject
from kattest.text import quote


@check(
    "KA103",
    "timestamp-order",
    what="Within a round, every attestation was recorded later than the one before it (protocol, "
    "step 2b v). Equal timestamps are a fault too.",
    why="The chain claims an order; times that run against it show that the chain was put together "
    "afterwards.",
    fix="Record attestations one after another, each with its own time. Fractions of a second "
    "keep them apart.",
)
def timestamp_order(subject: RoundSubject) -> Iterator[Fault]:
    for before, attestation in pairwise(subject.round.attestations):
        earlier, later = _instant(before.timestamp), _instant(attestation.timestamp)
        if earlier and later and later <= earlier:
            relation = "at the same time as" if later == earlier else "before"
            yield Fault(
                f"{quote(attestation.name)} was recorded {relation} {quote(before.name)}, "
                "which it follows",
                Spot(pointer_to(attestation.pointer, "timestamp")),
                ((Spot(pointer_to(before.pointer, "timestamp")), "the time it must be after"),),
            )


@check(
    "KA104",
    "timestamp-format",
    what="Every time is an RFC 3339 timestamp with a zone, such as 2026-03-01T12:00:30Z. Leap "
    "seconds are refused.",
    why="A time without a zone names no instant, so its order to others cannot be checked.",
    fix="Write the time in UTC, with a Z at its end.",
)
def timestamp_format(subject: RoundSubject) -> Iterator[Fault]:
    round_ = subject.round
    stamps = [
        (round_.started_at, pointer_to(round_.pointer, "started_at")),
        (round_.completed_at, pointer_to(round_.pointer, "completed_at")),
        *((a.timestamp, pointer_to(a.pointer, "timestamp")) for a in round_.attestations),
    ]
    for stamp, pointer in stamps:
        if stamp and stamp.instant is None:
            yield Fault(
                f"{quote(stamp.text)} is not an RFC 3339 time with a zone, such as "
                "2026-03-01T12:00:30Z",
                Spot(pointer),
            )


@check(
    "KA134",
    "round-times",
    what="A round starts no later than its first attestation and completes no earlier than its "
    "last.",
    why="The round's times are in no hash. An attestation outside them was added or moved by hand.",
    fix="Set started_at to when the panel was opened and completed_at to when its last attestation "
    "was recorded.",
)
def round_times(subject: RoundSubject) -> Iterator[Fault]:
    round_ = subject.round
    times = [
        (instant, pointer_to(attestation.pointer, "timestamp"))
        for attestation in round_.attestations
        if (instant := _instant(attestation.timestamp))
    ]
    started, completed = _instant(round_.started_at), _instant(round_.completed_at)
    first, last = min(times, default=None), max(times, default=None)
    if started and first and first[0] < started:
        yield Fault(
            "the round starts after its first attestation",
            Spot(pointer_to(round_.pointer, "started_at")),
            ((Spot(first[1]), "the first attestation"),),
        )
    if completed and last and completed < last[0]:
        yield Fault(
            "the round completes before its last attestation",
            Spot(pointer_to(round_.pointer, "completed_at")),
            ((Spot(last[1]), "the last attestation"),),
        )
    if not times and started and completed and completed < started:
        yield Fault(
            "the round completes before it starts",
            Spot(pointer_to(round_.pointer, "completed_at")),
        )


def _instant(stamp: Timestamp | None) -> Instant | None:
    return stamp.instant if stamp else None


CHECKS = (timestamp_order, timestamp_format, round_times)
