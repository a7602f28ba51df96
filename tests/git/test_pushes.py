"""Real pushes to a real bare repository, with hooks/pre-receive, hooks/update or hooks/pre-push."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.git.conftest import copied
from tests.git.memories import FIRST, HONEST, path_of, write
from tests.git.publishing import (
    LOSING,
    WINNING,
    assert_pushed,
    assert_refused,
    bare_beside,
    both_copied,
    found_codes,
    objects,
    publish,
    push,
    refs,
    server_of,
    write_rounds,
)
from tests.support.git import ATTESTATIONS, NAME, SCRIPTS, SKILL, Repo
from tests.support.rounds import ARTIFACT, make_round

CONFIG = ".kattest.yaml"
LOOSE = b"severity: {KA101: off, KA501: off}\n"
PROTECTING = b'history: {protect: [refs/heads/main, "refs/heads/release/*"]}\n'
OTHER = "notes.txt"


@pytest.fixture(scope="module")
def published_template(empty_template: Repo, tmp_path_factory: pytest.TempPathFactory) -> Repo:
    repo = copied(empty_template, tmp_path_factory.mktemp("published"))
    repo.write(SKILL, ARTIFACT)
    write_rounds(repo, LOSING)
    repo.commit("A losing round")
    write_rounds(repo, LOSING, WINNING)
    repo.commit("A winning round")
    publish(repo)
    return repo


@pytest.fixture
def published(published_template: Repo, tmp_path: Path) -> Repo:
    """A repository that follows a server; both have a losing and a winning round."""
    return both_copied(published_template, tmp_path)


@pytest.fixture
def guarded(published: Repo) -> Repo:
    """The same, its server with hooks/pre-receive."""
    server_of(published).hook("pre-receive")
    return published


@pytest.fixture
def careful(published: Repo) -> Repo:
    """The same, the client with hooks/pre-push."""
    published.hook("pre-push")
    return published


def refused_here(repo: Repo, *args: str) -> set[str]:
    """The codes for which the client's hook refuses a push; nothing of it reaches the server."""
    before = refs(server_of(repo))
    done = push(repo, *args)
    assert done.status == 1, done
    assert "kattest: this push is refused." in done.stderr
    assert refs(server_of(repo)) == before
    return found_codes(done.stdout + done.stderr)


def branch(repo: Repo, name: str, *start: str) -> None:
    repo.git("switch", "--quiet", "--create", name, *start)


def another_skill(repo: Repo, folder: str = "skills/other") -> str:
    repo.skill(folder, folder.encode())
    return repo.commit()


def forged_skill(repo: Repo, folder: str = "skills/forged") -> str:
    repo.skill(folder, folder.encode())
    repo.forge(folder)
    return repo.commit()


