"""The check itself: a tree in, a report out. Pure: no I/O but through the tree and its history.

Steps 1 to 3 are those of the protocol's verification algorithm (judge attestation, section 3);
``rules.chain`` has the inner ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from kattest.attestation.artifact import RoundKey
from kattest.attestation.lookup import artifact_paths, artifact_states
from kattest.attestation.model import AttestationFile, Round
from kattest.config import Config
from kattest.documents import LoadedDocument, attestation_files, attestation_paths, load
from kattest.errors import ConfigError
from kattest.finding import Rule
from kattest.instant import Instant
from kattest.locate import located, run
from kattest.result import Counts, Report, SourceInfo, SourceKind
from kattest.rules import DOCUMENT_CHECKS, FILE_CHECKS, ROUND_CHECKS, RULES
from kattest.rules.base import Fault
from kattest.rules.subjects import FileSubject, RoundSubject, round_subject
from kattest.tree import History, MemoryHistory, Tree, is_below
from kattest.verdicts import round_reports


def check(  # noqa: PLR0913 - each argument is one thing from the outside, and the last three have defaults
    tree: Tree,
    base: Tree | None,
    config: Config,
    as_of: Instant,
    *,
    history: History | None = None,
    source: SourceInfo | None = None,
    paths: Sequence[str] = (),
) -> Report:
    """Judge every attestation file of ``tree``, or those that ``paths`` mean.

    A path means the files at or below it; the path of an artifact, those with a round of it.

    With a ``base``, rounds that it has already are not searched for in ``history``. ``as_of`` is
    the one moment that everything is judged at; ``source`` says where the tree came from.

    Raises ConfigError where ``config`` names a rule that does not exist, SourceError where bytes
    cannot be read, ShallowHistoryError where the history ends too early to decide.
    """
    _refuse_unknown_rules(config)
    # 1. Load the attestation files: all of them, for what one says can depend on another.
    found = attestation_paths(tree)
    included = config.included(found)
    documents = {path: load(tree, path, config.document_bytes) for path in included}
    files = [document.file for document in documents.values() if document.file]
    judged = [path for path in included if _is_meant(path, documents[path].file, paths)]
    is_judged = frozenset(judged)
    # 2. For each round: learn what the tree and its history say of it, then ask every rule.
    artifacts = artifact_states(
        files, tree, history or MemoryHistory(), _search_filter(base, config, is_judged)
    )
    subjects = {
        (file.path, round_.pointer): round_subject(
            round_, config, artifacts.get((file.path, round_.pointer))
        )
        for file in files
        if file.path in is_judged
        for round_ in file.rounds
    }
    ids = _evaluation_ids(files)
    faults = {path: _faults(documents[path], ids, subjects) for path in judged}
    findings = sorted(located(faults, documents, config), key=lambda finding: finding.sort_key)
    # 3. Produce the verification report.
    disabled = tuple(RULES[code] for code, level in sorted(config.severity.items()) if not level)
    return Report(
        source=source or SourceInfo(SourceKind.WORKTREE),
        as_of=as_of,
        counts=_counts(judged, subjects, excluded=_number_below(found, paths, set(included))),
        paths=tuple(paths),
        files=tuple(judged),
        rounds=tuple(round_reports(subjects, findings)),
        findings=tuple(f for f in findings if f.rule not in disabled),
        disabled=disabled,
    )


def _is_meant(path: str, file: AttestationFile | None, paths: Sequence[str]) -> bool:
    if is_below(path, paths):
        return True
    rounds = file.rounds if file else ()
    return any(place in paths for round_ in rounds for place in artifact_paths(path, round_))


def _number_below(found: Iterable[str], paths: Sequence[str], included: set[str]) -> int:
    return sum(path not in included and is_below(path, paths) for path in found)


def _refuse_unknown_rules(config: Config) -> None:
    for code in config.severity:
        if code not in RULES:
            raise ConfigError(
                f"the configuration sets the severity of {code}, and there is no such rule",
                "`kattest explain` lists the rules of this version",
            )


def _search_filter(
    base: Tree | None, config: Config, judged: frozenset[str]
) -> Callable[[RoundKey, Round], bool]:
    """Which rounds the history is searched for: those that are judged and not published yet."""
    published: set[tuple[str | None, str | None, str | None]] | None = None

    def is_searched(key: RoundKey, round_: Round) -> bool:
        nonlocal published
        if key[0] not in judged:
            return False
        if published is None:  # the base is read only where some round does not match the tree
            published = set()
            if base:
                paths = config.included(attestation_paths(base))
                files = attestation_files(base, paths, config.document_bytes)
                published = {_identity(round_) for file in files for round_ in file.rounds}
        return _identity(round_) not in published

    return is_searched


def _identity(round_: Round) -> tuple[str | None, str | None, str | None]:
    digest = round_.artifact_hash.hex if round_.artifact_hash else None
    return round_.evaluation_id, round_.artifact_path, digest


def _evaluation_ids(files: Sequence[AttestationFile]) -> dict[str, tuple[RoundKey, ...]]:
    ids: dict[str, list[RoundKey]] = {}
    for file in files:
        for round_ in file.rounds:
            if round_.evaluation_id is not None:
                ids.setdefault(round_.evaluation_id, []).append((file.path, round_.pointer))
    return {evaluation_id: tuple(keys) for evaluation_id, keys in ids.items()}


def _faults(
    document: LoadedDocument,
    ids: Mapping[str, tuple[RoundKey, ...]],
    subjects: Mapping[RoundKey, RoundSubject],
) -> Iterator[tuple[Rule, Fault]]:
    yield from run(DOCUMENT_CHECKS, document.subject)
    if document.file:
        yield from run(FILE_CHECKS, FileSubject(document.file, ids))
        for round_ in document.file.rounds:
            yield from run(ROUND_CHECKS, subjects[document.file.path, round_.pointer])


def _counts(
    judged: Sequence[str], subjects: Mapping[RoundKey, RoundSubject], *, excluded: int
) -> Counts:
    rounds = [subject.round for subject in subjects.values()]
    return Counts(
        attestation_files=len(judged),
        rounds=len(rounds),
        attestations=sum(len(round_.attestations) for round_ in rounds),
        excluded=excluded,
    )
