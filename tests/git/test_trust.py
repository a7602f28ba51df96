""".kattest.yaml is read from the published state, never from the change that it would loosen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.git.conftest import copied
from tests.support.git import ATTESTATIONS, FOLDER, SKILL, Repo

CONFIG = ".kattest.yaml"
LOOSE = b"severity: {KA101: off}\n"
BROKEN = b"severity:\n  KA101: [maybe]\n"
CHANGE = [[], ["--staged"]]
ALL = [*CHANGE, ["--rev", "HEAD"]]
DEFAULTS = b"severity: {}\n"


def says(report: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Where something was found, what, and how bad that is."""
    return [(one["path"], one["code"], one["severity"]) for one in report["findings"]]


def notes(repo: Repo, *args: str) -> str:
    return "\n".join(
        line
        for line in repo.kattest("verify", *args).stdout.splitlines()
        if line.startswith("note:")
    )


@pytest.fixture(scope="module")
def loose_template(honest_template: Repo, tmp_path_factory: pytest.TempPathFactory) -> Repo:
    repo = copied(honest_template, tmp_path_factory.mktemp("loose"))
    repo.write(CONFIG, LOOSE)
    repo.commit()
    return repo


@pytest.fixture
def loose(loose_template: Repo, tmp_path: Path) -> Repo:
    """A repository whose published configuration turns KA101 off."""
    return copied(loose_template, tmp_path)


@pytest.mark.parametrize("mode", CHANGE, ids=str)
def test_the_published_configuration_counts(loose: Repo, mode: list[str]) -> None:
    loose.forge_new()
    loose.git("add", "--all")
    said = notes(loose, "-v", *mode)
    assert f"note: configuration: HEAD:{CONFIG}" in said
    assert "note: these rules did not report: KA101" in said
    assert loose.codes(*mode) == []


@pytest.mark.parametrize("mode", CHANGE, ids=str)
@pytest.mark.parametrize("own", [LOOSE, b"exclude: ['*']\n", b"limits: {document_bytes: 1}\n"])
def test_a_change_that_loosens_it_does_not_count_yet(
    repo: Repo, own: bytes, mode: list[str]
) -> None:
    repo.write(CONFIG, own)
    repo.forge_new()
    repo.git("add", "--all")
    report = repo.verify(*mode)
    assert says(report) == [(CONFIG, "KA509", "info"), (ATTESTATIONS, "KA101", "error")]
    assert report["config"] is None


@pytest.mark.parametrize("mode", CHANGE, ids=str)
def test_removing_it_does_not_count_yet(loose: Repo, mode: list[str]) -> None:
    (loose.top / CONFIG).unlink()
    loose.forge_new()
    loose.git("add", "--all")
    report = loose.verify(*mode)
    assert says(report) == [(CONFIG, "KA509", "info")]
    assert report["config"] == f"HEAD:{CONFIG}"


@pytest.mark.parametrize("mode", CHANGE, ids=str)
def test_a_change_that_means_the_same_is_said_too(loose: Repo, mode: list[str]) -> None:
    loose.write(CONFIG, b"# why\n" + LOOSE)
    loose.git("add", "--all")
    assert says(loose.verify(*mode)) == [(CONFIG, "KA509", "info")]


def test_a_loosening_cannot_be_committed_with_what_it_would_hide(repo: Repo) -> None:
    repo.hook()
    repo.write(CONFIG, LOOSE)
    repo.forge_new()
    repo.git("add", "--all")
    assert repo.try_git("commit", "-m", "both at once").status != 0
    repo.git("reset", "--quiet", ATTESTATIONS)
    assert repo.try_git("commit", "-m", "the configuration alone").status == 0


@pytest.mark.parametrize("mode", CHANGE, ids=str)
def test_before_the_first_commit_its_own_counts(empty: Repo, mode: list[str]) -> None:
    empty.skill()
    empty.forge_new()
    empty.write(CONFIG, LOOSE)
    empty.git("add", "--all")
    assert empty.codes(*mode) == []
    assert "this tree's own" in notes(empty, *mode)


@pytest.mark.parametrize("own", [LOOSE, b"exclude: ['*']\n", b"limits: {document_bytes: 1}\n"])
def test_a_commit_that_loosens_and_forges_at_once_fails(repo: Repo, own: bytes) -> None:
    repo.forge_new()
    repo.write(CONFIG, own)
    repo.commit()
    report = repo.verify("--rev", "HEAD")
    assert says(report) == [(CONFIG, "KA509", "info"), (ATTESTATIONS, "KA101", "error")]
    assert report["config"] is None


