"""KA401 to KA406: every record is in the tier that its age demands (protocol, lifecycle)."""

from __future__ import annotations

from collections.abc import Iterator

from kattest.memory.lifecycle import Duty, Overdue
from kattest.memory.model import AnyRecord, Retention
from kattest.rules.base import Fault, Spot, check
from kattest.rules.subjects import MemorySubject


@check(
    "KA401",
    "archive-overdue",
    what="A record older than `tier_warm_days` is in the archive. `lifecycle.grace_days` of "
    ".kattest.yaml gives it that much longer.",
    why="Old lessons crowd out new ones in every query, and the memory grows without bound.",
    fix="Archive the records that are due: kattest memory maintain.",
)
def archive_overdue(subject: MemorySubject) -> Iterator[Fault]:
    for record, overdue in _overdue(subject, Duty.ARCHIVE):
        yield Fault(
            f"this record has been due for the archive since {overdue.since.isoformat()}",
            _stored(subject, record),
        )


@check(
    "KA402",
    "purge-overdue",
    what="A record older than `tier_cold_days`, active or archived, is deleted. "
    "`lifecycle.grace_days` of .kattest.yaml gives it that much longer.",
    why="What was meant to be forgotten still decides averages, and may be kept against a promise "
    "to delete it.",
    fix="Purge the records that are due: kattest memory maintain.",
)
def purge_overdue(subject: MemorySubject) -> Iterator[Fault]:
    for record, overdue in _overdue(subject, Duty.PURGE):
        yield Fault(
            f"this record has been due for deletion since {overdue.since.isoformat()}",
            _stored(subject, record),
        )


@check(
    "KA403",
    "archived-early",
    what="A record was older than `tier_warm_days` when it was archived.",
    why="Archiving drops most of a record for good, and hides the rest from most queries. Done "
    "early, it buries an unwelcome lesson.",
    fix="Restore the active record (git log --diff-filter=D -- PATH), and remove the archived one.",
)
def archived_early(subject: MemorySubject) -> Iterator[Fault]:
    tiers = subject.config.tiers
    if tiers is None:
        return
    for record in subject.archived:
        stored = record.timestamp.instant if record.timestamp else None
        archived = record.archived_at.instant if record.archived_at else None
        if stored and archived and archived <= stored.after_days(tiers.warm):
            due = stored.after_days(tiers.warm).isoformat()
            yield Fault(
                f"this was archived {archived.isoformat()}, and could be after {due}",
                subject.spot(record.file, "/archived_at"),
            )


@check(
    "KA404",
    "archived-twice",
    what="A record is active or archived, never both.",
    why="An archiving was interrupted, or one of the two was put there by hand: queries count it "
    "twice, and the next archiving overwrites one with the other.",
    fix="Finish an archiving that was interrupted: kattest memory maintain. Where it leaves both, "
    "one of the two is not as it was: restore that (git log -- PATH), and run it again.",
)
def archived_twice(subject: MemorySubject) -> Iterator[Fault]:
    for records in subject.namesakes.values():
        archived = next((record for record in records if record.is_archived), None)
        if archived is None:
            continue
        for record in (record for record in records if not record.is_archived):
            yield Fault(
                "this record is active, and in the archive too",
                subject.spot(record.file, "/id"),
                ((subject.spot(archived.file, "/id"), "the archived copy"),),
            )


@check(
    "KA405",
    "archive-without-tiers",
    what="There is an archive only where `config.json` has tiers.",
    why="Without tiers (protocol 1.0) nothing reads, counts or purges an archive: its records are "
    "out of every query's sight.",
    fix="Add the tier fields to config.json, or restore the active records.",
)
def archive_without_tiers(subject: MemorySubject) -> Iterator[Fault]:
    file = subject.config_file
    has_none = file is not None and not file.tiers
    if has_none or isinstance(subject.config.lifecycle, Retention):
        for record in subject.archived:
            yield Fault(
                "this record is archived, and the configuration has no tiers",
                subject.spot(record.file),
            )


@check(
    "KA406",
    "record-expired",
    what="Without tiers (protocol 1.0), a record is deleted once its `expires_at` has passed. "
    "`lifecycle.grace_days` of .kattest.yaml gives it that much longer.",
    why="Queries pass it over, so it only looks like a lesson that counts.",
    fix="Delete the records that have expired: kattest memory maintain.",
)
def record_expired(subject: MemorySubject) -> Iterator[Fault]:
    for record, overdue in _overdue(subject, Duty.EXPIRY):
        yield Fault(
            f"this record expired {overdue.since.isoformat()}, and should be deleted",
            subject.spot(record.file, "/expires_at"),
        )


def _overdue(subject: MemorySubject, duty: Duty) -> Iterator[tuple[AnyRecord, Overdue]]:
    return ((record, overdue) for record, overdue in subject.overdue if overdue.duty is duty)


def _stored(subject: MemorySubject, record: AnyRecord) -> Spot:
    field = "/original_timestamp" if record.is_archived else "/timestamp"
    return subject.spot(record.file, field)


CHECKS = (
    archive_overdue,
    purge_overdue,
    archived_early,
    archived_twice,
    archive_without_tiers,
    record_expired,
)
