"""The history: which version a round judged, found in one walk."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import pytest

from kattest.sources.commits import open_commit
from kattest.tree import Wanted
from tests.git.conftest import copied
from tests.support.git import ATTESTATIONS, FIRST_COMMIT, FOLDER, NAME, SKILL, Repo, attestations
from tests.support.rounds import ARTIFACT, dumps, make_round, sha256

MODES = [[], ["--staged"], ["--rev", "HEAD"]]
SEARCHING = [[], ["--rev", "HEAD"]]  # staged, published rounds are not searched for


def version(number: int) -> bytes:
    return f"# Version {number}\n".encode()


def judged_version(repo: Repo, *args: str) -> str:
    """The commit that KA111, and nothing else, names."""
    findings = repo.verify(*args)["findings"]
    assert [finding["code"] for finding in findings] == ["KA111"], findings
    [related] = findings[0]["related"]
    assert related["path"] == SKILL
    assert related["commit"][:12] in findings[0]["message"]
    return str(related["commit"])


@pytest.mark.parametrize("mode", SEARCHING, ids=str)
def test_a_superseded_artifact_names_the_commit_that_had_it(repo: Repo, mode: list[str]) -> None:
    judged = repo.git("rev-parse", "HEAD")
    for number in range(3):
        repo.write(SKILL, version(number))
        repo.commit()
    assert judged_version(repo, *mode) == judged


@pytest.mark.parametrize("mode", SEARCHING, ids=str)
def test_the_newest_commit_with_that_version_is_named(repo: Repo, mode: list[str]) -> None:
    repo.write(SKILL, version(1))
    repo.commit()
    repo.write(SKILL, ARTIFACT)
    repo.commit("back to what was judged")
    repo.write("elsewhere.txt", b"x\n")
    newest = repo.commit("has it still")
    repo.write(SKILL, version(2))
    repo.commit()
    assert judged_version(repo, *mode) == newest


@pytest.mark.parametrize("mode", SEARCHING, ids=str)
def test_a_path_from_the_attestation_files_folder_is_searched_for_too(
    repo: Repo, mode: list[str]
) -> None:
    repo.write(ATTESTATIONS, attestations("SKILL.md"))
    judged = repo.commit()
    repo.write(SKILL, version(1))
    repo.commit()
    assert judged_version(repo, *mode) == judged


def test_an_uncommitted_change_names_head(repo: Repo) -> None:
    repo.write(SKILL, version(1))
    assert judged_version(repo) == repo.git("rev-parse", "HEAD")


@pytest.mark.parametrize("mode", SEARCHING, ids=str)
def test_a_version_that_never_was_is_unknown(repo: Repo, mode: list[str]) -> None:
    repo.add_round(artifact=b"never committed\n")
    repo.commit()
    report = repo.verify(*mode)
    assert [finding["code"] for finding in report["findings"]] == ["KA110"]
    assert [one["artifact"] for one in report["rounds"]] == ["current", "unknown"]


@pytest.mark.parametrize("mode", SEARCHING, ids=str)
def test_a_version_of_another_file_is_unknown(repo: Repo, mode: list[str]) -> None:
    repo.write("elsewhere.md", b"once elsewhere\n")
    repo.commit()
    repo.git("rm", "--quiet", "elsewhere.md")
    repo.add_round(artifact=b"once elsewhere\n")
    repo.commit()
    assert repo.codes(*mode) == ["KA110"]


def test_a_version_of_a_branch_that_was_not_merged_is_unknown(repo: Repo) -> None:
    repo.git("switch", "--quiet", "--create", "side")
    repo.skill(artifact=version(1))
    repo.commit()
    repo.git("switch", "--quiet", "main")
    repo.add_round(artifact=version(1))
    repo.commit()
    assert repo.codes("--rev", "main") == ["KA110"]


def test_a_later_version_is_unknown_to_an_earlier_commit(repo: Repo) -> None:
    repo.add_round(artifact=version(1), evaluation_id="too early")
    repo.commit("judged before it was committed")
    repo.write(SKILL, version(1))
    repo.commit()
    assert repo.codes("--rev", "HEAD") == []
    assert repo.codes("--rev", "HEAD~1") == ["KA110"]


@pytest.mark.parametrize("mode", SEARCHING, ids=str)
def test_a_version_that_only_the_other_side_of_a_merge_had(repo: Repo, mode: list[str]) -> None:
    repo.git("switch", "--quiet", "--create", "side")
    repo.write(SKILL, version(1))
    repo.add_round()
    side = repo.commit()
    repo.git("switch", "--quiet", "main")
    repo.write("elsewhere.txt", b"x\n")
    repo.commit()
    repo.git("merge", "--no-ff", "--no-commit", "side")
    repo.write(SKILL, version(2))
    repo.commit("the merge changes it again")
    assert repo.git("rev-list", "--count", "--merges", "HEAD") == "1"
    assert judged_version(repo, *mode) == side


@pytest.mark.parametrize("mode", SEARCHING, ids=str)
def test_a_version_of_any_side_of_an_octopus_merge(repo: Repo, mode: list[str]) -> None:
    sides = []
    for number in range(3):
        repo.git("switch", "--quiet", "--create", f"side-{number}", "main")
        repo.write(f"skill-{number}.md", version(number))
        sides.append(repo.commit())
        repo.write(f"skill-{number}.md", b"later\n")
        repo.write(
            f"attestations/{number}/{NAME}", attestations(f"skill-{number}.md", version(number))
        )
        repo.commit()
    repo.git("switch", "--quiet", "main")
    repo.git("merge", "--quiet", "side-0", "side-1", "side-2", "--no-ff", "-m", "octopus")
    findings = repo.verify(*mode)["findings"]
    assert [finding["related"][0]["commit"] for finding in findings] == sides


@pytest.mark.parametrize("mode", SEARCHING, ids=str)
def test_clocks_that_ran_backwards_hide_nothing(repo: Repo, mode: list[str]) -> None:
    judged = repo.git("rev-parse", "HEAD")
    for number in range(3):
        repo.write(SKILL, version(number))
        earlier = f"{FIRST_COMMIT - 1000 * number} +0000"
        repo.at(repo.top, GIT_COMMITTER_DATE=earlier).commit()
    assert judged_version(repo, *mode) == judged


@pytest.mark.parametrize("mode", SEARCHING, ids=str)
def test_a_symlink_of_the_history_is_no_version(repo: Repo, mode: list[str]) -> None:
    (repo.top / "linked.md").symlink_to("target")
    repo.commit()
    (repo.top / "linked.md").unlink()
    repo.write("linked.md", b"a file now\n")
    repo.write(f"linked/{NAME}", attestations("linked.md", b"target"))
    repo.commit()
    assert repo.codes(*mode) == ["KA110"]


@pytest.mark.parametrize("mode", SEARCHING, ids=str)
def test_a_git_lfs_pointer_of_the_history_is_a_version(repo: Repo, mode: list[str]) -> None:
    pointer = (
        b"version https://git-lfs.github.com/spec/v1\n"
        b"oid sha256:" + sha256(b"the content").encode() + b"\nsize 11\n"
    )
    repo.git("rm", "--quiet", "-r", FOLDER)
    repo.commit()
    repo.write(SKILL, pointer)
    judged = repo.commit()
    repo.skill(artifact=b"the content", evaluation_id="of the content")
    repo.write(SKILL, version(1))
    repo.commit()
    assert judged_version(repo, *mode) == judged


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_only_the_newest_round_is_reported_when_superseded(repo: Repo, mode: list[str]) -> None:
    rounds = [make_round(evaluation_id="first", path=SKILL)]
    for number in 1, 2:
        judged = make_round(evaluation_id=f"{number}", path=SKILL, artifact=version(number))
        judged["completed_at"] = f"2026-03-01T13:0{number}:00Z"
        rounds.append(judged)
        repo.write(SKILL, version(number))
        repo.write(ATTESTATIONS, dumps(*rounds))
        repo.commit()
    assert repo.codes(*mode) == []
    repo.write(SKILL, version(3))
    repo.git("add", SKILL)
    repo.git("commit", "-m", "superseded")
    report = repo.verify(*mode)
    assert [(one["code"], one["pointer"]) for one in report["findings"]] == [
        ("KA111", "/evaluations/2/artifact_hash")
    ]
    assert [one["artifact"] for one in report["rounds"]] == ["superseded"] * 3


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_a_renamed_skill_keeps_its_round(repo: Repo, mode: list[str]) -> None:
    repo.git("mv", FOLDER, "skills/renamed")
    repo.git("commit", "-m", "renamed")
    report = repo.verify(*mode)
    assert [(one["code"], one["severity"]) for one in report["findings"]] == [("KA115", "info")]
    assert report["findings"][0]["related"][0]["path"] == "skills/renamed/SKILL.md"
    assert report["rounds"][0]["artifact"] == "moved"
    assert report["rounds"][0]["status"] == "verified"


def test_a_rename_can_be_committed(repo: Repo) -> None:
    repo.hook()
    repo.git("mv", FOLDER, "skills/renamed")
    assert repo.try_git("commit", "-m", "renamed").status == 0


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_a_renamed_skill_keeps_its_older_rounds(repo: Repo, mode: list[str]) -> None:
    second = make_round(evaluation_id="second", path=SKILL, artifact=version(2))
    second["completed_at"] = "2026-03-01T13:00:00Z"
    repo.write(SKILL, version(2))
    repo.write(ATTESTATIONS, dumps(make_round(evaluation_id="first", path=SKILL), second))
    repo.commit()
    repo.git("mv", FOLDER, "skills/renamed")
    repo.git("commit", "-m", "renamed")
    report = repo.verify(*mode)
    assert [one["code"] for one in report["findings"]] == ["KA115"]
    assert [one["artifact"] for one in report["rounds"]] == ["superseded", "moved"]


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_a_renamed_skill_that_was_changed_and_judged_again_keeps_its_older_rounds(
    repo: Repo, mode: list[str]
) -> None:
    repo.git("mv", FOLDER, "skills/renamed")
    moved = "skills/renamed/SKILL.md"
    second = make_round(evaluation_id="second", path=moved, artifact=version(2))
    second["completed_at"] = "2026-03-01T13:00:00Z"
    repo.write(moved, version(2))
    first = make_round(evaluation_id=f"eval {SKILL}", path=SKILL)
    repo.write(f"skills/renamed/{NAME}", dumps(first, second))
    repo.commit()
    report = repo.verify(*mode)
    assert [one["severity"] for one in report["findings"] if one["severity"] == "error"] == []
    assert [one["artifact"] for one in report["rounds"]] == ["superseded", "current"]


def test_a_renamed_and_changed_skill_that_was_not_judged_again_is_missing(repo: Repo) -> None:
    repo.git("mv", FOLDER, "skills/renamed")
    repo.write("skills/renamed/SKILL.md", version(2))
    repo.git("add", "--all")
    assert repo.codes("--staged") == ["KA112"]


# A long history, written at once: version N of the artifact is in commit N alone.


LONG = 300


@pytest.fixture(scope="module")
def long(empty_template: Repo, tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """A linear history of many versions. Never changed, but for untracked attestation files."""
    empty = copied(empty_template, tmp_path_factory.mktemp("long"))
    stream = b""
    for number in range(LONG):
        data = version(number)
        stream += (
            b"commit refs/heads/main\n"
            b"committer C <c@example.org> %d +0000\n"
            b"data 1\nx\n"
            b"M 100644 inline %s\ndata %d\n%s\n"
        ) % (FIRST_COMMIT + number, SKILL.encode(), len(data), data)
    empty.git("fast-import", "--quiet", stdin=stream)
    empty.git("reset", "--quiet", "--hard", "main")
    return empty


def find(repo: Repo, numbers: list[int]) -> tuple[Mapping[Wanted, str], list[int]]:
    """What the history has of these versions, and what its progress was told."""
    told: list[int] = []
    source = open_commit(repo.top, "HEAD", told.append)
    wanted = frozenset(Wanted((SKILL,), sha256(version(number))) for number in numbers)
    return source.history.find(wanted), told


@pytest.fixture
def no_git_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    """For what runs in this process."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)


