"""Converting between formats: M2, its dialects and texts, the files of annotation tools and corpora."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path

from jperrant.core.errors import UsageError
from jperrant.core.messages import plural
from jperrant.core.paths import optional_path
from jperrant.core.tables import Cell, Table, render
from jperrant.core.values import ANNOTATOR_DIGITS, UNKNOWN, Annotation, Block, Edit
from jperrant.exchange.base import COMPRESSED, Conversion, Exact, Findings, Format, formats, make_format
from jperrant.exchange.offsets import correction_text
from jperrant.exchange.tool import ToolFormat
from jperrant.io.files import STDIO, check_stdin, open_output
from jperrant.io.m2 import FormatDeviations
from jperrant.m2tools.dialects import M2

#: Formats by the ending of a file.
_ENDINGS = {".m2": "m2", ".conllu": "conllu"}
OPERATIONS = ("M", "U", "R")


@dataclass(frozen=True, slots=True)
class Converted:
    """What a conversion did.

    Attributes:
        sentences: How many sentences went over.
        files: What was written.
        notes: What people should know, a line each.
        changed: What the log holds, in a line; empty without a log.
    """

    sentences: int
    files: tuple[str, ...]
    notes: tuple[str, ...] = ()
    changed: str = ""


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
    log: str | PathLike[str] | None = None,
) -> Converted:
    """Convert M2, one of its dialects, or files of an annotation tool or corpus to another of these formats.

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
        side: The side file; if None, the one in the first folder or beside the first file.
        annotators: Numbers for annotators by the name that the annotation tool has for them.
        complete: Whether everybody has looked at every sentence of their files, also where nothing is marked.
        on_error: What becomes of texts of an annotation tool or corpus that cannot be read: they end the
            conversion, once all places are known (``stop``), or are left out and named (``skip``).
        log: A file for what changed since the files were made for the annotation tool, a table in TSV.

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
    only_read = {"side": side, "annotator": annotators, "complete": complete, "log": log, "on-error": skips}
    _check_options(source, "from", only_read, inputs)
    _check_options(target, "to", {"sentences": sentences})
    exact = isinstance(source, M2) and isinstance(target, ToolFormat)
    job = Conversion(
        inputs,
        fspath(out),
        lang or "",
        _pack_labels(lang, optional_path(pack)),
        FormatDeviations(strict),
        sentences,
        optional_path(side),
        annotators or {},
        complete,
        optional_path(log),
        Findings(skips),
        exact=exact,
    )
    check_stdin(inputs)
    return _converted(source, target, job)


def _converted(source: Format, target: Format, job: Conversion) -> Converted:
    count = 0
    changes: ChangeLog | None = None

    def counted() -> Iterator[Exact]:
        nonlocal count, changes
        for count, (block, exact) in enumerate(source.read(job), start=1):  # noqa: B007
            if job.log:
                changes = changes or ChangeLog(job)
                changes.add(block)
            yield block, exact

    with ExitStack() as stack:
        table = stack.enter_context(open_output(job.log, job.inputs)) if job.log else None
        files = target.write(counted(), job)
        if table and changes:
            table.write(changes.table())
    notes = [job.deviations.summary(job.inputs[0]), *job.notes, *job.findings.lines()]
    changed = f"{job.log}: {changes.summary()}" if changes else ""
    return Converted(count, tuple(files), tuple(filter(None, notes)), changed)


def _by_name(path: str, option: str) -> str:
    """Return the format that the ending of a file names.

    Raises:
        UsageError: It names none.
    """
    if path == STDIO:
        return M2.name
    name = Path(path).name
    for suffix in COMPRESSED:
        name = name.removesuffix(suffix)
    if found := _ENDINGS.get(Path(name).suffix.lower()):
        return found
    known = ", ".join(sorted(formats()))
    raise UsageError(f"{path}: its name does not say its format; give it with {option}: {known}")


def _check_options(format: Format, way: str, given: Mapping[str, object], inputs: Sequence[str] = ()) -> None:
    """Refuse options, and several files, that only formats of annotation tools have.

    Raises:
        UsageError: There is one.
    """
    if isinstance(format, ToolFormat):
        return
    for name, value in given.items():
        if value:
            raise UsageError(f"--{name} is for formats of annotation tools, not for --{way} {format.name}")
    if len(inputs) > 1:
        raise UsageError(f"format {format.name!r} is read from one file, found {len(inputs)}")


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


def _pack_labels(lang: str | None, pack: str | None) -> dict[str, str]:
    if lang is None and pack is None:
        return {}
    from jperrant.packs import pack_keys

    labels = pack_keys(lang or "", pack).labels  # without its rules, no Python of the pack is run
    types = {f"{operation}:{label}": meaning for label, meaning in labels.items() for operation in OPERATIONS}
    return {**types, UNKNOWN: "an error without a correction"}


HEADER = ("sentence", "annotator", "change", "before", "after")


class ChangeLog:
    """The changes of one import, sentence by sentence.

    Args:
        job: The import; its original is known once the first sentence comes.
    """

    def __init__(self, job: Conversion) -> None:
        assert job.original is not None, "an import without its original has no log"
        self._before = iter(job.original.blocks)
        self._comments: dict[int, list[str]] = {}
        self._count = 0
        self.rows: list[tuple[Cell, ...]] = []
        first, begins = 0, dict[str, int]()
        for document in job.original.documents:
            begins[document.name] = first
            first += len(document.blocks)
        for text in job.texts:
            for comment in text.comments:
                number = begins.get(text.document, 0) + (text.sentence or 0)
                self._comments.setdefault(number, []).append(comment)

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
