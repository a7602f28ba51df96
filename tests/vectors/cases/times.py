"""KA103, KA104 and KA134: when a round's attestations were recorded."""

from __future__ import annotations

from tests.support.rounds import make_round
from tests.vectors.case import (
    A,
    Case,
    Cases,
    Expected,
    R,
    Round,
    World,
    at_times,
    edited,
    fails,
    judged,
    passes,
)

HONEST = make_round()
LAST = "2026-03-01T12:01:30Z"


def _second(stamp: str, first: str = "2026-03-01T12:00:30Z") -> World:
    return judged(at_times((first, stamp, LAST)))


def _out_of_order(name: str, why: str, stamp: str, first: str = "2026-03-01T12:00:30Z") -> Case:
    return fails(name, why, _second(stamp, first), f"{A}/1/timestamp")


TIMESTAMP_ORDER = (
    passes("half-a-minute-apart", "each later than the one before", judged(HONEST)),
    passes(
        "fractions",
        "fractions are compared as numbers: .15 comes after .1, and .2 after .15",
        judged(at_times(f"2026-03-01T12:00:30{f}Z" for f in (".1", ".15", ".2"))),
    ),
    passes(
        "nanoseconds",
        "a fraction may be finer than any clock of this program",
        judged(at_times(f"2026-03-01T12:00:30.00000000{f}Z" for f in (1, 2, 3))),
    ),
    passes(
        "other-zones",
        "instants are compared, not texts: each text sorts before the one above it",
        judged(
            at_times(
                (
                    "2026-03-01T15:00:30+03:00",
                    "2026-03-01T12:01:00Z",
                    "2026-03-01T07:01:30-05:00",
                )
            )
        ),
    ),
    passes(
        "other-day-elsewhere",
        "what is March there is still February here",
        judged(
            at_times(
                ("2026-02-28T23:30:00Z", "2026-03-01T02:31:00+03:00", "2026-02-28T23:32:00Z"),
                "2026-02-28T23:00:00Z",
            )
        ),
    ),
    _out_of_order("equal", "equal is a fault", "2026-03-01T12:00:30Z"),
    _out_of_order("earlier", "recorded before what it links to", "2026-03-01T12:00:29Z"),
    _out_of_order("equal-in-another-zone", "two texts of one instant", "2026-03-01T15:00:30+03:00"),
    fails(
        "earlier-in-another-zone",
        "12:01 in Moscow is 09:01 in UTC: before what it links to, and before the round",
        _second("2026-03-01T12:01:00+03:00"),
        f"{A}/1/timestamp",
        Expected("KA134", f"{R}/started_at"),
    ),
    _out_of_order(
        "equal-with-zeros",
        "zeros at the end of a fraction say nothing",
        "2026-03-01T12:00:30.100Z",
        "2026-03-01T12:00:30.1Z",
    ),
    _out_of_order(
        "earlier-by-a-fraction",
        ".09 comes before .1",
        "2026-03-01T12:00:30.09Z",
        "2026-03-01T12:00:30.1Z",
    ),
    fails(
        "backwards",
        "each one is before the one it follows",
        judged(at_times(("2026-03-01T12:01:30Z", "2026-03-01T12:01:00Z", "2026-03-01T12:00:30Z"))),
        f"{A}/1/timestamp",
        f"{A}/2/timestamp",
    ),
    fails(
        "meta-judge-with-the-last",
        "the meta-judge comes after the panel too",
        judged(
            edited(
                make_round(scores=("9.0", "5.5", "8.0"), meta="7.8"),
                {"/attestations/3/timestamp": LAST},
            )
        ),
        f"{A}/3/timestamp",
    ),
)

NO_TIMES = {
    "no-zone": ("2026-03-01T12:01:00", "without a zone it names no instant"),
    "nonsense": ("yesterday at noon", "not a time at all"),
    "date-alone": ("2026-03-01", "a day is no instant"),
    "space-for-t": ("2026-03-01 12:01:00Z", "RFC 3339 has a T between date and time"),
    "without-seconds": ("2026-03-01T12:01Z", "ISO 8601 allows it, RFC 3339 does not"),
    "basic-format": ("20260301T120100Z", "ISO 8601 allows it, RFC 3339 does not"),
    "zone-without-colon": ("2026-03-01T15:01:00+0300", "an offset has a colon"),
    "zone-by-name": ("2026-03-01T12:01:00 UTC", "a zone is Z or an offset"),
    "offset-beyond-a-day": ("2026-03-02T12:01:00+24:00", "an offset's hours end at 23"),
    "leap-second": ("2026-03-01T12:00:60Z", "a leap second has no instant of its own to compare"),
    "month-13": ("2026-13-01T12:01:00Z", "there is no such month"),
    "february-30": ("2026-02-30T12:01:00Z", "there is no such day"),
    "hour-24": ("2026-03-01T24:00:00Z", "hours end at 23"),
    "unix-time": ("1772366460", "seconds since 1970 are not RFC 3339"),
    "decimal-comma": ("2026-03-01T12:01:00,5Z", "a fraction stands behind a point"),
    "fraction-without-digits": ("2026-03-01T12:01:00.Z", "a point has digits behind it"),
    "digits-of-another-script": ("2026-03-01T12:01:0\u0660Z", "digits are ASCII"),
    "line-feed-at-end": ("2026-03-01T12:01:00Z\n", "nothing follows the zone"),
    "no-characters": ("", "no text is no time"),
}

