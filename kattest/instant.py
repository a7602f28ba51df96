"""Timestamps: RFC 3339 with a zone, compared as instants (design, section 3.2)."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone
from typing import NamedTuple

_RFC3339 = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]{1,40}))?"
    r"(?:([Zz])|([+-])([0-9]{2}):([0-5][0-9]))"
)


class Instant(NamedTuple):
    """A point in time, exact: whole seconds since 1970 (UTC) and what follows them.

    ``fraction`` holds the digits after the decimal point without trailing zeros, so that
    comparing the strings compares the fractions.
    """

    seconds: int
    fraction: str = ""

    def isoformat(self) -> str:
        """RFC 3339 in UTC, to the second: what reports print."""
        moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=self.seconds)
        return moment.strftime("%Y-%m-%dT%H:%M:%SZ").rjust(20, "0")


class Timestamp(NamedTuple):
    """A timestamp as a document holds it: its text, and the instant where the text is one."""

    text: str
    instant: Instant | None


def parse_instant(text: str) -> Instant | None:
    """The instant that ``text`` names, or None where it is not RFC 3339 with a zone.

    Leap seconds (``:60``) are refused: they have no instant of their own to compare.
    """
    match = _RFC3339.fullmatch(text)
    if match is None:
        return None
    year, month, day, hour, minute, second = (int(part) for part in match.groups()[:6])
    fraction, zulu, sign, offset_hours, offset_minutes = match.groups()[6:]
    zone = UTC
    try:
        if not zulu:
            offset = timedelta(hours=int(offset_hours), minutes=int(offset_minutes))
            zone = timezone(-offset if sign == "-" else offset)
        moment = datetime(year, month, day, hour, minute, second, tzinfo=zone)
    except ValueError:
        return None
    try:
        moment = moment.astimezone(UTC)
    except OverflowError:  # beyond the year 1 or 9999 in UTC
        return None
    try:
        moment = moment.astimezone(UTC)
    except OverflowError:  # beyond the year 1 or 9999 in UTC
        return None
    since = moment - datetime(1970, 1, 1, tzinfo=UTC)
    return Instant(since.days * 86400 + since.seconds, (fraction or "").rstrip("0"))


def parse_timestamp(text: str) -> Timestamp:
    """``text`` with the instant it names, if it names one."""
    return Timestamp(text, parse_instant(text))
