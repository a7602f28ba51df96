"""Every single change of a memory tree: each field of each document, each name, each folder."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from copy import deepcopy
from datetime import datetime, timedelta
from typing import Any, NamedTuple, TypeAlias

from tests.support.memory import ROOT, dumps, iso

Files: TypeAlias = dict[str, bytes]
Path: TypeAlias = tuple[str | int, ...]

SAMPLES: tuple[Any, ...] = (None, True, False, 0, 1, 0.7, "", "x", "0.7", [], [1], {}, {"x": 1})
# What may stand in a field instead, where its type alone does not say it.
WORDS: Mapping[str, tuple[str, ...]] = {
    "version": ("1.0", "1.1", "1.2", "2", ""),
    "domain": ("banking", "retail", "unknown", "fishing", ""),
    "tier": ("hot", "warm", "cold", "purge", "HOT", ""),
    "reward_label": ("excellent", "good", "needs_work", "failed", "Good", ""),
    "skill_used": ("goap-research-ed25519", "explore", ""),
    "skill": ("goap-research-ed25519", "explore", ""),
    "phase": ("phase-0", "phase-2", "phase-3", ""),
}
SHIFTS = {"a second": 1, "a day": 86_400, "two days": 172_800, "a year": 31_536_000}


class Change(NamedTuple):
    """One change: where it is and what it does, in words, and the files of the tree after it."""

    name: str
    files: Files


def places(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every member and element of a document with its path, the document first."""
    yield path, value
    if isinstance(value, dict):
        for key, member in value.items():
            yield from places(member, (*path, key))
    elif isinstance(value, list):
        for number, element in enumerate(value):
            yield from places(element, (*path, number))


def changed(document: Any, path: Path, value: Any) -> Any:
    """``document`` with ``value`` at ``path``."""
    if not path:
        return value
    result = deepcopy(document)
    inside = result
    for step in path[:-1]:
        inside = inside[step]
    inside[path[-1]] = value
    return result


def without(document: Any, path: Path) -> Any:
    result = deepcopy(document)
    inside = result
    for step in path[:-1]:
        inside = inside[step]
    del inside[path[-1]]
    return result


def json_type(value: Any) -> str:
    if isinstance(value, bool):
        return "boolean"
    names = {type(None): "null", int: "number", float: "number", str: "string"}
    return names.get(type(value), type(value).__name__)


def of_document(files: Files, file: str) -> Iterator[Change]:
    """Every change of the document ``file``, a path below the root."""
    path = f"{ROOT}/{file}"
    document = json.loads(files[path])
    for place, value in places(document):
        for label, result in _changes(document, place, value):
            name = f"{_pointer(document, place)} {label}".strip()
            yield Change(name, files | {path: dumps(result)})
    yield Change("removed", {name: files[name] for name in files if name != path})


def _pointer(document: Any, place: Path) -> str:
    """The pointer to a place; an entry of the index is named by its tier, an aggregate not at all."""
    steps = [*place]
    if len(steps) > 1 and steps[0] == "records":
        steps[1] = document["records"][steps[1]]["tier"]
    elif len(steps) > 1 and str(steps[0]).startswith("by_"):
        steps[1] = "*"
    return "".join(f"/{step}" for step in steps)


def _changes(document: Any, place: Path, value: Any) -> Iterator[tuple[str, Any]]:
    if place:
        yield "removed", without(document, place)
    for sample in SAMPLES:
        if json_type(sample) != json_type(value):
            label = "null" if sample is None else f"type: {json_type(sample)}"
            yield label, changed(document, place, sample)
    if isinstance(value, dict):
        yield "field: unknown", changed(document, (*place, "note"), "hello")
        yield "field: in another letter case", changed(document, (*place, "Reward"), 0.7)
    for label, other in _others(place, value):
        if other != value:
            yield f"value: {label}", changed(document, place, other)
    if json_type(value) == "number" and isinstance(value, int):
        yield "fraction", changed(document, place, value + 0.5)
    if isinstance(value, str):
        yield "unsafe", changed(document, place, f"{value}\u200b")


