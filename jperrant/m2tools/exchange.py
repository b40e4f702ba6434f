"""M2 to the files of an annotation tool and back: formats, side file and packs put together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from jperrant.core.errors import FormatError, InputError, UsageError
from jperrant.core.extras import check_extra
from jperrant.core.m2_format import ANNOTATOR_DIGITS, UNKNOWN
from jperrant.core.paths import optional_path
from jperrant.exchange.base import Corpus, ExchangeFormat, ExportedFile, MarkedText
from jperrant.exchange.collect import collect
from jperrant.exchange.documents import cut_documents
from jperrant.exchange.findings import Findings
from jperrant.exchange.folder import write_folder
from jperrant.exchange.original import Original, read_original, text_of
from jperrant.exchange.registry import make_format
from jperrant.exchange.side_file import (
    SideFile,
    find_side_file,
    read_side_file,
    side_file_from,
    side_file_lines,
    side_file_of,
)
from jperrant.io.files import STDIO, check_output, open_outputs, read_lines
from jperrant.m2tools.change_log import ChangeLog
from jperrant.packs import pack_keys
from jperrant.packs.problems import raise_first

OPERATIONS = ("M", "U", "R")


@dataclass(frozen=True, slots=True)
class Exchanged:
    """What an export or an import did.

    Attributes:
        sentences: How many sentences went over.
        files: What was written.
        notes: What people should know, a line each.
        changed: What the log of an import holds, in a line; empty without a log.
    """

    sentences: int
    files: tuple[str, ...]
    notes: tuple[str, ...] = ()
    changed: str = ""


def export_m2(
    path: str | PathLike[str],
    format: str | ExchangeFormat,
    out: str | PathLike[str],
    *,
    lang: str | None = None,
    pack: str | PathLike[str] | None = None,
    sentences: int | None = None,
    heading: str | None = None,
    strict: bool = False,
    **options: Any,
) -> Exchanged:
    """Write an M2 file as the files of an annotation tool, and the side file that an import needs, if there is one.

    Args:
        path: The M2 file, ``-`` meaning standard input.
        format: Name of an exchange format, with options (``inception:serialisation=json``), or the format.
        out: The folder or the file to write; a folder must be new or empty.
        lang: The language whose pack gives the types that annotators choose from; without it and ``pack`` they are
            those of the file.
        pack: Folder of a pack of your own.
        sentences: Sentences of a document; all in one if None.
        heading: How the first sentence of each document begins.
        strict: Make every deviation from the M2 format an error.
        **options: Options of the format.

    Raises:
        UsageError: An option is wrong, or the folder is not empty.
        InputError: The file cannot be read, or the format cannot hold it.
        MissingExtraError: An extra is not installed.
    """
    made = _made(format, options)
    if not made.can_export:
        raise UsageError(f"exchange format {made.name!r} can only be imported; it is {made.files}")
    if made.extra:
        check_extra(made.modules, made.extra)
    path, out, pack = fspath(path), fspath(out), optional_path(pack)
    original = read_original(path, strict)
    if not original.blocks:
        raise InputError(f"{path}: found no sentences, so there is nothing to export")
    name = _stem(path)
    documents = cut_documents(original.blocks, name, sentences, heading)
    corpus = Corpus(name, documents, _labels(original, lang, pack), _annotators(original))
    side = ExportedFile("", side_file_lines(original, documents, made.name)) if made.can_import else None
    notes = [summary] if (summary := original.deviations.summary(path)) else []
    if made.loses:
        notes.append(f"{made.name}: {made.loses}")
    if made.is_folder:
        side_name = Path(side_file_of("", True, name)).name
        kept = [ExportedFile(side_name, side.content)] if side else []
        files = write_folder(out, [*made.export(corpus), *kept])
        written = [str(Path(out) / file) for file in files]
    else:
        if side:
            _check_side_file(out, original.sha256)
        written = _write_file(out, made.export(corpus), side, path, notes)
    return Exchanged(len(original.blocks), tuple(written), tuple(notes))


def import_m2(
    paths: str | PathLike[str] | Sequence[str | PathLike[str]],
    format: str | ExchangeFormat,
    out: str | PathLike[str],
    *,
    side: str | PathLike[str] | None = None,
    annotators: Mapping[str, int] | None = None,
    lang: str | None = None,
    pack: str | PathLike[str] | None = None,
    complete: bool = False,
    log: str | PathLike[str] | None = None,
    **options: Any,
) -> Exchanged:
    """Write an M2 file from the files of an annotation tool.

    What nobody changed in the tool comes out byte for byte as it was exported, by means of the side file.

    Args:
        paths: The folder or the files that the tool wrote.
        format: Name of an exchange format, with options, or the format.
        out: The M2 file to write, ``-`` meaning standard output.
        side: The side file; if None, the one in the first folder or beside the first file.
        annotators: Numbers for annotators by the name the tool has for them.
        lang: The language whose pack has the types that are expected; others are counted.
        pack: Folder of a pack of your own.
        complete: Whether everybody has looked at every sentence of their files, also where nothing is marked.
        log: A file for what changed since the export, a table in TSV.
        **options: Options of the format.

    Raises:
        UsageError: An option is wrong, or there is no side file to log changes against.
        FormatError: A file is not in the format, or not of this export; names file and place.
        MissingExtraError: An extra is not installed.
    """
    made = _made(format, options)
    inputs = [fspath(paths)] if isinstance(paths, str | PathLike) else [fspath(path) for path in paths]
    out, side, log, pack = fspath(out), optional_path(side), optional_path(log), optional_path(pack)
    if not inputs:
        raise UsageError("found no files to import")
    findings, notes = Findings(), list[str]()
    record = made.side_record(inputs[0])
    side_path = side or (find_side_file(inputs[0]) if record is None else None)
    if record is not None and side is None:
        kept: SideFile | None = _own_side(inputs[0], record)
    else:
        kept = _read_side(side_path, made, inputs[0], notes)
    if log is not None and kept is None:
        raise UsageError(
            f"{inputs[0]}: changes are logged against the export, whose side file is missing; give it with --side"
        )
    others = [side_path, *[getattr(made, option) for option in made.input_options]]
    read = [*inputs, *[name for name in others if name]]
    outputs = [out, *([log] if log is not None else [])]
    for output in outputs:
        check_output(output, read)
    labels = _pack_labels(lang, pack)
    texts = list(_texts(made, inputs))
    read = [*read, *_files_of(texts)]  # those of a folder are known only now
    blocks = collect(
        texts,
        kept,
        annotators=annotators,
        labels=labels,
        complete=complete,
        findings=findings,
    )
    count = 0
    changes = ChangeLog(kept.documents if kept else (), texts)
    with open_outputs(outputs, read) as streams:
        streams[0].write(kept.head if kept else "")
        for block, exact in blocks:
            streams[0].write(text_of(block, exact))
            count += 1
            if log is not None:
                changes.add(block)
        if log is not None:
            streams[1].write(changes.table())
    changed = f"{log}: {changes.summary()}" if log is not None else ""
    return Exchanged(count, tuple(outputs), (*notes, *findings.lines()), changed)


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


def _made(format: str | ExchangeFormat, options: Mapping[str, Any]) -> ExchangeFormat:
    if isinstance(format, str):
        return make_format(format, **options)
    if options:
        raise UsageError(
            f"options {', '.join(options)} cannot be given with a format that has been made already; give its "
            "name instead"
        )
    return format


def _stem(path: str) -> str:
    if path == STDIO:
        return "document"
    name = Path(path).name
    for suffix in (".gz", ".xz", ".bz2", ".zst", ".m2"):
        name = name.removesuffix(suffix)
    return name or "document"


def _annotators(original: Original) -> tuple[int, ...]:
    return tuple(sorted({a.annotator for block in original.blocks for a in block.annotations}))


def _labels(original: Original, lang: str | None, pack: str | None) -> dict[str, str]:
    """Return the types to choose from: those of the pack, then those of the file that it does not have."""
    labels = _pack_labels(lang, pack)
    used = sorted({e.type for block in original.blocks for a in block.annotations for e in a.edits})
    return {**labels, **{type_: "" for type_ in used if type_ not in labels}}


def _pack_labels(lang: str | None, pack: str | None) -> dict[str, str]:
    if lang is None and pack is None:
        return {}
    keys, problems = pack_keys(lang or "", pack)  # without its rules, no Python of the pack is run
    raise_first(problems)
    labels: Mapping[str, str] = keys.get("labels", {})
    types = {f"{operation}:{label}": meaning for label, meaning in labels.items() for operation in OPERATIONS}
    return {**types, UNKNOWN: "an error without a correction"}


def _read_side(path: str | None, made: ExchangeFormat, source: str, notes: list[str]) -> SideFile | None:
    if path is None:
        notes.append(
            f"{source}: found no side file (NAME.jperrant.json) beside it; what the tool cannot hold is lost: "
            "which "
            "sentences an annotator did not look at, empty sentences, the exact text"
        )
        return None
    kept = read_side_file(path)
    if kept.exchange != made.name:
        notes.append(
            f"{path}: found the side file of an export to {kept.exchange}, expected one to {made.name}"
        )
    if not kept.is_intact():
        notes.append(
            f"{path}: the sentences of {kept.m2} do not match its checksum; it was changed after the export"
        )
    return kept


def _own_side(path: str, record: Mapping[str, Any]) -> SideFile:
    """Return the side file that a file holds itself.

    Raises:
        FormatError: Its sentences are not those of the M2 file.
    """
    kept = side_file_from(path, record)
    if not kept.is_intact():
        raise FormatError(
            path,
            None,
            f"the sentences of {kept.m2} do not match their checksum; the file was changed or is damaged",
        )
    return kept


def _texts(made: ExchangeFormat, inputs: Sequence[str]) -> Iterator[MarkedText]:
    for path in inputs:
        yield from made.read(path)


def _files_of(texts: Iterable[MarkedText]) -> dict[str, None]:
    """Return the files that texts were read from, each once; brat's marks stand beside theirs."""
    return dict.fromkeys(
        [name for text in texts for name in (text.file, f"{text.file.removesuffix('.ann')}.txt")]
    )


def _check_side_file(out: str, sha256: str) -> None:
    """Refuse an export whose side file would replace that of another M2 file under a similar name.

    ``x.jsonl`` and ``x.json`` have one side file. A file that is exported again replaces its own.
    """
    side = side_file_of(out, False)
    if out == STDIO or Path(out).exists() or not Path(side).is_file():
        return
    if sha256 not in next(read_lines(side), ""):
        raise UsageError(
            f"{side} is the side file of another export; give another file with -o, or remove it"
        )


def _write_file(
    out: str, files: Iterator[ExportedFile], side: ExportedFile | None, path: str, notes: list[str]
) -> list[str]:
    """Write the one file of a format, and the side file beside it, if there is one."""
    [file] = files
    paths, contents = [out], [file.content]
    if side is not None and out != STDIO:
        paths.append(side_file_of(out, False))
        contents.append(side.content)
    elif side is not None:
        notes.append(
            "no side file is written with standard output; an import will lack what the tool cannot hold"
        )
    with open_outputs(paths, [path]) as streams:
        for stream, content in zip(streams, contents, strict=True):
            for text in content:
                stream.write(text)
    return paths
