"""Converting M2 to and from other formats: its dialects, plain text, and the files of annotation tools."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias, cast

from jperrant.core.errors import FormatError, InputError, UsageError, nearest
from jperrant.core.messages import plural
from jperrant.core.packages import check_extra
from jperrant.core.paths import optional_path
from jperrant.core.progress import track
from jperrant.core.tables import Cell, Table, render
from jperrant.core.values import ANNOTATOR_DIGITS, UNKNOWN, Annotation, Block, Edit
from jperrant.exchange.base import (
    Corpus,
    Document,
    ExchangeFormat,
    ExportedFile,
    MarkedText,
    formats,
    make_format,
    with_options,
)
from jperrant.exchange.collect import Findings, collect
from jperrant.exchange.files import cut_documents, write_folder
from jperrant.exchange.offsets import correction_text
from jperrant.exchange.side_file import (
    Original,
    SideFile,
    find_side_file,
    read_original,
    read_side_file,
    reads_as,
    side_file_from,
    side_file_lines,
    side_file_of,
    text_of,
)
from jperrant.io.files import STDIO, check_output, check_stdin, open_output, open_outputs, read_lines
from jperrant.io.m2 import FormatDeviations
from jperrant.m2tools.dialects import DIALECTS, M2, Conversion, Converted, Dialect
from jperrant.packs import pack_keys

_AnyFormat: TypeAlias = ExchangeFormat | Dialect
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
    labels = lang, optional_path(pack)
    side, log = optional_path(side), optional_path(log)

    def step(paths: Sequence[str], out: str, source: _AnyFormat, target: _AnyFormat) -> Converted:
        if isinstance(source, ExchangeFormat):
            return _from_tool(paths, out, source, *labels, side, annotators, complete, log)
        if isinstance(target, ExchangeFormat):
            return _to_tool(paths[0], out, target, strict, *labels, sentences, heading)
        return _rewrite(paths[0], out, source, target, lang or "", strict)

    dialects = isinstance(source, Dialect), isinstance(target, Dialect)
    if all(dialects) or (isinstance(source, M2) and not dialects[1]) or (target == M2() and not dialects[0]):
        return step(inputs, fspath(out), source, target)
    with TemporaryDirectory() as folder:
        middle = str(Path(folder) / f"{stem(inputs[0])}.m2")
        first = step(inputs, middle, source, M2())
        second = step([middle], fspath(out), M2(), target)
        notes = [note.replace(middle, inputs[0]) for note in (*first.notes, *second.notes)]
    return replace(second, notes=tuple(notes), changed=first.changed)


def made_format(spec: str | _AnyFormat) -> _AnyFormat:
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
    format: _AnyFormat, way: str, given: Mapping[str, Any], inputs: Sequence[str] = ()
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


OPERATIONS = ("M", "U", "R")


def _to_tool(
    path: str, out: str, made: ExchangeFormat, strict: bool, lang: str | None, pack: str | None,
    sentences: int | None, heading: str | None,
) -> Converted:  # fmt: skip
    """Write an M2 file as the files of an annotation tool, and the side file that the way back needs."""
    if not made.can_export:
        raise UsageError(f"format {made.name!r} can only be read; it is {made.files}")
    if made.extra:
        check_extra(made.modules, made.extra)
    original = read_original(path, strict)
    if not original.blocks:
        raise InputError(f"{path}: found no sentences, so there is nothing to convert")
    name = stem(path)
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
    return Converted(len(original.blocks), tuple(written), tuple(notes))


def _from_tool(
    inputs: Sequence[str], out: str, made: ExchangeFormat, lang: str | None, pack: str | None,
    side: str | None, annotators: Mapping[str, int] | None, complete: bool, log: str | None,
) -> Converted:  # fmt: skip
    """Write an M2 file from the files of an annotation tool."""
    findings, notes = Findings(), list[str]()
    record = made.side_record(inputs[0])
    side_path = side or (find_side_file(inputs[0]) if record is None else None)
    if record is not None and side is None:
        kept: SideFile | None = _own_side(inputs[0], record)
    else:
        kept = _read_side(side_path, made, inputs[0], notes)
    if log is not None and kept is None:
        raise UsageError(
            f"{inputs[0]}: changes are logged against the M2 that the files were made from, whose side file is "
            "missing; give it with --side"
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
        head = kept.head if kept else ""
        for count, (block, exact) in enumerate(blocks, start=1):
            text = head + text_of(block, exact)
            if not reads_as(text, block):
                raise FormatError(
                    kept.path if kept else inputs[0],
                    None,
                    f"sentence {count}: its text does not match its annotations; save or export it again",
                )
            streams[0].write(text)
            head = ""
            if log is not None:
                changes.add(block)
        if log is not None:
            streams[1].write(changes.table())
    changed = f"{log}: {changes.summary()}" if log is not None else ""
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


HEADER = ("sentence", "annotator", "change", "before", "after")


class ChangeLog:
    """The changes of one import, sentence by sentence.

    Args:
        documents: What was exported.
        texts: What was imported, for its comments.
    """

    def __init__(self, documents: Iterable[Document], texts: Iterable[MarkedText]) -> None:
        documents = tuple(documents)
        self._before = iter([block for document in documents for block in document.blocks])
        first = {document.name: document.first for document in documents}
        self._comments: dict[int, list[str]] = {}
        for text in texts:
            for comment in text.comments:
                number = first.get(text.document, 0) + (text.sentence or 0)
                self._comments.setdefault(number, []).append(comment)
        self._count = 0
        self.rows: list[tuple[Cell, ...]] = []

    def add(self, after: Block) -> None:
        """Take the next sentence of the import."""
        for row in block_changes(next(self._before), after):
            self.rows.append((self._count + 1, *row))
        for comment in dict.fromkeys(self._comments.get(self._count, ())):
            self.rows.append((self._count + 1, "", "comment", "", comment))
        self._count += 1

    def table(self) -> str:
        """Return the table in TSV."""
        return render([Table(HEADER, tuple(self.rows))], "tsv")

    def summary(self) -> str:
        """Return how many changes of each kind there are."""
        counts = Counter(str(row[2]) for row in self.rows)
        sentences = plural(len({row[0] for row in self.rows}), "sentence")
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items()))
        return f"{sentences} changed: {kinds}" if kinds else "nothing changed"


def block_changes(before: Block, after: Block) -> Iterator[tuple[str, str, str, str]]:
    """Yield annotator, change, and the edit before and after; annotators in ascending order.

    A change is ``added``, ``removed``, ``type``, ``correction``, ``span`` or several of these three, or ``version
    added`` and ``version removed`` where an annotator has a sentence only afterwards or only before.
    """
    for annotator in sorted({a.annotator for block in (before, after) for a in block.annotations}):
        old, new = before.annotation(annotator), after.annotation(annotator)
        if old is None or new is None:
            change = "version added" if old is None else "version removed"
            yield str(annotator), change, _shown(before, old), _shown(after, new)
            continue
        for left, right in _pairs(old.edits, new.edits):
            yield str(annotator), _change(left, right), _edit(before, left), _edit(after, right)


def _pairs(old: Sequence[Edit], new: Sequence[Edit]) -> Iterator[tuple[Edit | None, Edit | None]]:
    """Yield what differs: edits of both sides that touch one place together, all others alone."""
    kept = Counter(old) & Counter(new)
    removed, added = list((Counter(old) - kept).elements()), list((Counter(new) - kept).elements())
    for left in removed:
        right = next((edit for edit in added if _touch(left, edit)), None)
        if right is not None:
            added.remove(right)
        yield left, right
    for right in added:
        yield None, right


def _touch(left: Edit, right: Edit) -> bool:
    if left.start == right.start:
        return True
    return left.start < right.end and right.start < left.end


def _change(left: Edit | None, right: Edit | None) -> str:
    if left is None or right is None:
        return "added" if left is None else "removed"
    parts = {
        "span": (left.start, left.end) != (right.start, right.end),
        "correction": correction_text(left) != correction_text(right),
        "type": left.type != right.type,
    }
    return " ".join([name for name, differs in parts.items() if differs])


def _shown(block: Block, annotation: Annotation | None) -> str:
    if annotation is None:
        return ""
    return "; ".join([_edit(block, edit) for edit in annotation.edits]) or "noop"


def _edit(block: Block, edit: Edit | None) -> str:
    """Return an edit as people read it: its span, type, the words before and after."""
    if edit is None:
        return ""
    words = " ".join(block.source[edit.start : edit.end]) or "∅"
    correction = correction_text(edit)
    after = "?" if correction is None else correction or "∅"
    return f"{edit.start} {edit.end} {edit.type}: {words} → {after}"
