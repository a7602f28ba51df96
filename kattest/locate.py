"""Faults to findings: every place gets its line and column, in one walk over each document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeAlias

from kattest.config import Config
from kattest.finding import Finding, Location, Related, Rule, Severity
from kattest.jsondoc import Document
from kattest.rules import ATTESTATION_RULES
from kattest.rules.base import Check, Fault, Spot, Subject

# Of one rule in one document; a hostile one would else exhaust the memory. An index has an entry
# for each record, and all of them are listed that an honest mistake can put wrong.
MOST_FAULTS = 1000
MOST_OF_MEMORY = 100_000


Located: TypeAlias = tuple[str, Rule, Fault]
"""A fault with its rule, and the path of the document that it is in."""

Texts: TypeAlias = Callable[[Sequence[str]], Iterator[tuple[str, Document]]]
"""Of some paths, those at which a document can be read, each with it."""


def run(
    checks: Iterable[Check[Subject]], subject: Subject, most: int | None = MOST_FAULTS + 1
) -> Iterator[tuple[Rule, Fault]]:
    """The faults that ``checks`` find in ``subject``, each with its rule; ``most`` of each."""
    for check in checks:
        for fault in islice(check.faults(subject), most):
            yield check.rule, fault


def located(faults: Iterable[Located], texts: Texts, config: Config) -> Iterator[Finding]:
    """The findings that ``faults`` are, with the severities that ``config`` gives them.

    ``texts`` gives the documents at paths, for places in them. A rule that is off finds with its
    own severity: its findings are not reported, but they count in a verdict. Of each rule a bounded
    number in a document, and then one for the whole document that says so.
    """
    kept = list(_bounded(faults, config))
    places = _Places(((path, fault) for path, _, fault, _ in kept), texts)
    for path, rule, fault, severity in kept:
        related = tuple(Related(places.of(path, spot), text) for spot, text in fault.related)
        yield Finding(rule, severity, places.of(path, fault.spot), fault.message, related)


def _bounded(
    faults: Iterable[Located], config: Config
) -> Iterator[tuple[str, Rule, Fault, Severity]]:
    counts: Counter[tuple[str, str]] = Counter()
    for path, rule, fault in faults:
        severity = config.severity.get(rule.code) or rule.severity
        counts[path, rule.code] += 1
        count = counts[path, rule.code]
        most = MOST_FAULTS if rule in ATTESTATION_RULES else MOST_OF_MEMORY
        if count <= most:
            yield path, rule, fault, severity
        elif count == most + 1:
            message = f"this document has more than {most} of these; the rest is not listed"
            yield path, rule, Fault(message, Spot()), severity


class _Places:
    """The locations of many spots, with one walk over each document that they are in."""

    def __init__(self, faults: Iterable[tuple[str, Fault]], texts: Texts) -> None:
        wanted: dict[str, dict[bool, set[str]]] = {}
        for home, fault in faults:
            for spot in (fault.spot, *(spot for spot, _ in fault.related)):
                if spot.position is None and spot.commit is None:
                    ways = wanted.setdefault(spot.path or home, {})
                    ways.setdefault(spot.at_key, set()).add(spot.pointer)
        self._positions: dict[tuple[str, bool], dict[str, tuple[int, int]]] = {}
        for path, text in texts([*wanted]):
            for at_key, pointers in wanted[path].items():
                self._positions[path, at_key] = text.positions(pointers, at_key=at_key)

    def of(self, home: str, spot: Spot) -> Location:
        """The location of a spot of the document ``home``.

        Without line and column where its text is not at hand.
        """
        path = spot.path or home
        known = self._positions.get((path, spot.at_key), {})
        position = spot.position or (None if spot.commit else known.get(spot.pointer))
        line, column = position or (None, None)
        return Location(path, spot.pointer, line, column, spot.commit)