class TestReceiving:
    def test_a_clean_push_lands(self, guarded: Repo) -> None:
        another_skill(guarded)
        done = push(guarded, "main")
        assert_pushed(guarded, done)
        assert "remote: ok: 1 commit up to " in done.stderr
        assert "compared with what refs/heads/main has now" in done.stderr

    def test_the_first_push_into_an_empty_repository(self, repo: Repo) -> None:
        bare_beside(repo).hook("pre-receive")
        repo.git("remote", "add", "origin", "../server.git")
        done = push(repo, "main")
        assert_pushed(repo, done)
        assert "remote: note: nothing is published before this" in done.stderr

    def test_a_forged_first_push_is_refused(self, repo: Repo) -> None:
        server = bare_beside(repo)
        server.hook("pre-receive")
        repo.git("remote", "add", "origin", "../server.git")
        repo.forge()
        repo.commit()
        assert_refused(push(repo, "main"), "KA101")
        assert refs(server) == {}

    def test_a_forged_push_is_refused_and_leaves_nothing(self, guarded: Repo) -> None:
        server = server_of(guarded)
        before, had = objects(server), refs(server)
        counted = server.git("count-objects", "-v")
        forged_skill(guarded)
        done = push(guarded, "main")
        assert_refused(done, "KA101")
        assert f"remote: skills/forged/{NAME}:" in done.stderr
        assert refs(server) == had
        assert objects(server) == before
        assert server.git("count-objects", "-v") == counted

    def test_of_two_references_with_one_forged_neither_lands(self, guarded: Repo) -> None:
        server = server_of(guarded)
        before = refs(server)
        branch(guarded, "honest")
        another_skill(guarded)
        branch(guarded, "forged", "main")
        forged_skill(guarded)
        done = push(guarded, "honest", "forged")
        assert_refused(done, "KA101")
        assert "remote: refs/heads/honest:" in done.stderr
        assert refs(server) == before

    @pytest.mark.parametrize(
        ("rounds", "code"),
        [([WINNING], "KA502"), ([LOSING | {"final_score": 3.12}, WINNING], "KA501")],
        ids=["dropped", "rewritten"],
    )
    def test_a_forced_push_that_loses_a_round_is_refused(
        self, guarded: Repo, rounds: list[dict[str, object]], code: str
    ) -> None:
        before = refs(server_of(guarded))
        guarded.git("reset", "--quiet", "--hard", "HEAD~1")
        write_rounds(guarded, *rounds)
        guarded.commit("Rewritten", "--amend")
        assert_refused(push(guarded, "--force", "main"), code)
        assert refs(server_of(guarded)) == before

    def test_a_forced_push_back_to_an_older_commit_is_refused(self, guarded: Repo) -> None:
        assert_refused(push(guarded, "--force", "HEAD~1:main"), "KA502")

    def test_a_forced_push_that_keeps_every_round_passes(self, guarded: Repo) -> None:
        guarded.commit("Said better", "--amend")
        assert_pushed(guarded, push(guarded, "--force", "main"))

    def test_an_unpublished_commit_may_be_amended_and_pushed_as_a_new_branch(
        self, guarded: Repo
    ) -> None:
        branch(guarded, "feature")
        forged_skill(guarded, "skills/other")
        guarded.skill("skills/other", b"another text\n")
        guarded.commit("Mended", "--amend")
        assert_pushed(guarded, push(guarded, "feature"), "refs/heads/feature")

    def test_a_new_branch_from_an_old_commit_is_compared_with_that(self, guarded: Repo) -> None:
        branch(guarded, "old", "HEAD~1")
        assert_pushed(guarded, push(guarded, "old"), "refs/heads/old")
        another_skill(guarded)
        assert_pushed(guarded, push(guarded, "old:older"), "refs/heads/older")
        write_rounds(guarded, WINNING)
        guarded.commit()
        assert_refused(push(guarded, "old"), "KA502")

    def test_tags(self, guarded: Repo) -> None:
        guarded.git("tag", "light")
        guarded.git("tag", "--annotate", "--message", "x", "annotated")
        guarded.git("tag", "blob", f"HEAD:{SKILL}")
        guarded.git("tag", "--annotate", "--message", "x", "tree", "HEAD^{tree}")
        done = push(guarded, "--tags")
        assert done.status == 0, done
        assert done.stderr.count("not a commit, so there is nothing to check") == 2
        assert len(refs(server_of(guarded))) == 5
        guarded.git("tag", "--annotate", "--message", "y", "--force", "tree", "HEAD^{tree}")
        assert push(guarded, "--force", "tree").status == 0

    @pytest.mark.parametrize("options", [[], ["--annotate", "--message", "x"]], ids=str)
    def test_a_tag_of_a_forged_commit_is_refused(self, guarded: Repo, options: list[str]) -> None:
        forged_skill(guarded)
        guarded.git("tag", *options, "forged")
        assert_refused(push(guarded, "forged"), "KA101")
        guarded.git("tag", "--annotate", "--message", "y", "again", "forged")
        assert_refused(push(guarded, "again"), "KA101")
        assert refs(server_of(guarded)).keys() == {"refs/heads/main"}

    def test_a_branch_may_be_deleted_where_nothing_protects_it(self, guarded: Repo) -> None:
        assert push(guarded, "main:feature").status == 0
        done = push(guarded, "--delete", "feature")
        assert done.status == 0, done
        assert "remote: refs/heads/feature: deleted, so there is nothing to check" in done.stderr
        assert refs(server_of(guarded)).keys() == {"refs/heads/main"}

    def test_protected_branches_are_not_deleted(self, guarded: Repo) -> None:
        guarded.write(CONFIG, PROTECTING)
        guarded.commit()
        assert push(guarded, "main", "main:release/1", "main:feature").status == 0
        for ref in "main", "release/1":
            done = push(guarded, "--delete", ref)
            assert done.status == 1, done
            assert f"refs/heads/{ref} is refused: its {CONFIG} protects it" in done.stderr
        assert push(guarded, "--delete", "feature").status == 0
        assert refs(server_of(guarded)).keys() == {"refs/heads/main", "refs/heads/release/1"}

    def test_a_deletion_is_judged_by_the_branch_that_goes(self, guarded: Repo) -> None:
        assert push(guarded, "main:release/1").status == 0
        guarded.write(CONFIG, PROTECTING)
        guarded.commit()
        done = push(guarded, "main", ":release/1")
        assert done.status == 0, done

    def test_loosening_and_forging_in_one_push_is_refused(self, guarded: Repo) -> None:
        guarded.write(CONFIG, LOOSE)
        loosened = guarded.commit()
        forged_skill(guarded)
        done = push(guarded, "main")
        assert_refused(done, "KA101", "KA509")
        assert_pushed(guarded, push(guarded, f"{loosened}:main"), rev=loosened)
        done = push(guarded, "main")
        assert_pushed(guarded, done)
        assert f"remote: note: configuration: {loosened[:12]}:{CONFIG}" in done.stderr

    def test_what_cannot_be_checked_is_refused(self, guarded: Repo) -> None:
        guarded.write(CONFIG, b"severity: [\n")
        guarded.commit()
        branch(guarded, "honest", "HEAD~1")
        another_skill(guarded)
        before = refs(server_of(guarded))
        done = push(guarded, "main", "honest")
        assert done.status == 1, done
        assert f"remote: kattest: refs/heads/main: {CONFIG} is not YAML" in done.stderr
        assert "remote:   what to do: " in done.stderr
        assert "remote: ok: " in done.stderr
        assert refs(server_of(guarded)) == before

    def test_without_kattest_every_push_is_refused(self, guarded: Repo, few_tools: str) -> None:
        another_skill(guarded)
        before = refs(server_of(guarded))
        done = push(guarded.at(guarded.top, PATH=few_tools), "main")
        assert done.status == 1, done
        assert "remote: kattest: not found on PATH" in done.stderr
        assert refs(server_of(guarded)) == before

    def test_a_record_that_is_lost_is_refused(self, guarded: Repo) -> None:
        write(guarded, HONEST)
        guarded.commit()
        assert_pushed(guarded, push(guarded, "main"))
        (guarded.top / path_of(FIRST)).unlink()
        guarded.commit()
        done = push(guarded, "main")
        assert done.status == 1, done
        assert " error KA505 " in done.stderr

    def test_in_a_repository_with_sha_256(self, tmp_path: Path) -> None:
        repo = Repo.init(tmp_path / "repo", "--template=", "--object-format=sha256")
        repo.skill()
        repo.commit()
        server = publish(repo, "--object-format=sha256")
        server.hook("pre-receive")
        another_skill(repo)
        assert_pushed(repo, push(repo, "main"))
        before = objects(server)
        repo.forge()
        repo.commit()
        assert_refused(push(repo, "main"), "KA101", "KA501")
        assert objects(server) == before
        assert push(repo, "HEAD~1:refs/heads/feature").status == 0
        assert push(repo, "--delete", "feature").status == 0


