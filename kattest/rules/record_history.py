"""KA504 to KA508: published records stay what they were until they are due (design, 3.7)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from kattest.finding import Severity
from kattest.jsondoc import pointer_to
from kattest.rules.base import Fault, Spot, check
from kattest.text import quote

if TYPE_CHECKING:  # start-up, as in ``kattest.rules``
    from kattest.rules.history_subjects import RecordHistory, StoredRecord


@check(
    "KA504",
    "record-changed",
    what="A published record never changes, active or archived. It may move with its memory, for "
    "it is known by its id. An archived one may only become active again as the record that it was "
    "made of.",
    why="A bad reward that is edited, with its index, looks like a good one: no file contradicts "
    "it but the published one.",
    fix="Restore the record as it was published (the finding names the command), and store what is "
    "new as a record of its own.",
)
def record_changed(history: RecordHistory) -> Iterator[Fault]:
    for changed in history.changed:
        first = changed.differences[0].pointer if changed.differences else ""
        yield Fault(
            f"the published record {_name(changed.before)} has changed: {changed.what}",
            Spot(first, changed.path),
            (history.published(changed.before.path, first),),
        )


@check(
    "KA505",
    "record-lost",
    what="A published active record leaves only into the archive, or by deletion once it is older "
    "than `tier_cold_days` (without tiers: once its `expires_at` has passed), by the configuration "
    "that was published.",
    why="A lesson that is deleted before its time is one that somebody would rather not have "
    "learnt, or one that was lost on the way to the archive.",
    fix="Restore the record (the finding names the command) and its entry in the index.",
)
def record_lost(history: RecordHistory) -> Iterator[Fault]:
    for gone in history.gone:
        if not gone.record.is_archived:
            yield _gone(history, gone, "is gone, and is not in the archive")


@check(
    "KA506",
    "archive-unfaithful",
    what="An archived record is just what archiving makes of the published active one, made once "
    "that was older than the published `tier_warm_days`.",
    why="The archive is all that is left of a record: what was changed on the way into it cannot "
    "be told from the truth afterwards.",
    fix="Restore the active record (the finding names the command), and archive it again when it "
    "is due.",
)
def archive_unfaithful(history: RecordHistory) -> Iterator[Fault]:
    for archived in history.archived:
        related = (history.published(f"{archived.root}/{archived.before.file}"),)
        name = quote(archived.before.id or archived.before.file)
        for field in archived.unfaithful:
            yield Fault(
                f'"{field}" is not what archiving makes of the published record {name}',
                Spot(pointer_to("", field), archived.path),
                related,
            )
        if archived.due:
            yield Fault(
                f"{name} was archived before its time: by the published configuration it could be "
                f"after {archived.due.isoformat()}",
                Spot("/archived_at", archived.path),
                related,
            )


@check(
    "KA507",
    "purged-early",
    what="A published archived record is deleted only once it is older than `tier_cold_days`, by "
    "the configuration that was published.",
    why="What was archived is kept for a time on purpose: averages count it, and queries may ask "
    "for it.",
    fix="Restore the archived record (the finding names the command) and its entry in the index.",
)
def purged_early(history: RecordHistory) -> Iterator[Fault]:
    for gone in history.gone:
        if gone.record.is_archived:
            yield _gone(history, gone, "was deleted from the archive before its time")


@check(
    "KA508",
    "record-backdated",
    Severity.WARNING,
    what="A record that is new to the history is not older than `tier_warm_days` already.",
    why="Records are stored as they are learnt. One that appears months late was dated back, or "
    "was kept from everybody for that long.",
    fix="Store it with its true time. For a memory that is brought in from elsewhere, nothing has "
    "to be done.",
)
def record_backdated(history: RecordHistory) -> Iterator[Fault]:
    for stored in history.backdated:
        field = "/original_timestamp" if stored.record.is_archived else "/timestamp"
        time = stored.record.timestamp
        yield Fault(
            f"this record is new, and its time {quote(time.text if time else '')} lies further "
            f"back than a new one's can",
            Spot(field, stored.path),
        )


def _gone(history: RecordHistory, gone: StoredRecord, how: str) -> Fault:
    return Fault(
        f"the published record {_name(gone)} {how}",
        Spot(path=gone.path),
        (history.published(gone.path),),
    )


def _name(stored: StoredRecord) -> str:
    return quote(stored.record.id or stored.record.file)


CHECKS = (record_changed, record_lost, archive_unfaithful, purged_early, record_backdated)
