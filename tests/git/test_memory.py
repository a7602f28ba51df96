"""Memory in the working tree, in the index and in commits, and what of it is judged."""

from __future__ import annotations

import pytest

from tests.git.conftest import copied
from tests.git.memories import (
    AT,
    FIRST,
    HONEST,
    INDEX,
    MODES,
    OLD,
    RECORDS,
    SECOND,
    THIRD,
    edit,
    forge,
    found,
    kinds,
    path_of,
    relabel,
    write,
)
from tests.support.git import Repo
from tests.support.memory import CONFIG_1_0, ROOT, make_index, make_record, make_tree

STAGED = ("--staged", *AT)
REV = ("--rev", "HEAD")
every_mode = pytest.mark.parametrize("mode", MODES, ids=str)


@every_mode
def test_an_honest_memory_is_clean(memory: Repo, mode: list[str]) -> None:
    report = memory.verify(*mode)
    assert report["findings"] == []
    counts = report["counts"]
    assert (counts["memory_roots"], counts["records"], counts["attestation_files"]) == (1, 4, 0)
    [root] = report["memory"]
    assert (root["path"], root["status"], root["lifecycle"]) == (ROOT, "verified", "tiers")
    assert (root["records"], root["archived"], root["overdue"]) == (4, 1, 0)
    assert memory.kattest("verify", "--require", "memory", *mode).status == 0


@every_mode
def test_a_memory_of_version_1_0_is_clean_until_a_record_expires(
    empty: Repo, mode: list[str]
) -> None:
    records = [make_record(version="1.0"), make_record("card_limits", version="1.0")]
    write(empty, make_tree(*records, config=CONFIG_1_0, index=False))
    empty.commit()
    report = empty.verify(*mode)
    assert report["findings"] == []
    assert report["memory"][0]["lifecycle"] == "retention"
    source = [option for option in mode if option not in AT]
    later = (*source, "--as-of", "2026-05-31T00:00:00Z")
    assert found(empty, *later) == [(path_of(record), "KA406") for record in records]
    assert empty.verify(*later)["memory"][0]["tiers"]["purge"] == 2


# Which bytes are judged.


def test_a_forged_record_in_the_index_that_was_repaired_on_disk(memory: Repo) -> None:
    path = path_of(FIRST)
    relabel(memory, FIRST)
    memory.git("add", path)
    memory.write(path, HONEST[path])
    assert found(memory, *AT) == []
    assert found(memory, *STAGED) == [(path, "KA205"), (path, "KA504")]
    assert found(memory, *REV) == []


def test_a_forged_record_on_disk_that_is_honest_in_the_index(memory: Repo) -> None:
    relabel(memory, FIRST)
    assert found(memory, *AT) == [(path_of(FIRST), "KA205"), (path_of(FIRST), "KA504")]
    assert found(memory, *STAGED) == []


def test_a_commit_is_judged_whatever_came_later(memory: Repo) -> None:
    forge(memory)
    memory.commit()
    memory.write(INDEX, HONEST[INDEX])
    memory.commit()
    assert found(memory, "--rev", "HEAD~1") == [(INDEX, "KA304")]
    for mode in MODES:
        assert found(memory, *mode) == []


def test_a_record_that_was_changed_together_with_nothing_else_leaves_traces_in_the_index(
    memory: Repo,
) -> None:
    edit(memory, path_of(THIRD), reward=1.0, reward_label="excellent")
    memory.git("add", "--all")
    assert found(memory, *STAGED) == [
        (INDEX, "KA304"),
        (INDEX, "KA306"),
        (path_of(THIRD), "KA504"),
    ]


def test_a_record_that_is_removed_from_git_and_not_from_the_index_file(memory: Repo) -> None:
    memory.git("rm", "--quiet", path_of(THIRD))
    lost = [(INDEX, "KA303"), (INDEX, "KA305"), (INDEX, "KA306"), (path_of(THIRD), "KA505")]
    assert found(memory, *STAGED) == lost
    assert found(memory, *AT) == lost
    memory.git("commit", "--quiet", "--message", "removed")
    assert found(memory, *REV) == lost


