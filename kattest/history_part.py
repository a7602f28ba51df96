"""The history of a tree: what was published must still be there (design, section 3.7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from kattest.attestation.model import FILE_NAME
from kattest.config import FILE_NAME as CONFIG_NAME
from kattest.config import Config
from kattest.documents import attestation_paths
from kattest.finding import Rule
from kattest.instant import Instant
from kattest.locate import Located, run
from kattest.memory.layout import has_memory
from kattest.result import Part
from kattest.rules import CONFIG_CHECKS, RECORD_HISTORY_CHECKS, ROUND_HISTORY_CHECKS
from kattest.rules.base import Fault
from kattest.rules.record_history import record_backdated
from kattest.rules.subjects import ConfigSubject
from kattest.tree import Base, Tree, is_same_at

if TYPE_CHECKING:  # start-up, as in ``kattest.rules``
    from kattest.rules.history_subjects import ChangedRecord


def history_faults(
    tree: Tree, bases: Sequence[Base], config: Config, as_of: Instant, parts: Sequence[Part]
) -> dict[Part, list[Located]]:
    """What ``tree`` has lost or changed of any of ``bases``, for each of ``parts``.

    Raises SourceError where bytes cannot be read.
    """
    rounds: list[list[Located]] = []
    records: list[list[Located]] = []
    for base in bases:
        changed = config.included(tree.changed_since(base.tree, _is_of_either))
        if Part.ATTESTATIONS in parts:
            rounds.append(_round_faults(tree, base, attestation_paths(changed), config))
        if Part.MEMORY in parts:
            # What one side archived gives way to what another did, but not the published to others.
            merged = [
                one
                for one in bases
                if one is not base and (one.is_published or not base.is_published)
            ]
            records.append(_record_faults(tree, base, merged, changed, config, as_of))
    found = {Part.ATTESTATIONS: _once(rounds), Part.MEMORY: _once(_new_to_all(records))}
    return {part: found[part] for part in parts}


def _is_of_either(path: str) -> bool:
    return FILE_NAME in path or has_memory((path,))


def _round_faults(tree: Tree, base: Base, changed: Sequence[str], config: Config) -> list[Located]:
    if all(base.tree.kind(path) is None for path in changed):
        return []
    # Start-up: what is only added loses nothing, and needs none of what follows a round.
    from kattest.round_history import round_history  # noqa: PLC0415

    history = round_history(tree, base, changed, config)
    return _located(run(ROUND_HISTORY_CHECKS, history))


def _record_faults(  # noqa: PLR0913, PLR0917 - as of ``record_history``, and what is merged with it
    tree: Tree,
    base: Base,
    merged: Sequence[Base],
    changed: Sequence[str],
    config: Config,
    as_of: Instant,
) -> list[Located]:
    paths = [path for path in changed if has_memory((path,))]
    if not paths:
        return []
    # Start-up: most changes touch no memory, and need none of what reads one.
    from kattest.record_history import record_history  # noqa: PLC0415

    history = record_history(tree, base, paths, config, as_of)
    kept = [one for one in history.changed if not _was_archived_twice(one, tree, merged)]
    history = history._replace(changed=tuple(kept))
    return _located(run(RECORD_HISTORY_CHECKS, history, most=None))


def _was_archived_twice(changed: ChangedRecord, tree: Tree, merged: Sequence[Base]) -> bool:
    """Whether two merged branches archived one record, and this is the other one's copy.

    The two say when, and one of them has to go. What is published stays, whoever merges.
    """
    is_time_alone = {one.pointer for one in changed.differences} == {"/archived_at"}
    return is_time_alone and any(is_same_at(changed.path, other.tree, tree) for other in merged)


def config_faults(tree: Tree, base: Base | None, judged_by: str | None) -> list[Located]:
    """Whether ``tree`` edits the configuration of ``base``, and is ``judged_by`` another one."""
    is_changed = base is not None and not is_same_at(CONFIG_NAME, base.tree, tree)
    return _located(run(CONFIG_CHECKS, ConfigSubject(is_changed, judged_by)))


def _located(faults: Iterable[tuple[Rule, Fault]]) -> list[Located]:
    return [(fault.spot.path or "", rule, fault) for rule, fault in faults]


def _once(of_bases: Iterable[Iterable[Located]]) -> list[Located]:
    """The faults of all bases: of those that say the same, the first."""
    kept: dict[object, Located] = {}
    for path, rule, fault in (located for faults in of_bases for located in faults):
        kept.setdefault((path, rule, fault.spot.pointer, fault.message), (path, rule, fault))
    return [*kept.values()]


def _new_to_all(of_bases: Sequence[list[Located]]) -> Iterator[list[Located]]:
    """The faults of each base; a record is new only where no base has it."""
    new = Counter(
        path for faults in of_bases for path, rule, _ in faults if rule == record_backdated.rule
    )
    for faults in of_bases:
        yield [
            located
            for located in faults
            if located[1] != record_backdated.rule or new[located[0]] == len(of_bases)
        ]