@pytest.mark.usefixtures("no_git_variables")
@pytest.mark.parametrize("wanted", [1, 2, 50])
def test_one_walk_finds_all_and_ends_at_the_oldest(long: Repo, wanted: int) -> None:
    oldest = LONG - 60
    numbers = [oldest + number for number in range(wanted)]
    found, told = find(long, numbers)
    assert len(found) == wanted
    visited = LONG - oldest
    assert told in ([*range(1, visited)], [*range(1, visited + 1)])


@pytest.mark.usefixtures("no_git_variables")
def test_each_version_is_found_in_its_own_commit(long: Repo) -> None:
    commits = long.git("rev-list", "--reverse", "main").split()
    numbers = [0, 7, 150, LONG - 1]
    found, _ = find(long, numbers)
    assert {wanted.hex: commit for wanted, commit in found.items()} == {
        sha256(version(number)): commits[number] for number in numbers
    }


@pytest.mark.usefixtures("no_git_variables")
def test_a_version_that_never_was_takes_one_whole_walk(long: Repo) -> None:
    found, told = find(long, [5, LONG + 1])
    assert len(found) == 1
    assert told == [*range(1, LONG + 1)]


def test_many_rounds_over_a_long_history(long: Repo) -> None:
    rounds = []
    for number in range(0, LONG, 10):
        judged = make_round(evaluation_id=f"{number}", path=SKILL, artifact=version(number))
        judged["completed_at"] = f"2026-03-01T{13 + number // 60}:{number % 60:02}:00Z"
        rounds.append(judged)
    long.write(ATTESTATIONS, dumps(*rounds))
    report = long.verify()
    assert [one["artifact"] for one in report["rounds"]] == ["superseded"] * len(rounds)
    assert [one["pointer"] for one in report["findings"]] == ["/evaluations/29/artifact_hash"]


