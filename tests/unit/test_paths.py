"""How paths are compared by systems that know neither letter case nor Unicode composition."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kattest.paths import blind

PATHS = st.text(
    st.characters(codec="utf-8") | st.sampled_from("aA/.\u00e9\u00c9\u0301\u0130\u1e9e")
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("SKILL.md", "skill.MD"),
        ("Skills/a", "skills/a"),
        ("caf\u00e9", "cafe\u0301"),
        ("CAF\u00c9", "cafe\u0301"),
        ("\u041d\u0410\u0412\u042b\u041a", "\u043d\u0430\u0432\u044b\u043a"),
        ("\u212a", "k"),
        ("\u017f", "s"),
        ("\u1e9e", "\u00df"),
        ("\u1112\u1161\u11ab", "\ud55c"),
        ("a\u0323\u0307", "a\u0307\u0323"),
    ],
)
def test_one_file(one: str, other: str) -> None:
    assert one != other
    assert blind(one) == blind(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a", "b"),
        ("cafe", "caf\u00e9"),
        ("a/b", "a_b"),
        ("a/b", "ab"),
        ("a", "\u0430"),
        ("a", "\uff41"),
        ("1", "\u00b9"),
        ("a.md", "a.md "),
        ("\udcff", "\udcfe"),
    ],
)
def test_two_files(one: str, other: str) -> None:
    assert blind(one) != blind(other)


@given(PATHS)
def test_the_spelling_that_is_compared_is_one_that_stays(path: str) -> None:
    assert blind(blind(path)) == blind(path)


@given(PATHS)
def test_composition_counts_for_nothing(path: str) -> None:
    spellings = {blind(unicodedata.normalize(form, path)) for form in ("NFC", "NFD")}
    assert spellings == {blind(path)}


@given(PATHS)
def test_folders_stay_folders(path: str) -> None:
    assert blind(path).count("/") == path.count("/")
    assert blind(path) == "/".join(map(blind, path.split("/")))


def test_a_path_without_end_is_compared_at_once() -> None:
    started = time.process_time()
    blind("a" + "\u0301\u0323" * 200_000)
    assert time.process_time() - started < 1
