"""What checks are given: a document as it stands in the tree, or a round with all that is known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from kattest.attestation.artifact import Artifact, RoundKey
from kattest.attestation.evaluation import evaluation_of
from kattest.attestation.isolation import Isolation, Trace, repeated, traces
from kattest.attestation.model import Attestation, AttestationFile, Round
from kattest.attestation.panels import panel_of, seated, spread
from kattest.config import Config
from kattest.digest import Recipe
from kattest.fields import FieldFault
from kattest.instant import Instant
from kattest.jsondoc import Document, NotJsonError
from kattest.memory.index import Totals
from kattest.memory.layout import Layout
from kattest.memory.lifecycle import Overdue
from kattest.memory.model import (
    AnyRecord,
    ColdRecord,
    ConfigFile,
    Index,
    IndexEntry,
    MemoryConfig,
    Record,
)
from kattest.roster import Panel
from kattest.rules.base import Spot
from kattest.tree import Kind


class DocumentSubject(NamedTuple):
    """One document: what stands at its path, and how far it could be read.

    ``expected`` is the kind that it must be. ``like`` is another path that some systems take it
    for. ``size`` is in bytes and ``largest`` the limit that
    applies; both are meaningless where ``kind`` is not a file. ``parsed`` is None where the bytes
    were not read, an error where they are not JSON. ``field_faults`` come from reading the document
    into its model.
    """

    path: str
    kind: Kind
    size: int
    largest: int
    is_lfs_pointer: bool = False
    parsed: Document | NotJsonError | None = None
    field_faults: tuple[FieldFault, ...] = ()
    expected: Kind = Kind.FILE
    like: str | None = None


class FileSubject(NamedTuple):
    """One attestation file, with the evaluation ids of every file of the tree.

    ``evaluation_ids`` maps an id to the path and pointer of each round that has it, in the order
    of the tree.
    """

    file: AttestationFile
    evaluation_ids: Mapping[str, tuple[RoundKey, ...]]


class RoundSubject(NamedTuple):
    """One round, and everything that several rules and the report want to know of it.

    ``panel`` is the roster it was judged by, None where no roster has its size. ``seated`` holds
    that roster's attestations by judge. ``recipes`` gives each attestation's recipe by position,
    None where no recipe gives its hash. ``artifact`` is None where the round names none.
    """

    round: Round
    config: Config
    panel: Panel | None
    seated: Mapping[str, Attestation]
    spread: Decimal | None
    recipes: tuple[Recipe | None, ...]
    artifact: Artifact | None
    traces: tuple[Trace, ...]
    repeated: tuple[Trace, ...]

    @property
    def isolation(self) -> Isolation:
        """What was seen of the judges' isolation."""
        if self.repeated or any(trace.is_breach for trace in self.traces):
            return Isolation.BREACH
        return Isolation.HINT if self.traces else Isolation.NO_BREACH_FOUND

    @property
    def recipe(self) -> Recipe | None:
        """The one recipe of all its hashes, or None where they follow none or several."""
        recipes = set(self.recipes)
        return recipes.pop() if len(recipes) == 1 else None


def round_subject(round_: Round, config: Config, artifact: Artifact | None) -> RoundSubject:
    """Everything the rules want to know of ``round_``, computed once."""
    panel = panel_of(round_, config.panels)
    seats = seated(panel, round_) if panel else {}
    evaluations = (evaluation_of(a, round_) for a in round_.attestations)
    return RoundSubject(
        round=round_,
        config=config,
        panel=panel,
        seated=seats,
        spread=spread(round_.panel),
        recipes=tuple(e.recipe() if e else None for e in evaluations),
        artifact=artifact,
        traces=tuple(traces(panel, seats)) if panel else (),
        repeated=tuple(repeated(panel, seats)) if panel else (),
    )


class MemorySubject(NamedTuple):
    """One memory root with everything in it.

    ``config_file`` is None where there is none that can be read; ``config`` is what counts.
    ``records`` and ``archived`` are those that could be read, ``unread`` the files of the others,
    of which ``uncounted`` have no entry in the index either.
    ``committed`` is the index in the tree, None where there is none that can be read, and
    ``totals`` what the records come to. ``by_id`` has one record for each id,
    ``namesakes`` those that share one; ``differing`` are the entries of the index, with their id
    and their record, that are not just what that record says. ``overdue`` are the records that
    should not be where they are any more.
    """

    layout: Layout
    config_file: ConfigFile | None
    config: MemoryConfig
    records: Sequence[Record]
    archived: Sequence[ColdRecord]
    committed: Index | None
    totals: Totals
    by_id: Mapping[str, AnyRecord]
    namesakes: Mapping[str, tuple[AnyRecord, ...]]
    differing: Sequence[tuple[str, IndexEntry, AnyRecord]]
    unread: frozenset[str]
    uncounted: int
    overdue: tuple[tuple[AnyRecord, Overdue], ...]
    as_of: Instant

    @property
    def all_records(self) -> Iterator[AnyRecord]:
        """The active records, then the archived ones."""
        yield from self.records
        yield from self.archived

    @property
    def entries(self) -> Mapping[str, IndexEntry] | None:
        """The entries of the index; None where there are none that can be read."""
        return self.committed.records if self.committed else None

    def spot(self, file: str, pointer: str = "", *, at_key: bool = False) -> Spot:
        """A place in a file of the root."""
        return Spot(pointer, self.layout.path(file), at_key=at_key)


class ConfigSubject(NamedTuple):
    """The configuration of a change, and what judges the change instead; None for the defaults."""

    is_changed: bool
    judged_by: str | None
