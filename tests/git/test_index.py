"""--staged: the tree that a commit of the index would hold."""

from __future__ import annotations

import pytest

from tests.support.git import ATTESTATIONS, FOLDER, NAME, SKILL, Repo
from tests.support.rounds import ARTIFACT


def test_the_index_is_judged_and_nothing_else(repo: Repo) -> None:
    repo.forge_new()
    assert repo.codes("--staged") == []
    repo.git("add", ATTESTATIONS)
    assert repo.codes("--staged") == ["KA101"]
    (repo.top / ATTESTATIONS).unlink()
    assert repo.codes("--staged") == ["KA101"]


def test_untracked_files_are_not_in_the_index(repo: Repo) -> None:
    repo.skill("untracked")
    repo.forge("untracked")
    report = repo.verify("--staged")
    assert report["findings"] == []
    assert report["counts"]["attestation_files"] == 1


def test_an_artifact_that_is_staged_in_part_is_judged_as_it_is_staged(repo: Repo) -> None:
    repo.write(SKILL, b"staged\n")
    repo.git("add", SKILL)
    repo.write(SKILL, ARTIFACT)
    assert repo.codes("--staged") == ["KA111"]
    assert repo.codes() == []


def test_intent_to_add_is_not_in_the_commit(repo: Repo) -> None:
    repo.skill("intended")
    repo.forge("intended")
    repo.git("add", "--intent-to-add", "intended")
    report = repo.verify("--staged")
    assert report["findings"] == []
    assert report["counts"]["attestation_files"] == 1


def test_an_artifact_that_is_only_intended_is_missing(repo: Repo) -> None:
    repo.skill("intended", b"intended\n")
    repo.git("add", f"intended/{NAME}")
    repo.git("add", "--intent-to-add", "intended/SKILL.md")
    assert repo.codes("--staged") == ["KA112"]


@pytest.fixture
def conflicted(repo: Repo) -> Repo:
    """A merge that stopped at a conflict in the artifact."""
    repo.git("switch", "--quiet", "--create", "side")
    repo.write(SKILL, b"theirs\n")
    repo.commit()
    repo.git("switch", "--quiet", "main")
    repo.write(SKILL, b"ours\n")
    repo.commit()
    assert repo.try_git("merge", "side").status == 1
    return repo


def test_a_conflicted_index_cannot_be_judged(conflicted: Repo) -> None:
    said = conflicted.refusal("--staged")
    assert f'the index has a conflict at "{SKILL}"' in said
    assert "git add" in said


def test_a_conflict_elsewhere_refuses_just_the_same(repo: Repo) -> None:
    stages = "".join(f"100644 {repo.git('hash-object', SKILL)} {n}\telsewhere\n" for n in (1, 2, 3))
    repo.git("update-index", "--index-info", stdin=stages.encode())
    assert 'the index has a conflict at "elsewhere"' in repo.refusal("--staged")
    assert 'the index has a conflict at "elsewhere"' in repo.refusal("--staged", FOLDER)


def test_the_working_tree_is_judged_amid_a_conflict(conflicted: Repo) -> None:
    assert conflicted.codes() == ["KA111"]
    conflicted.write(SKILL, ARTIFACT)
    assert conflicted.codes() == []


def test_a_resolved_conflict_is_judged(conflicted: Repo) -> None:
    conflicted.write(SKILL, ARTIFACT)
    conflicted.git("add", SKILL)
    assert conflicted.codes("--staged") == []


@pytest.mark.parametrize("flag", ["--assume-unchanged", "--skip-worktree"])
def test_flags_that_hide_changes_do_not_hide_the_index(repo: Repo, flag: str) -> None:
    repo.forge_new()
    repo.git("add", ATTESTATIONS)
    repo.git("update-index", flag, ATTESTATIONS)
    assert repo.codes("--staged") == ["KA101"]
    assert repo.codes() == ["KA101"]


def test_assume_unchanged_does_not_hide_the_working_copy(repo: Repo) -> None:
    repo.git("update-index", "--assume-unchanged", ATTESTATIONS)
    repo.forge_new()
    assert repo.codes() == ["KA101"]


@pytest.mark.parametrize("version", ["2", "3", "4"])
def test_every_version_of_the_index_is_read(repo: Repo, version: str) -> None:
    for number in range(5):
        repo.skill(f"skills/skill-{number}", f"{number}\n".encode())
    repo.forge("skills/skill-3")
    repo.git("add", ".")
    repo.git("update-index", "--index-version", version)
    report = repo.verify("--staged")
    assert [finding["code"] for finding in report["findings"]] == ["KA101"]
    assert report["counts"]["attestation_files"] == 6


def test_an_executable_file_is_a_file(repo: Repo) -> None:
    repo.git("update-index", "--chmod=+x", SKILL, ATTESTATIONS)
    assert repo.codes("--staged") == []


def test_a_damaged_index_is_not_passed_over(repo: Repo) -> None:
    (repo.top / ".git" / "index").write_bytes(b"DIRC, but no index")
    assert "the index" in repo.refusal("--staged")
    assert "the index" in repo.refusal()


@pytest.mark.parametrize("path", [ATTESTATIONS, SKILL])
@pytest.mark.parametrize("damage", ["missing", "not an object", "another object"])
def test_a_damaged_blob_is_not_passed_over(repo: Repo, path: str, damage: str) -> None:
    file = repo.object(f":{path}")
    file.unlink()
    if damage == "not an object":
        file.write_bytes(b"damaged")
    elif damage == "another object":
        repo.write("another", b"another\n")
        oid = repo.git("hash-object", "-w", "another")
        file.write_bytes(repo.object(oid).read_bytes())
    for mode in ["--staged"], ["--rev", "HEAD"]:
        said = repo.refusal(*mode)
        assert f'the blob of "{path}" is missing from the object database, or damaged' in said
        assert "git fsck" in said


@pytest.mark.parametrize("what", ["HEAD", "HEAD^{tree}", f"HEAD:{FOLDER}"])
def test_a_damaged_head_is_not_passed_over(repo: Repo, what: str) -> None:
    repo.object(what).unlink()
    for mode in [], ["--staged"], ["--rev", "HEAD"]:
        repo.refusal(*mode)


def test_no_index_at_all_is_an_empty_one_as_for_git(repo: Repo) -> None:
    (repo.top / ".git" / "index").unlink()
    assert repo.git("ls-files") == ""
    done = repo.kattest("verify", "--staged")
    assert done.status == 0
    assert "nothing to check: what is staged holds no .judge-attestations.json" in done.stdout