# Shallow clones: what was cut off is neither there nor gone.


@pytest.fixture
def changed(repo: Repo) -> Repo:
    """An honest skill, changed twice since it was judged."""
    for number in 1, 2:
        repo.write(SKILL, version(number))
        repo.commit()
    return repo


@pytest.mark.parametrize("mode", SEARCHING, ids=str)
@pytest.mark.parametrize("depth", [1, 2])
def test_a_history_that_was_cut_off_is_not_taken_for_the_whole(
    changed: Repo, depth: int, mode: list[str]
) -> None:
    shallow = changed.clone("shallow", f"--depth={depth}")
    said = shallow.refusal(*mode)
    if mode and depth == 1:
        assert "its parents are not here" in said
    else:
        assert f'cut off before the version of "{SKILL}" that was judged' in said
    assert "git fetch --unshallow" in said
    assert "fetch-depth: 0" in said


def test_a_commit_beyond_the_cut_is_named_with_the_remedy(changed: Repo) -> None:
    shallow = changed.clone("shallow", "--depth=1")
    said = shallow.refusal("--rev", "HEAD~1")
    assert '"HEAD~1" names no commit' in said
    assert "git fetch --unshallow" in said


@pytest.mark.parametrize("what", ["HEAD~1", "HEAD~1^{tree}", f"HEAD~2:{SKILL}"])
@pytest.mark.parametrize("damage", ["missing", "not an object", "another object"])
def test_a_damaged_history_is_not_taken_for_the_whole(
    changed: Repo, what: str, damage: str
) -> None:
    parent = changed.git("rev-parse", "HEAD~1")
    file = changed.object(what)
    file.unlink()
    if damage == "not an object":
        file.write_bytes(b"damaged")
    elif damage == "another object":
        file.write_bytes(changed.object(f"HEAD:{ATTESTATIONS}").read_bytes())
    assert "git fsck" in changed.refusal()
    said = changed.refusal("--rev", "HEAD")
    if what == "HEAD~1":  # the parent's configuration is what is looked for first
        assert parent in said
    else:
        assert "git fsck" in said


