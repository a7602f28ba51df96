"""The tree that a commit of the index would hold."""

from __future__ import annotations

from kattest.errors import SourceError
from kattest.sources.database import Blob, Database
from kattest.sources.trees import BlobTree
from kattest.text import quote_path


def index_tree(database: Database) -> BlobTree:
    """The tree that a commit of the index would hold.

    Raises SourceError where the index has conflicts or cannot be read.
    """
    blobs: dict[str, Blob] = {}
    for entry in database.index():
        if entry.conflicted:
            raise SourceError(
                f"the index has a conflict at {quote_path(entry.path)}",
                "resolve it and run git add: a conflicted index cannot be committed",
            )
        if not entry.intended:
            blobs[entry.path] = entry.blob
    return BlobTree(database, blobs)