TIMESTAMP_FORMAT = (
    passes("utc", "RFC 3339 with a Z", judged(HONEST)),
    passes("fraction", "fractions of a second are allowed", _second("2026-03-01T12:01:00.250Z")),
    passes("offset", "an offset is a zone", _second("2026-03-01T17:31:00+05:30")),
    passes("unknown-offset", "-00:00 is UTC all the same", _second("2026-03-01T12:01:00-00:00")),
    passes("lower-case", "RFC 3339 allows a small t and z", _second("2026-03-01t12:01:00z")),
    passes(
        "leap-day",
        "2028 is a leap year",
        judged(
            at_times(
                (f"2028-02-29T12:0{minute}:00Z" for minute in range(3)),
                "2028-02-29T12:00:00Z",
                "2028-02-29T12:02:00Z",
            )
        ),
    ),
    *(
        fails(name, why, _second(stamp), f"{A}/1/timestamp")
        for name, (stamp, why) in NO_TIMES.items()
    ),
    fails(
        "started-without-zone",
        "the round's own times need a zone as well",
        judged(edited(HONEST, {"/started_at": "2026-03-01T12:00:00"})),
        f"{R}/started_at",
    ),
    fails(
        "completed-without-zone",
        "the round's own times need a zone as well",
        judged(edited(HONEST, {"/completed_at": "2026-03-01T12:05:00"})),
        f"{R}/completed_at",
    ),
    fails(
        "everywhere",
        "each time is reported",
        judged(at_times(("", "soon", "later"), "once", "")),
        *(f"{A}/{seat}/timestamp" for seat in range(3)),
        f"{R}/started_at",
        f"{R}/completed_at",
    ),
)


def _round_from_to(started: str, completed: str) -> Round:
    return edited(HONEST, {"/started_at": started, "/completed_at": completed})


ROUND_TIMES = (
    passes("around", "started before the first, completed after the last", judged(HONEST)),
    passes(
        "at-both-ends",
        "a round may start with its first attestation and complete with its last",
        judged(_round_from_to("2026-03-01T12:00:30Z", LAST)),
    ),
    passes(
        "other-zones",
        "instants are compared, not texts",
        judged(_round_from_to("2026-03-01T15:00:30+03:00", "2026-03-01T07:01:30-05:00")),
    ),
    passes(
        "no-attestations",
        "a round that is opened and closed at one moment; that it is empty is another fault",
        judged(edited(_round_from_to(LAST, LAST), {"/attestations": []})),
        Expected("KA136", A),
    ),
    fails(
        "ends-exchanged-without-attestations",
        "no attestation says so, but it completes before it starts; and it is empty",
        judged(
            edited(
                _round_from_to("2026-03-01T12:05:00Z", "2026-03-01T12:00:00Z"),
                {"/attestations": []},
            )
        ),
        f"{R}/completed_at",
        Expected("KA136", A),
    ),
    fails(
        "starts-late",
        "the first attestation is from before the round",
        judged(_round_from_to("2026-03-01T12:00:30.1Z", "2026-03-01T12:05:00Z")),
        f"{R}/started_at",
    ),
    fails(
        "completes-early",
        "the last attestation is from after the round",
        judged(_round_from_to("2026-03-01T12:00:00Z", "2026-03-01T12:01:29Z")),
        f"{R}/completed_at",
    ),
    fails(
        "both-ends",
        "the round is shorter than its attestations at either end",
        judged(_round_from_to("2026-03-01T12:01:00Z", "2026-03-01T12:01:00Z")),
        f"{R}/started_at",
        f"{R}/completed_at",
    ),
    fails(
        "ends-exchanged",
        "it completes before it starts",
        judged(_round_from_to("2026-03-01T12:05:00Z", "2026-03-01T12:00:00Z")),
        f"{R}/started_at",
        f"{R}/completed_at",
    ),
    fails(
        "meta-judge-afterwards",
        "the meta-judge's attestation is part of the round",
        judged(
            edited(
                make_round(scores=("9.0", "5.5", "8.0"), meta="7.8"),
                {"/completed_at": LAST},
            )
        ),
        f"{R}/completed_at",
    ),
    fails(
        "starts-late-in-another-zone",
        "12:00:30 two hours west of UTC is 14:00:30",
        judged(_round_from_to("2026-03-01T12:00:30-02:00", "2026-03-01T15:00:00Z")),
        f"{R}/started_at",
    ),
)

CASES: Cases = {
    "KA103-timestamp-order": TIMESTAMP_ORDER,
    "KA104-timestamp-format": TIMESTAMP_FORMAT,
    "KA134-round-times": ROUND_TIMES,
}