def test_a_record_that_is_only_removed_from_the_index_of_git_is_still_on_disk(
    memory: Repo,
) -> None:
    memory.git("rm", "--quiet", "--cached", path_of(THIRD))
    assert kinds(memory, *STAGED) == {"KA303", "KA305", "KA306", "KA505"}
    assert found(memory, *AT) == []


def test_an_untracked_record_is_judged_in_the_working_tree_alone(memory: Repo) -> None:
    untracked = make_record("card_limits")
    write(memory, {path_of(untracked): make_tree(untracked)[path_of(untracked)]})
    assert found(memory, *AT) == [
        (path_of(untracked), "KA302"),
        (INDEX, "KA305"),
        (INDEX, "KA306"),
    ]
    assert found(memory, *STAGED) == []
    memory.git("add", "--intent-to-add", path_of(untracked))
    assert found(memory, *STAGED) == []


def test_an_untracked_memory_is_judged_in_the_working_tree_alone(repo: Repo) -> None:
    write(repo, HONEST)
    forge(repo)
    backdated = [(path_of(record), "KA508") for record in (OLD,)]
    assert found(repo, *AT) == [(INDEX, "KA304"), *backdated]
    assert repo.verify(*STAGED)["counts"]["memory_roots"] == 0


def test_an_ignored_memory_is_not_judged_until_it_is_tracked(empty: Repo) -> None:
    empty.write(".gitignore", b".keysarium/\n")
    write(empty, HONEST)
    forge(empty)
    report = empty.verify(*AT)
    assert (report["counts"]["memory_roots"], report["findings"]) == (0, [])
    assert "holds no memory root" in empty.refusal("--require", "memory", *AT)
    empty.git("add", "--force", INDEX)
    counts = empty.verify(*AT)["counts"]
    assert (counts["memory_roots"], counts["records"]) == (1, 0), "only what is tracked"
    empty.git("add", "--force", ROOT)
    for mode in [*AT], [*STAGED]:
        assert found(empty, *mode) == [(INDEX, "KA304")]


def test_a_record_that_git_ignores_is_lost_to_its_index(memory: Repo) -> None:
    """Whoever has the file does not see that nobody else will."""
    memory.write(".gitignore", b"*approval*\n")
    memory.git("rm", "--quiet", "--cached", path_of(SECOND))
    for mode in [*AT], [*STAGED]:
        assert kinds(memory, *mode) == {"KA303", "KA305", "KA306", "KA505"}


def test_a_merge_that_keeps_one_sides_index_loses_the_other_sides_record(memory: Repo) -> None:
    memory.hook()
    mine, theirs = make_record("card_limits"), make_record("fraud_alerts")
    for branch, record in (("side", theirs), ("main", mine)):
        memory.git("switch", "--quiet", *(["--create"] if branch == "side" else []), branch)
        write(memory, make_tree(*RECORDS, record))
        memory.commit(f"{branch} stores a record", "--no-verify")
    assert memory.try_git("merge", "side").status == 1
    assert f'the index has a conflict at "{INDEX}"' in memory.refusal(*STAGED)
    assert found(memory, *AT) == [(INDEX, "KA001")], "conflict markers are no JSON"
    memory.git("checkout", "--quiet", "--ours", INDEX)
    memory.git("add", INDEX)
    assert found(memory, *STAGED) == [
        (path_of(theirs), "KA302"),
        (INDEX, "KA305"),
        (INDEX, "KA306"),
    ]
    write(memory, make_tree(*RECORDS, mine, theirs))
    memory.git("add", "--all")
    assert found(memory, *STAGED) == []


@pytest.mark.parametrize("damage", ["missing", "not an object", "another object"])
def test_a_record_that_cannot_be_read_is_not_passed_over(memory: Repo, damage: str) -> None:
    file = memory.object(f":{path_of(SECOND)}")
    file.unlink()
    if damage == "not an object":
        file.write_bytes(b"damaged")
    elif damage == "another object":
        file.write_bytes(memory.object(f":{path_of(FIRST)}").read_bytes())
    for mode in STAGED, REV:
        said = memory.refusal(*mode)
        assert f'the blob of "{ROOT}/banking/loan_approval/' in said
        assert "is missing from the object database, or damaged" in said
        assert "git fsck" in said