def _others(place: Path, value: Any) -> Iterator[tuple[str, Any]]:
    """Other values of the type of ``value``, each with what it is."""
    if isinstance(value, list | dict):
        yield "emptied", type(value)()
    if isinstance(value, bool):
        yield "the other", not value
    elif isinstance(value, int | float):
        yield from _other_numbers(value)
    elif isinstance(value, list):
        if value:
            yield "an element twice", [*value, value[0]]
            yield "its elements backwards", value[::-1]
        yield "an element more", [*value, "other"]
    elif isinstance(value, str) and _is_time(value):
        yield from _other_times(value)
    elif isinstance(value, str):
        words = WORDS.get(str(place[-1]), ("",))
        yield from ((f"= {word}" if word else "emptied", word) for word in words)
        yield "another word", f"{value}x"
        yield "a space behind", f"{value} "
        yield "in capitals", value.upper()
        yield "201 letters", "x" * 201


def _other_numbers(value: float) -> Iterator[tuple[str, Any]]:
    yield "one more", value + 1
    yield "one less", value - 1
    if isinstance(value, float):
        yield "a tenth more", round(value + 0.1, 6)
        yield "0.006 more", round(value + 0.006, 6)
        yield "0.004 more", round(value + 0.004, 6)
    yield "0", 0
    yield "1", 1
    yield "below 0", -1
    yield "huge", 10**9


def _is_time(text: str) -> bool:
    return text.startswith("20") and text.endswith("Z")


def _other_times(text: str) -> Iterator[tuple[str, str]]:
    moment = datetime.fromisoformat(text)
    for name, seconds in SHIFTS.items():
        yield f"{name} later", iso(moment + timedelta(seconds=seconds))
        yield f"{name} earlier", iso(moment - timedelta(seconds=seconds))
    yield "in another zone", f"{iso(moment + timedelta(hours=3))[:-1]}+03:00"
    yield "a fraction later", text.replace("Z", ".5Z")
    yield "without a zone", text[:-1]
    yield "emptied", ""


def of_names(files: Files, file: str) -> Iterator[Change]:
    """Every change of a record's name and folders."""
    path = f"{ROOT}/{file}"
    *folders, name = file.split("/")
    phase, _, stamp = name.removesuffix(".json").rpartition("_")
    domain, slug = folders[0], folders[-1]
    inside = "/".join(folders[:-1])
    moved = {
        "another phase": f"{'/'.join(folders)}/phase-3_{stamp}.json",
        "another second": f"{'/'.join(folders)}/{phase}_{stamp[:-1]}9.json",
        "no stamp": f"{'/'.join(folders)}/{phase}.json",
        "a stamp with a zone": f"{'/'.join(folders)}/{phase}_{stamp}Z.json",
        "another ending": f"{'/'.join(folders)}/{phase}_{stamp}.txt",
        "an ending in capitals": f"{'/'.join(folders)}/{phase}_{stamp}.JSON",
        "a copy's ending": f"{'/'.join(folders)}/{phase}_{stamp}.json.bak",
        "another slug": f"{inside}/{slug}x/{name}",
        "another slug's letter case": f"{inside}/{slug.upper()}/{name}",
        "no slug": f"{inside}/{name}",
        "a folder more": f"{inside}/{slug}/more/{name}",
        "another domain": "/".join(["retail", *folders[1:], name]),
        "the unknown domain": "/".join(["unknown", *folders[1:], name]),
        "a foreign domain": "/".join(["fishing", *folders[1:], name]),
        "no domain": "/".join([*folders[1:], name]),
        "the other place": (
            f"{domain}/{slug}/{name}"
            if "_archive" in folders
            else f"{domain}/_archive/{slug}/{name}"
        ),
        "out of the root": f"../{name}",
    }
    rest = {other: data for other, data in files.items() if other != path}
    for label, target in moved.items():
        to = f".keysarium/{name}" if target.startswith("../") else f"{ROOT}/{target}"
        yield Change(f"moved: {label}", rest | {to: files[path]})
        yield Change(f"copied: {label}", files | {to: files[path]})
