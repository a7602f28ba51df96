"""The JSON report, version 1 (design, section 4.1). Its shape is a contract."""

from __future__ import annotations

import json
from typing import Any

from kattest import __version__
from kattest.finding import Finding, Location, Severity
from kattest.memory.model import Tier
from kattest.report.common import plain_decimal
from kattest.result import Report, RootReport, RoundReport
from kattest.text import escape

SCHEMA = "kattest.report/1"


def render(report: Report) -> str:
    """The report as ASCII JSON, so that no text of the repository can act on a terminal."""
    document = {
        "schema": SCHEMA,
        "kattest": __version__,
        "source": {
            "kind": report.source.kind,
            "rev": report.source.rev,
            "base": report.source.base,
        },
        "config": report.source.config_from,
        "as_of": report.as_of.isoformat(),
        "ok": report.ok,
        "counts": {
            "attestation_files": report.counts.attestation_files,
            "rounds": report.counts.rounds,
            "attestations": report.counts.attestations,
            "memory_roots": report.counts.memory_roots,
            "records": report.counts.records,
            "errors": report.number_of(Severity.ERROR),
            "warnings": report.number_of(Severity.WARNING),
            "infos": report.number_of(Severity.INFO),
        },
        "rounds": [_round(round_) for round_ in report.rounds],
        "memory": [_root(root) for root in report.memory],
        "findings": [_finding(finding) for finding in report.findings],
    }
    text = json.dumps(document, indent=2, ensure_ascii=True)
    # Neither DEL, nor what a workflow runner takes for a command wherever it stands.
    return text.replace("\x7f", "\\u007f").replace("##[", "#\\u0023[") + "\n"


def _round(round_: RoundReport) -> dict[str, Any]:
    return {
        "path": _well_formed_text(round_.path),
        "evaluation_id": round_.evaluation_id,
        "status": round_.status,
        "recipe": round_.recipe,
        "artifact": round_.artifact,
        "isolation": round_.isolation,
        "spread": None if round_.spread is None else plain_decimal(round_.spread),
    }


def _root(root: RootReport) -> dict[str, Any]:
    return {
        "path": _well_formed_text(root.path),
        "status": root.status,
        "lifecycle": root.lifecycle,
        "records": root.records,
        "archived": root.archived,
        "tiers": {tier: root.tiers.get(tier, 0) for tier in Tier},
        "overdue": root.overdue,
        "overdue_since": root.overdue_since and root.overdue_since.isoformat(),
    }


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "code": finding.rule.code,
        "name": finding.rule.name,
        "severity": finding.severity,
        **_location(finding.location),
        "message": _well_formed_text(finding.message),
        "related": [
            {**_location(related.location), "message": _well_formed_text(related.message)}
            for related in finding.related
        ],
    }


def _location(location: Location) -> dict[str, Any]:
    return {
        "path": _well_formed_text(location.path),
        "pointer": location.pointer,
        "line": location.line,
        "column": location.column,
        "commit": location.commit,
    }


def _well_formed_text(text: str) -> str:
    """``text`` without lone surrogates: strict readers refuse them, and kattest is one."""
    return text if text.isascii() else "".join(_well_formed(c) for c in text)


def _well_formed(character: str) -> str:
    return escape(character) if "\ud800" <= character <= "\udfff" else character
