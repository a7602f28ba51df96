"""The judge attestations of a tree: every round of every attestation file, judged.

Steps 1 to 3 are those of the protocol's verification algorithm (judge attestation, section 3);
``rules.chain`` has the inner ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from kattest.attestation.artifact import RoundKey
from kattest.attestation.lookup import artifact_paths, artifact_states
from kattest.attestation.model import AttestationFile, Round
from kattest.config import Config
from kattest.documents import LoadedFile, attestation_files, attestation_paths, load
from kattest.finding import Finding
from kattest.jsondoc import Document
from kattest.locate import Located, located, run
from kattest.look_alikes import like_attestations
from kattest.result import RoundReport
from kattest.rules import DOCUMENT_CHECKS, FILE_CHECKS, ROUND_CHECKS
from kattest.rules.documents import not_a_file
from kattest.rules.subjects import DocumentSubject, FileSubject, RoundSubject, round_subject
from kattest.tree import History, Kind, Tree, is_below
from kattest.verdicts import round_reports


class JudgedAttestations(NamedTuple):
    """What judging the attestations of a tree gave.

    ``files`` were judged; ``excluded`` counts those that the configuration leaves out.
    """

    files: tuple[str, ...] = ()
    excluded: int = 0
    attestations: int = 0
    rounds: tuple[RoundReport, ...] = ()
    findings: tuple[Finding, ...] = ()


def judge_attestations(  # noqa: PLR0913, PLR0917 - as of ``engine.check``
    tree: Tree,
    published: Sequence[Tree],
    config: Config,
    history: History,
    paths: Sequence[str],
    lost: Iterable[Located],
) -> JudgedAttestations:
    """Judge every attestation file of ``tree``, or those that ``paths`` mean.

    Rounds of ``published`` trees are not searched for in ``history``. ``lost`` are the faults that
    a comparison with the published state found.

    Raises SourceError where bytes cannot be read, ShallowHistoryError where the history ends too
    early to decide.
    """
    # 1. Load the attestation files: all of them, for what one says can depend on another.
    found = attestation_paths(tree.paths())
    included = config.included(found)
    documents = {path: load(tree, path, config.document_bytes) for path in included}
    files = [document.file for document in documents.values() if document.file]
    judged = [path for path in included if _is_meant(path, documents[path].file, paths)]
    is_judged = frozenset(judged)
    # 2. For each round: learn what the tree and its history say of it, then ask every rule.
    artifacts = artifact_states(files, tree, history, _search_filter(published, config, is_judged))
    subjects = {
        (file.path, round_.pointer): round_subject(
            round_, config, artifacts.get((file.path, round_.pointer))
        )
        for file in files
        if file.path in is_judged
        for round_ in file.rounds
    }
    ids = _evaluation_ids(files)
    own = (fault for path in judged for fault in _faults(documents[path], ids, subjects))
    alike = like_attestations(tree.paths())
    mistaken = (fault for path in config.included(alike) for fault in _mistaken(path, alike[path]))
    around = (one for one in chain(lost, mistaken) if _concerns(one, judged, paths))
    faults = chain(own, around)

    def texts(paths: Sequence[str]) -> Iterator[tuple[str, Document]]:
        for path in paths:
            parsed = documents[path].subject.parsed if path in documents else None
            if isinstance(parsed, Document):
                yield path, parsed

    findings = tuple(located(faults, texts, config))
    # 3. Produce the verification report.
    return JudgedAttestations(
        files=tuple(judged),
        excluded=_number_below(found, paths, set(included)),
        attestations=sum(len(subject.round.attestations) for subject in subjects.values()),
        rounds=tuple(round_reports(subjects, findings)),
        findings=findings,
    )


def _is_meant(path: str, file: AttestationFile | None, paths: Sequence[str]) -> bool:
    if is_below(path, paths):
        return True
    rounds = file.rounds if file else ()
    return any(place in paths for round_ in rounds for place in artifact_paths(path, round_))


def _mistaken(path: str, like: str) -> Iterator[Located]:
    """The fault of a path that some systems take for that of an attestation file."""
    subject = DocumentSubject(path, Kind.FILE, 0, 0, like=like)
    return ((path, rule, fault) for rule, fault in run((not_a_file,), subject))


def _concerns(one: Located, judged: Sequence[str], paths: Sequence[str]) -> bool:
    """Whether a fault is in a file that is judged, or is or was below ``paths``."""
    path, _, fault = one
    ends = (path, *(spot.path for spot, _ in fault.related if spot.path))
    return path in judged or any(is_below(end, paths) for end in ends)


def _number_below(found: Iterable[str], paths: Sequence[str], included: set[str]) -> int:
    return sum(path not in included and is_below(path, paths) for path in found)


def _search_filter(
    trees: Sequence[Tree], config: Config, judged: frozenset[str]
) -> Callable[[RoundKey, Round], bool]:
    """Which rounds the history is searched for: those that are judged and not published yet."""
    published: set[tuple[str | None, str | None, str | None]] | None = None

    def is_searched(key: RoundKey, round_: Round) -> bool:
        nonlocal published
        if key[0] not in judged:
            return False
        if published is None:  # the bases are read only where some round does not match the tree
            published = set()
            for tree in trees:
                paths = config.included(attestation_paths(tree.paths()))
                files = attestation_files(tree, paths, config.document_bytes)
                published |= {_identity(round_) for file in files for round_ in file.rounds}
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
    document: LoadedFile,
    ids: Mapping[str, tuple[RoundKey, ...]],
    subjects: Mapping[RoundKey, RoundSubject],
) -> Iterator[Located]:
    path, file = document.subject.path, document.file
    found = [run(DOCUMENT_CHECKS, document.subject)]
    if file:
        found.append(run(FILE_CHECKS, FileSubject(file, ids)))
        found += (run(ROUND_CHECKS, subjects[path, round_.pointer]) for round_ in file.rounds)
    return ((path, rule, fault) for rule, fault in chain.from_iterable(found))
