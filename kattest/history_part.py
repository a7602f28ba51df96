"""The history of a tree: what was published must still be there (design, section 3.7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from kattest.config import FILE_NAME, Config
from kattest.finding import Rule
from kattest.instant import Instant
from kattest.locate import Located, run
from kattest.record_history import record_history
from kattest.result import Part
from kattest.round_history import round_history
from kattest.rules import CONFIG_CHECKS, RECORD_HISTORY_CHECKS, ROUND_HISTORY_CHECKS
from kattest.rules.base import Fault
from kattest.rules.history_subjects import ConfigSubject
from kattest.rules.record_history import record_backdated
from kattest.tree import Base, Tree, is_same_at


def history_faults(
    tree: Tree, bases: Sequence[Base], config: Config, as_of: Instant, parts: Sequence[Part]
) -> dict[Part, list[Located]]:
    """What ``tree`` has lost or changed of any of ``bases``, for each of ``parts``.

    Raises SourceError where bytes cannot be read.
    """
    faults: dict[Part, list[Located]] = {}
    if Part.ATTESTATIONS in parts:
        histories = (round_history(tree, base, config) for base in bases)
        found = (run(ROUND_HISTORY_CHECKS, history) for history in histories)
        faults[Part.ATTESTATIONS] = _once(map(_located, found))
    if Part.MEMORY in parts:
        records = (record_history(tree, base, config, as_of) for base in bases)
        of_bases = [_located(run(RECORD_HISTORY_CHECKS, one, most=None)) for one in records]
        faults[Part.MEMORY] = _once(_new_to_all(of_bases))
    return faults


def config_faults(tree: Tree, base: Base | None, judged_by: str | None) -> list[Located]:
    """Whether ``tree`` edits the configuration of ``base``, and is ``judged_by`` another one."""
    is_changed = base is not None and not is_same_at(FILE_NAME, base.tree, tree)
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