@pytest.fixture
def few_tools(tmp_path: Path) -> str:
    """A PATH with what a push and the hook need, but for kattest."""
    folder = tmp_path / "tools"
    folder.mkdir()
    for tool in "sh", "cat", "git", "git-receive-pack":
        (folder / tool).symlink_to(shutil.which(tool) or tool)
    return str(folder)


@pytest.mark.parametrize("options", [[], ["--object-format=sha256"]], ids=str)
def test_where_the_hook_cannot_see_what_is_pushed_it_is_refused(
    tmp_path: Path, options: list[str]
) -> None:
    repo = Repo.init(tmp_path / "repo", "--template=", *options)
    repo.skill()
    repo.commit()
    server = publish(repo, *options)
    server.hook("pre-receive")
    hooks = server.top / "hooks"
    (hooks / "pre-receive").rename(hooks / "inner")
    wrapper = "unset GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES\n"
    wrapper += f"exec '{SCRIPTS / 'kattest'}' hook pre-receive\n"
    (hooks / "pre-receive").write_text(f"#!/bin/sh\n{wrapper}")
    (hooks / "pre-receive").chmod(0o755)
    before = refs(server)
    forged_skill(repo)
    done = push(repo, "main")
    assert done.status == 1, done
    assert "remote:   what to do: " in done.stderr
    assert refs(server) == before


class TestUpdating:
    def test_each_reference_is_judged_alone(self, published: Repo) -> None:
        server = server_of(published)
        server.hook("update")
        branch(published, "honest")
        another_skill(published)
        branch(published, "forged", "main")
        forged_skill(published)
        done = push(published, "honest", "forged")
        assert_refused(done, "KA101")
        assert refs(server).keys() == {"refs/heads/main", "refs/heads/honest"}

    def test_deletion_and_a_forced_push(self, published: Repo) -> None:
        server_of(published).hook("update")
        assert push(published, "main:feature").status == 0
        assert_refused(push(published, "--force", "HEAD~1:feature"), "KA502")
        assert push(published, "--delete", "feature").status == 0
        published.write(CONFIG, PROTECTING)
        published.commit()
        assert push(published, "main:release/1").status == 0
        done = push(published, "--delete", "release/1")
        assert done.status == 1, done
        assert "protects it from being deleted (history.protect)" in done.stderr


