"""Judge attestation files as frozen data (protocol, section 4).

A field is None where the document lacks it or gives it another type: the document rules report
that, and every other rule works on what is there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from kattest.digest import Digest
from kattest.instant import Timestamp
from kattest.jsondoc import JsonValue, Number
from kattest.roster import META_JUDGE

FILE_NAME = ".judge-attestations.json"


class Attestation(NamedTuple):
    """One judge's attestation. ``unknown`` keeps the fields the protocol does not name."""

    pointer: str
    judge_id: str | None
    score: Number | None
    rationale: str | None
    evaluation_hash: Digest | None
    timestamp: Timestamp | None
    previous_hash: Digest | None
    artifact_hash: Digest | None
    unknown: Mapping[str, JsonValue]

    @property
    def is_meta(self) -> bool:
        """Whether this is the meta-judge's: a synthesis, outside the panel."""
        return self.judge_id == META_JUDGE

    @property
    def name(self) -> str:
        """What messages call it."""
        return self.judge_id or "a judge without a name"


class Round(NamedTuple):
    """One evaluation round: an artifact, its panel's attestations, and the score they led to."""

    pointer: str
    evaluation_id: str | None
    artifact_path: str | None
    artifact_hash: Digest | None
    panel_size: int | None
    started_at: Timestamp | None
    completed_at: Timestamp | None
    attestations: tuple[Attestation, ...]
    final_score: Number | None
    weights: Mapping[str, Number] | None
    unknown: Mapping[str, JsonValue]

    @property
    def panel(self) -> tuple[Attestation, ...]:
        """The panel's attestations: all but the meta-judge's."""
        return tuple(a for a in self.attestations if not a.is_meta)

    @property
    def meta(self) -> Attestation | None:
        """The meta-judge's attestation; the last where there are several."""
        metas = [a for a in self.attestations if a.is_meta]
        return metas[-1] if metas else None


class AttestationFile(NamedTuple):
    """One parsed ``.judge-attestations.json``."""

    path: str
    rounds: tuple[Round, ...]

    @property
    def folder(self) -> str:
        """The folder that holds the file; empty at the top of the tree."""
        return self.path.rpartition("/")[0]