def test_a_commit_is_judged_by_its_first_parents(loose: Repo) -> None:
    loose.forge_new()
    forged = loose.commit()
    (loose.top / CONFIG).unlink()
    removed = loose.commit()
    loose.commit("by the defaults")
    published = notes(loose, "-v", "--rev", "HEAD~2").splitlines()
    assert f"note: configuration: {forged[:12]}^:{CONFIG}" in published
    assert "note: these rules did not report: KA101" in published
    assert loose.codes("--rev", "HEAD~2") == []
    report = loose.verify("--rev", "HEAD~1")
    assert says(report) == [(CONFIG, "KA509", "info")]
    assert report["config"] == f"{removed[:12]}^:{CONFIG}"
    report = loose.verify("--rev", "HEAD")
    assert says(report) == [(ATTESTATIONS, "KA101", "error")]
    assert report["config"] is None


def test_a_merge_is_judged_by_the_branch_that_it_is_merged_into(repo: Repo) -> None:
    repo.git("switch", "--quiet", "--create", "side")
    repo.write(CONFIG, LOOSE)
    repo.commit("loose, on the side")
    repo.forge_new()
    repo.commit("forged, where that is allowed")
    repo.git("switch", "--quiet", "main")
    repo.git("merge", "--quiet", "--no-ff", "side", "-m", "merge")
    assert repo.codes("--rev", "side") == []
    report = repo.verify("--rev", "HEAD")
    assert says(report) == [(CONFIG, "KA509", "info"), (ATTESTATIONS, "KA101", "error")]
    assert report["config"] is None


def test_a_root_commit_is_judged_by_its_own(empty: Repo) -> None:
    empty.skill()
    empty.forge_new()
    empty.write(CONFIG, LOOSE)
    empty.commit()
    report = empty.verify("--rev", "HEAD")
    assert report["source"]["base"] is None
    assert report["findings"] == []
    assert f"note: configuration: {CONFIG}" in notes(empty, "-v", "--rev", "HEAD").splitlines()


def test_where_the_parent_was_cut_off_a_commit_is_not_judged(loose: Repo, tmp_path: Path) -> None:
    loose.forge_new()
    loose.commit()
    shallow = loose.clone("shallow", "--depth=1")
    (tmp_path / "named.yaml").write_bytes(LOOSE)
    for options in [], ["--config", str(tmp_path / "named.yaml")]:
        said = shallow.refusal("--rev", "HEAD", *options)
        assert "its parents are not here" in said
        assert "git fetch --unshallow" in said
    for mode in CHANGE:  # their base is HEAD, and that is there
        assert shallow.codes(*mode) == []
    shallow.git("fetch", "--quiet", "--unshallow")
    assert shallow.codes("--rev", "HEAD") == []


def test_where_the_parent_is_there_a_shallow_clone_is_judged_by_it(loose: Repo) -> None:
    loose.forge_new()
    loose.write(CONFIG, DEFAULTS)
    loose.commit()
    shallow = loose.clone("shallow", "--depth=2")
    assert says(shallow.verify("--rev", "HEAD")) == [(CONFIG, "KA509", "info")]


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (BROKEN, f"{CONFIG}:2:10: "),
        (b"severity: {KA101: off}\nexcluded: [x]\n", f"{CONFIG}:2:1: "),
        (b"severity: {KA101: off}\nseverity: {}\n", f"{CONFIG}:2:1: "),
        (b"a: [\n", "line 2, column 1"),
        (b"- a\n", f"{CONFIG}:1:1: "),
    ],
    ids=["value", "unknown key", "key twice", "not YAML", "no mapping"],
)
def test_a_change_that_breaks_it_is_refused_with_the_place(
    loose: Repo, data: bytes, place: str
) -> None:
    loose.write(CONFIG, data)
    loose.git("add", "--all")
    said = loose.refusal("--staged")
    assert said.startswith(f"kattest: {CONFIG}")
    assert place in said


@pytest.mark.parametrize("mode", ALL, ids=str)
def test_a_change_that_breaks_it_is_refused_in_every_kind_of_tree(
    loose: Repo, mode: list[str]
) -> None:
    loose.write(CONFIG, BROKEN)
    if "--rev" in mode:
        loose.commit()
    loose.git("add", "--all")
    assert loose.refusal(*mode).startswith(f"kattest: {CONFIG}:2:10: ")


@pytest.mark.parametrize("kind", ["symlink", "not UTF-8", "huge"])
@pytest.mark.parametrize("mode", CHANGE, ids=str)
def test_a_configuration_that_is_no_text_is_refused(repo: Repo, kind: str, mode: list[str]) -> None:
    if kind == "symlink":
        (repo.top / CONFIG).symlink_to(SKILL)
    elif kind == "huge":
        repo.write(CONFIG, b"#" * (1024 * 1024 + 1))
    else:
        repo.write(CONFIG, b"\xff\xfe")
    repo.git("add", "--all")
    assert CONFIG in repo.refusal(*mode)


