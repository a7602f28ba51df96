"""The check itself: a tree in, a report out. Pure: no I/O but through the tree and its history."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kattest.attestation_part import JudgedAttestations, judge_attestations
from kattest.config import Config
from kattest.errors import ConfigError
from kattest.instant import Instant
from kattest.memory.layout import has_memory
from kattest.result import Counts, JudgedMemory, Part, Report, SourceInfo, SourceKind
from kattest.rules import RULES
from kattest.tree import History, MemoryHistory, Tree


def _say_nothing(done: int, of: int) -> None:
    """Report no progress."""


def check(  # noqa: PLR0913 - each argument is one thing from the outside, and most have defaults
    tree: Tree,
    base: Tree | None,
    config: Config,
    as_of: Instant,
    *,
    history: History | None = None,
    source: SourceInfo | None = None,
    paths: Sequence[str] = (),
    parts: Sequence[Part] = tuple(Part),
    progress: Callable[[int, int], None] = _say_nothing,
) -> Report:
    """Judge the attestation files and memory roots of ``tree``, or what of them ``paths`` mean.

    A path means the files at or below it; the path of an artifact, the attestation files with a
    round of it. ``parts`` of the protocol are judged.

    With a ``base``, rounds that it has already are not searched for in ``history``. ``as_of`` is
    the one moment that everything is judged at; ``source`` says where the tree came from;
    ``progress`` is told how many records of how many have been read.

    Raises ConfigError where ``config`` names a rule that does not exist, SourceError where bytes
    cannot be read, ShallowHistoryError where the history ends too early to decide.
    """
    _refuse_unknown_rules(config)
    attestations, memory = JudgedAttestations(), JudgedMemory()
    if Part.ATTESTATIONS in parts:
        attestations = judge_attestations(tree, base, config, history or MemoryHistory(), paths)
    if Part.MEMORY in parts and has_memory(tree.paths()):
        # Start-up: most repositories have no memory, and need none of what reads one.
        from kattest.memory_part import judge_memory  # noqa: PLC0415

        memory = judge_memory(tree, config, as_of, paths, progress)
    disabled = tuple(RULES[code] for code, level in sorted(config.severity.items()) if not level)
    findings = sorted((*attestations.findings, *memory.findings), key=lambda f: f.sort_key)
    return Report(
        source=source or SourceInfo(SourceKind.WORKTREE),
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
        findings=tuple(finding for finding in findings if finding.rule not in disabled),
        parts=tuple(parts),
        disabled=disabled,
    )


def _refuse_unknown_rules(config: Config) -> None:
    for code in config.severity:
        if code not in RULES:
            raise ConfigError(
                f"the configuration sets the severity of {code}, and there is no such rule",
                "`kattest explain` lists the rules of this version",
            )
