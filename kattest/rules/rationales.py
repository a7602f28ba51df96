"""KA140 to KA145: what judges wrote, and what it shows of their isolation (design, 3.1 and 3.5)."""

from __future__ import annotations

from collections.abc import Iterator

from kattest.attestation.isolation import Isolation, Trace
from kattest.attestation.model import Attestation
from kattest.attestation.panels import (
    LONGEST_RATIONALE,
    SHORTEST_RATIONALE,
    needs_meta_judge,
)
from kattest.finding import Severity
from kattest.jsondoc import pointer_to
from kattest.rules.base import Fault, Spot, check
from kattest.rules.subjects import RoundSubject
from kattest.text import quote


@check(
    "KA140",
    "rationale-shape",
    Severity.WARNING,
    what="A rationale summary has at most 500 code points and no white space at its ends "
    "(protocol, section 1).",
    why="The hash covers the stored text as it is. One that was not trimmed and cut was not "
    "written as the protocol says, and another program will not reproduce its hash.",
    fix="Trim and cut the rationale before it is hashed. One that is sealed stays as it is.",
)
def rationale_shape(subject: RoundSubject) -> Iterator[Fault]:
    for attestation in subject.round.attestations:
        text = attestation.rationale
        if text is None:
            continue
        if len(text) > LONGEST_RATIONALE:
            yield Fault(
                f"the rationale of {quote(attestation.name)} has {len(text)} code points, more "
                f"than {LONGEST_RATIONALE}",
                _rationale_spot(attestation),
            )
        if text != text.strip():
            yield Fault(
                f"the rationale of {quote(attestation.name)} has white space at its ends",
                _rationale_spot(attestation),
            )


@check(
    "KA141",
    "rationale-short",
    Severity.WARNING,
    what="A rationale has at least 32 code points.",
    why="With a rationale that can be guessed, the 101 possible scores can be tried against the "
    "hash: a peer could learn the score before it is disclosed.",
    fix="Have judges give their reasons in a full sentence.",
)
def rationale_short(subject: RoundSubject) -> Iterator[Fault]:
    for attestation in subject.round.attestations:
        text = attestation.rationale
        if text is not None and len(text) < SHORTEST_RATIONALE:
            yield Fault(
                f"the rationale of {quote(attestation.name)} has {len(text)} code points, fewer "
                f"than {SHORTEST_RATIONALE}",
                _rationale_spot(attestation),
            )


@check(
    "KA142",
    "isolation-breach",
    what="No panel judge's rationale names a peer, by id or title, in English or Russian, and "
    "quotes that peer's exact score. A whole number counts where a word calls it a score, or right "
    "behind the name.",
    why="A judge who knows a peer's score before giving its own is not independent of it, and the "
    "panel is worth less than its size says.",
    fix="Run the round again with judges who see the artifact and nothing else.",
)
def isolation_breach(subject: RoundSubject) -> Iterator[Fault]:
    for trace in subject.traces:
        if trace.is_breach:
            yield _knows(trace, "names {peer} and quotes its score")


@check(
    "KA143",
    "isolation-hint",
    Severity.WARNING,
    what="No panel judge's rationale names a peer, or quotes a score that is exactly a peer's and "
    "not its own.",
    why="One of the two alone may be chance. It is worth a reader's look.",
    fix="Read the rationale. If it shows knowledge of the peer's judgement, run the round again.",
)
def isolation_hint(subject: RoundSubject) -> Iterator[Fault]:
    for trace in subject.traces:
        if not trace.is_breach:
            yield _knows(trace, "names {peer}" if trace.named else "quotes the score of {peer}")


@check(
    "KA144",
    "rationale-repeated",
    what="No two panel judges give the same rationale; case and spacing aside.",
    why="Two judges who write the same words are one judge with two votes.",
    fix="Run the round again with judges who are independent of each other.",
)
def rationale_repeated(subject: RoundSubject) -> Iterator[Fault]:
    for trace in subject.repeated:
        yield _knows(trace, "has the same rationale as {peer}")


@check(
    "KA145",
    "conformity-collapse",
    Severity.WARNING,
    what="Where the panel's scores differ by more than 3.0, no breach of isolation was found "
    "(protocol, section 5, disagreement detection).",
    why="A meta-judge settles genuine disagreement. Between judges who knew each other's scores "
    "the disagreement itself is suspect.",
    fix="Run the whole round again instead of letting a meta-judge settle it.",
)
def conformity_collapse(subject: RoundSubject) -> Iterator[Fault]:
    if needs_meta_judge(subject.spread) and subject.isolation is Isolation.BREACH:
        yield Fault(
            f"the panel's scores differ by {subject.spread}, and its isolation was breached",
            Spot(pointer_to(subject.round.pointer, "attestations")),
        )


def _knows(trace: Trace, what: str) -> Fault:
    described = what.format(peer=quote(trace.peer.name))
    return Fault(
        f"{quote(trace.judge.name)} {described}",
        _rationale_spot(trace.judge),
        ((Spot(trace.peer.pointer), f"the attestation of {quote(trace.peer.name)}"),),
    )


def _rationale_spot(attestation: Attestation) -> Spot:
    return Spot(pointer_to(attestation.pointer, "rationale_summary"))


CHECKS = (
    rationale_shape,
    rationale_short,
    isolation_breach,
    isolation_hint,
    rationale_repeated,
    conformity_collapse,
)
