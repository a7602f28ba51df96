"""Memories that a command is interrupted in."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from tests.cli.conftest import Sandbox
from tests.crash.calls import Harm, Plan
from tests.crash.runner import Outcome, Runner
from tests.crash.world import LATER, NOW, Command, Session, World, drafts_in, files_in
from tests.support.memory import (
    ROOT,
    Document,
    archive,
    dumps,
    file_of,
    given_of,
    is_cold,
    iso,
    make_index,
    make_record,
    make_tree,
)

_OVERDUE = ("--ignore", "KA401,KA402")


def ago(days: int, hours: int = 0) -> datetime:
    return NOW - timedelta(days=days, hours=hours)


FRESH = (
    make_record(at=ago(3)),
    make_record("loan_approval", "phase-0", ago(10), reward=1.0),
    make_record("loyalty_app", at=ago(40), domain="retail", reward=0.3),
)
COLD = archive(make_record("bank_kc_automation", at=ago(120)), ago(25))
DUE = (
    make_record("bank_kc_automation", at=ago(95)),
    make_record("loan_approval", at=ago(100)),
    make_record("store_locator", at=ago(110), domain="retail"),
)
OLD = (
    make_record("fraud_alerts", at=ago(190)),
    archive(make_record("card_limits", at=ago(200)), ago(105)),
)
_GONE = make_record("gone", at=ago(5))


def given(reason: str, **fields: Any) -> Document:
    """What memory_store is given."""
    return given_of(make_record(**fields)) | {"reward_reason": reason}


def records_in(files: Mapping[str, bytes]) -> list[tuple[str, Document]]:
    """The records among files that are whole, each with its path."""
    return [
        (path, json.loads(data))
        for path, data in files.items()
        if path.startswith(ROOT) and path.count("/") > 3 and path.endswith(".json")
        if _is_whole(data)
    ]


class Memory(World):
    """A memory with ``records``; ``given`` are stored into it. Each has a reason of its own."""

    nexts = ("store", "maintain", "reindex", "query")
    args: tuple[str, ...]
    records: tuple[Document, ...] = ()
    given: tuple[Document, ...] = ()
    due: tuple[Document, ...] = ()
    old: tuple[Document, ...] = ()

    def prepare(self, template: Sandbox, runner: Runner) -> Command:  # noqa: ARG002 - of all worlds
        if self._everything():
            for path, data in self.tree().items():
                template.write(path, data)
        template.commit()
        values: Any = list(self.given) if "--batch" in self.args else [*self.given, None][0]
        return Command(("memory", *self.args), json.dumps(values) if values else "")

    def tree(self) -> dict[str, bytes]:
        """The files of the memory."""
        return make_tree(*self._everything())

    def at_once(self, files: Mapping[str, bytes], *, done: Outcome) -> list[str]:
        torn = [
            f"{path} is torn: {data[-20:]!r}"
            for path, data in files.items()
            if path.endswith(".json") and not _is_whole(data)
        ]
        if torn:
            return torn
        is_done = done.status == 0
        return [
            *(one for record in self.records for one in _lost(files, record)),
            *(one for record in self.due for one in _lost(files, record, may_go=True)),
            *(one for record in self.old for one in _changed(files, record)),
            *_stored(files, self.given, must=is_done),
            *(self.undone(files) if is_done else ()),
        ]

    def undone(self, files: Mapping[str, bytes]) -> list[str]:
        """What the command says it did, and did not."""
        stays = [
            file_of(one) for one in (*self.due, *self.old) if f"{ROOT}/{file_of(one)}" in files
        ]
        return [f"{file} is still there" for file in stays if self.args[0] == "maintain"]

    def afterwards(self, session: Session, chosen: str, *, done: Outcome) -> list[str]:
        troubles = [
            *session.must(*_NEXT[chosen].args, stdin=_NEXT[chosen].stdin),
            *session.verified(*(() if chosen == "maintain" or not self.due else _OVERDUE)),
        ]
        files = files_in(session.top)
        another = (given("The next one"),) if chosen == "store" else ()
        return [
            *troubles,
            *self.at_once(files, done=done),
            *_stored(files, another, must=True),
            *drafts_in(files),
        ]

    def _everything(self) -> tuple[Document, ...]:
        return (*self.records, *self.due, *self.old)


class StoreNew(Memory):
    """The first record of a memory."""

    args = ("store",)
    given = (given("The very first"),)


class StoreMore(Memory):
    """One more record, in a slug that is there."""

    args = ("store",)
    records = (*FRESH, COLD)
    given = (given("One more"),)


class StoreBatch(Memory):
    """Three records at once, two of them of one second, one of a new domain."""

    args = ("store", "--batch")
    records = (*FRESH, COLD)
    given = (
        given("One of three"),
        given("Two of three"),
        given("Three of three", slug="triage", domain="healthcare"),
    )


class Archive(Memory):
    """Three records that are due, in one slug with an archive and two without."""

    args = ("maintain",)
    records = (*FRESH, COLD)
    due = DUE


class ArchiveFirst(Memory):
    """The first record that goes to the archive."""

    args = ("maintain",)
    records = FRESH
    due = DUE[1:2]


class Purge(Memory):
    """Two records that are too old, one of them archived, and one to archive."""

    args = ("maintain", "--purge-anyway")
    records = (FRESH[0],)
    due = DUE[:1]
    old = OLD


class Reindex(Memory):
    """An index that lacks a record, and names one that is gone."""

    args = ("reindex",)
    records = (*FRESH, COLD)

    def tree(self) -> dict[str, bytes]:
        stale = make_index((*FRESH[1:], COLD, _GONE))
        return make_tree(*self.records, index=stale)

    def undone(self, files: Mapping[str, bytes]) -> list[str]:
        entries = json.loads(files[f"{ROOT}/index.json"])["records"]
        kept = {one["id"] for one in self.records}
        return [] if kept <= entries.keys() and _GONE["id"] not in entries else ["it is stale"]


class Query(Memory):
    """A question that archives on its way. It is answered whatever happens."""

    args = ("query", "--domain", "banking", "--phase", "phase-2")
    records = (*FRESH, COLD)
    due = DUE[:2]

    def undone(self, files: Mapping[str, bytes]) -> list[str]:  # noqa: ARG002 - it may leave all
        return []

    def amiss(self, done: Outcome, plan: Plan) -> list[str]:
        if done.status != 0 or "Traceback" in done.err:
            return [f"it ends with {done.status}: {done.err}"]
        answered = {one["timestamp"] for one in json.loads(done.out)["records"]}
        wanted = {FRESH[0]["timestamp"], COLD["original_timestamp"], DUE[0]["timestamp"]}
        missing = wanted - answered
        is_said = "note: " in done.err or "Archived 2 records" in done.err
        if plan.harm is Harm.SHORT:
            is_said = "Archived 2 records" in done.err and "note: " not in done.err
        return [f"it leaves out {missing}"] * bool(missing) + ["it says nothing"] * (not is_said)


WORLDS = (StoreNew, StoreMore, StoreBatch, Archive, ArchiveFirst, Purge, Reindex, Query)

_NEXT = {
    "store": Command(("memory", "store"), json.dumps(given("The next one"))),
    "maintain": Command(("memory", "maintain", "--purge-anyway")),
    "reindex": Command(("memory", "reindex")),
    "query": Command(("memory", "query", "--domain", "banking", "--phase", "phase-2")),
}


def _is_whole(data: bytes) -> bool:
    try:
        json.loads(data)
    except ValueError:
        return False
    return data.endswith(b"\n")


def _lost(files: Mapping[str, bytes], record: Document, *, may_go: bool = False) -> list[str]:
    path = f"{ROOT}/{file_of(record)}"
    if path in files:
        return _changed(files, record)
    colds = [archive(record, at) for at in (NOW, LATER)] if may_go else []
    archived = files.get(f"{ROOT}/{file_of(colds[0])}") if colds else None
    if archived is None:
        return [f"a record is lost: {path}"]
    return [] if json.loads(archived) in colds else [f"it is archived otherwise: {path}"]


def _changed(files: Mapping[str, bytes], record: Document) -> list[str]:
    path = f"{ROOT}/{file_of(record)}"
    data = files.get(path)
    return [f"a record is changed: {path}"] if data not in {None, dumps(record)} else []


def _stored(files: Mapping[str, bytes], wanted: Iterable[Document], *, must: bool) -> list[str]:
    there, troubles = records_in(files), []
    for value in wanted:
        reason = value["reward_reason"]
        found = [one for one in there if one[1].get("reward_reason") == reason]
        if len(found) != 1 and (found or must):
            troubles.append(f"a record is {'there twice' if found else 'lost'}: {reason}")
        for path, document in found:
            if not value.items() <= document.items():
                troubles.append(f"a record is not as it was given: {path}")
            if path != f"{ROOT}/{file_of(document)}":
                troubles.append(f"a record lies elsewhere: {path}")
    return troubles


assert not any(is_cold(record) for record in (*FRESH, *DUE))
assert iso(NOW) < iso(LATER)
