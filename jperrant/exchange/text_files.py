"""Whole files of tools as text."""

from __future__ import annotations

import json
from typing import Any

from jperrant.core.errors import FormatError
from jperrant.io.files import BOM, open_input, read_raw
from jperrant.io.recognise import binary_problem


def read_bytes(path: str, keep_mark: bool = False) -> bytes:
    """Return the content of a file, decompressed, without a byte-order mark unless that is kept.

    Raises:
        InputError: It cannot be read.
    """
    with open_input(path) as stream:
        return b"".join(read_raw(path, stream)).removeprefix(b"" if keep_mark else BOM)


def read_text(path: str, keep_mark: bool = False) -> str:
    r"""Return the text of a UTF-8 file; ``\r\n`` becomes ``\n``, in which tools on Windows write.

    Raises:
        FormatError: It is not UTF-8.
        InputError: It cannot be read.
    """
    content = read_bytes(path, keep_mark)
    try:
        return content.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        found = f"byte 0x{content[error.start]:02x} at offset {error.start} is not UTF-8"
        raise FormatError(path, None, binary_problem(content) or found) from None


def read_json(path: str) -> Any:
    """Return the value of a JSON file.

    Raises:
        FormatError: It is not JSON; names the line.
        InputError: It cannot be read.
    """
    return json_value(read_text(path), path)


def json_value(text: str, path: str, line: int | None = None) -> Any:
    """Return the value of JSON text of a file; ``line`` is the line that the text is, where it is one.

    Raises:
        FormatError: It is not JSON, or too large for Python; names the line.
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise FormatError(path, line or error.lineno, f"not JSON ({error.msg})") from None
    except RecursionError:
        raise FormatError(path, line, "found JSON that is nested too deeply") from None
    except ValueError:  # Python reads no numbers of thousands of digits
        raise FormatError(path, line, "found JSON with a number of thousands of digits") from None
