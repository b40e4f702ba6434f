"""Files of tools, read whole: bytes, text, JSON and what is expected of it."""

from __future__ import annotations

from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json

from jperrant.core.display import shorten
from jperrant.core.errors import FormatError
from jperrant.io.files import BOM, open_input, read_raw
from jperrant.io.recognise import binary_problem

#: What messages say instead of pydantic's words.
_WORDS = {
    "Input should be": "expected", "Field required": "found none, expected one", "List should have": "expected",
    " after validation": "",
}  # fmt: skip
M = TypeVar("M", bound=BaseModel)


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


def json_value(content: str | bytes, path: str, line: int | None = None) -> Any:
    """Return the value of JSON of a file; ``line`` is the line that it is, where it is one.

    Raises:
        FormatError: It is not JSON, or too deep or too large for it; says where.
    """
    try:
        return from_json(content)
    except ValueError as error:
        raise FormatError(path, line, f"not JSON ({error})") from None


def checked_model(model: type[M], value: Any, file: str, what: str, line: int | None = None) -> M:
    """Return JSON as a model of it.

    Args:
        model: What is expected.
        value: The JSON.
        file: Its file in messages.
        what: What the file, or the part of it, should be, in messages.
        line: Its line.

    Raises:
        FormatError: Something is missing or of another kind; names the first such place.
    """
    try:
        return model.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        keys = [str(key + 1 if isinstance(key, int) else key) for key in first["loc"]]
        found = "" if first["type"] == "missing" else f"found {shorten(str(first['input']))}, "
        problem = first["msg"].partition(" or instance of")[0]  # names of models mean nothing to people
        for said, meant in _WORDS.items():
            problem = problem.replace(said, meant)
        place = f"{'.'.join(keys)}: " if keys else ""
        raise FormatError(file, line, f"{place}{found}{problem}, in {what}") from None
