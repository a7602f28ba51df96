"""Changes of published states among the golden reports."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from kattest.result import SourceInfo, SourceKind
from tests.report.scenario import BASE, COMMIT, Scenario, as_of
from tests.support.memory import archive, make_record, make_tree
from tests.support.rounds import ARTIFACT, dumps, make_round

_NOW = datetime.fromisoformat(as_of().isoformat())
_FILE, _OTHER = "skills/a/.judge-attestations.json", "skills/b/.judge-attestations.json"
_RANGE = SourceInfo(
    SourceKind.RANGE,
    rev=COMMIT,
    base=BASE,
    base_name="origin/main",
    commits=3,
    config_from="origin/main:.kattest.yaml",
)

_LOSING = make_round(evaluation_id="first", scores=("6.0", "5.5", "5.0"))
_WINNING = make_round(evaluation_id="second")
_RAISED = make_round(evaluation_id="second", scores=("9.2", "9.5", "9.0"))
_SKILLS = {"skills/a/SKILL.md": ARTIFACT, "skills/b/SKILL.md": ARTIFACT}

_FAILURE = make_record("card_limits", at=_NOW - timedelta(days=9), reward=0.0)
_SUCCESS = _FAILURE | {"reward": 1.0, "reward_label": "excellent"}
_KEPT = make_record("loan_approval", at=_NOW - timedelta(days=2))
_LOST = make_record("pos", at=_NOW - timedelta(days=5))
_OLD = make_record("loyalty_app", at=_NOW - timedelta(days=100))
_ARCHIVED = archive(_OLD, _NOW - timedelta(days=1)) | {"summary": "All went well"}
_PURGED = archive(make_record("shop", at=_NOW - timedelta(days=120)), _NOW - timedelta(days=20))
_BACKDATED = archive(make_record("kiosk", at=_NOW - timedelta(days=99)), _NOW)


_JUDGED = {
    **_SKILLS,
    _FILE: dumps(_LOSING, _WINNING),
    _OTHER: dumps(make_round(evaluation_id="other")),
}
_PUBLISHED = {**_JUDGED, **make_tree(_FAILURE, _KEPT, _LOST, _OLD, _PURGED)}
"""Two skills and a memory."""


def _rewritten() -> dict[str, bytes]:
    """The same with everything amiss that only the published state can tell."""
    return {
        ".kattest.yaml": b"severity: {KA501: off}\n",
        **_SKILLS,
        _FILE: dumps(_RAISED),
        **make_tree(_SUCCESS, _KEPT, _ARCHIVED, _BACKDATED),
    }


SCENARIOS: Mapping[str, Scenario] = {
    "history-rewritten": Scenario(_rewritten(), base=_PUBLISHED, source=_RANGE),
    "history-grown": Scenario(
        {**_JUDGED, **make_tree(_FAILURE, _KEPT, _LOST, archive(_OLD, _NOW), _PURGED)},
        base=_PUBLISHED,
        source=_RANGE._replace(config_from=None),
    ),
}
