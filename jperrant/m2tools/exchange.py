"""M2 to the files of an annotation tool and back: formats, side file and packs put together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jperrant.core.errors import FormatError, InputError, UsageError
from jperrant.core.m2_format import UNKNOWN
from jperrant.core.packages import check_extra
from jperrant.exchange.base import Corpus, ExchangeFormat, ExportedFile, MarkedText
from jperrant.exchange.collect import collect
from jperrant.exchange.documents import cut_documents
from jperrant.exchange.findings import Findings
from jperrant.exchange.folder import write_folder
from jperrant.exchange.original import Original, read_original, text_of
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
from jperrant.m2tools.dialects import Converted
from jperrant.packs import pack_keys

OPERATIONS = ("M", "U", "R")
_COMPRESSED = (".gz", ".xz", ".bz2", ".zst")


@dataclass(frozen=True, slots=True)
class Documents:
    """What is asked of files for an annotation tool; as for :func:`convert_m2`."""

    lang: str | None
    pack: str | None
    sentences: int | None
    heading: str | None


@dataclass(frozen=True, slots=True)
class Marks:
    """What is known of the files of an annotation tool; as for :func:`convert_m2`."""

    lang: str | None
    pack: str | None
    side: str | None
    annotators: Mapping[str, int] | None
    complete: bool
    log: str | None


def to_tool(path: str, out: str, made: ExchangeFormat, how: Documents, strict: bool) -> Converted:
    """Write an M2 file as the files of an annotation tool, and the side file that the way back needs."""
    if not made.can_export:
        raise UsageError(f"format {made.name!r} can only be read; it is {made.files}")
    if made.extra:
        check_extra(made.modules, made.extra)
    original = read_original(path, strict)
    if not original.blocks:
        raise InputError(f"{path}: found no sentences, so there is nothing to convert")
    name = stem(path)
    documents = cut_documents(original.blocks, name, how.sentences, how.heading)
    corpus = Corpus(name, documents, _labels(original, how.lang, how.pack), _annotators(original))
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
    return Converted(len(original.blocks), tuple(written), tuple(notes))


def from_tool(inputs: Sequence[str], out: str, made: ExchangeFormat, known: Marks) -> Converted:
    """Write an M2 file from the files of an annotation tool."""
    findings, notes = Findings(), list[str]()
    record = made.side_record(inputs[0])
    side_path = known.side or (find_side_file(inputs[0]) if record is None else None)
    if record is not None and known.side is None:
        kept: SideFile | None = _own_side(inputs[0], record)
    else:
        kept = _read_side(side_path, made, inputs[0], notes)
    if known.log is not None and kept is None:
        raise UsageError(
            f"{inputs[0]}: changes are logged against the M2 that the files were made from, whose side file is "
            "missing; give it with --side"
        )
    others = [side_path, *[getattr(made, option) for option in made.input_options]]
    read = [*inputs, *[name for name in others if name]]
    outputs = [out, *([known.log] if known.log is not None else [])]
    for output in outputs:
        check_output(output, read)
    labels = _pack_labels(known.lang, known.pack)
    texts = list(_texts(made, inputs))
    read = [*read, *_files_of(texts)]  # those of a folder are known only now
    blocks = collect(
        texts,
        kept,
        annotators=known.annotators,
        labels=labels,
        complete=known.complete,
        findings=findings,
    )
    count = 0
    changes = ChangeLog(kept.documents if kept else (), texts)
    with open_outputs(outputs, read) as streams:
        streams[0].write(kept.head if kept else "")
        for block, exact in blocks:
            streams[0].write(text_of(block, exact))
            count += 1
            if known.log is not None:
                changes.add(block)
        if known.log is not None:
            streams[1].write(changes.table())
    changed = f"{known.log}: {changes.summary()}" if known.log is not None else ""
    return Converted(count, tuple(outputs), (*notes, *findings.lines()), changed)


def stem(path: str) -> str:
    """Return the name of an M2 file without its endings, for the documents made of it."""
    if path == STDIO:
        return "document"
    name = Path(path).name
    for suffix in (*_COMPRESSED, ".m2"):
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
    labels = pack_keys(lang or "", pack).labels  # without its rules, no Python of the pack is run
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
        raise UsageError(f"{side} is the side file of another export; give another file, or remove it")


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
