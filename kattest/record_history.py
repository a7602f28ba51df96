"""What became of published records: followed by their ids, wherever their memory is now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kattest.config import Config
from kattest.instant import Instant
from kattest.jsondiff import Difference, differences
from kattest.jsondoc import pointer_to
from kattest.memory.configuration import DEFAULT_TIERS
from kattest.memory.model import ColdRecord, Record
from kattest.memory.succession import is_warm_no_more, may_leave, other_place, unfaithful
from kattest.record_side import RecordKey, RecordSide
from kattest.rules.history_subjects import Archived, ChangedRecord, RecordHistory, StoredRecord
from kattest.tree import Base, Tree


def record_history(
    tree: Tree, base: Base, changed: Sequence[str], config: Config, as_of: Instant
) -> RecordHistory:
    """What became of the records of ``base`` in ``tree``, judged at ``as_of``.

    Only the files at ``changed`` differ and are read. Raises SourceError where one cannot be.
    """
    before, after = RecordSide(base.tree, changed, config), RecordSide(tree, changed, config)
    follower = _Follower(before, after, as_of)
    for key, stored in before.records:
        follower.follow(key, stored)
    return RecordHistory(
        commit=base.commit or "base",
        changed=tuple(follower.changed),
        gone=tuple(follower.gone),
        archived=tuple(follower.archived),
        backdated=tuple(follower.backdated()),
    )


class _Follower:
    """Follows each published record to what it is now."""

    def __init__(self, before: RecordSide, after: RecordSide, as_of: Instant) -> None:
        self._before = before
        self._after = after
        self._as_of = as_of
        self._seen: set[str] = set()  # paths of the records that published ones have become
        self.changed: list[ChangedRecord] = []
        self.gone: list[StoredRecord] = []
        self.archived: list[Archived] = []

    def follow(self, key: RecordKey, stored: StoredRecord) -> None:
        """Note what is amiss with what ``stored`` has become."""
        root, record = stored
        heirs = self._heirs(key, stored)
        self._seen.update(heir.path for heir in heirs)
        alike = [heir for heir in heirs if heir.record.is_archived is record.is_archived]
        if alike:
            self._compare(stored, alike)
        elif heirs and isinstance(record, Record):
            self._judge_archiving(stored, record, heirs[0])
        elif heirs and isinstance(record, ColdRecord):
            self._judge_return(stored, record, heirs[0])
        elif unreadable := self._unreadable(stored):
            self.changed.append(ChangedRecord(stored, unreadable, []))
        elif not may_leave(record, self._before.config(root), self._as_of):
            self.gone.append(stored)

    def backdated(self) -> Iterator[StoredRecord]:
        """The records that are new, and older than what is new can be."""
        for key, stored in self._after.records:
            if key in self._before or stored.path in self._seen:
                continue
            if self._before.at(stored.root, other_place(stored.record.file)):
                continue  # a copy of one that did not change
            is_known = self._before.has_root(stored.root)
            config = (self._before if is_known else self._after).config(stored.root)
            if is_warm_no_more(stored.record, config, self._as_of):
                yield stored

    def _heirs(self, key: RecordKey, stored: StoredRecord) -> list[StoredRecord]:
        """What has the record's id now; else what is at its place, or at its other one."""
        root, record = stored
        named = self._after.named(key)
        if not named:  # with its memory; one that did so is not what two have become
            moved = self._after.moved(key, self._before)
            named = [heir for heir in moved if heir.path not in self._seen][:1]
        if not named and stored.path not in self._after.unreadable:
            named = self._after.at(root, record.file)
        return named or self._after.at(root, other_place(record.file))

    def _unreadable(self, stored: StoredRecord) -> str | None:
        """Where the record is, and cannot be read."""
        places = (stored.record.file, other_place(stored.record.file))
        paths = (f"{stored.root}/{file}" for file in places)
        return next((path for path in paths if path in self._after.unreadable), None)

    def _compare(self, stored: StoredRecord, alike: Sequence[StoredRecord]) -> None:
        value = self._before.value(stored)
        found = [[*differences(value, self._after.value(heir))] for heir in alike]
        if all(found):
            self.changed.append(ChangedRecord(stored, alike[0].path, found[0]))

    def _judge_archiving(self, stored: StoredRecord, record: Record, heir: StoredRecord) -> None:
        archived = heir.record
        if not isinstance(archived, ColdRecord):
            return
        fields = tuple(unfaithful(record, archived))
        due = self._early(record, archived, stored.root, heir.root)
        if fields or due:
            root, path = stored.root, heir.path
            self.archived.append(Archived(record, root, path, archived, fields, due))

    def _early(
        self, record: Record, archived: ColdRecord, root: str, root_now: str
    ) -> Instant | None:
        """When a record might be archived by the published tiers, where it was archived before.

        Where none were published, by the protocol's own. It was not archived after the moment of
        the check, whatever it says. None where rule KA403 says so too, by the tiers of its tree.
        """
        made = archived.archived_at.instant if archived.archived_at else None
        stored = record.timestamp.instant if record.timestamp else None
        published = self._before.config(root)
        tiers = published.tiers if published.lifecycle is None else published.tiers or DEFAULT_TIERS
        now = self._after.config(root_now).tiers
        if not made or not stored or not tiers or not now:
            return None
        due = stored.after_days(tiers.warm)
        is_early = min(made, self._as_of) <= due and made > stored.after_days(now.warm)
        return due if is_early else None

    def _judge_return(self, stored: StoredRecord, archived: ColdRecord, heir: StoredRecord) -> None:
        active = heir.record
        fields = unfaithful(active, archived) if isinstance(active, Record) else ()
        found = [
            Difference(pointer_to("", field), "what the archive says", "something else")
            for field in fields
        ]
        if found:
            self.changed.append(ChangedRecord(stored, heir.path, found))