@pytest.mark.parametrize("what", ["HEAD~1", "HEAD~1^{tree}", f"HEAD~1:{FOLDER}"])
def test_a_commit_whose_parent_is_damaged_is_not_judged_by_the_defaults(
    repo: Repo, what: str
) -> None:
    """Its artifact is what was judged, so that nothing else is searched for."""
    repo.write("elsewhere.txt", b"x\n")
    repo.write(f"{FOLDER}/more.txt", b"x\n")
    repo.commit()
    repo.object(what).unlink()
    assert repo.codes() == []
    repo.refusal("--rev", "HEAD")


def test_the_remedy_for_a_shallow_clone_mends_it(changed: Repo) -> None:
    shallow = changed.clone("shallow", "--depth=1")
    shallow.git("fetch", "--quiet", "--unshallow")
    for mode in SEARCHING:
        assert shallow.codes(*mode) == ["KA111"]


@pytest.mark.parametrize("mode", SEARCHING, ids=str)
def test_a_shallow_clone_that_is_deep_enough_will_do(changed: Repo, mode: list[str]) -> None:
    judged = changed.git("rev-parse", "HEAD~1")
    changed.git("rm", "--quiet", ATTESTATIONS)
    changed.git("commit", "--quiet", "--amend", "--no-edit")
    changed.write(ATTESTATIONS, attestations(artifact=version(1), evaluation_id="new"))
    changed.commit()
    shallow = changed.clone("shallow", "--depth=3")
    assert shallow.git("rev-list", "--count", "HEAD") == "3"
    assert judged_version(shallow, *mode) == changed.git("rev-parse", "HEAD~2") == judged


