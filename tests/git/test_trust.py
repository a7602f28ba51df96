""".kattest.yaml is read from the published state, never from the change that it would loosen."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.git import ATTESTATIONS, FOLDER, SKILL, Repo

CONFIG = ".kattest.yaml"
LOOSE = b"severity: {KA101: off}\n"
BROKEN = b"severity:\n  KA101: [maybe]\n"
CHANGE = [[], ["--staged"]]


def notes(repo: Repo, *args: str) -> str:
    return "\n".join(
        line
        for line in repo.kattest("verify", *args).stdout.splitlines()
        if line.startswith("note:")
    )


@pytest.fixture
def loose(repo: Repo) -> Repo:
    """A repository whose published configuration turns KA101 off."""
    repo.write(CONFIG, LOOSE)
    repo.commit()
    return repo


@pytest.mark.parametrize("mode", CHANGE, ids=str)
def test_the_published_configuration_counts(loose: Repo, mode: list[str]) -> None:
    loose.forge()
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
    repo.forge()
    repo.git("add", "--all")
    done = repo.kattest("verify", *mode)
    assert done.status == 1
    assert "error KA101 " in done.stdout
    assert f"note: {CONFIG} is changed here; the one of HEAD counts" in done.stdout


@pytest.mark.parametrize("mode", CHANGE, ids=str)
def test_removing_it_does_not_count_yet(loose: Repo, mode: list[str]) -> None:
    (loose.top / CONFIG).unlink()
    loose.forge()
    loose.git("add", "--all")
    assert loose.codes(*mode) == []


@pytest.mark.parametrize("mode", CHANGE, ids=str)
def test_a_change_that_means_the_same_is_no_change(loose: Repo, mode: list[str]) -> None:
    loose.write(CONFIG, b"# why\n" + LOOSE)
    loose.git("add", "--all")
    assert "is changed here" not in notes(loose, *mode)


def test_a_loosening_cannot_be_committed_with_what_it_would_hide(repo: Repo) -> None:
    repo.hook()
    repo.write(CONFIG, LOOSE)
    repo.forge()
    repo.git("add", "--all")
    assert repo.try_git("commit", "-m", "both at once").status != 0
    repo.git("reset", "--quiet", ATTESTATIONS)
    assert repo.try_git("commit", "-m", "the configuration alone").status == 0


@pytest.mark.parametrize("mode", CHANGE, ids=str)
def test_before_the_first_commit_its_own_counts(empty: Repo, mode: list[str]) -> None:
    empty.skill()
    empty.forge()
    empty.write(CONFIG, LOOSE)
    empty.git("add", "--all")
    assert empty.codes(*mode) == []
    assert "this tree's own" in notes(empty, *mode)


def test_a_commit_is_judged_by_its_own(repo: Repo) -> None:
    repo.forge()
    repo.write(CONFIG, LOOSE)
    repo.commit()
    (repo.top / CONFIG).unlink()
    repo.commit()
    assert repo.codes("--rev", "HEAD~1") == []
    assert repo.codes("--rev", "HEAD") == ["KA101"]


@pytest.mark.parametrize("mode", CHANGE, ids=str)
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
    loose: Repo, data: bytes, place: str, mode: list[str]
) -> None:
    loose.write(CONFIG, data)
    loose.git("add", "--all")
    said = loose.refusal(*mode)
    assert said.startswith(f"kattest: {CONFIG}")
    assert place in said


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
    repo.forge()
    repo.git("add", "--all")
    assert repo.kattest("verify", *mode).status != 0


@pytest.fixture
def broken(repo: Repo) -> Repo:
    """A repository whose published configuration cannot be followed."""
    repo.write(CONFIG, BROKEN)
    repo.commit()
    return repo


@pytest.mark.parametrize("mode", [*CHANGE, ["--rev", "HEAD"]], ids=str)
def test_a_broken_published_one_is_refused_with_the_place(broken: Repo, mode: list[str]) -> None:
    assert f"{CONFIG}:2:10: " in broken.refusal(*mode)


@pytest.mark.parametrize("mend", [LOOSE, b"", None], ids=["mended", "emptied", "removed"])
def test_a_change_that_mends_it_is_judged_by_the_defaults(broken: Repo, mend: bytes | None) -> None:
    broken.hook()
    honest = (broken.top / ATTESTATIONS).read_bytes()
    if mend is None:
        (broken.top / CONFIG).unlink()
    else:
        broken.write(CONFIG, mend)
    broken.forge()
    broken.git("add", "--all")
    for mode in CHANGE:
        done = broken.kattest("verify", *mode)
        assert done.status == 1
        assert "error KA101 " in done.stdout
        assert "the defaults judge the change that mends it" in done.stdout
    assert broken.try_git("commit", "-m", "mended, and forged").status != 0
    broken.write(ATTESTATIONS, honest)
    broken.git("add", "--all")
    assert broken.try_git("commit", "-m", "mended").status == 0


@pytest.mark.parametrize("mode", [*CHANGE, ["--rev", "HEAD"]], ids=str)
def test_a_file_that_is_named_overrides_all(repo: Repo, tmp_path: Path, mode: list[str]) -> None:
    repo.write(CONFIG, LOOSE)
    repo.forge()
    repo.commit()
    (tmp_path / "strict.yaml").write_bytes(b"severity: {}\n")
    assert repo.codes(*mode, "--config", str(tmp_path / "strict.yaml")) == ["KA101"]
    assert repo.codes(*mode, "--config", "../../../strict.yaml", cwd=FOLDER) == ["KA101"]


@pytest.mark.parametrize("mode", [*CHANGE, ["--rev", "HEAD"]], ids=str)
def test_a_file_that_is_named_overrides_a_broken_one(
    broken: Repo, tmp_path: Path, mode: list[str]
) -> None:
    (tmp_path / "strict.yaml").write_bytes(b"severity: {}\n")
    assert broken.codes(*mode, "--config", str(tmp_path / "strict.yaml")) == []


@pytest.mark.parametrize(
    ("data", "words"), [(None, "cannot be read"), (BROKEN, "named.yaml:2:10: ")]
)
def test_a_file_that_is_named_must_be_sound(
    repo: Repo, tmp_path: Path, data: bytes | None, words: str
) -> None:
    if data is not None:
        (tmp_path / "named.yaml").write_bytes(data)
    assert words in repo.refusal("--config", str(tmp_path / "named.yaml"))


def test_only_the_one_at_the_top_counts(repo: Repo) -> None:
    repo.write(f"{FOLDER}/{CONFIG}", LOOSE)
    repo.forge()
    repo.commit()
    for mode in [*CHANGE, ["--rev", "HEAD"]]:
        assert repo.codes(*mode, cwd=FOLDER) == ["KA101"]


def test_excluded_files_are_counted_in_a_note(repo: Repo) -> None:
    repo.write(CONFIG, b"exclude: [skills/]\n")
    repo.forge()
    repo.commit()
    for mode in [*CHANGE, ["--rev", "HEAD"]]:
        assert repo.codes(*mode) == []
        assert "the configuration excludes 1 document" in notes(repo, *mode)


def test_a_rule_that_does_not_exist_is_refused(repo: Repo) -> None:
    repo.write(CONFIG, b"severity: {KA999: off}\n")
    repo.commit()
    assert "KA999" in repo.refusal()