def test_the_record_that_cannot_be_read_is_named_whole(memory: Repo) -> None:
    memory.object(f":{path_of(SECOND)}").unlink()
    assert path_of(SECOND) in memory.refusal(*STAGED)


def test_packed_objects_are_read(memory: Repo) -> None:
    forge(memory)
    memory.commit()
    memory.git("gc", "--quiet")
    for mode in STAGED, REV:
        assert found(memory, *mode) == [(INDEX, "KA304")]


def test_a_commit_of_a_bare_repository_is_judged(memory: Repo) -> None:
    forge(memory)
    memory.commit()
    memory.git("clone", "--quiet", "--bare", str(memory.top), "../bare.git")
    bare = memory.at(memory.top.parent / "bare.git")
    assert found(bare, *REV) == [(INDEX, "KA304")]


def test_a_sparse_checkout_still_counts_the_records_that_are_not_checked_out(memory: Repo) -> None:
    memory.git("status")  # it learns that no file was changed: changed ones would be kept
    memory.git("sparse-checkout", "set", "--cone", "--no-sparse-index", f"{ROOT}/banking")
    assert not (memory.top / path_of(THIRD)).exists()
    report = memory.verify(*AT)
    assert (report["findings"], report["counts"]["records"]) == ([], 4)


# Several roots.


ROOTS = (ROOT, f"services/a/{ROOT}", f"services/b/{ROOT}")


