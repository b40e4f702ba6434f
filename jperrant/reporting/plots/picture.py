"""Figures as bytes and as files: the same figure gives the same bytes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

from jperrant.core.errors import InputError, nearest
from jperrant.io.files import check_output, open_binary_output, reason
from jperrant.reporting.plots.fonts import plain

#: Formats of files, by their ending.
FORMATS = ("svg", "pdf", "png")
#: Dots an inch of pictures made of dots, as journals ask for.
DOTS = 300
_TAG = re.compile(r"<[^<>]*>")
#: An identifier that matplotlib makes of random figures unless ``rcParams`` say otherwise.
_RANDOM_ID = re.compile(r"(?<=[\"#])([A-Za-z][\w.-]*?_?)?[0-9a-f]{10}(?=[\")])")


def check_format(path: str) -> str:
    """Return the format that the ending of a file name says.

    Raises:
        InputError: There is no such format.
    """
    format = Path(path).suffix.lstrip(".").lower()
    if format not in FORMATS:
        raise InputError(
            f"{path}: unknown image format {format!r}{nearest(format, FORMATS)}; expected one of "
            f"{', '.join(FORMATS)}"
        )
    return format


def picture_bytes(figure: Any, format: str, title: str = "", description: str = "") -> bytes:
    """Return a figure as the bytes of a file, without dates, versions and random names.

    Args:
        figure: A ``matplotlib.figure.Figure``.
        format: ``svg``, ``pdf`` or ``png``.
        title, description: What the file says of itself.

    Raises:
        InputError: The format is unknown.
    """
    format = check_format(f"picture.{format}")
    stream = BytesIO()
    figure.savefig(
        stream, format=format, dpi=DOTS, facecolor="white", metadata=_metadata(format, title, description)
    )
    return _with_fixed_ids(stream.getvalue()) if format == "svg" else stream.getvalue()


def write_picture(
    figure: Any, path: str, title: str = "", description: str = "", inputs: Iterable[str] = ()
) -> None:
    """Write a figure to a file in the format that its ending says.

    Args:
        figure: A ``matplotlib.figure.Figure``.
        path: The file.
        title, description: What the file says of itself.
        inputs: Files that must not be overwritten.

    Raises:
        InputError: The format is unknown, or the file cannot be written.
        UsageError: The file is one of the inputs, or standard output.
    """
    content = picture_bytes(figure, check_format(path), title, description)
    write_pictures({path: content}, inputs)


def write_pictures(pictures: Mapping[str, bytes], inputs: Iterable[str] = ()) -> None:
    """Write pictures to files; nothing is written if one of them would overwrite an input.

    Args:
        pictures: The bytes of each file.
        inputs: Files that must not be overwritten.

    Raises:
        InputError: A file cannot be written.
        UsageError: A file is one of the inputs, or standard output.
    """
    kept = list(inputs)
    for path in pictures:
        check_output(path, kept)
    for path, content in pictures.items():
        with open_binary_output(path, kept) as stream:
            stream.write(content)


def check_folder(path: str) -> None:
    """Refuse a folder that cannot be made because a file stands in its place.

    Raises:
        InputError: It is a file, or lies in one.
    """
    place = Path(path)
    there = next((p for p in (place, *place.parents) if p.exists()), None)
    if there is not None and not there.is_dir():
        raise InputError(f"{path}: plots are written to a folder, but {there} is a file; give another name")


def make_folder(path: str) -> Path:
    """Make the folder that plots go to, unless it is there.

    Raises:
        InputError: It cannot be made.
    """
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{path}: the folder for plots cannot be created ({reason(error)})") from None
    return Path(path)


def _metadata(format: str, title: str, description: str) -> dict[str, str | None]:
    said: dict[str, str | None] = {}
    if title:
        said["Title"] = plain(title)
    if description:
        said["Subject" if format == "pdf" else "Description"] = plain(description)
    kept_out = {
        "svg": ("Date", "Creator"),
        "pdf": ("CreationDate", "Creator", "Producer"),
        "png": ("Software",),
    }
    return said | dict.fromkeys(kept_out[format])


def _with_fixed_ids(svg: bytes) -> bytes:
    """Return an SVG picture whose random identifiers are numbers behind a digest of its content.

    The digest keeps apart the identifiers of several pictures in one page.
    """
    text = svg.decode("utf-8")
    numbers: dict[str, str] = {}

    def numbered(prefix: str) -> str:
        return _TAG.sub(
            lambda tag: _RANDOM_ID.sub(
                lambda id: f"{prefix}{numbers.setdefault(id[0], str(len(numbers)))}", tag[0]
            ),
            text,
        )

    digest = sha256(numbered("x").encode("utf-8")).hexdigest()[:8]
    return numbered(f"x{digest}-").encode("utf-8")
