"""Panels of judges, from opening to the round in its file (protocol, sections 1, 2, 5 and 6)."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from kattest.attestation.building import (
    OpenPanel,
    Sealed,
    build_round,
    final_score,
    missing_seats,
    panel_scores,
    rationale_summary,
    score_text,
    seal,
    wants_meta_judge,
)
from kattest.attestation.model import FILE_NAME
from kattest.attestation.panels import roster_for, spread_of
from kattest.config import Config
from kattest.digest import Recipe, sha256_hex
from kattest.documents import attestation_files, attestation_paths
from kattest.errors import InputError
from kattest.finding import Finding
from kattest.instant import Instant
from kattest.jsondoc import Number
from kattest.paths import path_refusal
from kattest.roster import META_JUDGE, Panel
from kattest.sources.local import local_state
from kattest.sources.repository import Repository
from kattest.sources.source import relative_to_top, require_repository, require_top
from kattest.text import quote, quote_path
from kattest.tree import Kind, Tree
from kattest.writing.artifacts import stored_bytes
from kattest.writing.locks import PATIENCE, locked
from kattest.writing.pending import PendingPanels
from kattest.writing.rounds import add_round, require_addable

_MINTED = "bto-eval-"  # as the protocol's example begins


class Closed(NamedTuple):
    """What closing a panel came to.

    ``final_score`` is None where nothing was written: a meta-judge must decide (``needs_meta``), or
    the round would break rules. ``findings`` are those against it; warnings alone do not keep it
    from being written.
    """

    panel: OpenPanel
    spread: Decimal | None
    final_score: Number | None = None
    needs_meta: bool = False
    findings: tuple[Finding, ...] = ()


class Judgement(NamedTuple):
    """What a judge gives: a score from 0.0 to 10.0, with one decimal at most, and the reasons."""

    judge_id: str
    score: str
    rationale: str


class Panels:
    """The panels of a repository, whose working tree has its top at ``top``.

    ``state`` gives that tree, and the configuration by which it is judged: it names the rosters
    there are.
    Moments are passed in. Methods raise InputError where something given is not what the protocol
    says, WriteError where something cannot be written (the message says what is intact),
    SourceError where something cannot be read.

    Judges may work in processes and worktrees of their own: every method holds a lock of the
    repository while it works, and waits ``patience`` seconds for it.
    """

    def __init__(
        self,
        repository: Repository,
        top: Path,
        state: Callable[[], tuple[Tree, Config]],
        patience: float = PATIENCE,
    ) -> None:
        self._repository = repository
        self._top = top
        self._local = state
        self._patience = patience
        self._pending = PendingPanels(repository.common_dir)

    def inside(self, path: str, folder: Path) -> str:
        """``path``, given in ``folder``, from the top. Raises SourceError where it is outside."""
        return relative_to_top(self._top, path, folder)

    def prepare(  # noqa: PLR0913 - what a round is made of, most of it with a default
        self,
        artifact: str,
        now: Instant,
        *,
        panel: str = "standard",
        file: str | None = None,
        recipe: Recipe = Recipe.PREFIXED,
        evaluation_id: str | None = None,
    ) -> OpenPanel:
        """Fix the artifact's hash and the roster, before anybody judges.

        ``artifact`` and ``file`` count from the top of the repository; by default the attestation
        file is the one beside the artifact. ``evaluation_id`` is minted where none is given.
        """
        tree, config = self._state
        roster = _roster(panel, config.panels)
        if evaluation_id is not None:
            _refuse_taken(tree, evaluation_id, config)
            self._pending.refuse_open(evaluation_id)
        digest, target = sha256_hex(self._bytes(artifact)), _attestation_file(artifact, file)
        if tree.kind(artifact) is not Kind.FILE:
            raise _unseen(artifact)
        self._require_seen(tree, target)
        return OpenPanel(
            evaluation_id or f"{_MINTED}{now.isoformat()}-{os.urandom(4).hex()}",
            artifact,
            digest,
            target,
            roster,
            recipe,
            now,
        )

    def open(self, panel: OpenPanel) -> None:
        """Keep a panel until it is closed, for its judges to judge."""
        with self._locked():
            require_addable(self._top, panel.file)
            self._pending.add(panel)

    def judge(self, evaluation_id: str, given: Judgement, now: Instant) -> Sealed:
        """Seal what one judge gives: once, for an artifact that is as it was.

        A meta-judge is heard only where the panel is complete and disagrees by more than 3.0.
        """
        with self._locked():
            panel = self._pending.find(evaluation_id)
            if given.judge_id == META_JUDGE:
                _require_disagreement(panel, self._pending.sealed(panel))
            self._require_same(panel)
            sealed = _sealed(panel, given, now)
            self._pending.seal(panel, sealed)
        return sealed

    def close(self, evaluation_id: str) -> Closed:
        """Link the chain in seat order, and add the round to its file, whole or not at all.

        Closing again what was interrupted after the writing finishes it.
        """
        with self._locked():
            panel = self._pending.find(evaluation_id)
            closed = self._write(panel, self._pending.sealed(panel))
            if closed.final_score is not None:
                self._pending.drop(panel)
        return closed

    def record(self, panel: OpenPanel, judgements: Iterable[Judgement]) -> Closed:
        """Add a whole round of a prepared panel at once."""
        sealed: dict[str, Sealed] = {}
        for given in judgements:
            if given.judge_id in sealed:
                raise InputError(f"{quote(given.judge_id)} judges twice", "leave one of them out")
            sealed[given.judge_id] = _sealed(panel, given, panel.opened_at)
        with self._locked():
            if META_JUDGE in sealed:
                _require_disagreement(panel, sealed)
            return self._write(panel, sealed)

    @cached_property
    def _state(self) -> tuple[Tree, Config]:
        return self._local()

    def _write(self, panel: OpenPanel, sealed: Mapping[str, Sealed]) -> Closed:
        missing = missing_seats(panel, sealed)
        if missing:
            raise InputError(
                f"{quote(panel.evaluation_id)} waits for {', '.join(missing)}; nothing is written",
                "let them judge, each on its own",
            )
        spread = spread_of(panel_scores(panel, sealed).values())
        if wants_meta_judge(panel, sealed) and META_JUDGE not in sealed:
            return Closed(panel, spread, needs_meta=True)
        artifact = self._require_same(panel)
        round_ = build_round(panel, sealed)
        written = add_round(self._top, panel, round_, artifact, self._state[1])
        score = final_score(panel, sealed) if written.is_there else None
        return Closed(panel, spread, score, findings=written.findings)

    def _require_seen(self, tree: Tree, file: str) -> None:
        """See that checks will find an attestation file there."""
        parts = file.split("/")
        above = ("/".join(parts[:number]) for number in range(1, len(parts)))
        is_elsewhere = any(tree.kind(folder) is Kind.SUBMODULE for folder in above)
        is_new = tree.kind(file) is None
        if is_elsewhere or (is_new and self._repository.database.is_ignored(file)):
            raise _unseen(file)

    def _bytes(self, artifact: str) -> bytes:
        return stored_bytes(self._repository, self._top, artifact)

    def _require_same(self, panel: OpenPanel) -> bytes:
        """The bytes of the artifact. Raises InputError where they are not what they were."""
        data = self._bytes(panel.artifact_path)
        if sha256_hex(data) != panel.artifact_hex:
            raise InputError(
                f"{quote_path(panel.artifact_path)} has changed since the panel was opened, so a "
                "judgement would be of something else; nothing is sealed or written",
                "put it back as it was, or open a new panel",
            )
        return data

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        with locked(self._pending.lock, "the panels of this repository", self._patience):
            yield


def panels_of(folder: Path, patience: float = PATIENCE) -> Panels:
    """The panels of the repository of ``folder``.

    Raises SourceError where there is none, or it is bare.
    """
    repository = require_repository(folder)
    top = require_top(repository)
    return Panels(repository, top, lambda: local_state(folder), patience)


def _roster(name: str, panels: Sequence[Panel]) -> Panel:
    """The panel of this name, by which its rounds will be judged too."""
    roster = next((one for one in panels if one.name == name), None)
    if roster is None:
        names = ", ".join(one.name for one in panels)
        raise InputError(
            f"there is no panel {quote(name)}",
            f"name one of {names}; the published .kattest.yaml may add others",
        )
    judged_by = roster_for(len(roster.seats), roster.judge_ids, panels)
    if judged_by is not None and judged_by != roster:
        raise InputError(
            f"the panel {quote(name)} has the judges of the {judged_by.name} panel, by which its "
            "round would be judged",
            "give it a judge of its own in .kattest.yaml, or use that one",
        )
    return roster


def _attestation_file(artifact: str, file: str | None) -> str:
    if file is None:
        folder = artifact.rpartition("/")[0]
        return f"{folder}/{FILE_NAME}" if folder else FILE_NAME
    refusal = path_refusal(file)
    if refusal:
        raise InputError(f"{quote_path(file)} is not followed: {refusal}", "name another file")
    if file.rpartition("/")[2] != FILE_NAME:
        raise InputError(
            f"{quote_path(file)} is not called {FILE_NAME}, and no check would find it",
            f"name a file {FILE_NAME}, in any folder",
        )
    return file


def _unseen(path: str) -> InputError:
    return InputError(
        f"no check sees {quote_path(path)}: git ignores it, or it is another repository's",
        "name a file that belongs to this repository, and that git does not ignore",
    )


def _refuse_taken(tree: Tree, evaluation_id: str, config: Config) -> None:
    paths = [path for path in attestation_paths(tree.paths()) if tree.kind(path) is Kind.FILE]
    found = attestation_files(tree, paths, config.document_bytes)
    for file in found:
        if any(round_.evaluation_id == evaluation_id for round_ in file.rounds):
            raise InputError(
                f"{quote_path(file.path)} has a round {quote(evaluation_id)} already",
                "choose another evaluation_id, or leave it out",
            )


def _sealed(panel: OpenPanel, given: Judgement, now: Instant) -> Sealed:
    judges = (*panel.panel.judge_ids, META_JUDGE)
    if given.judge_id not in judges:
        raise InputError(
            f"{quote(given.judge_id)} has no seat on the {panel.panel.name} panel",
            f"its judges are {', '.join(judges[:-1])}",
        )
    score, rationale = score_text(given.score), rationale_summary(given.rationale)
    if score is None:
        raise InputError(
            f"{quote(given.score)} is no score: it must lie from 0.0 to 10.0, with one decimal",
            "let the judge give such a one; kattest does not round",
        )
    if not rationale:
        raise InputError("there is no rationale", "let the judge say why")
    return seal(panel, given.judge_id, score, rationale, now)


def _require_disagreement(panel: OpenPanel, sealed: Mapping[str, Sealed]) -> None:
    if not wants_meta_judge(panel, sealed):
        missing = missing_seats(panel, sealed)
        why = f"it waits for {', '.join(missing)}" if missing else "its scores are close enough"
        raise InputError(
            f"the panel needs no meta-judge: {why}",
            "a meta-judge decides where the highest and lowest score differ by more than 3.0",
        )
