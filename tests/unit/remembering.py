"""Judge memory trees in memory at any moment: what the tests of memory do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from kattest.config import Config
from kattest.engine import check
from kattest.instant import Instant
from kattest.jsondoc import JsonValue, parse
from kattest.memory.configuration import config_of
from kattest.memory.model import VERSIONS, ColdRecord, MemoryConfig, Record
from kattest.memory.parsing import parse_cold_record, parse_config, parse_record
from kattest.result import Part, Report
from kattest.tree import Kind, MemoryTree
from tests.support.memory import dumps, file_of


def instant(moment: datetime) -> Instant:
    """``moment`` as kattest has it, to the second."""
    return Instant(int(moment.timestamp()))


def judge_tree(
    files: Mapping[str, bytes],
    at: datetime,
    *,
    config: Config | None = None,
    kinds: Mapping[str, Kind] | None = None,
    paths: Iterable[str] = (),
) -> Report:
    """The report on the memory of a tree with these files."""
    return check(
        MemoryTree(files, kinds),
        None,
        config or Config(),
        instant(at),
        paths=tuple(paths),
        parts=(Part.MEMORY,),
    )


def found(report: Report) -> list[tuple[str, str, str]]:
    """Code, path and pointer of each finding."""
    return [(f.rule.code, f.location.path, f.location.pointer) for f in report.findings]


def read(document: Any) -> JsonValue:
    """A document as kattest reads it."""
    return parse(dumps(document)).value


def record_of(document: Mapping[str, Any], file: str | None = None) -> Record:
    """The model of an active record, whatever is amiss in it."""
    file = file_of({**document}) if file is None else file
    return parse_record(read(document), file, VERSIONS).model


def cold_of(document: Mapping[str, Any], file: str | None = None) -> ColdRecord:
    """The model of an archived record, whatever is amiss in it."""
    file = file_of({**document}) if file is None else file
    return parse_cold_record(read(document), file).model


def rules_of(config: Mapping[str, Any]) -> MemoryConfig:
    """What ``config.json`` with these members decides."""
    return config_of(parse_config(read(config)).model)
