"""What git's merge drivers do: two versions of a file that grew from one become one again.

git gives three files, and takes the second as the outcome. A driver that fails leaves that as it
was, and git calls it a conflict.
"""

from __future__ import annotations

from pathlib import Path

from kattest.attestation.uniting import UnitingError, unite
from kattest.digest import git_hex
from kattest.errors import InputError, SourceError
from kattest.jsondoc import INDEX_CONTAINERS, JsonValue, NotJsonError, parse
from kattest.jsontext import render
from kattest.memory.model import ColdRecord, Index
from kattest.memory.parsing import parse_cold_record, parse_index
from kattest.memory.uniting import is_one_archiving, unite_indexes, was_archived_first
from kattest.memory.writing import index_document
from kattest.sources.objects import read_commit
from kattest.sources.published import any_remote, followed
from kattest.sources.source import require_repository
from kattest.sources.trees import CommitTree
from kattest.text import quote_path
from kattest.tree import Kind
from kattest.writing import files

_BY_HAND = "merge it by hand, then git add it"


def merge_index(base: Path, ours: Path, theirs: Path, path: str) -> None:
    """Merge two indexes of a memory; ``path`` is the file's name in messages.

    Raises InputError where one of the two is no sound index.
    """
    remedy = "merge the records, then: kattest memory reindex, and git add"
    before = None if _is_empty(base) else _index(base, path, remedy)
    merged = unite_indexes(before, _index(ours, path, remedy), _index(theirs, path, remedy))
    _write(ours, index_document(merged), path)


def merge_attestations(base: Path, ours: Path, theirs: Path, path: str) -> None:
    """Unite the rounds of two attestation files by their ids.

    Raises InputError where one round has two contents, or one of the files cannot be read.
    """
    before = None if _is_empty(base) else _document(base, path, _BY_HAND)
    try:
        united = unite(before, _document(ours, path, _BY_HAND), _document(theirs, path, _BY_HAND))
    except UnitingError as error:
        raise InputError(f"{quote_path(path)} cannot be merged: {error}", _BY_HAND) from None
    _write(ours, render(united), path)


def merge_archive(ours: Path, theirs: Path, path: str) -> None:
    """Settle that both branches archived one record: what is published stays, else the earlier.

    Raises InputError where the two differ in more than when that was.
    """
    one, other = _cold(ours, path), _cold(theirs, path)
    if not is_one_archiving(one, other):
        raise InputError(
            f"{quote_path(path)} differs on the two branches, and an archived record never changes",
            "keep the one that is published (git log -- PATH), then git add it",
        )
    ours_counts, theirs_counts = _are_published(ours, theirs, path)
    if not ours_counts and (theirs_counts or not was_archived_first(one, other)):
        _write(ours, _bytes(theirs, path), path)


def _are_published(ours: Path, theirs: Path, path: str) -> tuple[bool, bool]:
    """Of two versions of a file, whether each is published, as far as is known here.

    The branch that is followed counts before the remote's main branch, that before other branches.
    Without a remote, HEAD's is the published one.
    """
    database = require_repository(Path.cwd()).database
    wanted = [git_hex("blob", _bytes(file, path), database.hash_name) for file in (ours, theirs)]
    head = database.head()
    upstream, every = followed(database, None), any_remote(database)
    main = database.tips("refs/remotes/", "/HEAD")
    known = (upstream.tips if upstream else (), main, every.tips if every else ())
    for tips in known if every else ((head,) if head else (),):
        trees = [CommitTree(database, read_commit(database, tip).tree) for tip in tips]
        ids = {tree.oid(path) for tree in trees if tree.kind(path) is Kind.FILE}
        first, second = (oid in ids for oid in wanted)
        if first or second:
            return first, second
    return False, False


def _index(file: Path, path: str, remedy: str) -> Index:
    document = _document(file, path, remedy)
    index, faults = parse_index(document, lasting=True)
    if faults or index.records is None:
        why = faults[0].message if faults else "it has no records"
        raise InputError(
            f"{quote_path(path)} is no sound index on one of the branches: {why}", remedy
        )
    return index


def _cold(file: Path, path: str) -> ColdRecord:
    record, faults = parse_cold_record(_document(file, path, _BY_HAND), path)
    if faults or record.unknown:
        raise InputError(
            f"{quote_path(path)} is no archived record on one of the branches", _BY_HAND
        )
    return record


def _document(file: Path, path: str, remedy: str) -> JsonValue:
    try:
        document = parse(_bytes(file, path), INDEX_CONTAINERS)
    except NotJsonError as error:
        raise InputError(
            f"{quote_path(path)} is not JSON on one of the branches: {error.message}", remedy
        ) from None
    if document.duplicates:
        raise InputError(f"{quote_path(path)} has a key twice on one of the branches", remedy)
    return document.value


def _is_empty(file: Path) -> bool:
    """Whether the branches had no such file in common: git gives an empty one then."""
    return not file.exists() or file.stat().st_size == 0


def _bytes(file: Path, path: str) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise SourceError(
            f"a version of {quote_path(path)} cannot be read: {error.strerror}",
            "this is for git to call: see kattest init",
        ) from None


def _write(file: Path, data: bytes, path: str) -> None:
    try:
        files.replace(file, data)
    except OSError as error:
        raise files.failure(path, error, "nothing is merged") from None
