"""What other systems take for a document that is judged (design, section 7).

macOS and Windows know neither letter case nor Unicode composition in names: there, two paths that
differ in nothing else are one file, and what is read may not be what was checked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from kattest.attestation.model import FILE_NAME
from kattest.memory.layout import CONFIG, INDEX, ROOT
from kattest.paths import blind


def like_attestations(paths: Iterable[str]) -> dict[str, str]:
    """The paths that are taken for those of attestation files, each with what it is taken for."""
    return _like(FILE_NAME, paths)


def like_memory(paths: Sequence[str]) -> dict[str, str]:
    """The paths that are taken for a memory root, its index or its configuration."""
    few = [*_not_deep_inside(paths)]
    roots = _like(ROOT, few)
    named = {**_like(f"{ROOT}/{CONFIG}", few), **_like(f"{ROOT}/{INDEX}", few)}
    return roots | {
        path: meant
        for path, meant in named.items()
        if path.rpartition("/")[0] == meant.rpartition("/")[0]  # else its root is there already
    }


def _not_deep_inside(paths: Iterable[str]) -> Iterator[str]:
    """``paths`` without those in the folders of a root that is called what it should be."""
    home = ROOT.partition("/")[0]
    start = "/"  # of the paths in the root of the path before
    for path in paths:
        rest = path[len(start) :]
        if path.startswith(start) and "/" in rest and home not in blind(rest):
            continue
        before, inside, _ = f"/{path}".rpartition(f"/{ROOT}/")
        start = f"{before}/{ROOT}/"[1:] if inside else "/"
        yield path


def _like(name: str, paths: Iterable[str]) -> dict[str, str]:
    """What is like ``name`` in some folder: by another spelling of it, or of the folder."""
    alike: dict[str, str] = {}
    spelled: dict[str, str] = {}
    depth = name.count("/") + 1
    for path in paths:
        folded = blind(path)
        if name not in folded:
            continue
        folded = f"/{folded}/"
        at = folded.find(f"/{name}/")
        if at < 0:
            continue
        parts = path.split("/")[: folded[:at].count("/") + depth]
        found, meant = "/".join(parts), "/".join((*parts[:-depth], name))
        other = spelled.setdefault(blind(found), found)
        if found != meant:
            alike[found] = meant
        if found != other:
            alike |= {found: other, other: alike.get(other, found)}
    return alike
