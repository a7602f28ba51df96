"""Every single change of a published record is found, and none of what may become of it is."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from kattest.result import Part
from tests.properties.memory_changes import Files, of_document, of_names
from tests.properties.test_memory_mutations import (
    COLD,
    ERROR,
    HOT,
    NO_INDEX,
    NOW,
    OLD,
    OTHER,
    RETAINED,
    TIERED,
    WARM,
    outcome,
)
from tests.support.memory import ROOT, Document, archive, file_of, make_record, make_tree
from tests.unit.comparing import compare, of_history

RECORDS = {
    "hot": (TIERED, HOT),
    "warm": (TIERED, WARM),
    "other": (TIERED, OTHER),
    "cold": (TIERED, COLD),
    "hot without an index": (NO_INDEX, HOT),
    "cold without an index": (NO_INDEX, COLD),
    "without tiers": (RETAINED, OLD),
}
of_every_record = pytest.mark.parametrize(("files", "record"), RECORDS.values(), ids=RECORDS)


def history(files: Files, *published: Files) -> list[str]:
    return of_history(compare(files, *published, at=NOW, parts=(Part.MEMORY,)))


@of_every_record
def test_every_change_of_what_it_says(files: Files, record: Document) -> None:
    lost = "KA507" if "archived_at" in record else "KA505"
    path = f"{ROOT}/{file_of(record)}"
    unfound = [
        change.name
        for change in of_document(files, file_of(record))
        if history(change.files, files) != ([lost] if path not in change.files else ["KA504"])
    ]
    assert unfound == []


@pytest.mark.parametrize(
    ("files", "record"),
    [(TIERED, HOT), (TIERED, COLD), (NO_INDEX, HOT), (NO_INDEX, COLD), (RETAINED, OLD)],
    ids=["hot", "cold", "hot without an index", "cold without an index", "without tiers"],
)
def test_every_other_name_but_where_it_is_known_by_its_id(files: Files, record: Document) -> None:
    """The rules for paths report a record that is called what it is not, wherever it stands.

    A copy takes nothing away, and may be older than anything new can be.
    """
    lost = "KA507" if "archived_at" in record else "KA505"
    silent = set()
    for change in of_names(files, file_of(record)):
        codes = history(change.files, files)
        if change.name.startswith("copied: "):
            assert codes in ([], ["KA508"]), change.name
        elif not codes:
            assert outcome(change.files) == ERROR, change.name
            silent.add(change.name.removeprefix("moved: "))
        else:
            assert set(codes) in ({lost}, {"KA504"}, {"KA506"}), change.name
    assert silent - {"the other place"} == {
        "another phase",
        "another second",
        "another slug",
        "another slug's letter case",
        "another domain",
        "the unknown domain",
        "a foreign domain",
    }
    assert ("the other place" in silent) is (lost == "KA507")  # it says the same, as no record


@pytest.mark.parametrize("file", ["index.json", "config.json"])
def test_nothing_is_told_of_what_is_no_record(file: str) -> None:
    told = [change.name for change in of_document(TIERED, file) if history(change.files, TIERED)]
    assert told == []


@pytest.mark.parametrize("files", [TIERED, NO_INDEX, RETAINED], ids=["1.1", "no index", "1.0"])
def test_nothing_is_told_of_a_memory_that_stays_grows_moves_or_is_written_anew(
    files: Files,
) -> None:
    new = make_record("new", at=NOW - timedelta(hours=1))
    anew = {path: json.dumps(json.loads(data)).encode() for path, data in files.items()}
    assert history(files, files) == []
    assert history(files | make_tree(new, config=None, index=False), files) == []
    assert history({f"skills/a/{path}": data for path, data in files.items()}, files) == []
    assert history(anew, files) == []


DUE = make_record("due", at=NOW - timedelta(days=91))
DUE_COLD = archive(DUE, NOW - timedelta(hours=1))


def test_every_change_on_the_way_into_the_archive() -> None:
    """Survivors: when it was archived is the archive's own, and moments and fields beyond it."""
    published, archived = make_tree(DUE), make_tree(DUE_COLD)
    assert history(archived, published) == []
    found = {
        change.name: history(change.files, published)
        for change in of_document(archived, file_of(DUE_COLD))
    }
    silent = {name for name, codes in found.items() if not codes}
    loud = {code for codes in found.values() for code in codes}
    assert loud == {"KA504", "KA505", "KA506"}
    assert {name for name in silent if not name.startswith("/archived_at ")} == {
        "field: unknown",
        "field: in another letter case",
        "/original_timestamp value: in another zone",
    }
