"""KA001 to KA007: whether a document can be read, and holds what the protocol says it holds."""

from __future__ import annotations

from collections.abc import Iterator

from kattest.fields import FaultKind
from kattest.finding import Severity
from kattest.jsondoc import Document, Lines, NotJsonError, pointer_of, strings
from kattest.rules.base import Fault, Spot, check
from kattest.rules.subjects import DocumentSubject
from kattest.text import may_hide, quote, unsafe_characters
from kattest.tree import Kind

_CHARACTERS_NAMED = 5  # in one message


@check(
    "KA001",
    "not-json",
    what="Every document is strict JSON: UTF-8 without a byte-order mark, nothing after its end, "
    "no NaN or Infinity, no half surrogate pair, nested at most 64 deep, at most 200,000 objects "
    "and arrays (2,000,000 in the index of a memory), no key longer than 1,000 characters, no "
    "number longer than 128 or with an exponent beyond 308.",
    why="Two programs that read the same broken text differently see two different judgements. "
    "Nothing else in the file can be trusted until it can be read in one way only.",
    fix="Mend the text at the place named, or write the file anew with a JSON library.",
)
def not_json(document: DocumentSubject) -> Iterator[Fault]:
    error = document.parsed
    if isinstance(error, NotJsonError):
        position = (error.line, error.column)
        yield Fault(f"this is not strict JSON: {error.message}", Spot(position=position))


@check(
    "KA002",
    "duplicate-key",
    what="No object of a document has the same key twice.",
    why="JSON readers disagree on which of the two counts, so a reviewer and a program can read "
    "two different scores from one file.",
    fix="Keep one of the two members and remove the other.",
)
def duplicate_key(document: DocumentSubject) -> Iterator[Fault]:
    if not isinstance(document.parsed, Document):
        return
    lines = Lines(document.parsed.text)
    for double in document.parsed.duplicates:
        here, first = lines.position(double.offset), lines.position(double.first_offset)
        yield Fault(
            f"the key {quote(double.key)} stands twice in this object",
            Spot(double.pointer, position=here),
            ((Spot(double.pointer, position=first), "it stands here first"),),
        )


@check(
    "KA003",
    "schema",
    what="Every field that the protocol requires is there and has the protocol's type. Scores, "
    "rewards and weights are JSON numbers; times are RFC 3339 with a zone in a memory (rule KA104 "
    "says so of attestations).",
    why="A check of a field that is missing checks nothing; the protocol's own script passes over "
    "several of them in silence.",
    fix="Add the field, or give it the type that the finding names. The protocol shows a complete "
    "file of each kind.",
)
def schema(document: DocumentSubject) -> Iterator[Fault]:
    for fault in document.field_faults:
        if fault.kind is FaultKind.SCHEMA:
            yield Fault(fault.message, Spot(fault.pointer))


@check(
    "KA004",
    "unknown-field",
    Severity.WARNING,
    what="A document has no fields beyond the protocol's.",
    why="A field that no check knows is often a misspelt one, and nothing protects its value.",
    fix="Correct the name, or remove the field. What must stay can be silenced with "
    "`severity: {KA004: off}` in .kattest.yaml.",
)
def unknown_field(document: DocumentSubject) -> Iterator[Fault]:
    for fault in document.field_faults:
        if fault.kind is FaultKind.UNKNOWN:
            yield Fault(fault.message, Spot(fault.pointer, at_key=True))


@check(
    "KA005",
    "oversize",
    what="A document is no larger than its limit: 8 MiB, or `limits.document_bytes` of "
    ".kattest.yaml; the index of a memory 256 MiB.",
    why="A document beyond any honest size is not read at all, so that it cannot exhaust the "
    "machine that checks it; unread, it proves nothing.",
    fix="Split an attestation file into one per skill, or raise `limits.document_bytes`. An index "
    "grows with its records: purge what is due, or split the memory.",
)
def oversize(document: DocumentSubject) -> Iterator[Fault]:
    if document.kind is Kind.FILE and document.size > document.largest:
        yield Fault(
            f"this document has {document.size} bytes and was not read: the limit is "
            f"{document.largest}",
            Spot(),
        )


@check(
    "KA006",
    "not-a-file",
    what="Where a document must be, there is a regular file: no symlink, no submodule, no folder, "
    "no Git LFS pointer. Where a memory must be, there is a folder. Nothing else has a name that "
    "differs from theirs by letter case or Unicode composition alone.",
    why="What stands behind a link or a pointer can change without this repository changing, so "
    "a check of it says nothing about the commit. And two names that are one on macOS or Windows "
    "show readers there another file than the one that was checked.",
    fix="Commit the document itself, and a memory as a folder of this repository. For LFS, take "
    "the name out of .gitattributes and add the file again. Rename, or remove, one of two files "
    "that are called nearly the same.",
)
def not_a_file(document: DocumentSubject) -> Iterator[Fault]:
    if document.like is not None:
        yield Fault(
            f"systems that know neither letter case nor Unicode composition take this for "
            f"{quote(document.like)}",
            Spot(),
            ((Spot(path=document.like), "what it is taken for"),),
        )
    elif document.kind is not document.expected:
        wanted = "regular file" if document.expected is Kind.FILE else document.expected.value
        yield Fault(f"a {wanted} must be here, and this is a {document.kind.value}", Spot())
    elif document.is_lfs_pointer:
        yield Fault("a document must be here, and this is a Git LFS pointer to one", Spot())


@check(
    "KA007",
    "unsafe-text",
    Severity.WARNING,
    what="No string of a document holds control, bidirectional, zero-width or other invisible "
    "characters. Tabs, line breaks and joiners within non-Latin text are fine.",
    why="Such characters can rewrite what a terminal shows, reorder a line before a reviewer's "
    "eyes, or carry text that only a machine sees.",
    fix="Remove the characters named. A hash covers them: a rationale that held them has to be "
    "judged again.",
)
def unsafe_text(document: DocumentSubject) -> Iterator[Fault]:
    if not isinstance(document.parsed, Document) or not _may_hide(document.parsed.text):
        return
    for tokens, text in strings(document.parsed.value):
        found = unsafe_characters(text)
        if found:
            shown = found[:_CHARACTERS_NAMED]
            names = ", ".join(f"U+{ord(character):04X}" for character in shown)
            more = f" and {len(found) - len(shown)} more" if len(found) > len(shown) else ""
            message = f"this text holds unsafe characters: {names}{more}"
            yield Fault(message, Spot(pointer_of(tokens)))


def _may_hide(text: str) -> bool:
    """Whether a document can hold unsafe text at all: most do not, and need no closer look."""
    if "\\" in text and any(escape in text for escape in ("\\u", "\\b", "\\f")):
        return True
    # JSON lets only one control character of ASCII stand in a string as it is.
    return "\x7f" in text if text.isascii() else may_hide(text)


def is_plain(document: DocumentSubject) -> bool:
    """Whether no check of this module can find a fault: so with nearly every document."""
    parsed = document.parsed
    return (
        isinstance(parsed, Document)
        and not parsed.duplicates
        and not document.field_faults
        and not _may_hide(parsed.text)
    )


CHECKS = (not_json, duplicate_key, schema, unknown_field, oversize, not_a_file, unsafe_text)
