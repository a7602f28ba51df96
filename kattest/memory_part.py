"""The memory of a tree: every root, its records, its index and their lifecycle, judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain

from kattest.config import Config
from kattest.documents import read_documents
from kattest.finding import Finding, Severity
from kattest.instant import Instant
from kattest.jsondoc import Document
from kattest.locate import Located, located, run
from kattest.look_alikes import like_memory
from kattest.memory.layout import CONFIG, ROOT, Layout, find_roots, lay_out
from kattest.memory.lifecycle import tier_of
from kattest.memory.model import MemoryConfig
from kattest.memory_roots import load_root
from kattest.result import JudgedMemory, Lifecycle, RootReport, Status
from kattest.rules import DOCUMENT_CHECKS, MEMORY_CHECKS
from kattest.rules.documents import not_a_file
from kattest.rules.subjects import DocumentSubject, MemorySubject
from kattest.tree import Kind, Tree, is_below

_PERIOD = 200  # records between two words on progress


def judge_memory(  # noqa: PLR0913, PLR0917 - as of ``engine.check``
    tree: Tree,
    config: Config,
    as_of: Instant,
    paths: Sequence[str],
    progress: Callable[[int, int], None],
    lost: Sequence[Located],
) -> JudgedMemory:
    """Judge every memory root of ``tree``, or what of it lies at or below ``paths``.

    A root is read whole, for its index speaks of all its records; a finding is reported where one
    of its ends is meant, and not excluded. ``progress`` is told how many records of how many have
    been read. ``lost`` are the faults that a comparison with the published state found.

    Raises SourceError where bytes cannot be read.
    """
    scope = _Scope(tree, config, paths)
    count = _Count(sum(len(root.records) + len(root.archived) for root in scope.roots), progress)
    reports: list[RootReport] = []
    findings: list[Finding] = []
    for layout in scope.roots:
        subject, faults = load_root(tree, layout, config, as_of, count.add)
        always = _config_that_blocks(subject)
        inside = f"{layout.root}/"
        here = [one for one in lost if one[0].startswith(inside)]
        lost = [one for one in lost if not one[0].startswith(inside)]
        of_root = [*scope.located(chain(_all_faults(subject, faults), here), always)]
        findings += of_root
        reports.append(_root_report(subject, of_root, scope))
    findings += scope.located(lost)  # in roots that are gone
    for path in scope.blocked:
        kind = tree.kind(path) or Kind.FOLDER
        blocked = DocumentSubject(path, kind, 0, 0, expected=Kind.FOLDER)
        found = run(DOCUMENT_CHECKS, blocked)
        findings += scope.located((path, rule, fault) for rule, fault in found)
        reports.append(RootReport(path, Status.FAILED))
    for path, like in like_memory(tree.paths()).items():
        mistaken = DocumentSubject(path, Kind.FILE, 0, 0, like=like)
        found = run((not_a_file,), mistaken)
        findings += scope.located((path, rule, fault) for rule, fault in found)
    return JudgedMemory(
        roots=tuple(sorted(reports, key=lambda report: report.path)),
        records=sum(report.records for report in reports),
        excluded=scope.excluded,
        findings=tuple(findings),
    )


class _Scope:
    """What of a tree's memory is judged: below the paths given, and not excluded."""

    def __init__(self, tree: Tree, config: Config, paths: Sequence[str]) -> None:
        self._tree = tree
        self._config = config
        self._paths = paths
        files, blocked = find_roots(tree.paths())
        blocked = [path for path in blocked if _is_in_the_way(tree, path)]
        self._left_out: frozenset[str] = frozenset()
        if config.exclude:
            present = [f"{root}/{file}" for root, found in files.items() for file in found]
            present += blocked
            self._left_out = frozenset(present).difference(config.included(present))
        self.excluded = sum(is_below(path, paths) for path in self._left_out)
        self.blocked = [path for path in blocked if self._has(path)]
        roots = [lay_out(root, found) for root, found in files.items()]
        self.roots = [root for root in roots if self.files(root, files[root.root])]

    def located(self, faults: Iterable[Located], always: str | None = None) -> Iterator[Finding]:
        """The findings of ``faults`` that concern what is in scope, or are in ``always``."""
        meant = (one for one in faults if one[0] == always or self._concerns(one))
        return located(meant, self._texts, self._config)

    def files(self, root: Layout, files: Sequence[str]) -> Sequence[str]:
        """Those of a root's ``files`` that are in scope."""
        if not self._paths and not self._left_out:
            return files
        return [file for file in files if self._has(root.path(file))]

    def _concerns(self, one: Located) -> bool:
        """Whether a fault has an end below the paths, in a document that is not excluded."""
        path, _, fault = one
        if self._has(path):
            return True
        ends = (spot.path for spot, _ in fault.related if spot.path)
        return not self._is_excluded(path) and any(map(self._has, ends))

    def _has(self, path: str) -> bool:
        return is_below(path, self._paths) and not self._is_excluded(path)

    def _is_excluded(self, path: str) -> bool:
        if not self._config.exclude:
            return False
        # A file that should be there and is not, or a folder in its place, is no present path.
        is_absent = self._tree.kind(path) is None
        return path in self._left_out or (is_absent and not self._config.included((path,)))

    def _texts(self, paths: Sequence[str]) -> Iterator[tuple[str, Document]]:
        """The documents at ``paths``, read again: they were let go when they had been judged."""
        for document in read_documents(self._tree, paths, self._config.document_bytes):
            if isinstance(document.parsed, Document):
                yield document.path, document.parsed


