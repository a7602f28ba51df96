"""What a report says of each round: its verdict, and each judge's."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from kattest.attestation.artifact import ArtifactState, RoundKey
from kattest.attestation.model import Attestation, Round
from kattest.finding import Finding, Severity
from kattest.result import JudgeLine, RoundReport, Status
from kattest.rules.subjects import RoundSubject


def round_reports(
    subjects: Mapping[RoundKey, RoundSubject], findings: Iterable[Finding]
) -> Iterator[RoundReport]:
    """A report of each round, in order. One fails where it, or what is around it, has an error."""
    by_round = _by_round(subjects.keys(), findings)
    around = {
        path: _codes(finding for finding in found if finding.severity is Severity.ERROR)
        for (path, place), found in by_round.items()
        if place == _AROUND
    }
    for key, subject in subjects.items():
        yield _round_report(key, subject, by_round.get(key, ()), around.get(key[0], ()))


_AROUND = "around"  # no pointer: findings of a document that are in none of its rounds


def _by_round(
    rounds: Iterable[RoundKey], findings: Iterable[Finding]
) -> Mapping[RoundKey, list[Finding]]:
    keys = set(rounds)
    grouped: defaultdict[RoundKey, list[Finding]] = defaultdict(list)
    for finding in findings:
        path, pointer = finding.location.path, finding.location.pointer
        # A round is at "", or at "/evaluations/N": a document holds rounds of one kind only.
        nested = (path, "/".join(pointer.split("/", 3)[:3]))
        key = next((key for key in (nested, (path, "")) if key in keys), (path, _AROUND))
        grouped[key].append(finding)
    return grouped


def _round_report(
    key: RoundKey, subject: RoundSubject, findings: Sequence[Finding], around: tuple[str, ...]
) -> RoundReport:
    round_, artifact = subject.round, subject.artifact
    by_judge = _by_judge(round_, findings)
    return RoundReport(
        path=key[0],
        pointer=round_.pointer,
        evaluation_id=round_.evaluation_id,
        status=Status.FAILED if around or _has_error(findings) else Status.VERIFIED,
        recipe=subject.recipe,
        artifact=artifact.state if artifact else ArtifactState.UNKNOWN,
        artifact_path=artifact.path if artifact else round_.artifact_path,
        isolation=subject.isolation,
        spread=subject.spread,
        final_score=round_.final_score.lexeme if round_.final_score else None,
        judges=tuple(_judge_line(a, by_judge[a.pointer]) for a in round_.attestations),
        codes=tuple(sorted({*_codes(by_judge[round_.pointer]), *around})),
    )


def _by_judge(round_: Round, findings: Iterable[Finding]) -> defaultdict[str, list[Finding]]:
    """Findings by the pointer of the attestation that they are in, else by that of the round."""
    grouped: defaultdict[str, list[Finding]] = defaultdict(list)
    inside = f"{round_.pointer}/attestations/"
    for finding in findings:
        pointer = finding.location.pointer
        rest = pointer.removeprefix(inside)
        of_judge = rest != pointer
        grouped[inside + rest.split("/", 1)[0] if of_judge else round_.pointer].append(finding)
    return grouped


def _judge_line(attestation: Attestation, findings: Sequence[Finding]) -> JudgeLine:
    return JudgeLine(
        judge_id=attestation.judge_id,
        score=attestation.score.lexeme if attestation.score else None,
        recorded_at=attestation.timestamp.text if attestation.timestamp else None,
        failed=_has_error(findings),
        codes=_codes(findings),
    )


def _codes(findings: Iterable[Finding]) -> tuple[str, ...]:
    return tuple(sorted({finding.rule.code for finding in findings}))


def _has_error(findings: Iterable[Finding]) -> bool:
    return any(finding.severity is Severity.ERROR for finding in findings)
