"""A repository with an honest memory, and what tests of it share."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.support.git import Repo
from tests.support.memory import (
    ROOT,
    STORED,
    Document,
    archive,
    dumps,
    file_of,
    make_record,
    make_tree,
)

AT = ("--as-of", "2026-03-05T00:00:00Z")  # the day of these tests, after their first commits
MODES = [[*AT], ["--staged", *AT], ["--rev", "HEAD"]]
INDEX = f"{ROOT}/index.json"

FIRST = make_record(at=datetime(2026, 2, 20, 9, 0, tzinfo=UTC))
SECOND = make_record("loan_approval", "phase-0", STORED, reward=1.0)
THIRD = make_record("loyalty_app", domain="retail", reward=0.3)
OLD = archive(
    make_record("store_locator", at=datetime(2025, 11, 10, 9, 0, tzinfo=UTC), domain="retail"),
    datetime(2026, 2, 12, 9, 0, tzinfo=UTC),
)
RECORDS = (FIRST, SECOND, THIRD, OLD)
HONEST = make_tree(*RECORDS)


def recent_memory() -> dict[str, bytes]:
    """A memory whose one record, of banking, was stored on the day before these tests are run.

    For what is judged now and cannot be told another moment: hooks.
    """
    yesterday = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return make_tree(make_record(at=yesterday - timedelta(hours=12)))


def path_of(record: Document, root: str = ROOT) -> str:
    return f"{root}/{file_of(record)}"


def write(repo: Repo, files: dict[str, bytes]) -> None:
    for path, data in files.items():
        repo.write(path, data)


def edit(repo: Repo, path: str, **fields: Any) -> None:
    """Change fields of a document of the working tree."""
    document = json.loads((repo.top / path).read_bytes())
    repo.write(path, dumps(document | fields))


def forge(repo: Repo, root: str = ROOT) -> None:
    """Make the index say that a failure was a success, and nothing else: KA304 alone."""
    index = json.loads((repo.top / root / "index.json").read_bytes())
    index["records"][THIRD["id"]]["reward"] = 1.0
    repo.write(f"{root}/index.json", dumps(index))


def relabel(repo: Repo, record: Document, root: str = ROOT) -> None:
    """Call a record by another label than its reward's, which no index holds: KA205 alone."""
    edit(repo, path_of(record, root), reward_label="excellent" if record["reward"] < 1 else "good")


def found(repo: Repo, *args: str, cwd: str = "", **env: str) -> list[tuple[str, str]]:
    """Where something was found, and what; each once."""
    report = repo.verify(*args, cwd=cwd, **env)
    return sorted({(one["path"], one["code"]) for one in report["findings"]})


def kinds(repo: Repo, *args: str) -> set[str]:
    """The codes of what was found."""
    return {*repo.codes(*args)}