class _Count:
    """How many records have been read, of how many."""

    def __init__(self, total: int, progress: Callable[[int, int], None]) -> None:
        self._total = total
        self._progress = progress
        self._read = 0

    def add(self) -> None:
        """Note that one more was read."""
        self._read += 1
        if self._read % _PERIOD == 0:
            self._progress(self._read, self._total)


def _is_in_the_way(tree: Tree, path: str) -> bool:
    """Whether what stands at a memory's path hides one: any file there, or a link on the way."""
    return f"/{path}".endswith(f"/{ROOT}") or tree.kind(path) is not Kind.FILE


def _all_faults(subject: MemorySubject, faults: Iterable[Located]) -> Iterator[Located]:
    yield from faults
    for rule, fault in run(MEMORY_CHECKS, subject, most=None):
        yield fault.spot.path or subject.layout.root, rule, fault


def _config_that_blocks(subject: MemorySubject) -> str | None:
    """The configuration, where a part of it is not known by which the rest is judged."""
    return subject.layout.path(CONFIG) if None in subject.config else None


def _root_report(subject: MemorySubject, findings: Iterable[Finding], scope: _Scope) -> RootReport:
    layout, config, as_of = subject.layout, subject.config, subject.as_of
    has_error = any(finding.severity is Severity.ERROR for finding in findings)
    active, archived = scope.files(layout, layout.records), scope.files(layout, layout.archived)
    counted = {*active, *archived}
    tiers = Counter(
        tier_of(record, config, as_of) for record in subject.all_records if record.file in counted
    )
    overdue = [due.since for record, due in subject.overdue if record.file in counted]
    # Where the lifecycle is not known, nothing could be judged by its age.
    return RootReport(
        path=layout.root,
        status=Status.FAILED if has_error or not config.lifecycle else Status.VERIFIED,
        lifecycle=_lifecycle(config),
        days=config.lifecycle or (),
        has_config=subject.config_file is not None,
        records=len(counted),
        archived=len(archived),
        tiers={tier: number for tier, number in tiers.items() if tier},
        overdue=len(overdue),
        overdue_since=min(overdue, default=None),
    )


def _lifecycle(config: MemoryConfig) -> Lifecycle | None:
    if config.lifecycle is None:
        return None
    return Lifecycle.TIERS if config.tiers else Lifecycle.RETENTION
