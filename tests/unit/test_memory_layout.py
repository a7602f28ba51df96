"""Where everything of a memory root lies: roots, paths of records, and what is neither."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from kattest.instant import Instant, Timestamp, parse_timestamp
from kattest.memory.layout import (
    ARCHIVE,
    ROOT,
    SIDE_FILES,
    Layout,
    Place,
    can_be_domain,
    file_of,
    find_roots,
    lay_out,
    place_of,
    stamp_of,
)
from kattest.paths import path_refusal

STAMP = "2026-03-01T12-30-00"
RECORD = f"banking/s/phase-2_{STAMP}.json"
COLD = f"banking/_archive/s/phase-2_{STAMP}.json"


class TestRoots:
    @pytest.mark.parametrize(
        ("path", "root", "file"),
        [
            (f"{ROOT}/config.json", ROOT, "config.json"),
            (f"{ROOT}/{RECORD}", ROOT, RECORD),
            (f"a/b/{ROOT}/index.json", f"a/b/{ROOT}", "index.json"),
            (f"{ROOT}/a/{ROOT}/index.json", f"{ROOT}/a/{ROOT}", "index.json"),
            (f".keysarium/{ROOT}/x", f".keysarium/{ROOT}", "x"),
            (f"a\n/{ROOT}/\udcff", f"a\n/{ROOT}", "\udcff"),
        ],
    )
    def test_are_the_innermost_folder_of_that_name(self, path: str, root: str, file: str) -> None:
        assert find_roots([path]) == ({root: [file]}, [])

    @pytest.mark.parametrize("path", [ROOT, ".keysarium", f"a/{ROOT}", "a/.keysarium"])
    def test_are_blocked_by_what_stands_in_their_place(self, path: str) -> None:
        assert find_roots([path]) == ({}, [path])

    @pytest.mark.parametrize(
        "path",
        [
            "",
            "keysarium/memory/config.json",
            ".keysarium/memories/config.json",
            ".keysarium/memory.json",
            ".keysarium/config.json",
            "x.keysarium/memory/config.json",
            ".keysariumx/memory/config.json",
            ".keysarium/x/memory/config.json",
            ".KEYSARIUM/memory/config.json",
            "memory/.keysarium/config.json",
        ],
    )
    def test_are_not_what_is_called_nearly_so(self, path: str) -> None:
        assert find_roots([path]) == ({}, [])

    def test_stand_side_by_side_each_with_its_files_in_order(self) -> None:
        paths = [f"{root}/{file}" for root in (ROOT, f"b/{ROOT}") for file in ("z", "a/b", "c")]
        files = ["z", "a/b", "c"]
        assert find_roots(paths) == ({ROOT: files, f"b/{ROOT}": files}, [])


class TestLayout:
    @staticmethod
    def kind(file: str) -> str:
        """The part of a layout that a file is in."""
        layout = lay_out(ROOT, [file])
        parts = [name for name in Layout._fields[1:] if getattr(layout, name)]
        assert len(parts) == 1
        return parts[0]

    @pytest.mark.parametrize(
        ("kind", "files"),
        [
            ("named", ["config.json", "index.json", *SIDE_FILES]),
            ("records", [RECORD, f"unknown/s/p_{STAMP}.json", f"Банк/a b/p q_{STAMP}.json"]),
            (
                "records",
                [f"a/b/c_d_{STAMP}.json", f"a/b/_{STAMP}_{STAMP}.json", f"a/-/._{STAMP}.json"],
            ),
            (
                "records",
                [
                    f"memory/_x/p_{STAMP}.json",
                    f"a/'b\"/p\n_{STAMP}.json",
                    f"a/\udcff/p_{STAMP}.json",
                ],
            ),
            ("archived", [COLD, f"unknown/_archive/s/p_{STAMP}.json"]),
            ("misplaced", [f"p_{STAMP}.json", f"banking/p_{STAMP}.json", f"a/b/c/p_{STAMP}.json"]),
            ("misplaced", [f"_archive/banking/s/p_{STAMP}.json", f"_archive/s/p_{STAMP}.json"]),
            ("misplaced", [f"banking/_archive/p_{STAMP}.json", f"a/_archive/b/c/p_{STAMP}.json"]),
            ("misplaced", [f"banking/s/_archive/p_{STAMP}.json", f"_stats/s/p_{STAMP}.json"]),
            ("misplaced", [f"a/_archive/_archive/p_{STAMP}.json", f".a/s/p_{STAMP}.json"]),
            ("misplaced", ["banking/s/phase-2.json", "banking/s/_2026-03-01T12-30-00.json"]),
            ("misplaced", ["banking/s/p_2026-03-01.json", "banking/s/p_2026-03-01T12:30:00.json"]),
            ("misplaced", [f"banking/s/p_{STAMP}Z.json", f"banking/s/p_{STAMP}.JSON", "a/x.json"]),
            ("misplaced", [f"banking/s/p-{STAMP}.json", f"banking/s/p_{STAMP[:-1]}.json"]),
            ("misplaced", ["banking/config.json", "banking/index.json", "banking/s/index.json"]),
            ("stray", ["README.md", "banking/s/notes.txt", "config.yaml", "other.json"]),
            ("stray", [f"banking/s/p_{STAMP}.json.tmp", f"banking/s/p_{STAMP}", ".DS_Store"]),
            ("stray", ["_patterns/other.json", "_stats/x/y.json", "_tmp/x.json", ".hidden.json"]),
            (
                "gits",
                [".gitkeep", "banking/.gitkeep", "a/_archive/.gitignore", ".gitattributes"],
            ),
        ],
    )
    def test_tells_files_apart(self, kind: str, files: list[str]) -> None:
        assert {file: self.kind(file) for file in files} == dict.fromkeys(files, kind)

    @pytest.mark.parametrize("name", ["config.json", "index.json", *SIDE_FILES])
    def test_a_folder_in_a_named_files_place_stands_for_it(self, name: str) -> None:
        layout = lay_out(ROOT, [f"{name}/a", f"{name}/s/p_{STAMP}.json"])
        assert layout == Layout(ROOT, (name,), (), (), (), (), ())

    def test_keeps_every_file_in_its_order(self) -> None:
        files = [
            "index.json",
            COLD,
            RECORD,
            f"a/b/c_{STAMP}.json",
            "x",
            ".gitignore",
            f"p_{STAMP}.json",
            "b/.gitkeep",
            "config.json",
        ]
        assert lay_out(ROOT, files) == Layout(
            ROOT,
            named=("index.json", "config.json"),
            records=(RECORD, f"a/b/c_{STAMP}.json"),
            archived=(COLD,),
            misplaced=(f"p_{STAMP}.json",),
            gits=(".gitignore", "b/.gitkeep"),
            stray=("x",),
        )

    def test_knows_paths_from_the_top_of_the_tree(self) -> None:
        assert lay_out(f"a/{ROOT}", [RECORD]).path(RECORD) == f"a/{ROOT}/{RECORD}"


PARTS = st.text(st.characters(exclude_characters="/\0"), min_size=1, max_size=12)
PHASES = PARTS | st.sampled_from(["phase-2", "a_b", f"p_{STAMP}", "_", f"_{STAMP}.json"])
PLACES = st.builds(
    Place,
    domain=PARTS.filter(lambda name: name[0] not in "_."),
    slug=(PARTS | st.sampled_from(["_x", "_archived", ".x"])).filter(
        lambda name: name not in {ARCHIVE, ".", ".."}
    ),
    phase=PHASES,
    stamp=st.from_regex(
        r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}-[0-9]{2}-[0-9]{2}", fullmatch=True
    ).filter(str.isascii),
    is_archived=st.booleans(),
)


class TestPlaces:
    @pytest.mark.parametrize(
        ("file", "place"),
        [
            (RECORD, Place("banking", "s", "phase-2", STAMP, is_archived=False)),
            (COLD, Place("banking", "s", "phase-2", STAMP, is_archived=True)),
            (f"a/b/c_d_{STAMP}.json", Place("a", "b", "c_d", STAMP, is_archived=False)),
        ],
    )
    def test_are_read_off_paths(self, file: str, place: Place) -> None:
        assert place_of(file) == place
        assert file_of(place) == file

    @settings(max_examples=150)
    @given(PLACES)
    def test_make_paths_that_lead_back_to_them(self, place: Place) -> None:
        file = file_of(place)
        assume(not path_refusal(file))
        assert place_of(file) == place
        layout = lay_out(ROOT, [file])
        if not layout.named:  # where a domain is called like a file
            assert (layout.records, layout.archived) == (
                ((), (file,)) if place.is_archived else ((file,), ())
            )

    @settings(max_examples=150)
    @given(st.text("ab_./-\n", max_size=20).map(lambda text: f"{text}_{STAMP}.json"))
    def test_of_any_path_lead_back_to_it(self, file: str) -> None:
        place = place_of(file)
        assert place is None or file_of(place) == file

    @pytest.mark.parametrize(
        "file",
        [
            "",
            "config.json",
            f"banking/p_{STAMP}.json",
            f"/{RECORD}",
            f"C:/s/p_{STAMP}.json",
            f"a/../p_{STAMP}.json",
            f"a/./p_{STAMP}.json",
            f"a/.git/p_{STAMP}.json",
            f"a/b\\..\\c/p_{STAMP}.json",
        ],
    )
    def test_are_not_read_off_other_paths(self, file: str) -> None:
        assert place_of(file) is None


class TestStamps:
    @pytest.mark.parametrize(
        ("text", "stamp"),
        [
            ("2026-03-01T12:30:00Z", STAMP),
            ("2026-03-01t12:30:00z", STAMP),
            ("2026-03-01T12:30:00z", STAMP),
            ("2026-03-01t12:30:00Z", STAMP),
            ("2026-03-01T12:30:00.999999Z", STAMP),
            ("2026-03-01T15:30:00+03:00", STAMP),
            ("2026-03-01T15:30:00.5+03:00", STAMP),
            ("2026-02-28T23:30:00-13:00", STAMP),
            ("2026-03-01T12:30:00+00:00", STAMP),
            ("0001-01-01T00:00:00Z", "0001-01-01T00-00-00"),
            ("0001-01-01T05:00:00+05:00", "0001-01-01T00-00-00"),
            ("9999-12-31T23:59:59.9Z", "9999-12-31T23-59-59"),
        ],
    )
    def test_are_utc_to_the_second(self, text: str, stamp: str) -> None:
        assert stamp_of(parse_timestamp(text)) == stamp

    def test_are_not_made_of_what_names_no_instant(self) -> None:
        for text in ("", "2026-03-01", "2026-03-01T12:30:60Z", "2026-02-30T12:30:00Z"):
            assert stamp_of(parse_timestamp(text)) is None

    @settings(max_examples=100)
    @given(st.integers(-62_135_596_800, 253_402_300_799))
    def test_are_those_of_the_plain_spelling(self, seconds: int) -> None:
        plain = Instant(seconds).isoformat()
        assert stamp_of(parse_timestamp(plain)) == plain[:-1].replace(":", "-")
        assert stamp_of(Timestamp("in other words", Instant(seconds))) == stamp_of(
            parse_timestamp(plain)
        )


@pytest.mark.parametrize(
    "name",
    [
        "banking",
        "unknown",
        "a b",
        "Банк",
        "-",
        "a.b",
        "x_",
        "é",
        "memory",
        "config-json",
        "x" * 255,
    ],
)
def test_can_be_a_domain(name: str) -> None:
    assert can_be_domain(name)
    assert place_of(f"{name}/s/p_{STAMP}.json")


@pytest.mark.parametrize(
    "name",
    [
        *(
            "",
            ".",
            "..",
            ".git",
            "_archive",
            "_stats",
            "_",
            "a/b",
            "/",
            "config.json",
            "index.json",
        ),
        *("a\0", "a\\b", "C:", "x" * 256, "git~1"),
    ],
)
def test_cannot_be_a_domain(name: str) -> None:
    assert not can_be_domain(name)
