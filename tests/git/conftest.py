"""The repositories that the tests begin with: each made once, and copied for whoever changes it."""

import shutil
from pathlib import Path

import pytest

from tests.git.memories import HONEST, write
from tests.support.git import Repo


def copied(template: Repo, folder: Path) -> Repo:
    """A copy of a repository and of its user's home, both in ``folder``."""
    home = folder / "home"
    shutil.copytree(template.env["HOME"], home)
    shutil.copytree(template.top, folder / "repo", symlinks=True)
    return template.at(
        folder / "repo",
        HOME=str(home),
        XDG_CONFIG_HOME=str(home / "xdg"),
        GIT_CONFIG_GLOBAL=str(home / "global.gitconfig"),
    )


@pytest.fixture(scope="session")
def empty_template(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    return Repo.init(tmp_path_factory.mktemp("empty") / "repo", "--template=")


@pytest.fixture(scope="session")
def honest_template(empty_template: Repo, tmp_path_factory: pytest.TempPathFactory) -> Repo:
    repo = copied(empty_template, tmp_path_factory.mktemp("honest"))
    repo.skill()
    repo.commit("An honest skill")
    return repo


@pytest.fixture(scope="session")
def memory_template(empty_template: Repo, tmp_path_factory: pytest.TempPathFactory) -> Repo:
    repo = copied(empty_template, tmp_path_factory.mktemp("memory"))
    write(repo, HONEST)
    repo.commit("An honest memory")
    return repo


@pytest.fixture
def empty(empty_template: Repo, tmp_path: Path) -> Repo:
    """A repository without a commit."""
    return copied(empty_template, tmp_path)


@pytest.fixture
def repo(honest_template: Repo, tmp_path: Path) -> Repo:
    """A repository whose only commit holds one honest skill."""
    return copied(honest_template, tmp_path)


@pytest.fixture
def memory(memory_template: Repo, tmp_path: Path) -> Repo:
    """A repository whose only commit holds one honest memory: that of ``memories``."""
    return copied(memory_template, tmp_path)


@pytest.fixture
def hooked(repo: Repo) -> Repo:
    """The same, with kattest's native hook."""
    repo.hook()
    return repo
