"""Converting between formats: M2, its dialects and texts, and the files of annotation tools and corpora."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path

from jperrant.core.errors import UsageError
from jperrant.core.paths import optional_path
from jperrant.core.values import ANNOTATOR_DIGITS, UNKNOWN
from jperrant.exchange.collect import Findings
from jperrant.exchange.formats import COMPRESSED, Conversion, Format, ToolFormat, formats, make_format
from jperrant.exchange.side_file import Exact
from jperrant.io.files import STDIO, check_stdin
from jperrant.io.m2 import FormatDeviations
from jperrant.m2tools.m2_formats import M2

#: Formats by the ending of a file.
_ENDINGS = {".m2": "m2", ".conllu": "conllu"}
OPERATIONS = ("M", "U", "R")


@dataclass(frozen=True, slots=True)
class Converted:
    """The result of a conversion.

    Attributes:
        sentences: Number of converted sentences.
        files: Files that were written.
        notes: Notes for the user, a line each.
    """

    sentences: int
    files: tuple[str, ...]
    notes: tuple[str, ...] = ()


def convert_m2(
    paths: str | PathLike[str] | Sequence[str | PathLike[str]],
    out: str | PathLike[str],
    source_format: str | Format = "",
    target_format: str | Format = "",
    *,
    lang: str | None = None,
    pack: str | PathLike[str] | None = None,
    strict: bool = False,
    sentences: int | None = None,
    side: str | PathLike[str] | None = None,
    annotators: Mapping[str, int] | None = None,
    complete: bool = False,
    on_error: str = "stop",
) -> Converted:
    """Convert M2, one of its dialects, or files of an annotation tool or corpus to another of these formats.

    Sentences that nobody changed in an annotation tool come back byte for byte, by means of a side file beside
    the tool's files.

    Args:
        paths: The file to read, ``-`` meaning standard input; of annotation tools also a folder, or several files.
        out: The file or folder to write, ``-`` meaning standard output; a folder must be new or empty.
        source_format: Name of the format to read, with options (``cherrant:letters=ust``); by the file's ending, or
            M2, if empty.
        target_format: Name of the format to write, with options (``text:annotator=1``); by the file's ending, or M2
            for standard output, if empty.
        lang: The language whose pack has the types that annotators use, and the names of labels in other
            schemes. Without it and ``pack`` the types are those of the file.
        pack: Folder of a pack of your own.
        strict: Make every deviation from the M2 format an error.
        sentences: Number of sentences in a document for an annotation tool; None for all in one.
        side: The side file; if None, the one in the first folder or beside the first file.
        annotators: Numbers for annotators by their names in the annotation tool.
        complete: Whether each annotator looked at every sentence of their files, also at those without marks.
        on_error: Treatment of unreadable texts of an annotation tool or corpus: ``stop`` ends the conversion
            once all places are known, ``skip`` leaves them out and names them.

    Raises:
        UsageError: A format or option is wrong, or does not belong to these formats; or the folder is not empty.
        FormatError: A file is not in the format, or was not made from this M2; names file and place.
        InputError: A file cannot be read, or the format cannot hold something.
    """
    inputs = [fspath(paths)] if isinstance(paths, str | PathLike) else [fspath(path) for path in paths]
    if not inputs:
        raise UsageError("found no files to convert")
    source = make_format(source_format or _by_name(inputs[0], "--from"))
    target = make_format(target_format or _by_name(fspath(out), "--to"))
    if not target.can_write:
        raise UsageError(f"format {target.name!r} can only be read; it is {target.files}")
    if on_error not in ("stop", "skip"):
        raise UsageError(f"found --on-error {on_error}, expected stop or skip")
    skips = on_error == "skip"
    only_read = {"side": side, "annotator": annotators, "complete": complete, "on-error": skips}
    _check_options(source, "from", only_read, inputs)
    _check_options(target, "to", {"sentences": sentences})
    exact = isinstance(source, M2) and isinstance(target, ToolFormat)
    job = Conversion(
        inputs, fspath(out), lang or "", _pack_labels(lang, optional_path(pack)), FormatDeviations(strict),
        sentences, optional_path(side), annotators or {}, complete, Findings(skips), exact=exact,
    )  # fmt: skip
    check_stdin(inputs)
    return _converted(source, target, job)


def _converted(source: Format, target: Format, job: Conversion) -> Converted:
    count = 0

    def counted() -> Iterator[Exact]:
        nonlocal count
        for count, pair in enumerate(source.read(job), start=1):  # noqa: B007
            yield pair

    files = target.write(counted(), job)
    notes = [job.deviations.summary(job.inputs[0]), *job.notes, *job.findings.lines()]
    return Converted(count, tuple(files), tuple(filter(None, notes)))


def _by_name(path: str, option: str) -> str:
    """Return the format that the ending of a file stands for.

    Raises:
        UsageError: It stands for none.
    """
    if path == STDIO:
        return M2.name
    name = Path(path).name
    for suffix in COMPRESSED:
        name = name.removesuffix(suffix)
    if found := _ENDINGS.get(Path(name).suffix.lower()):
        return found
    known = ", ".join(sorted(formats()))
    raise UsageError(f"{path}: its ending names no format; give {option} FORMAT, one of {known}")


def _check_options(format: Format, way: str, given: Mapping[str, object], inputs: Sequence[str] = ()) -> None:
    """Refuse options and several files that only formats of annotation tools take.

    Raises:
        UsageError: There is one.
    """
    if isinstance(format, ToolFormat):
        return
    for name, value in given.items():
        if value:
            raise UsageError(f"--{name} is for formats of annotation tools, not for --{way}={format.name}")
    if len(inputs) > 1:
        raise UsageError(f"format {format.name!r} is read from one file, found {len(inputs)}")


def annotator_numbers(written: Sequence[str]) -> dict[str, int]:
    """Return the numbers of annotators given as ``NAME=NUMBER``.

    >>> annotator_numbers(["maria=0", "a=b=1"])
    {'maria': 0, 'a=b': 1}

    Raises:
        UsageError: One has another form, or a name is given twice.
    """
    numbers: dict[str, int] = {}
    for text in written:
        name, _, number = text.rpartition("=")
        if not name or not number.isdecimal() or len(number) > ANNOTATOR_DIGITS:
            raise UsageError(f"found annotator {text!r}, expected NAME=NUMBER as in maria=0")
        if name in numbers:
            raise UsageError(f"annotator {name!r} is given two numbers")
        numbers[name] = int(number)
    return numbers


def _pack_labels(lang: str | None, pack: str | None) -> dict[str, str]:
    if lang is None and pack is None:
        return {}
    from jperrant.packs.read import pack_keys

    labels = pack_keys(lang or "", pack).labels  # rules are not compiled, so no Python of the pack is run
    types = {f"{operation}:{label}": meaning for label, meaning in labels.items() for operation in OPERATIONS}
    return {**types, UNKNOWN: "an error without a correction"}
