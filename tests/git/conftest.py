"""The repositories that the tests begin with."""

from pathlib import Path

import pytest

from tests.support.git import Repo


@pytest.fixture
def empty(tmp_path: Path) -> Repo:
    """A repository without a commit."""
    return Repo.init(tmp_path / "repo")


@pytest.fixture
def repo(empty: Repo) -> Repo:
    """A repository whose only commit holds one honest skill."""
    empty.skill()
    empty.commit("An honest skill")
    return empty


@pytest.fixture
def hooked(repo: Repo) -> Repo:
    """The same, with kattest's native hook."""
    repo.hook()
    return repo
