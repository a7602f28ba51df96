"""A tree held in memory: what stands where, and the contents of many files in one go."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from kattest.tree import (
    Content,
    Kind,
    MemoryTree,
    changed_paths,
    contents_one_by_one,
    is_below,
    is_same_at,
)

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


class TestWhatChanged:
    BASE = MemoryTree(
        {"a": b"1", "b": b"1", "c/d": b"1", "gone": b"1", "x": b""}, {"link": Kind.SYMLINK}
    )
    HEAD = MemoryTree(
        {"a": b"1", "b": b"2", "c/d": b"1", "new": b"1", "link": b""}, {"x": Kind.SUBMODULE}
    )

    def test_is_what_is_new_gone_another_or_of_another_kind(self) -> None:
        expected = ["b", "gone", "link", "new", "x"]
        assert self.HEAD.changed_since(self.BASE, lambda _: True) == expected
        assert self.BASE.changed_since(self.HEAD, lambda _: True) == expected
        assert changed_paths(self.BASE, self.HEAD, lambda _: True) == expected

    def test_is_nothing_between_a_tree_and_itself(self) -> None:
        assert self.BASE.changed_since(self.BASE, lambda _: True) == []
        assert MemoryTree({}).changed_since(MemoryTree({}), lambda _: True) == []

    def test_is_only_what_matters(self) -> None:
        assert self.HEAD.changed_since(self.BASE, lambda path: path > "g") == [
            "gone",
            "link",
            "new",
            "x",
        ]
        assert self.HEAD.changed_since(self.BASE, lambda _: False) == []

    @pytest.mark.parametrize("path", ["b", "gone", "link", "new", "x"])
    def test_is_not_the_same_there(self, path: str) -> None:
        assert not is_same_at(path, self.BASE, self.HEAD)

    @pytest.mark.parametrize("path", ["a", "c/d", "c", "nowhere"])
    def test_is_the_same_elsewhere(self, path: str) -> None:
        assert is_same_at(path, self.BASE, self.HEAD)

    def test_what_one_id_names_is_the_same(self) -> None:
        assert self.BASE.oid("a") == self.HEAD.oid("c/d") != self.HEAD.oid("b")
        assert self.BASE.oid("x") == "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"  # git's, of nothing


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
