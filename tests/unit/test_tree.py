"""A tree held in memory: what stands where, and the contents of many files in one go."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from kattest.tree import Content, Kind, MemoryTree, contents_one_by_one, is_below

FILES = {"b": b"12", "a/x": b"", "a/y": b"123", "a\n\udcff": b"1"}
TREE = MemoryTree(FILES, {"link": Kind.SYMLINK, "b": Kind.SUBMODULE})


class TestContents:
    @staticmethod
    def of(paths: Sequence[str], largest: int) -> list[Content]:
        found = [*TREE.contents(paths, largest)]
        assert found == [*contents_one_by_one(TREE, paths, largest)]
        return found

    def test_are_those_of_each_path_in_their_order(self) -> None:
        assert self.of(["a/y", "a/x", "a\n\udcff", "a/y"], 100) == [
            Content(3, b"123"),
            Content(0, b""),
            Content(1, b"1"),
            Content(3, b"123"),
        ]

    def test_of_nothing_are_none(self) -> None:
        assert self.of([], 100) == []

    @pytest.mark.parametrize(
        ("largest", "data"), [(2, None), (3, b"123"), (4, b"123"), (0, None), (-1, None)]
    )
    def test_of_a_file_that_is_too_large_are_its_size_alone(
        self, largest: int, data: bytes | None
    ) -> None:
        assert self.of(["a/y"], largest) == [Content(3, data)]

    def test_of_an_empty_file_are_empty_and_not_none(self) -> None:
        assert self.of(["a/x"], 0) == [Content(0, b"")]

    def test_are_read_as_they_are_asked_for(self) -> None:
        contents = TREE.contents(["a/y", "nowhere"], 100)
        assert next(contents) == Content(3, b"123")
        with pytest.raises(KeyError):
            next(contents)


def test_a_path_is_what_is_said_of_it_or_a_file_or_nothing() -> None:
    kinds = [TREE.kind(path) for path in ("b", "link", "a/x", "a", "nowhere")]
    assert kinds == [Kind.SUBMODULE, Kind.SYMLINK, Kind.FILE, None, None]


def test_paths_are_sorted_and_stand_once() -> None:
    assert TREE.paths() == ["a\n\udcff", "a/x", "a/y", "b", "link"]


@pytest.mark.parametrize(
    ("path", "folders", "below"),
    [
        ("a/b", [], True),
        ("a/b", [""], True),
        ("a/b", ["a"], True),
        ("a/b", ["a/b"], True),
        ("a/b", ["x", "a"], True),
        ("a/b", ["a/b/c"], False),
        ("ab/c", ["a"], False),
        ("a", ["a/"], False),
        ("b/a", ["a"], False),
        ("", ["a"], False),
    ],
)
def test_is_below(path: str, folders: list[str], *, below: bool) -> None:
    assert is_below(path, folders) is below
