"""KA301 to KA309: the index says exactly what the records say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal

from kattest.finding import Severity
from kattest.instant import Instant, Timestamp
from kattest.jsondoc import pointer_to
from kattest.memory.identity import id_of_place
from kattest.memory.index import AVERAGE_TOLERANCE, entry_of, has_its_expiry
from kattest.memory.layout import INDEX, place_of
from kattest.memory.lifecycle import changed_at, tier_of
from kattest.memory.model import (
    Aggregate,
    AnyRecord,
    IndexEntry,
    Tier,
)
from kattest.paths import path_refusal
from kattest.rules.base import Fault, Spot, check
from kattest.rules.subjects import MemorySubject
from kattest.text import plural, quote

_REBUILD = "build the index anew: kattest memory reindex."
_ID_SHOWN = 120  # characters of an id in a message
_NAMES_SHOWN = 3  # of slugs in a message


@check(
    "KA301",
    "index-missing",
    Severity.WARNING,
    what="A memory root with tiers and records has an `index.json`.",
    why="Without it every query reads every record, and a record that is lost leaves no gap "
    "behind.",
    fix="Build it from the records: kattest memory reindex.",
)
def index_missing(subject: MemorySubject) -> Iterator[Fault]:
    number = len(subject.layout.records) + len(subject.layout.archived)
    if subject.config.tiers and number and INDEX not in subject.layout.named:
        yield Fault(f"there is no index of {plural(number, 'record')}", subject.spot(INDEX))


@check(
    "KA302",
    "record-not-indexed",
    what="Every record has an entry in the index, under its id.",
    why="A query that reads the index never sees this record: its lesson is lost in silence.",
    fix="See who added the record (git log -- PATH, with its path). If it is honest, " + _REBUILD,
)
def record_not_indexed(subject: MemorySubject) -> Iterator[Fault]:
    entries = subject.entries
    if entries is None or subject.by_id.keys() <= entries.keys():
        return
    for record in subject.all_records:
        if record.id is not None and record.id not in entries:
            yield Fault(
                f"the index has no entry for {quote(record.id, _ID_SHOWN)}",
                subject.spot(record.file, "/id"),
                ((subject.spot(INDEX, "/records"), "the entries"),),
            )


@check(
    "KA303",
    "entry-dangling",
    what="Every entry of the index has its record.",
    why="The record was lost, or never was. Queries fail on it, and averages count a reward that "
    "nobody can check.",
    fix="If the record was deleted by mistake, restore it (git log --diff-filter=D -- PATH, with "
    "the path of the entry). Else " + _REBUILD,
)
def entry_dangling(subject: MemorySubject) -> Iterator[Fault]:
    for record_id, entry in _without_record(subject):
        is_unread = entry.file in subject.unread and record_id == id_of_place(entry.file or "")
        if not is_unread:
            named = entry.file is not None and not _path_fault(entry.file)
            yield Fault(
                f"there is no record {quote(record_id, _ID_SHOWN)}",
                subject.spot(INDEX, pointer_to("/records", record_id), at_key=True),
                ((subject.spot(entry.file or ""), "it should be here"),) if named else (),
            )


@check(
    "KA304",
    "entry-differs",
    what="An entry's domain, phase, slug, reward, skill, file and date of expiry are those of its "
    "record.",
    why="Queries rank and filter by the index alone. Who edits an entry changes what is learnt "
    "without touching a record.",
    fix="See which of the two was changed (git log -p -- PATH). If the record is as it was "
    "stored, " + _REBUILD,
)
def entry_differs(subject: MemorySubject) -> Iterator[Fault]:
    for record_id, entry, record in subject.differing:
        for field, message in _differences(subject, entry, record):
            yield Fault(
                f"the entry of {quote(record_id, _ID_SHOWN)} {message}",
                _in_entry(subject, record_id, field),
                ((subject.spot(record.file, _field_of(record, field)), "the record"),),
            )


@check(
    "KA305",
    "record-count",
    what="`record_count` is the number of records, archived ones included.",
    why="It is the first number a reader sees, and the only trace of a record that was removed "
    "together with its entry.",
    fix="Look for a lost record first (git log --diff-filter=D -- PATH, with the memory's folder). "
    "Then " + _REBUILD,
)
def record_count(subject: MemorySubject) -> Iterator[Fault]:
    given = subject.committed.record_count if subject.committed else None
    actual = subject.totals.record_count
    if given is not None and not actual <= given <= actual + subject.uncounted:
        yield Fault(
            f"the index counts {plural(given, 'record')}, and there are {actual}",
            subject.spot(INDEX, "/record_count"),
        )


@check(
    "KA306",
    "aggregate",
    what="The counts, averages (within 0.005) and slugs by domain, phase and skill are what the "
    "records come to, archived ones included.",
    why="Averages updated in passing drift, and an edited one makes a bad skill look good. Nobody "
    "sees it without adding up all records.",
    fix="Settle KA302 to KA305 of this memory first: the index may be the honest side. If the "
    "records are as they were stored, " + _REBUILD,
)
def aggregate(subject: MemorySubject) -> Iterator[Fault]:
    index, totals = subject.committed, subject.totals
    if index is None:
        return
    for name, given, actual in (
        ("domain", index.by_domain, totals.by_domain),
        ("phase", index.by_phase, totals.by_phase),
        ("skill", index.by_skill, totals.by_skill),
    ):
        if given is not None:
            yield from _aggregate_faults(subject, name, given, actual)


@check(
    "KA307",
    "tier-location",
    what="An entry's tier is `cold` exactly where its record is archived, else `hot`, or `warm` "
    "for a record that is old enough. `hot` is fine for a warm record: tiers are only updated "
    "when something is written.",
    why="The tier says whether a query reads the whole record or its summary, and where it looks.",
    fix="See that the record lies where its age wants it (rules KA401 to KA404). Then " + _REBUILD,
)
def tier_location(subject: MemorySubject) -> Iterator[Fault]:
    for record_id, entry, record in subject.differing:
        if entry.tier is None or entry.tier == (Tier.COLD if record.is_archived else Tier.HOT):
            continue
        allowed = _tiers_allowed(subject, record)
        if entry.tier not in allowed:
            where = "in the archive" if record.is_archived else "active"
            yield Fault(
                f"the tier of {quote(record_id, _ID_SHOWN)} is {quote(entry.tier)}, and the record "
                f"is {where}: it must be {' or '.join(allowed)}",
                _in_entry(subject, record_id, "tier"),
                ((subject.spot(record.file), "the record"),),
            )


@check(
    "KA308",
    "index-path",
    what="An entry's `file` is the path of a record, relative to the memory root and inside it.",
    why="Whoever reads by the index opens that path. One that climbs out of the root makes it "
    "read, archive or delete a foreign file.",
    fix="Find out who wrote the path. Then " + _REBUILD,
)
def index_path(subject: MemorySubject) -> Iterator[Fault]:
    for record_id, entry in _doubtful(subject):
        if entry.file is None:
            continue
        reason = _path_fault(entry.file)
        if reason:
            yield Fault(
                f"the path {quote(entry.file)} of {quote(record_id, _ID_SHOWN)} is not followed: "
                f"{reason}",
                _in_entry(subject, record_id, "file"),
            )


@check(
    "KA309",
    "index-outdated",
    Severity.WARNING,
    what="`last_updated` is neither before the newest record or archiving, nor after the moment of "
    "the check.",
    why="The index is updated whenever something is stored or archived. One older than that was "
    "not, or was put back.",
    fix="Settle the other findings of this memory first. Then " + _REBUILD,
)
def index_outdated(subject: MemorySubject) -> Iterator[Fault]:
    stamp = subject.committed.last_updated if subject.committed else None
    if stamp is None or stamp.instant is None:
        return
    spot = subject.spot(INDEX, "/last_updated")
    if stamp.instant.seconds > subject.as_of.seconds:
        moment = subject.as_of.isoformat()
        yield Fault(f"the time {stamp.text} lies after {moment}, the moment of the check", spot)
    given = stamp.instant.seconds
    later = ((change, file) for change, file in _changes(subject) if change.seconds > given)
    newest = max(later, default=None)
    if newest is not None:
        yield Fault(
            f"the index is of {stamp.text}, older than what was stored or archived last",
            spot,
            ((subject.spot(newest[1]), f"changed {newest[0].isoformat()}"),),
        )


def _without_record(subject: MemorySubject) -> Iterator[tuple[str, IndexEntry]]:
    """The entries, with their ids, that have no record which can be read."""
    entries = subject.entries or {}
    if not entries.keys() <= subject.by_id.keys():
        yield from (pair for pair in entries.items() if pair[0] not in subject.by_id)


def _doubtful(subject: MemorySubject) -> Iterator[tuple[str, IndexEntry]]:
    """The entries, with their ids, that are not just what their record says."""
    yield from ((record_id, entry) for record_id, entry, _ in subject.differing)
    yield from _without_record(subject)


def _in_entry(subject: MemorySubject, record_id: str, field: str) -> Spot:
    """The place of a field of an entry."""
    return subject.spot(INDEX, pointer_to(pointer_to("/records", record_id), field))


def _field_of(record: AnyRecord, field: str) -> str:
    """Where a record says what its entry says in ``field``."""
    if field == "slug":
        return "/slug" if record.is_archived else "/case_slug"
    if field == "expires_at" and record.is_archived:
        return "/original_timestamp"
    return {"skill": "/skill_used", "file": ""}.get(field, f"/{field}")


def _differences(
    subject: MemorySubject, entry: IndexEntry, record: AnyRecord
) -> Iterator[tuple[str, str]]:
    """The fields in which an entry is not that of its record, with a message each."""
    for field, given, actual in (
        ("domain", entry.domain, record.domain),
        ("phase", entry.phase, record.phase),
        ("slug", entry.slug, record.slug),
        ("skill", entry.skill, record.skill),
        ("file", entry.file, record.file),
    ):
        if given == actual or given is None or actual is None:
            continue
        if field != "file" or not _path_fault(given):
            yield field, f"says the {field} is {quote(given)}, and the record {quote(actual)}"
    given_reward, reward = entry.reward, record.reward
    if given_reward != reward and given_reward and reward and given_reward.value != reward.value:
        yield (
            "reward",
            f"says the reward is {given_reward.lexeme}, and the record {reward.lexeme}",
        )
    if not has_its_expiry(entry, record, subject.config):
        given_date = entry.expires_at.instant if entry.expires_at else None
        date = entry_of(record, subject.config, subject.as_of).expires_at
        says = given_date.isoformat() if given_date else "never"
        which = "an archived record of this time" if record.is_archived else "the record"
        yield "expires_at", f"expires {says}, and {which} {_shown(date)}"


def _shown(date: Timestamp | None) -> str:
    return date.instant.isoformat() if date and date.instant else "never"


def _aggregate_faults(
    subject: MemorySubject,
    name: str,
    given: Mapping[str, Aggregate],
    actual: Mapping[str, Aggregate],
) -> Iterator[Fault]:
    table = f"/by_{name}"
    for key, found in actual.items():
        if key not in given:
            number = plural(found.size or 0, "record")
            message = f"the {name} {quote(key)} is missing, and has {number}"
            yield Fault(message, subject.spot(INDEX, table))
    for key, said in given.items():
        pointer = pointer_to(table, key)
        if key not in actual and _says_nothing(said):
            continue
        if key not in actual:
            message = f"no record has the {name} {quote(key)}"
            yield Fault(message, subject.spot(INDEX, pointer, at_key=True))
            continue
        for field, difference in _aggregate_differences(said, actual[key]):
            message = f"{difference} for the {name} {quote(key)}"
            yield Fault(message, subject.spot(INDEX, pointer_to(pointer, field)))


def _says_nothing(said: Aggregate) -> bool:
    """Whether an aggregate counts no record: what is left of the last one that was purged."""
    return said.size == 0 and not said.slugs and not said.avg_reward


def _aggregate_differences(said: Aggregate, actual: Aggregate) -> Iterator[tuple[str, str]]:
    if said.size is not None and said.size != actual.size:
        yield "count", f"the count is {said.size} instead of {actual.size}"
    average = actual.avg_reward
    if average is not None and not _is_near(said.avg_reward, average):
        yield "avg_reward", f"the average is {said.avg_reward:f} instead of {average:.3f}"
    if said.slugs is not None and actual.slugs is not None:
        yield from (("slugs", message) for message in _slug_faults(said.slugs, actual.slugs))


def _is_near(said: Decimal | None, average: Decimal) -> bool:
    return said is None or abs(said - average) <= AVERAGE_TOLERANCE


def _slug_faults(said: tuple[str, ...], actual: tuple[str, ...]) -> Iterator[str]:
    missing, foreign = {*actual} - {*said}, {*said} - {*actual}
    if missing:
        yield f"the slugs lack {_some(missing)}"
    if foreign:
        yield f"the slugs name {_some(foreign)}, of no record,"
    if len({*said}) != len(said):
        yield "the slugs name one twice"


def _some(names: set[str]) -> str:
    shown = ", ".join(quote(name) for name in sorted(names)[:_NAMES_SHOWN])
    more = len(names) - _NAMES_SHOWN
    return f"{shown} and {more} more" if more > 0 else shown


def _tiers_allowed(subject: MemorySubject, record: AnyRecord) -> tuple[Tier, ...]:
    if record.is_archived:
        return (Tier.COLD,)
    config = subject.config
    is_young = tier_of(record, config, subject.as_of) is Tier.HOT
    if config.lifecycle and (is_young or not config.tiers):
        return (Tier.HOT,)
    return (Tier.HOT, Tier.WARM)


def _path_fault(file: str) -> str | None:
    return path_refusal(file) or (None if place_of(file) else "it is no path of a record")


def _changes(subject: MemorySubject) -> Iterator[tuple[Instant, str]]:
    """When each record was stored, or archived, with its file."""
    for record in subject.all_records:
        changed = changed_at(record)
        if changed:
            yield changed, record.file


CHECKS = (
    index_missing,
    record_not_indexed,
    entry_dangling,
    entry_differs,
    record_count,
    aggregate,
    tier_location,
    index_path,
    index_outdated,
)
