"""What a repository may call things, and other objects that it may hold out for one's own."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.git.conftest import copied
from tests.support.git import ATTESTATIONS, FOLDER, NAME, SKILL, Repo, attestations
from tests.support.rounds import ARTIFACT

pytestmark = pytest.mark.slow  # many real repositories, and runs in them

MODES = [[], ["--staged"], ["--rev", "HEAD"]]
FORMATS = ["sha1", "sha256"]
every_format = pytest.mark.parametrize("hash_name", FORMATS)


@pytest.fixture(scope="module")
def templates(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Repo]:
    """A repository of each format whose only commit holds one honest skill. Never changed."""
    made = {}
    for name in FORMATS:
        top = tmp_path_factory.mktemp(name) / "repo"
        made[name] = Repo.init(top, "--template=", f"--object-format={name}")
        made[name].skill()
        made[name].commit("An honest skill")
    return made


@pytest.fixture
def any_repo(templates: dict[str, Repo], hash_name: str, tmp_path: Path) -> Repo:
    """A copy of the one of a format, to be changed."""
    return copied(templates[hash_name], tmp_path)


def found(repo: Repo, *args: str) -> list[tuple[str, str]]:
    """Where something was found, and what; each once."""
    return sorted({(one["path"], one["code"]) for one in repo.verify(*args)["findings"]})


# Objects that stand for others.


@every_format
@pytest.mark.parametrize("what", ["HEAD", "HEAD^{tree}", f"HEAD:{ATTESTATIONS}"])
def test_replaced_objects_are_not_what_was_committed(any_repo: Repo, what: str) -> None:
    honest = any_repo.git("rev-parse", what)
    any_repo.forge_new()
    any_repo.commit()
    any_repo.git("replace", any_repo.git("rev-parse", what), honest)
    for mode in *MODES[1:], ["--range", "HEAD~1..HEAD"]:
        assert any_repo.codes(*mode) == ["KA101"], mode


@every_format
def test_a_replaced_base_is_not_what_was_published(any_repo: Repo) -> None:
    any_repo.git("rm", "--quiet", "--cached", ATTESTATIONS)
    any_repo.git("commit", "--quiet", "--message", "without the round")
    without = any_repo.git("rev-parse", "HEAD")
    any_repo.git("replace", any_repo.git("rev-parse", "HEAD~1"), without)
    for mode in ["--rev", "HEAD"], ["--range", "HEAD~1..HEAD"]:
        assert found(any_repo, *mode) == [(ATTESTATIONS, "KA503")], mode


@every_format
def test_grafts_do_not_change_what_a_commit_grew_from(any_repo: Repo) -> None:
    """An older way to give a commit other parents, or none."""
    any_repo.git("rm", "--quiet", "--cached", ATTESTATIONS)
    any_repo.git("commit", "--quiet", "--message", "without the round")
    any_repo.write(".git/info/grafts", f"{any_repo.git('rev-parse', 'HEAD')}\n".encode())
    for mode in ["--rev", "HEAD"], ["--range", f"{parent(any_repo)}..HEAD"]:
        assert found(any_repo, *mode) == [(ATTESTATIONS, "KA503")], mode


def parent(repo: Repo) -> str:
    """The parent that HEAD has, whatever the repository says of it."""
    return repo.git("cat-file", "commit", "HEAD").split("\nparent ")[1][
        : len(repo.git("rev-parse", "HEAD"))
    ]


@every_format
def test_objects_of_an_alternate_are_read(any_repo: Repo) -> None:
    any_repo.forge_new()
    any_repo.commit()
    any_repo.git("clone", "--quiet", "--shared", str(any_repo.top), "../borrower")
    borrower = any_repo.at(any_repo.top.parent / "borrower")
    assert (borrower.top / ".git/objects/info/alternates").exists()
    for mode in *MODES, ["--range", "HEAD~1..HEAD"]:
        assert borrower.codes(*mode) == ["KA101"], mode
    other = any_repo.at(any_repo.top, GIT_ALTERNATE_OBJECT_DIRECTORIES=str(borrower.top / "none"))
    assert other.codes("--rev", "HEAD") == ["KA101"]


# Names.


@every_format
def test_names_that_are_not_utf8_are_followed(any_repo: Repo) -> None:
    folder = os.fsdecode(b"caf\xe9\xff")
    shown = rf"caf\xe9\xff/{NAME}"
    any_repo.write(f"{folder}/SKILL.md", ARTIFACT)
    any_repo.write(f"{folder}/{NAME}", attestations("SKILL.md"))
    any_repo.commit()
    for mode in MODES:
        report = any_repo.verify(*mode)
        assert report["findings"] == []
        assert shown in {one["path"] for one in report["rounds"]}
    (any_repo.top / folder / NAME).unlink()
    any_repo.git("add", "--all")
    for mode in MODES[:2]:
        assert found(any_repo, *mode) == [(shown, "KA503")], mode
    any_repo.commit()
    for mode in ["--rev", "HEAD"], ["--range", "HEAD~1..HEAD"]:
        assert found(any_repo, *mode) == [(shown, "KA503")], mode


TWINS = {
    "case": ("skills/Explore", FOLDER),
    "composition": ("skills/cafe\u0301", "skills/caf\u00e9"),
}


@every_format
@pytest.mark.parametrize(("twin", "folder"), TWINS.values(), ids=TWINS)
def test_twins_of_an_attestation_file_and_of_its_artifact(
    any_repo: Repo, twin: str, folder: str
) -> None:
    """A file system that does not tell them apart holds one of the two."""
    if folder != FOLDER:
        any_repo.skill(folder)
        any_repo.commit()
    any_repo.write(f"{twin}/SKILL.md", b"another\n")
    any_repo.write(f"{twin}/{NAME}", b"{}")
    any_repo.commit()
    for mode in MODES:
        there = found(any_repo, *mode)
        assert (f"{folder}/{NAME}", "KA113") in there, mode
        assert {path for path, code in there if code == "KA006"}, mode


@every_format
def test_an_attestation_file_by_another_case_is_no_attestation_file(any_repo: Repo) -> None:
    other = f"{FOLDER}/.Judge-Attestations.JSON"
    any_repo.write(other, b"{}")
    any_repo.commit()
    for mode in MODES:
        assert (other, "KA006") in found(any_repo, *mode), mode


@every_format
def test_a_new_artifact_by_another_case_does_not_stand_in_for_it(any_repo: Repo) -> None:
    any_repo.git("rm", "--quiet", "--cached", SKILL)
    (any_repo.top / SKILL).unlink()
    any_repo.write(f"{FOLDER}/skill.md", b"changed\n")
    any_repo.commit()
    for mode in MODES:
        assert {code for _, code in found(any_repo, *mode)} <= {"KA112", "KA113"}, mode
        assert found(any_repo, *mode), mode
