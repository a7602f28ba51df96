"""Faults to findings: every place gets its line and column, in one walk over each document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from kattest.config import Config
from kattest.documents import LoadedDocument
from kattest.finding import Finding, Location, Related, Rule, Severity
from kattest.rules.base import Check, Fault, Spot, Subject

MOST_FAULTS = 1000  # of one rule in one document; a hostile one would else exhaust the memory


def run(checks: Iterable[Check[Subject]], subject: Subject) -> Iterator[tuple[Rule, Fault]]:
    """The faults that ``checks`` find in ``subject``, each with its rule."""
    for check in checks:
        for fault in islice(check.faults(subject), MOST_FAULTS + 1):
            yield check.rule, fault


def located(
    faults: Mapping[str, Iterable[tuple[Rule, Fault]]],
    documents: Mapping[str, LoadedDocument],
    config: Config,
) -> Iterator[Finding]:
    """The findings of documents by path, with the severities that ``config`` gives them.

    A rule that is off finds with its own severity: its findings are not reported, but they count
    in the verdict on a round. Of each rule at most ``MOST_FAULTS`` in a document, and then one for
    the whole document that says so.
    """
    kept = [(path, *bounded) for path in faults for bounded in _bounded(faults[path], config)]
    places = _Places(((path, fault) for path, _, fault, _ in kept), documents)
    for path, rule, fault, severity in kept:
        related = tuple(Related(places.of(path, spot), text) for spot, text in fault.related)
        yield Finding(rule, severity, places.of(path, fault.spot), fault.message, related)


def _bounded(
    faults: Iterable[tuple[Rule, Fault]], config: Config
) -> Iterator[tuple[Rule, Fault, Severity]]:
    counts: Counter[str] = Counter()
    for rule, fault in faults:
        severity = config.severity.get(rule.code) or rule.severity
        counts[rule.code] += 1
        if counts[rule.code] <= MOST_FAULTS:
            yield rule, fault, severity
        elif counts[rule.code] == MOST_FAULTS + 1:
            message = f"this document has more than {MOST_FAULTS} of these; the rest is not listed"
            yield rule, Fault(message, Spot()), severity


class _Places:
    """The locations of many spots, with one walk over each document that they are in."""

    def __init__(
        self, faults: Iterable[tuple[str, Fault]], documents: Mapping[str, LoadedDocument]
    ) -> None:
        wanted: dict[tuple[str, bool], set[str]] = {}
        for home, fault in faults:
            for spot in (fault.spot, *(spot for spot, _ in fault.related)):
                if spot.position is None and spot.commit is None:
                    key = (spot.path or home, spot.at_key)
                    wanted.setdefault(key, set()).add(spot.pointer)
        self._positions = {
            (path, at_key): text.positions(pointers, at_key=at_key)
            for (path, at_key), pointers in wanted.items()
            if path in documents and (text := documents[path].text)
        }

    def of(self, home: str, spot: Spot) -> Location:
        """The location of a spot of the document ``home``.

        Without line and column where its text is not at hand.
        """
        path = spot.path or home
        known = self._positions.get((path, spot.at_key), {})
        position = spot.position or (None if spot.commit else known.get(spot.pointer))
        line, column = position or (None, None)
        return Location(path, spot.pointer, line, column, spot.commit)
