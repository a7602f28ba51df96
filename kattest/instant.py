"""Timestamps: RFC 3339 with a zone, compared as instants (design, section 3.2)."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone
from functools import lru_cache
from typing import NamedTuple

_RFC3339 = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]{1,40}))?"
    r"(?:([Zz])|([+-])([0-9]{2}):([0-5][0-9]))"
)

DAY = 86400  # seconds

_HOUR = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T(?:[01][0-9]|2[0-3])")
_REST = re.compile(r":([0-5][0-9]):([0-5][0-9])Z")
_PLAIN_LENGTH = len("2026-03-01T12:30:00Z")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
LAST_SECOND = 253402300799  # of the year 9999


class Instant(NamedTuple):
    """A point in time, exact: whole seconds since 1970 (UTC) and what follows them.

    ``fraction`` holds the digits after the decimal point without trailing zeros, so that
    comparing the strings compares the fractions.
    """

    seconds: int
    fraction: str = ""

    def isoformat(self) -> str:
        """RFC 3339 in UTC, to the second: what reports print."""
        if self.seconds > LAST_SECOND:
            return "a time after the year 9999"
        moment = _EPOCH + timedelta(seconds=self.seconds)
        return moment.strftime("%Y-%m-%dT%H:%M:%SZ").rjust(20, "0")

    def precise(self) -> str:
        """RFC 3339 in UTC with whatever fraction of a second there is: what documents hold."""
        text = self.isoformat()
        return f"{text[:-1]}.{self.fraction}Z" if self.fraction else text

    def next_microsecond(self) -> Instant:
        """The first whole microsecond after this instant."""
        micros = int(self.fraction[:6].ljust(6, "0")) + 1
        seconds, micros = self.seconds + micros // 1_000_000, micros % 1_000_000
        return Instant(seconds, f"{micros:06}".rstrip("0") if micros else "")

    def after_days(self, days: int) -> Instant:
        """The instant ``days`` times 24 hours later."""
        return Instant(self.seconds + days * DAY, self.fraction)


class Timestamp(NamedTuple):
    """A timestamp as a document holds it: its text, and the instant where the text is one."""

    text: str
    instant: Instant | None


def parse_instant(text: str) -> Instant | None:
    """The instant that ``text`` names, or None where it is not RFC 3339 with a zone.

    Leap seconds (``:60``) are refused: they have no instant of their own to compare.
    """
    if len(text) == _PLAIN_LENGTH:  # most times are 2026-03-01T12:30:00Z, and hours repeat
        hour, rest = _hour(text[:13]), _rest(text[13:])
        if hour is not None and rest is not None:
            return Instant(hour + rest)
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
    since = moment - _EPOCH
    return Instant(since.days * DAY + since.seconds, (fraction or "").rstrip("0"))


@lru_cache(maxsize=16384)
def _hour(text: str) -> int | None:
    """The first second of an hour (2026-03-01T12, UTC); None where it is not one."""
    if not _HOUR.fullmatch(text):
        return None
    try:
        since = datetime.fromisoformat(f"{text}:00:00+00:00") - _EPOCH
    except ValueError:
        return None
    return since.days * DAY + since.seconds


@lru_cache(maxsize=3600)
def _rest(text: str) -> int | None:
    """The second of an hour that its rest (:30:00Z) names; None where it is not one."""
    match = _REST.fullmatch(text)
    return int(match[1]) * 60 + int(match[2]) if match else None


def parse_timestamp(text: str) -> Timestamp:
    """``text`` with the instant it names, if it names one."""
    return Timestamp(text, parse_instant(text))
