"""Words and numbers that several reports share."""

from __future__ import annotations

from decimal import Decimal

from kattest.result import Counts
from kattest.text import plural


def plain_decimal(value: Decimal) -> str:
    """A decimal without an exponent."""
    return f"{value:f}"


def looked_at(counts: Counts) -> str:
    """What was looked at, and how much of it."""
    seen = []
    if counts.attestation_files:
        seen += [
            plural(counts.attestation_files, "attestation file"),
            plural(counts.rounds, "round"),
            plural(counts.attestations, "attestation"),
        ]
    if counts.memory_roots:
        seen += [plural(counts.memory_roots, "memory root"), plural(counts.records, "record")]
    return ", ".join(seen) or "no document"
