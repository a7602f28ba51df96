"""The memory trees among the golden reports."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from kattest.config import Config
from kattest.result import SourceInfo, SourceKind
from kattest.tree import Kind
from tests.report.scenario import COMMIT, Scenario, as_of
from tests.support.memory import (
    CONFIG,
    CONFIG_1_0,
    ROOT,
    Document,
    archive,
    dumps,
    make_index,
    make_record,
    make_tree,
)

_NOW = datetime.fromisoformat(as_of().isoformat())


def _ago(days: int) -> datetime:
    """A moment that many days before that of the check."""
    return _NOW - timedelta(days=days)


def _cold(slug: str, days: int) -> Document:
    """A record of that many days ago, archived a day after it could be."""
    record = make_record(slug, at=_ago(days), reward=0.3, domain="retail")
    return archive(record, _ago(days - 91))


def _mixed() -> dict[str, bytes]:
    """All tiers, each record where it belongs."""
    warm = make_record("pos_renewal", at=_ago(60), domain="retail", reward=1.0)
    records = (
        make_record(at=_ago(1)),
        make_record(phase="phase-0", at=_ago(3), skill="explore", reward=1.0),
        warm,
        _cold("loyalty_app", 100),
        _cold("store_locator", 150),
    )
    index = make_index(records, tiers={warm["id"]: "warm"})
    return make_tree(*records, index=index)


def _overdue() -> dict[str, bytes]:
    """A dozen records that nobody archived, and two in the archive that nobody deleted."""
    late = [make_record(f"case_{number:02}", at=_ago(120 - number)) for number in range(12)]
    return make_tree(
        make_record(at=_ago(2)), *late, _cold("loyalty_app", 200), _cold("store_locator", 190)
    )


def _forged_index() -> dict[str, bytes]:
    """An index in which a failure was made a success, and another record was left out."""
    failure = make_record("card_limits", at=_ago(9), reward=0.0)
    records = (failure, make_record(at=_ago(5)), make_record("loan_approval", at=_ago(2)))
    index = make_index(records)
    index["records"][failure["id"]]["reward"] = 1.0
    index["by_domain"]["banking"]["avg_reward"] = 0.8
    del index["records"][records[2]["id"]]
    index["records"]["made_up"] = {**index["records"][failure["id"]], "file": "../../secrets.json"}
    return make_tree(*records, index=index)


def _forged_records() -> dict[str, bytes]:
    """Records that say other things of themselves than their paths do, and things they cannot."""
    moved = make_record("card_limits", at=_ago(9))
    renamed = make_record(at=_ago(5)) | {"case_slug": "bank_loans"}
    raised = make_record("loan_approval", at=_ago(2)) | {"reward": 1.5}
    tree = make_tree(renamed, raised, make_record("pos", at=_ago(3)), index=False)
    return tree | {f"{ROOT}/retail/card_limits/notes.json": dumps(moved), f"{ROOT}/x.tmp": b""}


def _version_1_0() -> dict[str, bytes]:
    """A tree without tiers and without an index: one record is kept, and one has expired."""
    return make_tree(
        make_record(at=_ago(30), version="1.0"),
        make_record("card_limits", at=_ago(95), version="1.0"),
        config=CONFIG_1_0,
        index=False,
    )


def _unreadable() -> dict[str, bytes]:
    """A root whose configuration is cut off, and one of whose records is no JSON."""
    tree = make_tree(make_record(at=_ago(5)), make_record("loan_approval", at=_ago(2)))
    [record] = (path for path in tree if "/loan_approval/" in path)
    return tree | {f"{ROOT}/config.json": dumps(CONFIG)[:40], record: b"{'reward': 1}\n"}


def _several() -> dict[str, bytes]:
    """A repository with three roots: an honest one, one with an old record, and an empty one."""
    return {
        **make_tree(make_record(at=_ago(5)), root=f"services/a/{ROOT}"),
        **make_tree(make_record(at=_ago(100)), root=f"services/b/{ROOT}"),
        **make_tree(index=False, root=f"services/c/{ROOT}"),
    }


FORGED_INDEX = _forged_index()
_OVERDUE = _overdue()

SCENARIOS: Mapping[str, Scenario] = {
    "memory-clean": Scenario(make_tree(make_record(at=_ago(1)), make_record("b", at=_ago(2)))),
    "memory-tiers": Scenario(_mixed(), source=SourceInfo(SourceKind.COMMIT, rev=COMMIT)),
    "memory-overdue": Scenario(_OVERDUE),
    "memory-overdue-ignored": Scenario(_OVERDUE, ignored=frozenset({"KA401", "KA402"})),
    "memory-grace": Scenario(_OVERDUE, config=Config(grace_days=14)),
    "memory-narrowed": Scenario(_OVERDUE, paths=(f"{ROOT}/banking/case_03",)),
    "memory-1.0": Scenario(_version_1_0()),
    "memory-forged-index": Scenario(FORGED_INDEX),
    "memory-forged-records": Scenario(_forged_records()),
    "memory-unreadable": Scenario(_unreadable()),
    "memory-several": Scenario(_several()),
    "memory-symlink": Scenario({}, kinds={ROOT: Kind.SYMLINK}),
}
