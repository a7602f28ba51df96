"""Find the documents of a tree and read them: what step 1 of the verification works on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from kattest.attestation.model import FILE_NAME, AttestationFile
from kattest.attestation.parsing import parse_file
from kattest.digest import lfs_oid
from kattest.jsondoc import Document, NotJsonError, parse
from kattest.rules.subjects import DocumentSubject
from kattest.tree import Kind, Tree


class LoadedDocument(NamedTuple):
    """A document as the rules see it, and its model where it could be read."""

    subject: DocumentSubject
    file: AttestationFile | None = None

    @property
    def text(self) -> Document | None:
        """The parsed document, for places in its text."""
        parsed = self.subject.parsed
        return parsed if isinstance(parsed, Document) else None


def attestation_paths(tree: Tree) -> list[str]:
    """Every path of the tree where an attestation file stands, or something in its place."""
    found: set[str] = set()
    for path in tree.paths():
        if FILE_NAME in path:
            parts = path.split("/")
            if FILE_NAME in parts:  # a folder of that name counts too: KA006
                found.add("/".join(parts[: parts.index(FILE_NAME) + 1]))
    return sorted(found)


def load(tree: Tree, path: str, largest: int) -> LoadedDocument:
    """Read the attestation file at ``path``, up to ``largest`` bytes.

    Raises SourceError where the tree cannot give its bytes.
    """
    kind = tree.kind(path) or Kind.FOLDER
    size = tree.size(path) if kind is Kind.FILE else 0
    if kind is not Kind.FILE or size > largest:
        return LoadedDocument(DocumentSubject(path, kind, size, largest))
    data = tree.read(path)
    if lfs_oid(data):
        return LoadedDocument(DocumentSubject(path, kind, size, largest, is_lfs_pointer=True))
    try:
        document = parse(data)
    except NotJsonError as error:
        return LoadedDocument(DocumentSubject(path, kind, size, largest, parsed=error))
    parsed = parse_file(document.value, path)
    subject = DocumentSubject(
        path, kind, size, largest, parsed=document, field_faults=parsed.faults
    )
    return LoadedDocument(subject, parsed.file)


def attestation_files(tree: Tree, paths: Iterable[str], largest: int) -> list[AttestationFile]:
    """The attestation files at ``paths`` that can be read at all."""
    return [file for path in paths if (file := load(tree, path, largest).file)]
