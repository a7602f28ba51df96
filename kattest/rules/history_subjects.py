"""What checks of the history are given: what became of everything that was published."""

from __future__ import annotations

from typing import NamedTuple

from kattest.attestation.succession import StoredRound
from kattest.instant import Instant
from kattest.jsondiff import Difference, summary
from kattest.memory.model import AnyRecord, ColdRecord, Record
from kattest.rules.base import Spot


def _as_published(spot: Spot, what: str) -> tuple[Spot, str]:
    """The other end of a finding: ``what`` stood there, and how to see it."""
    import shlex  # noqa: PLC0415 - start-up: only where something was lost

    name = f"{(spot.commit or '')[:12]}:{spot.path}"
    return spot, f"{what} as it was published: git show {shlex.quote(name)}"


class LostRound(NamedTuple):
    """A published round that is nowhere any more, though its artifact still is there."""

    before: StoredRound


class ChangedRound(NamedTuple):
    """A published round, and the one that has its evaluation id now, with how the two differ."""

    before: StoredRound
    after: StoredRound
    differences: list[Difference]

    @property
    def what(self) -> str:
        """How the two differ, for a message."""
        return summary(self.differences)


class LostFile(NamedTuple):
    """An attestation file of which published rounds are lost.

    ``is_there`` says that something still stands at its path that cannot be read as one.
    """

    path: str
    lost: int
    is_there: bool


class RoundHistory(NamedTuple):
    """What became of the rounds of a published state, whose commit is ``commit``."""

    commit: str
    changed: tuple[ChangedRound, ...]
    lost: tuple[LostRound, ...]
    files: tuple[LostFile, ...]

    def published(self, round_: StoredRound) -> tuple[Spot, str]:
        """The place of a round in the published state, and how to see it."""
        spot = Spot(round_.round.pointer, round_.path, commit=self.commit)
        return _as_published(spot, "the round")

    def published_file(self, path: str) -> tuple[Spot, str]:
        """A file of the published state, and how to see it."""
        return _as_published(Spot(path=path, commit=self.commit), "the file")


class StoredRecord(NamedTuple):
    """A record with the memory root that it is in."""

    root: str
    record: AnyRecord

    @property
    def path(self) -> str:
        """The path of its file, from the top."""
        return f"{self.root}/{self.record.file}"


class ChangedRecord(NamedTuple):
    """A published record that is not the same now, and how the two differ.

    ``path`` is where it is now; there is no difference where it cannot be read there.
    """

    before: StoredRecord
    path: str
    differences: list[Difference]

    @property
    def what(self) -> str:
        """How the two differ, for a message."""
        return summary(self.differences) if self.differences else "it can no longer be read"


class Archived(NamedTuple):
    """A published active record, and the archived one that it has become.

    ``unfaithful`` names the fields in which that is not what archiving makes of it. ``due`` is the
    moment after which it might be archived, where that was done before.
    """

    before: Record
    root: str
    path: str
    after: ColdRecord
    unfaithful: tuple[str, ...]
    due: Instant | None


class RecordHistory(NamedTuple):
    """What became of the records of a published state, whose commit is ``commit``.

    ``gone`` are those that are nowhere any more, too young for that. ``backdated`` are new ones
    that are older than anything new can be.
    """

    commit: str
    changed: tuple[ChangedRecord, ...]
    gone: tuple[StoredRecord, ...]
    archived: tuple[Archived, ...]
    backdated: tuple[StoredRecord, ...]

    def published(self, path: str, pointer: str = "") -> tuple[Spot, str]:
        """The place of a record in the published state, and how to see it."""
        return _as_published(Spot(pointer, path, commit=self.commit), "the record")
