"""The check itself: a tree in, a report out. Pure: no I/O but through the tree and its history."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from kattest.attestation_part import JudgedAttestations, judge_attestations
from kattest.config import Config
from kattest.finding import Finding, Severity
from kattest.instant import Instant
from kattest.locate import Located, located
from kattest.memory.layout import has_memory
from kattest.result import Counts, JudgedMemory, Part, Report, SourceInfo, SourceKind
from kattest.rules import RULES
from kattest.tree import Base, History, MemoryHistory, Tree, is_below
from kattest.trust import refuse_unknown_rules


class Step(NamedTuple):
    """A commit on the way to the tree that is judged, and what it is compared with."""

    commit: str
    tree: Tree
    bases: Sequence[Base]
    as_of: Instant
    history: History


def _say_nothing(done: int, of: int) -> None:
    """Report no progress."""


def check(  # noqa: PLR0913 - each argument is one thing from the outside, and most have defaults
    tree: Tree,
    base: Tree | None,
    config: Config,
    as_of: Instant,
    *,
    base_is_published: bool = True,
    others: Sequence[Base] = (),
    history: History | None = None,
    skips_published: bool = False,
    source: SourceInfo | None = None,
    paths: Sequence[str] = (),
    parts: Sequence[Part] = tuple(Part),
    progress: Callable[[int, int], None] = _say_nothing,
    now: Instant | None = None,
) -> Report:
    """Judge the attestation files and memory roots of ``tree``, or what of them ``paths`` mean.

    A path means the files at or below it; the path of an artifact, the attestation files with a
    round of it. ``parts`` of the protocol are judged.

    What ``base`` and ``others`` (the parents of a merge) have must still be there; ``base`` is
    published, unless ``base_is_published`` says otherwise, and the one that ``config`` should come
    from. With ``skips_published``, rounds that
    published ones have already are not searched for in ``history``. ``as_of`` is the one moment
    that everything is judged at; but what may be gone by then must be so ``now``, if that is
    earlier. ``source`` says where the tree came from; ``progress`` is told how many records of how
    many have been read.

    Raises ConfigError where ``config`` names a rule that does not exist, SourceError where bytes
    cannot be read, ShallowHistoryError where the history ends too early to decide.
    """
    refuse_unknown_rules(config)
    source = source or SourceInfo(SourceKind.WORKTREE)
    first = (Base(base, source.base, base_is_published),) if base else ()
    bases = (*first, *others)
    lost = _lost(tree, bases, config, min(as_of, now or as_of), parts)
    attestations, memory = JudgedAttestations(), JudgedMemory()
    if Part.ATTESTATIONS in parts:
        published = [one.tree for one in bases if one.is_published] if skips_published else []
        searched = history or MemoryHistory()
        of_rounds = lost.get(Part.ATTESTATIONS, ())
        attestations = judge_attestations(tree, published, config, searched, paths, of_rounds)
    of_records = lost.get(Part.MEMORY, [])
    if Part.MEMORY in parts and (of_records or has_memory(tree.paths())):
        # Start-up: most repositories have no memory, and need none of what reads one.
        from kattest.memory_part import judge_memory  # noqa: PLC0415

        memory = judge_memory(tree, config, as_of, paths, progress, of_records)
    edited = _edited_config(tree, bases, source.config_from, config)
    disabled = tuple(RULES[code] for code, level in sorted(config.severity.items()) if not level)
    findings = (*attestations.findings, *memory.findings, *edited)
    return Report(
        source=source,
        as_of=as_of,
        counts=Counts(
            attestation_files=len(attestations.files),
            rounds=len(attestations.rounds),
            attestations=attestations.attestations,
            memory_roots=len(memory.roots),
            records=memory.records,
            excluded=attestations.excluded + memory.excluded,
        ),
        paths=tuple(paths),
        files=attestations.files,
        rounds=attestations.rounds,
        memory=memory.roots,
        findings=_sorted(finding for finding in findings if finding.rule not in disabled),
        parts=tuple(parts),
        disabled=disabled,
    )


def check_steps(  # noqa: PLR0913 - as of ``check``
    steps: Iterable[Step],
    report: Report,
    config: Config,
    *,
    whole: bool,
    as_of: Instant | None = None,
    progress: Callable[[int, int], None] = _say_nothing,
    now: Instant | None = None,
) -> Report:
    """``report`` on the last of some commits, with what was found in those before it.

    Each step is judged whole, or else only by what it lost of its bases. A finding names the
    commit where it appeared first, and is not repeated for those after it. ``as_of`` replaces
    their own dates; ``now`` is as in ``check``. Raises what ``check`` raises.
    """
    found: list[Finding] = []
    known: set[object] = set()
    for step in steps:
        moment = as_of or step.as_of
        judged = (
            _whole_step(step, report, config, moment, progress, now)
            if whole
            else _lost_in_step(step, report, config, min(moment, now or moment))
        )
        fresh = [_at(finding, step.commit) for finding in judged if _identity(finding) not in known]
        known.update(map(_identity, fresh))
        found += fresh
    last = [finding for finding in report.findings if _identity(finding) not in known]
    found += (_at(finding, report.source.rev) for finding in last) if whole else last
    return report._replace(findings=_sorted(found))


def _whole_step(  # noqa: PLR0913, PLR0917 - as of ``check``
    step: Step,
    report: Report,
    config: Config,
    as_of: Instant,
    progress: Callable[[int, int], None],
    now: Instant | None,
) -> Iterable[Finding]:
    return check(
        step.tree,
        None,
        config,
        as_of,
        others=step.bases,
        history=step.history,
        skips_published=True,
        source=report.source,
        paths=report.paths,
        parts=report.parts,
        progress=progress,
        now=now,
    ).findings


def _lost_in_step(step: Step, report: Report, config: Config, as_of: Instant) -> Iterator[Finding]:
    lost = _lost(step.tree, step.bases, config, as_of, report.parts)
    meant = [
        one
        for faults in lost.values()
        for one in faults
        if is_below(one[0], report.paths) and one[1].severity is Severity.ERROR
    ]
    found = located(meant, lambda _: iter(()), config)
    return (finding for finding in found if finding.rule not in report.disabled)


def _lost(
    tree: Tree, bases: Sequence[Base], config: Config, as_of: Instant, parts: Sequence[Part]
) -> dict[Part, list[Located]]:
    if not bases:
        return {}
    # Start-up: without a published state there is nothing to compare with.
    from kattest.history_part import history_faults  # noqa: PLC0415

    return history_faults(tree, bases, config, as_of, parts)


def _edited_config(
    tree: Tree,
    bases: Sequence[Base],
    judged_by: str | None,
    config: Config,
) -> Iterator[Finding]:
    if not bases:
        return iter(())
    from kattest.history_part import config_faults  # noqa: PLC0415 - as in ``_lost``

    return located(config_faults(tree, bases[0], judged_by), lambda _: iter(()), config)


def _identity(finding: Finding) -> object:
    return finding.rule, finding.location.path, finding.location.pointer, finding.message


def _at(finding: Finding, commit: str | None) -> Finding:
    return finding._replace(location=finding.location._replace(commit=commit))


def _sorted(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(findings, key=lambda finding: finding.sort_key))