class TestPushing:
    def test_a_clean_push_lands(self, careful: Repo) -> None:
        another_skill(careful)
        done = push(careful, "main")
        assert_pushed(careful, done)
        assert "compared with what refs/heads/main has now" in done.stdout + done.stderr

    def test_a_new_branch(self, careful: Repo) -> None:
        branch(careful, "feature")
        another_skill(careful)
        assert_pushed(careful, push(careful, "feature"), "refs/heads/feature")
        branch(careful, "forged")
        forged_skill(careful)
        assert refused_here(careful, "forged") == {"KA101"}
        branch(careful, "dropping", "main")
        write_rounds(careful, WINNING)
        careful.commit()
        assert refused_here(careful, "dropping") == {"KA502"}

    def test_of_several_references_one_that_is_forged_refuses_all(self, careful: Repo) -> None:
        branch(careful, "honest")
        another_skill(careful)
        branch(careful, "forged", "main")
        forged_skill(careful)
        assert refused_here(careful, "honest", "forged") == {"KA101"}
        assert push(careful, "honest", "main:same").status == 0

    def test_a_deletion_and_a_tag(self, careful: Repo) -> None:
        assert push(careful, "main:feature").status == 0
        done = push(careful, ":feature")
        assert done.status == 0, done
        assert "refs/heads/feature: deleted" in done.stdout + done.stderr
        careful.git("tag", "light")
        careful.git("tag", "--annotate", "--message", "x", "annotated")
        careful.git("tag", "blob", f"HEAD:{SKILL}")
        assert push(careful, "--tags").status == 0
        forged_skill(careful)
        careful.git("tag", "forged")
        assert refused_here(careful, "forged") == {"KA101"}

    def test_when_everything_is_up_to_date(self, careful: Repo) -> None:
        done = push(careful, "main")
        assert done.status == 0, done
        assert "nothing is pushed" in done.stdout + done.stderr

    def test_a_forced_push(self, careful: Repo) -> None:
        assert refused_here(careful, "--force", "HEAD~1:main") == {"KA502"}
        careful.commit("Said better", "--amend")
        assert_pushed(careful, push(careful, "--force", "main"))

    def test_over_a_state_that_was_never_fetched_it_cannot_be_checked(self, careful: Repo) -> None:
        other = careful.at(careful.top.parent / "other")
        careful.git("clone", "--quiet", f"../{server_of(careful).top.name}", "../other")
        write_rounds(other, LOSING, WINNING, make_round(evaluation_id="third", path=SKILL))
        other.commit("A third round")
        assert push(other, "main").status == 0
        another_skill(careful)
        done = push(careful, "--force", "main")
        assert done.status == 1, done
        assert "is not in this clone" in done.stderr
        assert "what to do: run git fetch" in done.stderr
        assert refs(server_of(careful))["refs/heads/main"] == other.git("rev-parse", "HEAD")
        careful.git("fetch", "--quiet")
        assert refused_here(careful, "--force", "main") == {"KA502"}

    def test_what_was_mended_before_the_push_is_no_fault(self, careful: Repo) -> None:
        honest = (careful.top / ATTESTATIONS).read_bytes()
        write_rounds(careful, WINNING)
        careful.commit("Drops a round")
        forged_skill(careful)
        careful.write(ATTESTATIONS, honest)
        careful.skill("skills/forged", b"skills/forged")
        careful.commit("Mended")
        assert_pushed(careful, push(careful, "main"))

    def test_the_working_copy_and_the_index_do_not_matter(self, careful: Repo) -> None:
        another_skill(careful)
        careful.forge("skills/other")
        careful.git("add", "--all")
        write_rounds(careful)
        assert_pushed(careful, push(careful, "main"))
        careful.git("reset", "--quiet", "--hard")
        forged_skill(careful)
        careful.skill("skills/forged", b"skills/forged")
        careful.git("add", "--all")
        assert refused_here(careful, "main") == {"KA101"}

    def test_to_an_address_that_is_no_remote(self, careful: Repo) -> None:
        another_skill(careful)
        address = str(server_of(careful).top)
        done = careful.try_git("push", address, "main:feature")
        assert done.status == 0, done
        forged_skill(careful)
        done = careful.try_git("push", address, "main:feature")
        assert done.status == 1
        assert " error KA101 " in done.stdout + done.stderr

    def test_from_a_linked_worktree(self, careful: Repo) -> None:
        careful.git("worktree", "add", "--quiet", "-b", "feature", "../linked")
        linked = careful.at(careful.top.parent / "linked")
        forged_skill(linked)
        assert refused_here(linked, "feature") == {"KA101"}
        another_skill(careful)
        assert_pushed(careful, push(careful, "main"))
