"""KA120 to KA126: who sat on the panel, and in which order (design, section 3.3)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from kattest.attestation.model import Attestation
from kattest.attestation.panels import SPREAD_LIMIT, needs_meta_judge
from kattest.finding import Severity
from kattest.jsondoc import pointer_to
from kattest.rules.base import Fault, Spot, check
from kattest.rules.subjects import RoundSubject
from kattest.text import plural, quote


@check(
    "KA120",
    "panel-size",
    what="A round has as many panel attestations as its panel_size says, and a roster has that "
    "size: 3 (standard) or 5 (high-stakes), or what .kattest.yaml adds. The meta-judge does not "
    "count.",
    why="A judge whose verdict did not please can be dropped from the end of the chain without "
    "breaking a link. Only the size of the panel shows it.",
    fix="Restore the attestation that is missing, or set panel_size to the panel that really sat.",
)
def panel_size(subject: RoundSubject) -> Iterator[Fault]:
    round_ = subject.round
    size, sat = round_.panel_size, len(round_.panel)
    spot = Spot(pointer_to(round_.pointer, "panel_size"))
    if size is not None and size != sat and round_.attestations:
        yield Fault(f"panel_size is {size}, and {plural(sat, 'panel judge')} attested", spot)
    if subject.panel is None and (size is not None or sat):
        sizes = sorted({len(panel.seats) for panel in subject.config.panels})
        known = ", ".join(str(size) for size in sizes)
        seats = plural(sat if size is None else size, "seat")
        yield Fault(f"no roster has {seats} (there are rosters of {known})", spot)


@check(
    "KA121",
    "judge-unknown",
    what="Every judge has a seat on the round's roster, or is the meta-judge.",
    why="A judge without a seat has no weight and answers to nobody; a misspelt id hides that the "
    "real judge never attested.",
    fix="Correct the id, or add the roster under `panels` in .kattest.yaml.",
)
def judge_unknown(subject: RoundSubject) -> Iterator[Fault]:
    rosters = (subject.panel,) if subject.panel else subject.config.panels
    known = {judge for panel in rosters for judge in panel.judge_ids}
    for attestation in subject.round.panel:
        if attestation.judge_id is not None and attestation.judge_id not in known:
            where = f"the {subject.panel.name} panel" if subject.panel else "any panel"
            yield Fault(
                f"{quote(attestation.name)} has no seat on {where}", _judge_spot(attestation)
            )


@check(
    "KA122",
    "judge-repeated",
    what="Every judge attests once in a round.",
    why="A judge who votes twice has twice the say, and takes the seat of one who did not vote.",
    fix="Keep one attestation of each judge, or run the round again.",
)
def judge_repeated(subject: RoundSubject) -> Iterator[Fault]:
    first: dict[str, Attestation] = {}
    for attestation in subject.round.attestations:
        if attestation.judge_id is not None:
            earlier = first.setdefault(attestation.judge_id, attestation)
            if earlier is not attestation:
                yield Fault(
                    f"{quote(attestation.name)} attests twice in this round",
                    _judge_spot(attestation),
                    ((_judge_spot(earlier), "its first attestation"),),
                )


@check(
    "KA123",
    "judge-order",
    what="Judges attest in the order of their seats (protocol, section 2).",
    why="The order is fixed so that nobody can choose it. Two judges exchanged mean that the chain "
    "was put together anew.",
    fix="Restore the order in which the attestations were recorded.",
)
def judge_order(subject: RoundSubject) -> Iterator[Fault]:
    if subject.panel is None:
        return
    seats = {judge: number for number, judge in enumerate(subject.panel.judge_ids)}
    seated = [a for a in subject.round.panel if subject.seated.get(a.judge_id or "") is a]
    for before, attestation in pairwise(seated):
        if seats[attestation.judge_id or ""] < seats[before.judge_id or ""]:
            yield Fault(
                f"{quote(attestation.name)} attests after {quote(before.name)}, whose seat "
                "follows its own",
                _judge_spot(attestation),
                ((_judge_spot(before), "the attestation it should precede"),),
            )


@check(
    "KA124",
    "meta-judge-missing",
    what="Where the highest and the lowest panel score differ by more than 3.0, a meta-judge has "
    "decided (protocol, section 5).",
    why="A mean over judges who disagree that much is nobody's judgement.",
    fix="Let the meta-judge read the round and append its attestation.",
)
def meta_judge_missing(subject: RoundSubject) -> Iterator[Fault]:
    if needs_meta_judge(subject.spread) and subject.round.meta is None:
        yield Fault(
            f"the panel's scores differ by {subject.spread}, more than {SPREAD_LIMIT}, and no "
            "meta-judge attested",
            Spot(pointer_to(subject.round.pointer, "attestations")),
        )


@check(
    "KA125",
    "meta-judge-misplaced",
    what="The meta-judge attests last.",
    why="It decides on what the whole panel said. An attestation after it was not before its eyes.",
    fix="Put the meta-judge's attestation at the end, recorded after all others.",
)
def meta_judge_misplaced(subject: RoundSubject) -> Iterator[Fault]:
    for attestation in subject.round.attestations[:-1]:
        if attestation.is_meta:
            yield Fault(
                "the meta-judge attests before the end of the round", _judge_spot(attestation)
            )


@check(
    "KA126",
    "meta-judge-unneeded",
    Severity.WARNING,
    what="A meta-judge sits only where the panel's scores differ by more than 3.0.",
    why="Its score replaces the panel's mean. Called without need, it overrules a panel that "
    "agreed.",
    fix="Let the panel's weighted mean stand, or say in the round's review why it was called.",
)
def meta_judge_unneeded(subject: RoundSubject) -> Iterator[Fault]:
    meta = subject.round.meta
    if meta and subject.spread is not None and not needs_meta_judge(subject.spread):
        yield Fault(
            f"a meta-judge attested though the panel's scores differ by {subject.spread} only",
            _judge_spot(meta),
        )


def _judge_spot(attestation: Attestation) -> Spot:
    judge = attestation.judge_id is not None
    return Spot(pointer_to(attestation.pointer, "judge_id") if judge else attestation.pointer)


CHECKS = (
    panel_size,
    judge_unknown,
    judge_repeated,
    judge_order,
    meta_judge_missing,
    meta_judge_misplaced,
    meta_judge_unneeded,
)
