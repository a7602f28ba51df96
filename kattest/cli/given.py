"""What a user gives a command to read: a file, or standard input."""

from __future__ import annotations

import sys

from kattest.config import DOCUMENT_BYTES
from kattest.errors import InputError
from kattest.jsondoc import JsonValue, NotJsonError, parse
from kattest.text import quote_path


def read_given(name: str) -> bytes:
    """The bytes of the file ``name``, or of standard input for ``-``.

    Raises InputError where they cannot be read, or are more than a document may have.
    """
    try:
        if name == "-":
            data = sys.stdin.buffer.read(DOCUMENT_BYTES + 1) if sys.stdin else b""
        else:
            with open(name, "rb") as file:
                data = file.read(DOCUMENT_BYTES + 1)
    except OSError as error:
        raise InputError(
            f"{_what(name)} cannot be read: {error.strerror}", "name a file that can be"
        ) from None
    if len(data) > DOCUMENT_BYTES:
        raise InputError(f"{_what(name)} is larger than {DOCUMENT_BYTES} bytes", "give less")
    return data


def text_given(name: str) -> str:
    """The text of a file or of standard input. Raises InputError where it is not UTF-8."""
    try:
        return read_given(name).decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{_what(name)} is not UTF-8: byte {error.start}", "save it as UTF-8"
        ) from None


def document_given(name: str) -> JsonValue:
    """The JSON of a file or of standard input, strictly read. Raises InputError."""
    try:
        document = parse(read_given(name))
    except NotJsonError as error:
        where = f"line {error.line}, column {error.column}"
        raise InputError(
            f"{_what(name)} is not JSON: {error.message} ({where})", "give one JSON document"
        ) from None
    if document.duplicates:
        key = document.duplicates[0].key
        raise InputError(f'{_what(name)} has the key "{key}" twice', "leave one of the two out")
    return document.value


def _what(name: str) -> str:
    return "standard input" if name == "-" else quote_path(name)
