"""What the tests of the commands that write have in common."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeAlias

from tests.cli.conftest import KATTEST, TIMEOUT, Run, Sandbox
from tests.support.memory import ROOT, given_of, make_record
from tests.support.rounds import RATIONALES, sha256

Document: TypeAlias = dict[str, Any]

NOON = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
ARTIFACT_PATH = "skill/SKILL.md"
SEATS = ("domain-expert", "critic", "completeness-auditor")
SCORES = ("8.2", "7.5", "8.0")


def clock(moment: datetime) -> dict[str, str]:
    """What makes it that moment for kattest."""
    return {"SOURCE_DATE_EPOCH": str(int(moment.timestamp()))}


def dated(sandbox: Sandbox, moment: datetime = NOON) -> Sandbox:
    """The same sandbox, where it is always that moment, for git too."""
    text = moment.isoformat()
    dates = {"GIT_AUTHOR_DATE": text, "GIT_COMMITTER_DATE": text}
    return Sandbox(sandbox.path, {**sandbox.env, **dates, **clock(moment)})


def give(sandbox: Sandbox, stdin: object, *args: str, cwd: str = ".", **env: str) -> Run:
    """Run kattest with ``stdin``: bytes, or a document as JSON."""
    data = stdin if isinstance(stdin, bytes) else json.dumps(stdin, ensure_ascii=False).encode()
    done = subprocess.run(
        [KATTEST, *args],
        cwd=sandbox.path / cwd,
        env={**sandbox.env, **env},
        input=data,
        capture_output=True,
        check=False,
        timeout=TIMEOUT,
    )
    run = Run(done.returncode, done.stdout.decode(), done.stderr.decode())
    assert "Traceback" not in run.err, run.err
    return run


def refused(run: Run, *words: str) -> None:
    """It could not be done: nothing on standard output, and why on standard error."""
    assert run.status == 2, run
    assert not run.out
    for word in (*words, "what to do: "):
        assert word in run.err, run.err


def document_of(run: Run, status: int = 0) -> Document:
    """The JSON document that a command printed."""
    assert run.status == status, run
    found: Document = json.loads(run.out)
    return found


def open_panel(sandbox: Sandbox, *options: str, cwd: str = ".", **env: str) -> Document:
    """What ``attest open`` prints; of the usual artifact unless ``options`` name one."""
    artifact = () if any(not option.startswith("-") for option in options[:1]) else (ARTIFACT_PATH,)
    return document_of(sandbox.kattest("attest", "open", *artifact, *options, cwd=cwd, **env))


def judge(
    sandbox: Sandbox,
    evaluation_id: str,
    seat: str,
    score: str,
    rationale: str | bytes,
    **env: str,
) -> Run:
    data = rationale if isinstance(rationale, bytes) else rationale.encode()
    options = ("--judge", seat, "--score", score, "--rationale-file", "-")
    return give(sandbox, data, "attest", "judge", evaluation_id, *options, **env)


def judge_all(
    sandbox: Sandbox,
    evaluation_id: str,
    scores: Sequence[str] = SCORES,
    *,
    seats: Sequence[str] = SEATS,
    rationales: Sequence[str] = RATIONALES,
) -> None:
    for seat, score, rationale in zip(seats, scores, rationales, strict=False):
        run = judge(sandbox, evaluation_id, seat, score, rationale)
        assert run.status == 0, run


def hash_of(seat: str, artifact: bytes, score: str, rationale: str, *, bare: bool = False) -> str:
    """An evaluation's hash, in the protocol's words."""
    digest = sha256(artifact)
    text = digest if bare else f"sha256:{digest}"
    return f"sha256:{sha256(f'{seat}|{text}|{score}|{rationale}')}"


def rounds_in(sandbox: Sandbox, file: str = "skill/.judge-attestations.json") -> list[Document]:
    found: list[Document] = json.loads((sandbox.path / file).read_bytes())["evaluations"]
    return found


def whole_round(
    scores: Sequence[str] = SCORES,
    *,
    seats: Sequence[str] = SEATS,
    rationales: Sequence[str] = RATIONALES,
    **fields: Any,
) -> bytes:
    """What ``attest record`` is given; scores stay as they are written."""
    attestations = [
        f'{{"judge_id": {json.dumps(seat)}, "score": {score}, '
        f'"rationale_summary": {json.dumps(rationale)}}}'
        for seat, score, rationale in zip(seats, scores, rationales, strict=False)
    ]
    rest = json.dumps({"artifact_path": ARTIFACT_PATH, **fields})[1:-1]
    return f'{{{rest}, "attestations": [{", ".join(attestations)}]}}'.encode()


def given_record(slug: str = "bank_kc_automation", **changes: Any) -> Document:
    """What ``memory store`` is given: the protocol's example, with ``changes``."""
    return given_of(make_record(slug)) | changes


def store(sandbox: Sandbox, moment: datetime, *records: Document, root: str = "") -> list[Document]:
    """Store records at a moment; what was printed of each."""
    options = ("--root", root) if root else ()
    run = give(sandbox, [*records], "memory", "store", "--batch", *options, **clock(moment))
    stored: list[Document] = document_of(run)["stored"]
    return stored


def files_in(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Every file below a folder: its mode and its bytes; none where there is no folder."""
    return {
        path.relative_to(folder).as_posix(): (path.lstat().st_mode, path.read_bytes())
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def memory_files(sandbox: Sandbox, root: str = ROOT) -> dict[str, bytes]:
    return {name: data for name, (_, data) in files_in(sandbox.path / root).items()}


def memory_documents(sandbox: Sandbox, root: str = ROOT) -> dict[str, Document]:
    """The records of a memory, by file."""
    return {
        name: json.loads(data)
        for name, data in memory_files(sandbox, root).items()
        if "/" in name and not name.startswith("_")
    }


def put(sandbox: Sandbox, tree: Mapping[str, bytes]) -> Sandbox:
    for path, data in tree.items():
        sandbox.write(path, data)
    return sandbox


def codes(sandbox: Sandbox, *args: str) -> list[str]:
    """What ``verify`` finds, by code."""
    run = sandbox.kattest("verify", "--format", "json", *args)
    assert run.status in {0, 1}, run
    return [finding["code"] for finding in json.loads(run.out)["findings"]]
