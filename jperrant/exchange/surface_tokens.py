"""The surface tokens of CoNLL-U files, a multi-word token being one, and the comments that mark errors in them."""

from __future__ import annotations

from collections.abc import Iterator

from jperrant.io.files import read_lines
from jperrant.io.m2_lines import bounded_int

_COMMENT = "# err ="


def error_lines(path: str) -> Iterator[tuple[int, str, list[str]]]:
    """Yield the line number and text of each comment ``# err =`` and the surface tokens of its sentence.

    Raises:
        InputError: The file cannot be read.
    """
    coded: tuple[int, str] | None = None
    tokens: list[str] = []
    inside = 0
    for number, line in enumerate(read_lines(path), start=1):
        if line.startswith(_COMMENT):
            coded = number, line.removeprefix(_COMMENT).strip()
        elif not line.strip():
            if coded is not None:
                yield *coded, tokens
            coded, tokens, inside = None, [], 0
        elif not line.startswith("#"):
            id_, form = [*line.split("\t"), ""][:2]
            first, hyphen, last = id_.partition("-")
            if hyphen and last.isdecimal():
                inside = bounded_int(last)
                tokens.append(form)
            elif first.isdecimal() and bounded_int(first) > inside:
                tokens.append(form)
    if coded is not None:
        yield *coded, tokens
