"""KA509: whether a change edits the configuration that it would be judged by."""

from __future__ import annotations

from tests.support.rounds import make_round
from tests.vectors.case import Cases, Expected, Files, World, fails, judged, passes

NAME = ".kattest.yaml"
STRICT = b"severity:\n  KA111: error\n"
LAX = b"severity:\n  KA101: off\n"
HONEST = judged(make_round())
CHANGED = Expected("KA509", "", NAME)


def _configured(config: bytes | None = STRICT, **files: bytes) -> World:
    """An honest round in a repository with this configuration."""
    own: Files = {} if config is None else {NAME: config}
    return HONEST.adding({**own, **files})


CONFIG_CHANGED = (
    passes("unchanged", "the configuration is as it was", _configured().since(_configured())),
    passes("none", "neither side has one", _configured(None).since(_configured(None))),
    passes("no-base", "a first commit is judged by its own", _configured()),
    passes(
        "others-changed",
        "any other file may change",
        _configured(README=b"# Skills\n").since(_configured(README=b"# A skill\n")),
    ),
    passes(
        "in-a-folder",
        "only the one at the top of the repository counts",
        _configured().adding({f"skills/{NAME}": LAX}).since(_configured()),
    ),
    fails("edited", "it does not count yet", _configured(LAX).since(_configured()), CHANGED),
    fails("added", "nothing was published", _configured().since(_configured(None)), CHANGED),
    fails("removed", "it counts still", _configured(None).since(_configured()), CHANGED),
    fails(
        "comment-alone",
        "that nothing but a comment was added is for a reader to see",
        _configured(STRICT + b"# as agreed\n").since(_configured()),
        CHANGED,
    ),
    fails(
        "symlink",
        "a link in its place is another configuration",
        _configured(None)._replace(kinds={NAME: "symlink"}).since(_configured()),
        CHANGED,
    ),
    fails(
        "merged-from-theirs",
        "what judges a merge is what was published, not what one of its sides brings",
        _configured(LAX).since(_configured()).merging(ours=_configured(), theirs=_configured(LAX)),
        CHANGED,
    ),
)

CASES: Cases = {"KA509-config-changed": CONFIG_CHANGED}
