"""What the golden reports show: trees in memory, judged by the engine, without git or a disk."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kattest.config import Config
from kattest.finding import Severity
from kattest.report import text as text_report
from kattest.report.text import Detail
from kattest.result import SourceInfo, SourceKind
from kattest.tree import Kind
from tests.report import history, memory
from tests.report.scenario import COMMIT, Scenario
from tests.support.rounds import ARTIFACT, RATIONALES, dumps, make_round

GOLDEN = Path(__file__).with_name("golden")
FOLDER = ".claude/skills/explore"
FILE = f"{FOLDER}/.judge-attestations.json"
ARTIFACT_PATH = f"{FOLDER}/SKILL.md"

_OLD_ID, _NEW_ID = "bto-eval-2026-01-10T09:00:00Z", "bto-eval-2026-03-01T12:00:00Z"


def skill(*rounds: dict[str, Any], artifact: bytes = ARTIFACT) -> dict[str, bytes]:
    return {FILE: dumps(*rounds), ARTIFACT_PATH: artifact}


def _forged() -> dict[str, Any]:
    """A critic whose score was raised from 7.5 to 9.5 after it was sealed."""
    forged = make_round(path=ARTIFACT_PATH)
    forged["attestations"][1]["score"] = 9.5
    forged["final_score"] = 8.53
    return forged


def _unlinked() -> dict[str, Any]:
    """A chain from which the critic's attestation was taken out."""
    unlinked = make_round(path=ARTIFACT_PATH)
    del unlinked["attestations"][1]
    return unlinked


def _careless() -> dict[str, Any]:
    """Many small faults in one round, at several depths."""
    careless = make_round(path="../SKILL.md") | {"reviewer": "nobody the protocol knows"}
    del careless["evaluation_id"], careless["final_score"]
    del careless["attestations"][0]["judge_id"]
    careless["attestations"][1]["timestamp"] = "2026-03-01 12:01"
    return careless


def _breached() -> dict[str, Any]:
    """An auditor who knew what the critic had given."""
    told = (*RATIONALES[:2], "The critic gave 7.5, which is too low for what is there.")
    return make_round(path=ARTIFACT_PATH, rationales=told)


_MOVED = {FILE: dumps(make_round(path=f"{FOLDER}/OLD.md")), ARTIFACT_PATH: ARTIFACT}
_TWO_ROUNDS = skill(
    make_round(
        path=ARTIFACT_PATH,
        evaluation_id=_OLD_ID,
        artifact=b"# A draft\n",
        scores=("6.0", "5.5", "5.0"),
    ),
    make_round(path=ARTIFACT_PATH, evaluation_id=_NEW_ID),
)

SCENARIOS: Mapping[str, Scenario] = {
    "clean": Scenario(skill(make_round(path=ARTIFACT_PATH))),
    "forged": Scenario(skill(_forged())),
    "forged-ignored": Scenario(skill(_forged()), ignored=frozenset({"KA101"})),
    "forged-off": Scenario(skill(_forged()), config=Config(severity={"KA101": None})),
    "unlinked": Scenario(skill(_unlinked())),
    "careless": Scenario(skill(_careless())),
    "breach": Scenario(skill(_breached())),
    "superseded": Scenario(
        skill(make_round(path=ARTIFACT_PATH), artifact=b"# A skill, rewritten since\n"),
        earlier={ARTIFACT_PATH: ARTIFACT},
    ),
    "superseded-strict": Scenario(
        skill(make_round(path=ARTIFACT_PATH), artifact=b"# A skill, rewritten since\n"),
        earlier={ARTIFACT_PATH: ARTIFACT},
        strict=True,
    ),
    "older-round": Scenario(_TWO_ROUNDS, earlier={ARTIFACT_PATH: b"# A draft\n"}),
    "unknown": Scenario(skill(make_round(path=ARTIFACT_PATH, artifact=b"never committed\n"))),
    "moved": Scenario(_MOVED),
    "missing": Scenario({FILE: dumps(make_round())}),
    "unreadable": Scenario({FILE: b'{\n  "evaluations": [\n    {"evaluation_id": }\n  ]\n}\n'}),
    "symlink": Scenario({}, kinds={FILE: Kind.SYMLINK}),
    "no-rounds": Scenario({FILE: b'{"evaluations": []}\n'}),
    "meta-judge": Scenario(
        skill(make_round(path=ARTIFACT_PATH, scores=("9.0", "5.0", "8.0"), meta="7.4"))
    ),
    "meta-judge-missing": Scenario(
        skill(make_round(path=ARTIFACT_PATH, scores=("9.0", "5.0", "8.0")))
    ),
    "single-round": Scenario(
        {FILE: json.dumps(make_round(path=ARTIFACT_PATH)).encode(), ARTIFACT_PATH: ARTIFACT}
    ),
    "several-files": Scenario(
        {
            "skills/a/.judge-attestations.json": dumps(
                make_round(evaluation_id="a", path="skills/a/SKILL.md")
            ),
            "skills/a/SKILL.md": ARTIFACT,
            "skills/b/.judge-attestations.json": dumps(make_round(evaluation_id="b", bare=True)),
            "skills/b/SKILL.md": ARTIFACT,
        },
        source=SourceInfo(SourceKind.COMMIT, rev=COMMIT),
    ),
    "configured": Scenario(
        skill(make_round(path=ARTIFACT_PATH) | {"reviewer": "kept on purpose"}),
        config=Config(severity={"KA004": None, "KA126": Severity.ERROR}, exclude=("vendor/",)),
        source=SourceInfo(
            SourceKind.INDEX, base=COMMIT, base_name="HEAD", config_from="HEAD:.kattest.yaml"
        ),
    ),
    "one-of-two-forged": Scenario(
        skill(_forged() | {"evaluation_id": _OLD_ID}, make_round(path=ARTIFACT_PATH)),
    ),
    "excluded": Scenario(
        skill(make_round(path=ARTIFACT_PATH)),
        config=Config(exclude=(".claude/",)),
        source=SourceInfo(SourceKind.WORKTREE, config_from=".kattest.yaml"),
    ),
    "empty": Scenario({"README.md": b"nothing here was judged\n"}),
    "memory-and-attestations": Scenario(skill(_forged()) | memory.FORGED_INDEX),
    **memory.SCENARIOS,
    **history.SCENARIOS,
}

ALL_DETAILS = (
    "clean", "forged", "superseded", "unreadable", "meta-judge", "empty", "older-round",
    "memory-clean", "memory-overdue", "memory-forged-index", "history-rewritten",
)  # fmt: skip
"""Those shown in every detail; the others only as they are shown without an option."""

COLOURED = {"forged": Detail.VERBOSE, "memory-overdue": Detail.NORMAL}
"""Those shown in colour too, in one detail."""


def golden_texts() -> dict[str, str]:
    """Every golden report by the name of its file."""
    texts: dict[str, str] = {}
    for name, scenario in SCENARIOS.items():
        details = Detail if name in ALL_DETAILS else (Detail.NORMAL,)
        for detail in details:
            suffix = "" if detail is Detail.NORMAL else f".{detail.value}"
            rendered = text_report.render(scenario.report(), colour=False, detail=detail)
            texts[f"{name}{suffix}.txt"] = rendered
    for name, detail in COLOURED.items():
        coloured = text_report.render(SCENARIOS[name].report(), colour=True, detail=detail)
        texts[f"{name}.colour.txt"] = re.sub("\x1b\\[([0-9;]*)m", r"<\1>", coloured)
    return texts
