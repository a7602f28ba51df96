"""What could not be checked or written at all, each with its remedy (design, 2, house rule 2).

Bad data is a finding. These errors are for the other case: kattest could not look, or could not
write, so it must not say that all is well. The command line turns them into exit status 2.
"""

from __future__ import annotations


class KattestError(Exception):
    """Something kept kattest from checking, or from writing.

    ``message`` says what and where; ``remedy`` says what to do next. Both hold text of the
    repository as it is: whoever shows them escapes it.
    """

    def __init__(self, message: str, remedy: str) -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy


class UsageError(KattestError):
    """An option or argument that cannot be used as it was given."""


class ConfigError(KattestError):
    """A configuration file that cannot be followed."""


class SourceError(KattestError):
    """A repository, commit, index or file that cannot be read."""


class ShallowHistoryError(SourceError):
    """A history that was cut off before a wanted version was found."""


class NothingToCheckError(KattestError):
    """Something that ``--require`` asked for was not there."""


class WriteError(KattestError):
    """Something that was to be written was not, or not whole; the message says what is intact."""


class InputError(KattestError):
    """What was given to be written is not what the protocol says it must be."""
