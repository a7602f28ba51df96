"""``_patterns/domain-patterns.json``: what was noticed about a domain (protocol, step 9).

The protocol shows a pattern and not the file around it. Read are a list of patterns, one under
``patterns``, and lists by domain. A pattern belongs to the domain that it names, that it is listed
under, or that its id begins with.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from kattest.jsondoc import JsonValue, Number
from kattest.jsontext import Writable

_FIELDS = ("pattern_id", "description", "confidence", "actionable_advice")


def patterns_of(document: JsonValue, domain: str) -> list[Writable]:
    """The patterns of ``domain``, in the order of the document, as the protocol shows them."""
    return [_shown(one) for listed, one in _all(document) if _domain(listed, one, domain)]


def best_patterns(document: JsonValue) -> list[Writable]:
    """All patterns, the most certain first."""
    found = [one for _, one in _all(document)]
    return [_shown(one) for one in sorted(found, key=lambda one: -_confidence(one))]


def _all(document: JsonValue) -> Iterator[tuple[str | None, dict[str, JsonValue]]]:
    """Every pattern, and the domain that it is listed under."""
    inner = document.get("patterns", document) if isinstance(document, dict) else document
    tables = inner.items() if isinstance(inner, dict) else [(None, inner)]
    for listed, patterns in tables:
        for one in patterns if isinstance(patterns, list) else ():
            if isinstance(one, dict) and "pattern_id" in one:
                yield listed, one


def _domain(listed: str | None, pattern: dict[str, JsonValue], domain: str) -> bool:
    named = pattern.get("domain", listed)
    if named is not None:
        return named == domain
    return str(pattern["pattern_id"]).startswith(f"{domain}-")


def _confidence(pattern: dict[str, JsonValue]) -> Decimal:
    value = pattern.get("confidence")
    return value.value if isinstance(value, Number) else Decimal(0)


def _shown(pattern: dict[str, JsonValue]) -> dict[str, Writable]:
    return {name: pattern[name] for name in _FIELDS if name in pattern}
