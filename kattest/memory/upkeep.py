"""What is due in a memory: archiving, deletion; and when deletion must wait for a person."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from kattest.instant import Instant, Timestamp
from kattest.memory.identity import is_consistent
from kattest.memory.lifecycle import compress
from kattest.memory.model import AnyRecord, ColdRecord, MemoryConfig, Record
from kattest.memory.succession import is_warm_no_more, may_leave
from kattest.text import plural

LARGEST_SHARE = 0.5  # of all records that may be deleted in one go


class Due(NamedTuple):
    """What has to be done with records: those to archive with what they become, those to delete.

    ``kept`` are due for the archive too, and cannot go there: they lack something, or their names
    do not agree.
    """

    archive: tuple[tuple[Record, ColdRecord], ...]
    purge: tuple[AnyRecord, ...]
    kept: tuple[Record, ...]


def due(records: Iterable[AnyRecord], config: MemoryConfig, as_of: Instant) -> Due:
    """What is due of ``records`` by ``as_of``."""
    archived_at = Timestamp(as_of.precise(), as_of)
    archive: list[tuple[Record, ColdRecord]] = []
    purge: list[AnyRecord] = []
    kept: list[Record] = []
    for record in records:
        if may_leave(record, config, as_of):
            purge.append(record)
        elif isinstance(record, Record) and is_warm_no_more(record, config, as_of):
            cold = compress(record, archived_at)
            if is_consistent(record) and _is_whole(cold):
                archive.append((record, cold))
            else:
                kept.append(record)
    return Due(tuple(archive), tuple(purge), tuple(kept))


def within(plan: Due, folder: str) -> Due:
    """What of ``plan`` concerns one domain's folder."""
    start = f"{folder}/"
    return Due(
        tuple(pair for pair in plan.archive if pair[0].file.startswith(start)),
        tuple(record for record in plan.purge if record.file.startswith(start)),
        tuple(record for record in plan.kept if record.file.startswith(start)),
    )


def purge_refusal(going: int, total: int, newest: Instant | None, as_of: Instant) -> str | None:
    """Why a person must decide whether ``going`` of ``total`` records may be deleted; None: nobody.

    A clock that is wrong makes everything old. ``newest`` is when the youngest record was stored.
    """
    if not going:
        return None
    if newest and as_of.seconds < newest.seconds:
        return (
            f"it is {as_of.isoformat()}, before the newest record was stored "
            f"({newest.isoformat()}): the clock is not to be trusted"
        )
    if going > LARGEST_SHARE * total:
        share = f"{going} of {plural(total, 'record')}"
        return f"{share} would be deleted at once, more than {LARGEST_SHARE:.0%}"
    return None


def _is_whole(cold: ColdRecord) -> bool:
    needed = (cold.id, cold.slug, cold.domain, cold.phase, cold.skill, cold.reward)
    return None not in needed and None not in (cold.label, cold.summary, cold.timestamp)
