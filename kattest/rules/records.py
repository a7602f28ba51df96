"""KA202 to KA210: what a record says of itself, and what its place says of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from kattest.finding import Severity
from kattest.instant import Timestamp
from kattest.jsondoc import Number, pointer_to
from kattest.memory.configuration import is_reward, labels_by_reward
from kattest.memory.identity import is_consistent, own_place
from kattest.memory.layout import folder_of, id_at, place_of, stamp_of
from kattest.memory.lifecycle import SUMMARY_LENGTH, expiry_date, may_expire
from kattest.memory.model import AnyRecord, ColdRecord
from kattest.rules.base import Fault, check
from kattest.rules.subjects import MemorySubject
from kattest.text import quote

_ID_SHOWN = 120  # characters of an id in a message


@check(
    "KA202",
    "record-identity",
    what="A record's id is `{slug}_{phase}_{stamp}`; its slug, its phase and its time, in UTC and "
    "to the second, are those of its path.",
    why="A record is found by its path and followed by its id. Where they differ, one record can "
    "stand in for another.",
    fix="Restore the field or the name that was changed; git log --follow -- PATH shows which. "
    "Records are never edited: a correction is a new record.",
)
def record_identity(subject: MemorySubject) -> Iterator[Fault]:
    for record in subject.all_records:
        if is_consistent(record):
            continue
        for field, message in _disagreements(record):
            yield Fault(message, subject.spot(record.file, pointer_to("", field)))


@check(
    "KA203",
    "record-domain",
    what="A record lies in the folder of its domain. Where `known_domains` names any, the others "
    "lie under `unknown/`.",
    why="Queries read by domain. A record in another domain's folder teaches the wrong lesson "
    "there and is missing where it belongs.",
    fix="Move the record to its domain's folder, or add the domain to known_domains in "
    "config.json.",
)
def record_domain(subject: MemorySubject) -> Iterator[Fault]:
    known = subject.config.known_domains
    if known is None:
        return
    names = frozenset(known)
    for record in subject.all_records:
        domain, folder = record.domain, record.file.partition("/")[0]
        if domain is None:
            continue
        wanted = folder_of(domain, names)
        if folder != wanted:
            yield Fault(
                f"the domain is {quote(domain)}, so the record belongs under {quote(wanted)}, not "
                f"{quote(folder)}",
                subject.spot(record.file, "/domain"),
            )


@check(
    "KA204",
    "reward-range",
    what="Every reward lies from 0 to 1, and has no minus sign.",
    why="One reward far outside the scale decides an average alone, and ranks its record above "
    "all honest ones.",
    fix="Restore the reward that was given.",
)
def reward_range(subject: MemorySubject) -> Iterator[Fault]:
    on_scale: dict[Number, bool] = {}
    for record in subject.all_records:
        reward = record.reward
        if reward is None:
            continue
        if reward not in on_scale:
            on_scale[reward] = is_reward(reward)
        if not on_scale[reward]:
            yield Fault(
                f"the reward {reward.lexeme} is not from 0 to 1",
                subject.spot(record.file, "/reward"),
            )


@check(
    "KA205",
    "reward-label",
    what="A reward that equals one of the configured levels has that level's label.",
    why="People read the label and programs the number. Where they differ, one of the two was "
    "changed.",
    fix="Restore the label or the reward that was given.",
)
def reward_label(subject: MemorySubject) -> Iterator[Fault]:
    labels = labels_by_reward(subject.config.reward_levels)
    of_reward: dict[Number, Collection[str]] = {}
    for record in subject.all_records:
        reward, label = record.reward, record.label
        if reward is None or label is None:
            continue
        if reward not in of_reward:
            of_reward[reward] = labels.get(reward.value, ())
        if of_reward[reward] and label not in of_reward[reward]:
            name = next(iter(of_reward[reward]))
            yield Fault(
                f"the reward {reward.lexeme} is called {quote(label)}, and that level is "
                f"{quote(name)}",
                subject.spot(record.file, "/reward_label"),
            )


@check(
    "KA206",
    "expires-at",
    what="A record expires `tier_cold_days` after its time, without tiers `retention_days`, within "
    "a day. Where `retention_days` is 0 it never expires, and has no date. A record of version 1.0 "
    "may keep the retention's date where there are tiers now.",
    why="Whoever shifts the date lets a lesson disappear early, or makes it outlive all others.",
    fix="Restore the date that the finding names.",
)
def expires_at(subject: MemorySubject) -> Iterator[Fault]:
    config = subject.config
    if config.lifecycle is None:
        return
    for record in subject.records:
        given = record.expires_at.instant if record.expires_at else None
        if given is None or may_expire(record, config, given):
            continue
        date = expiry_date(record, config)
        should = f"expire {date.isoformat()}" if date else "never expire: retention_days is 0"
        wanted = f"and should {should}"
        yield Fault(
            f"the record expires {given.isoformat()}, {wanted}",
            subject.spot(record.file, "/expires_at"),
        )


@check(
    "KA207",
    "record-in-future",
    what="No record was stored, and none archived, after the moment of the check: now, or for a "
    "commit its own date.",
    why="A record of tomorrow was not made by what it says. It also stays young too long.",
    fix="Set the clock of the machine that wrote it, and restore the true time; or check at a "
    "later moment (--as-of).",
)
def record_in_future(subject: MemorySubject) -> Iterator[Fault]:
    for record in subject.all_records:
        for field, timestamp in _moments(record):
            # To the second: the moment of a check has no fraction, and a record of it may have.
            instant = timestamp.instant if timestamp else None
            if timestamp and instant and instant.seconds > subject.as_of.seconds:
                yield Fault(
                    f"the time {timestamp.text} lies after {subject.as_of.isoformat()}, the moment "
                    "of the check",
                    subject.spot(record.file, pointer_to("", field)),
                )


@check(
    "KA208",
    "promise-mismatch",
    Severity.WARNING,
    what="A record's `promise_tag` is the promise that its outcome says was emitted.",
    why="The two are written from one value. Where they differ, one was changed, and phases that "
    "wait for the promise are told different things.",
    fix="Restore the one that was changed.",
)
def promise_mismatch(subject: MemorySubject) -> Iterator[Fault]:
    for record in subject.records:
        tag, emitted = record.promises or (None, None)
        if tag != emitted:
            yield Fault(
                f"the promise is {_named(tag)} here, and {_named(emitted)} in the outcome",
                subject.spot(record.file, "/promise_tag"),
                ((subject.spot(record.file, "/outcome/promise_emitted"), "the outcome's promise"),),
            )


@check(
    "KA209",
    "record-repeated",
    what="No two active records have the same id, and no two archived ones, whatever their "
    "domains; ids that differ only in letter case or in how Unicode composes a character count "
    "as the same.",
    why="The index has one place for an id, so one of the two is hidden. On some systems their "
    "files overwrite each other.",
    fix="Give the younger record another second in its time, its id and its file name; of two "
    "copies remove one.",
)
def record_repeated(subject: MemorySubject) -> Iterator[Fault]:
    for records in subject.namesakes.values():
        for alike in (
            [record for record in records if not record.is_archived],
            [record for record in records if record.is_archived],
        ):
            for record in alike[1:]:
                yield Fault(
                    f"the id {quote(record.id or '')} is another record's already",
                    subject.spot(record.file, "/id"),
                    ((subject.spot(alike[0].file, "/id"), "that record"),),
                )


@check(
    "KA210",
    "cold-shape",
    what="An archived record has exactly the protocol's fields, and a summary of at most 200 "
    "characters.",
    why="An archive that keeps more than it should was not made by archiving: the record was "
    "moved by hand, or written into the archive.",
    fix="Remove the field that the finding names. If more differs, archive anew the record that it "
    "was (git log --diff-filter=D -- PATH).",
)
def cold_shape(subject: MemorySubject) -> Iterator[Fault]:
    for record in subject.archived:
        for name in record.unknown:
            yield Fault(
                f"an archived record has no field {quote(name)}",
                subject.spot(record.file, pointer_to("", name), at_key=True),
            )
        length = len(record.summary or "")
        if length > SUMMARY_LENGTH:
            yield Fault(
                f"the summary has {length} characters; archiving cuts it to {SUMMARY_LENGTH}",
                subject.spot(record.file, "/summary"),
            )


def _disagreements(record: AnyRecord) -> Iterator[tuple[str, str]]:
    """What of a record disagrees with its place, or its id with the rest, by field."""
    place, own = place_of(record.file), own_place(record)
    stamp = stamp_of(record.timestamp) if record.timestamp else None
    is_cold = isinstance(record, ColdRecord)
    slug, time = ("slug", "original_timestamp") if is_cold else ("case_slug", "timestamp")
    if place:
        for field, given, there in (
            (slug, record.slug, place.slug),
            ("phase", record.phase, place.phase),
            (time, stamp, place.stamp),
        ):
            if given is not None and given != there:
                yield field, f"this is {quote(given)}, and the path says {quote(there)}"
    if record.id is not None and own is not None and record.id != id_at(own):
        yield "id", f"the id should be made of slug, phase and time: {quote(id_at(own), _ID_SHOWN)}"


def _moments(record: AnyRecord) -> tuple[tuple[str, Timestamp | None], ...]:
    """The moments that a record names, by field."""
    if isinstance(record, ColdRecord):
        return ("original_timestamp", record.timestamp), ("archived_at", record.archived_at)
    return (("timestamp", record.timestamp),)


def _named(promise: str | None) -> str:
    return "none" if promise is None else quote(promise)


CHECKS = (
    record_identity,
    record_domain,
    reward_range,
    reward_label,
    expires_at,
    record_in_future,
    promise_mismatch,
    record_repeated,
    cold_shape,
)