@pytest.mark.parametrize("mode", CHANGE, ids=str)
def test_a_folder_of_that_name_loosens_nothing(repo: Repo, mode: list[str]) -> None:
    repo.write(f"{CONFIG}/x", LOOSE)
    repo.forge_new()
    repo.git("add", "--all")
    assert repo.kattest("verify", *mode).status != 0


@pytest.fixture(scope="module")
def broken_template(honest_template: Repo, tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """Two commits with a configuration that cannot be followed. Never changed."""
    repo = copied(honest_template, tmp_path_factory.mktemp("broken"))
    repo.write(CONFIG, BROKEN)
    repo.commit()
    repo.commit("another")
    return repo


@pytest.fixture
def broken(broken_template: Repo, tmp_path: Path) -> Repo:
    """A repository whose published configuration cannot be followed."""
    return copied(broken_template, tmp_path)


@pytest.mark.parametrize("mode", [*ALL, ["--rev", "HEAD~1"]], ids=str)
def test_a_broken_published_one_is_refused_with_the_place(
    broken_template: Repo, mode: list[str]
) -> None:
    assert f"{CONFIG}:2:10: " in broken_template.refusal(*mode)


@pytest.mark.parametrize("mend", [LOOSE, b"", None], ids=["mended", "emptied", "removed"])
def test_a_change_that_mends_it_is_judged_by_the_defaults(broken: Repo, mend: bytes | None) -> None:
    broken.hook()
    honest = (broken.top / ATTESTATIONS).read_bytes()
    if mend is None:
        (broken.top / CONFIG).unlink()
    else:
        broken.write(CONFIG, mend)
    broken.forge_new()
    broken.git("add", "--all")
    for mode in CHANGE:
        done = broken.kattest("verify", *mode)
        assert done.status == 1
        assert "error KA101 " in done.stdout
        assert "the defaults judge the change that mends it" in done.stdout
    assert broken.try_git("commit", "-m", "mended, and forged").status != 0
    broken.commit("mended, and forged", "--no-verify")
    done = broken.kattest("verify", "--rev", "HEAD")
    assert done.status == 1
    assert "error KA101 " in done.stdout
    assert "the defaults judge the change that mends it" in done.stdout
    broken.git("reset", "--quiet", "--soft", "HEAD~1")
    broken.write(ATTESTATIONS, honest)
    broken.git("add", "--all")
    assert broken.try_git("commit", "-m", "mended").status == 0


@pytest.mark.parametrize("mode", ALL, ids=str)
def test_a_file_that_is_named_overrides_all(loose: Repo, tmp_path: Path, mode: list[str]) -> None:
    loose.forge_new()
    loose.commit()
    assert loose.codes(*mode) == []
    (tmp_path / "strict.yaml").write_bytes(DEFAULTS)
    assert loose.codes(*mode, "--config", "../../../strict.yaml", cwd=FOLDER) == ["KA101"]


@pytest.mark.parametrize("mode", ALL, ids=str)
def test_a_file_that_is_named_overrides_a_broken_one(
    broken_template: Repo, tmp_path: Path, mode: list[str]
) -> None:
    (tmp_path / "strict.yaml").write_bytes(DEFAULTS)
    assert broken_template.codes(*mode, "--config", str(tmp_path / "strict.yaml")) == []


@pytest.mark.parametrize(
    ("data", "words"), [(None, "cannot be read"), (BROKEN, "named.yaml:2:10: ")]
)
def test_a_file_that_is_named_must_be_sound(
    honest_template: Repo, tmp_path: Path, data: bytes | None, words: str
) -> None:
    if data is not None:
        (tmp_path / "named.yaml").write_bytes(data)
    assert words in honest_template.refusal("--config", str(tmp_path / "named.yaml"))


def test_only_the_one_at_the_top_counts(repo: Repo) -> None:
    repo.write(f"{FOLDER}/{CONFIG}", LOOSE)
    repo.forge_new()
    repo.commit()
    repo.commit("another, whose parent has it too")
    for mode in ALL:
        assert repo.codes(*mode, cwd=FOLDER) == ["KA101"]


def test_excluded_files_are_counted_in_a_note(repo: Repo) -> None:
    repo.write(CONFIG, b"exclude: [skills/]\n")
    repo.forge_new()
    repo.commit()
    repo.commit("another, whose parent has it too")
    for mode in ALL:
        done = repo.kattest("verify", *mode)
        assert done.status == 0
        assert "note: the configuration excludes 1 document" in done.stdout.splitlines()
        assert "KA101" not in done.stdout


def test_a_rule_that_does_not_exist_is_refused(repo: Repo) -> None:
    repo.write(CONFIG, b"severity: {KA999: off}\n")
    repo.commit()
    assert "KA999" in repo.refusal()
