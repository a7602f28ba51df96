"""A round into its attestation file, once it has passed the rules that will judge it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from kattest import engine
from kattest.attestation.building import OpenPanel
from kattest.attestation.uniting import UnitingError, rounds_in, with_rounds
from kattest.config import Config
from kattest.errors import InputError
from kattest.finding import Finding, Severity
from kattest.jsondiff import is_equal
from kattest.jsondoc import Document, JsonValue, NotJsonError, parse
from kattest.jsontext import Writable, render
from kattest.result import Part
from kattest.sources.worktree import read_regular
from kattest.text import quote_path
from kattest.tree import MemoryTree
from kattest.writing import files

_INTACT = "what was there is as it was; if there was an open panel, the panel is still open"


class Written(NamedTuple):
    """Whether a round is in its file now, and what the rules say of it."""

    is_there: bool
    findings: tuple[Finding, ...]


def require_addable(top: Path, file: str) -> None:
    """See that rounds can be added to a file, or it can be made. Raises as ``add_round`` does."""
    _rounds(_document(top, file), file)


def add_round(
    top: Path, panel: OpenPanel, round_: Mapping[str, Writable], artifact: bytes, config: Config
) -> Written:
    """Add a round to its file unless it would break a rule. One that is there already is fine.

    ``artifact`` is what was judged.

    Raises InputError where the file is not what it should be, or has another round of this id;
    WriteError where it cannot be written.
    """
    added = parse(render(round_)).value
    document = _document(top, panel.file)
    before = _rounds(document, panel.file)
    same = [one for one in before if one["evaluation_id"] == panel.evaluation_id]
    if same and not is_equal(same[0], added):
        raise InputError(
            f"{quote_path(panel.file)} has another round of this evaluation_id; nothing is written",
            "choose another id",
        )
    findings = _judged(panel, round_, artifact, config)
    if same:
        return Written(is_there=True, findings=findings)
    if any(finding.severity is Severity.ERROR for finding in findings):
        return Written(is_there=False, findings=findings)
    rounds = [*before, added] if isinstance(added, dict) else before
    target = top / panel.file
    data = render(with_rounds(document, rounds))
    if len(data) > config.document_bytes:
        raise InputError(
            f"{quote_path(panel.file)} would be larger than {config.document_bytes} bytes, and no "
            "check would read it; nothing is written",
            "name another file (--file), or raise limits.document_bytes in .kattest.yaml",
        )
    try:
        files.make_folders(target.parent)
        files.sweep(
            target.parent / name for name in os.listdir(target.parent) if files.is_draft(name)
        )
        files.replace(target, data)
    except OSError as error:
        raise files.failure(panel.file, error, _INTACT) from None
    return Written(is_there=True, findings=findings)


def _judged(
    panel: OpenPanel, round_: Mapping[str, Writable], artifact: bytes, config: Config
) -> tuple[Finding, ...]:
    """What every rule says of the round alone, in a tree of its file and its artifact."""
    alone = {panel.file: render({"evaluations": [round_]}), panel.artifact_path: artifact}
    report = engine.check(
        MemoryTree(alone),
        None,
        config._replace(exclude=()),
        panel.opened_at,
        parts=(Part.ATTESTATIONS,),
    )
    return report.findings


def _document(top: Path, file: str) -> JsonValue:
    """The attestation file that is there; None where there is none."""
    target = top / file
    if Path(os.path.realpath(target)) != target:
        raise InputError(
            f"{quote_path(file)} is reached by a symlink, which no check would follow",
            "name a file (--file) in a folder of this repository",
        )
    if not os.path.lexists(target):
        return None
    if not target.is_file():
        raise InputError(f"{quote_path(file)} is no regular file", "move it away")
    try:
        document: Document = parse(read_regular(top, file))
    except NotJsonError as error:
        raise InputError(
            f"{quote_path(file)} is not JSON ({error.message}, line {error.line}), so nothing can "
            "be added to it",
            "mend it (kattest verify says more)",
        ) from None
    if document.duplicates:
        raise InputError(
            f"{quote_path(file)} has a key twice, so nothing can be added to it",
            "mend it (kattest explain KA002)",
        )
    return document.value


def _rounds(document: JsonValue, file: str) -> list[dict[str, JsonValue]]:
    try:
        return [] if document is None else rounds_in(document)
    except UnitingError as error:
        raise InputError(
            f"nothing can be added to {quote_path(file)}: {error}",
            "mend it (kattest verify says more)",
        ) from None
