"""Find the documents of a tree and read them: what step 1 of the verification works on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from kattest.attestation.model import FILE_NAME, AttestationFile
from kattest.attestation.parsing import parse_file
from kattest.config import INDEX_BYTES
from kattest.digest import lfs_oid
from kattest.jsondoc import CONTAINERS, INDEX_CONTAINERS, Document, NotJsonError, parse
from kattest.memory.layout import INDEX, ROOT
from kattest.rules.subjects import DocumentSubject
from kattest.tree import Content, Kind, Tree

_INDEX_END = f"/{ROOT}/{INDEX}"


class LoadedFile(NamedTuple):
    """An attestation file as the rules see it, and its model where it could be read."""

    subject: DocumentSubject
    file: AttestationFile | None = None


def attestation_paths(paths: Iterable[str]) -> list[str]:
    """Where among ``paths`` an attestation file stands, or something in its place."""
    found: set[str] = set()
    for path in paths:
        if FILE_NAME in path:
            parts = path.split("/")
            if FILE_NAME in parts:  # a folder of that name counts too: KA006
                found.add("/".join(parts[: parts.index(FILE_NAME) + 1]))
    return sorted(found)


def load(tree: Tree, path: str, largest: int) -> LoadedFile:
    """Read the attestation file at ``path``, up to ``largest`` bytes.

    Raises SourceError where the tree cannot give its bytes.
    """
    subject = read_document(tree, path, largest)
    if not isinstance(subject.parsed, Document):
        return LoadedFile(subject)
    file, faults = parse_file(subject.parsed.value, path)
    return LoadedFile(subject._replace(field_faults=faults), file)


def attestation_files(tree: Tree, paths: Iterable[str], largest: int) -> list[AttestationFile]:
    """The attestation files at ``paths`` that can be read at all."""
    return [file for path in paths if (file := load(tree, path, largest).file)]


def read_document(tree: Tree, path: str, largest: int) -> DocumentSubject:
    """Read whatever stands at ``path``, a document of up to ``largest`` bytes if it is one.

    The index of a memory may be larger. Raises SourceError where the tree cannot give its bytes.
    """
    return next(read_documents(tree, (path,), largest))


def read_documents(tree: Tree, paths: Sequence[str], largest: int) -> Iterator[DocumentSubject]:
    """What ``read_document`` gives, for many paths in one go: ordinary documents come last."""
    files = []
    for path in paths:
        kind = tree.kind(path) or Kind.FOLDER
        if kind is not Kind.FILE:
            yield DocumentSubject(path, kind, 0, largest)
        elif f"/{path}".endswith(_INDEX_END):
            most = max(largest, INDEX_BYTES)
            content = next(tree.contents((path,), most))
            yield document_of(path, content, most, INDEX_CONTAINERS)
        else:
            files.append(path)
    for path, content in zip(files, tree.contents(files, largest), strict=True):
        yield document_of(path, content, largest)


def document_of(
    path: str, content: Content, largest: int, containers: int = CONTAINERS
) -> DocumentSubject:
    """The document that ``content``, read at ``path``, is."""
    size, data = content
    if data is None:
        return DocumentSubject(path, Kind.FILE, size, largest)
    if lfs_oid(data):
        return DocumentSubject(path, Kind.FILE, size, largest, is_lfs_pointer=True)
    try:
        parsed: Document | NotJsonError = parse(data, containers)
    except NotJsonError as error:
        # Anew: the one that was raised keeps the frames that it passed alive, and the text in them.
        parsed = NotJsonError(error.message, error.line, error.column)
    return DocumentSubject(path, Kind.FILE, size, largest, parsed=parsed)
