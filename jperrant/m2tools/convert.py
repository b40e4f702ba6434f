"""Converting M2 to and from other formats: its dialects, plain text, and the files of annotation tools."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

from jperrant.core.errors import UsageError, nearest
from jperrant.core.m2_format import ANNOTATOR_DIGITS
from jperrant.core.paths import optional_path
from jperrant.core.progress import track
from jperrant.core.values import Block
from jperrant.exchange.base import ExchangeFormat
from jperrant.exchange.registry import formats, make_format, with_options
from jperrant.io.files import STDIO, check_stdin, open_output
from jperrant.io.m2 import FormatDeviations
from jperrant.m2tools.dialects import DIALECTS, M2, Conversion, Converted, Dialect

#: Formats by the ending of a file.
_ENDINGS = {".m2": "m2", ".conllu": "conllu"}
_COMPRESSED = (".gz", ".xz", ".bz2", ".zst")


def convert_m2(
    paths: str | PathLike[str] | Sequence[str | PathLike[str]],
    out: str | PathLike[str],
    source_format: str | ExchangeFormat = "",
    target_format: str | ExchangeFormat = "",
    *,
    lang: str | None = None,
    pack: str | PathLike[str] | None = None,
    strict: bool = False,
    sentences: int | None = None,
    heading: str | None = None,
    side: str | PathLike[str] | None = None,
    annotators: Mapping[str, int] | None = None,
    complete: bool = False,
    log: str | PathLike[str] | None = None,
) -> Converted:
    """Convert M2, one of its dialects, or files of an annotation tool to another of these formats.

    What nobody changed in an annotation tool comes out of it byte for byte as it went in, by means of a side file
    that is written beside the tool's files.

    Args:
        paths: The file to read, ``-`` meaning standard input; of annotation tools also a folder, or several files.
        out: The file or folder to write, ``-`` meaning standard output; a folder must be new or empty.
        source_format: Name of the format to read, with options (``cherrant:letters=ust``); by the file's ending, or
            M2, if empty.
        target_format: Name of the format to write, with options (``text:annotator=1``); by the file's ending, or M2
            for standard output, if empty.
        lang: The language whose pack has the types that annotators choose from, or are expected from them, and how
            labels are written elsewhere; without it and ``pack`` the types are those of the file.
        pack: Folder of a pack of your own.
        strict: Make every deviation from the M2 format an error.
        sentences: Sentences of a document for an annotation tool; all in one if None.
        heading: How the first sentence of each document for an annotation tool begins.
        side: The side file; if None, the one in the first folder or beside the first file.
        annotators: Numbers for annotators by the name that the annotation tool has for them.
        complete: Whether everybody has looked at every sentence of their files, also where nothing is marked.
        log: A file for what changed since the files were made for the annotation tool, a table in TSV.

    Raises:
        UsageError: A format or option is wrong, or does not belong to these formats; or the folder is not empty.
        FormatError: A file is not in the format, or was not made from this M2; names file and place.
        InputError: A file cannot be read, or the format cannot hold something.
        MissingExtraError: An extra is not installed.
    """
    inputs = [fspath(paths)] if isinstance(paths, str | PathLike) else [fspath(path) for path in paths]
    if not inputs:
        raise UsageError("found no files to convert")
    source = made_format(source_format or _by_name(inputs[0], "--from"))
    target = made_format(target_format or _by_name(fspath(out), "--to"))
    _check_options(
        source, "from", {"side": side, "annotator": annotators, "complete": complete, "log": log}, inputs
    )
    _check_options(target, "to", {"sentences": sentences, "heading": heading})
    if isinstance(source, Dialect) and isinstance(target, Dialect):
        return _rewrite(inputs[0], fspath(out), source, target, lang or "", strict)
    from jperrant.m2tools.exchange import Documents, Marks, from_tool, stem, to_tool

    marks = Marks(lang, optional_path(pack), optional_path(side), annotators, complete, optional_path(log))
    documents = Documents(lang, optional_path(pack), sentences, heading)
    if isinstance(target, M2) and target == M2() and isinstance(source, ExchangeFormat):
        return from_tool(inputs, fspath(out), source, marks)
    if isinstance(source, M2) and isinstance(target, ExchangeFormat):
        return to_tool(inputs[0], fspath(out), target, documents, strict)
    with TemporaryDirectory() as folder:
        middle = str(Path(folder) / f"{stem(inputs[0])}.m2")
        if isinstance(source, Dialect):
            first = _rewrite(inputs[0], middle, source, M2(), lang or "", strict)
        else:
            first = from_tool(inputs, middle, source, marks)
        if isinstance(target, Dialect):
            second = _rewrite(middle, fspath(out), M2(), target, lang or "", strict)
        else:
            second = to_tool(middle, fspath(out), target, documents, strict)
        notes = [note.replace(middle, inputs[0]) for note in (*first.notes, *second.notes)]
    return replace(second, notes=tuple(notes), changed=first.changed)


def made_format(spec: str | ExchangeFormat | Dialect) -> ExchangeFormat | Dialect:
    """Return a format with its options.

    Args:
        spec: Its name, and after a colon its options (``inception:serialisation=json``), or the format.

    Raises:
        UsageError: The format or an option is unknown, or a value is impossible.
    """
    if not isinstance(spec, str):
        return spec
    name = spec.partition(":")[0].strip()
    if name in DIALECTS:
        return cast(Dialect, with_options(spec, DIALECTS[name], f"format {name!r}"))
    if name not in formats():
        known = sorted([*DIALECTS, *formats()])
        raise UsageError(f"unknown format {name!r}{nearest(name, known)}; expected one of {', '.join(known)}")
    return make_format(spec)


def _by_name(path: str, option: str) -> str:
    """Return the format that the ending of a file names.

    Raises:
        UsageError: It names none.
    """
    if path == STDIO:
        return M2.name
    name = Path(path).name
    for suffix in _COMPRESSED:
        name = name.removesuffix(suffix)
    if found := _ENDINGS.get(Path(name).suffix.lower()):
        return found
    known = ", ".join(sorted([*DIALECTS, *formats()]))
    raise UsageError(f"{path}: its name does not say its format; give it with {option}: {known}")


def _check_options(
    format: ExchangeFormat | Dialect, way: str, given: Mapping[str, Any], inputs: Sequence[str] = ()
) -> None:
    """Refuse options, and several files, that only formats of annotation tools have.

    Raises:
        UsageError: There is one.
    """
    if isinstance(format, ExchangeFormat):
        return
    for name, value in given.items():
        if value:
            raise UsageError(f"--{name} is for formats of annotation tools, not for --{way} {format.name}")
    if len(inputs) > 1:
        raise UsageError(f"format {format.name!r} is read from one file, found {len(inputs)}")


def _rewrite(path: str, out: str, source: Dialect, target: Dialect, lang: str, strict: bool) -> Converted:
    """Write a dialect of M2, or its texts, from another one, sentence by sentence."""
    conversion = Conversion(path, lang, FormatDeviations(strict))
    count = 0

    def counted() -> Iterator[Block]:
        nonlocal count
        for block in track(source.read(conversion), f"reading {path} (sentences)"):
            count += 1
            yield block

    read = [path, *([target.like] if isinstance(target, M2) and target.like else [])]
    check_stdin(read)
    with open_output(out, read) as stream:
        target.write(counted(), stream, conversion)
    summary = conversion.deviations.summary(path)
    return Converted(count, (out,), (*([summary] if summary else []), *conversion.notes))


def annotator_numbers(written: Sequence[str]) -> dict[str, int]:
    """Return the numbers that are written as ``NAME=NUMBER``.

    >>> annotator_numbers(["maria=0", "a=b=1"])
    {'maria': 0, 'a=b': 1}

    Raises:
        UsageError: One is not written so, or a name comes twice.
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