@pytest.fixture(scope="module")
def monorepo(memory_template: Repo, tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """Three memories with the same records; the index of one is forged. Never changed."""
    repo = copied(memory_template, tmp_path_factory.mktemp("monorepo"))
    for root in ROOTS[1:]:
        write(repo, make_tree(*RECORDS, root=root))
    repo.commit()
    forge(repo, ROOTS[2])
    repo.commit()
    return repo


@every_mode
def test_each_memory_of_a_monorepo_is_judged_by_itself(monorepo: Repo, mode: list[str]) -> None:
    report = monorepo.verify(*mode)
    assert [(root["path"], root["status"]) for root in report["memory"]] == [
        (ROOTS[0], "verified"),
        (ROOTS[1], "verified"),
        (ROOTS[2], "failed"),
    ]
    assert [one["path"] for one in report["findings"]] == [f"{ROOTS[2]}/index.json"]
    assert (report["counts"]["memory_roots"], report["counts"]["records"]) == (3, 12)


def test_from_a_sub_folder_all_are_judged_and_a_path_is_relative(monorepo: Repo) -> None:
    inside = f"services/a/{ROOT}/banking"
    assert found(monorepo, *AT, cwd=inside) == [(f"{ROOTS[2]}/index.json", "KA304")]
    for path, roots in ((".", [ROOTS[1]]), ("../../..", [ROOTS[1]]), ("../../../../b", [ROOTS[2]])):
        report = monorepo.verify(*AT, path, cwd=inside)
        assert [root["path"] for root in report["memory"]] == roots


# Paths.


@pytest.fixture(scope="module")
def faulty(memory_template: Repo, tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """A record of each domain and the index are forged; and a second memory's index.

    Never changed.
    """
    repo = copied(memory_template, tmp_path_factory.mktemp("faulty"))
    relabel(repo, SECOND)
    relabel(repo, THIRD)
    forge(repo)
    write(repo, make_tree(*RECORDS, root=ROOTS[1]))
    forge(repo, ROOTS[1])
    repo.commit()
    repo.commit("another, whose parent has it all too")
    return repo


@pytest.mark.parametrize(
    ("path", "records", "expected"),
    [
        (ROOT, 4, [(path_of(SECOND), "KA205"), (INDEX, "KA304"), (path_of(THIRD), "KA205")]),
        (f"{ROOT}/banking", 2, [(path_of(SECOND), "KA205")]),
        (f"{ROOT}/retail/", 2, [(INDEX, "KA304"), (path_of(THIRD), "KA205")]),
        (f"{ROOT}/retail/_archive", 1, []),
        (path_of(SECOND), 1, [(path_of(SECOND), "KA205")]),
        (path_of(FIRST), 1, []),
        (path_of(OLD), 1, []),
        (INDEX, 0, [(INDEX, "KA304")]),
        (f"{ROOT}/config.json", 0, []),
        ("services", 4, [(f"{ROOTS[1]}/index.json", "KA304")]),
    ],
)
def test_a_path_narrows_what_is_reported(
    faulty: Repo, path: str, records: int, expected: list[tuple[str, str]]
) -> None:
    report = faulty.verify(*AT, path)
    assert [(one["path"], one["code"]) for one in report["findings"]] == expected
    assert report["counts"]["records"] == records
    assert report["counts"]["memory_roots"] == len(report["memory"]) == 1
    assert report["memory"][0]["status"] == ("failed" if expected else "verified")


def test_a_path_narrows_what_is_staged_and_a_commit_too(faulty: Repo) -> None:
    for mode in STAGED, REV:
        assert found(faulty, *mode, INDEX) == [(INDEX, "KA304")]
        assert found(faulty, *mode, f"{ROOT}/banking") == [(path_of(SECOND), "KA205")]


def test_the_index_is_compared_with_all_records_whatever_the_path(memory: Repo) -> None:
    memory.git("rm", "--quiet", path_of(THIRD))
    edit(memory, path_of(FIRST), reward=0.3, reward_label="needs_work")
    memory.git("add", "--all")
    for mode in AT, STAGED:
        assert kinds(memory, *mode, INDEX) == {"KA303", "KA304", "KA305", "KA306"}
        # And what it says of a record is said of the record's path too.
        assert found(memory, *mode, f"{ROOT}/banking") == [
            (path_of(FIRST), "KA504"),
            (INDEX, "KA304"),
        ]


def test_a_record_that_is_missing_from_the_index_is_found_by_its_path(memory: Repo) -> None:
    write(memory, {INDEX: make_tree(*RECORDS[1:])[INDEX]})
    assert found(memory, *AT, path_of(FIRST)) == [(path_of(FIRST), "KA302")]
    [finding] = memory.verify(*AT, path_of(FIRST))["findings"]
    assert [related["path"] for related in finding["related"]] == [INDEX]


def test_the_path_of_a_record_that_is_gone_is_refused(memory: Repo) -> None:
    memory.git("rm", "--quiet", path_of(THIRD))
    for mode in AT, STAGED:
        assert found(memory, *mode, path_of(THIRD)) == [(path_of(THIRD), "KA505")]
    memory.commit()
    for mode in AT, STAGED:
        assert f"{path_of(THIRD)} is not in " in memory.refusal(*mode, path_of(THIRD))
    assert found(memory, "--rev", "HEAD~1", path_of(THIRD)) == []


def test_a_missing_index_is_reported_for_the_memory_and_not_for_its_records(memory: Repo) -> None:
    memory.git("rm", "--quiet", INDEX)
    report = memory.verify(*AT, ROOT)
    assert [(one["path"], one["code"]) for one in report["findings"]] == [(INDEX, "KA301")]
    assert report["ok"] is True
    assert found(memory, *AT, path_of(FIRST)) == []
    assert memory.kattest("verify", "--strict", *AT).status == 1


def test_two_forged_things_of_different_parts_are_both_found(memory: Repo) -> None:
    memory.skill()
    memory.forge()
    forge(memory)
    memory.commit()
    for mode in MODES:
        assert kinds(memory, *mode) == {"KA101", "KA304"}
    assert kinds(memory, *REV, "--only", "memory") == {"KA304"}
    assert kinds(memory, *REV, "--only", "attestations") == {"KA101"}


def test_an_index_that_says_warm_of_an_old_enough_record_is_clean(empty: Repo) -> None:
    records = (make_record(), make_record("card_limits"))
    index = make_index(records, tiers={records[0]["id"]: "warm"})
    write(empty, make_tree(*records, index=index))
    empty.commit()
    assert found(empty, *REV) == [(INDEX, "KA307")], "days after it was stored"
    assert found(empty, *REV, "--as-of", "2026-04-15T00:00:00Z") == []