def test_a_shallow_clone_is_fine_where_nothing_is_searched_for(repo: Repo) -> None:
    repo.commit("another")
    shallow = repo.clone("shallow", "--depth=1")
    assert shallow.git("rev-parse", "--is-shallow-repository") == "true"
    for mode in [], ["--staged"]:
        assert shallow.codes(*mode) == []
    said = shallow.refusal("--rev", "HEAD")
    assert "its parents are not here" in said
    assert "git fetch --unshallow" in said


def test_staged_does_not_search_for_what_head_has(changed: Repo) -> None:
    shallow = changed.clone("shallow", "--depth=1")
    shallow.hook()
    shallow.write("elsewhere.txt", b"x\n")
    shallow.git("add", "--all")
    report = shallow.verify("--staged")
    assert [one["code"] for one in report["findings"]] == ["KA111"]
    assert "published before" in report["findings"][0]["message"]
    assert shallow.try_git("commit", "-m", "x").status == 0


def test_staged_searches_for_new_rounds(changed: Repo) -> None:
    changed.add_round(artifact=version(1), evaluation_id="new")
    changed.git("add", "--all")
    assert judged_version(changed, "--staged") == changed.git("rev-parse", "HEAD~1")
    shallow = changed.clone("shallow", "--depth=1")
    shallow.add_round(artifact=version(1), evaluation_id="newer")
    shallow.git("add", "--all")
    assert "git fetch --unshallow" in shallow.refusal("--staged")


@pytest.mark.parametrize(
    "changes",
    [{"evaluation_id": "another"}, {"artifact": b"made up\n"}],
    ids=["another id", "another artifact"],
)
def test_staged_takes_no_round_for_a_published_one_that_differs_from_it(
    repo: Repo, changes: dict[str, Any]
) -> None:
    published: dict[str, Any] = {"evaluation_id": "published", "artifact": b"never committed\n"}
    repo.write(ATTESTATIONS, attestations(**published))
    repo.commit()
    assert repo.codes("--staged") == ["KA111"]
    repo.write(ATTESTATIONS, attestations(**{**published, **changes}))
    repo.git("add", "--all")
    lost = "KA501" if "artifact" in changes else "KA502"
    assert sorted(repo.codes("--staged")) == ["KA110", lost]


def test_staged_knows_a_published_round_in_a_renamed_folder(changed: Repo) -> None:
    shallow = changed.clone("shallow", "--depth=1")
    shallow.git("mv", ATTESTATIONS, NAME)
    assert shallow.codes("--staged") == ["KA111"]
    assert shallow.codes("--staged", NAME) == ["KA111"]


@pytest.mark.parametrize("options", [[], ["--staged"], ["--rev", "HEAD"]], ids=str)
def test_a_version_beside_the_file_before_its_folder_was_renamed(
    empty: Repo, options: list[str]
) -> None:
    """The round names its artifact by the path from its own folder."""
    first = make_round(evaluation_id="first", path="SKILL.md")
    empty.write(SKILL, ARTIFACT)
    empty.write(ATTESTATIONS, dumps(first))
    empty.commit()
    edited = ARTIFACT + b"edited\n"
    second = make_round(evaluation_id="second", path="SKILL.md", artifact=edited)
    empty.write(SKILL, edited)
    empty.write(ATTESTATIONS, dumps(first, second))
    empty.commit()
    for folder in "skills/renamed", "renamed again":
        empty.git(
            "mv", "skills/explore" if folder == "skills/renamed" else "skills/renamed", folder
        )
        empty.commit()
    report = empty.verify(*options)
    assert report["findings"] == []
    assert [one["artifact"] for one in report["rounds"]] == ["superseded", "current"]
    never = make_round(evaluation_id="never", path="SKILL.md", artifact=b"what never was\n")
    file = "renamed again/.judge-attestations.json"
    empty.write(file, dumps(never, first, second))
    empty.git("add", "--all")
    if "--rev" in options:
        empty.commit()
    assert "KA110" in empty.codes(*options)
