"""The exit status: the same for every command and format (design, section 4)."""

from enum import IntEnum


class ExitStatus(IntEnum):
    """What a run came to."""

    CLEAN = 0
    FINDINGS = 1
    COULD_NOT_CHECK = 2
    BUG = 3
    INTERRUPTED = 130
