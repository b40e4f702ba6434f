"""One file for each document and annotator: ``DOC.a0.ann``. Names, and finding the files of a folder."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from jperrant.core.errors import FormatError, InputError
from jperrant.core.values import Annotation
from jperrant.exchange.base import Corpus, Document, ExportedFile, MarkedText
from jperrant.exchange.inline_text import Mark, Placed, is_tokenised, join_crossed_lines, on_whole_tokens
from jperrant.io.files import read_lines

_NAME = re.compile(r"(.+)\.a(\d+)")
#: Whether the text of a file has M2's tokens already, as options call it.
TEXTS: Mapping[str, str] = {
    "auto": "looks whether punctuation stands apart",
    "tokens": "tokens separated by spaces, as an export has them",
    "raw": "running text, where a comma belongs to its word",
}


def annotator_files(
    corpus: Corpus, suffix: str, content: Callable[[Document, int], Iterator[str]]
) -> Iterator[ExportedFile]:
    """Yield a file for each document and each annotator who has annotated a sentence of it.

    Args:
        corpus: The corpus.
        suffix: The ending of the names, such as ``.ann``.
        content: Returns the text of the file of an annotator.
    """
    for document in corpus.documents:
        for annotator in annotators_of(document):
            yield ExportedFile(f"{document.name}.a{annotator}{suffix}", content(document, annotator))


def annotators_of(document: Document) -> list[int]:
    """Return who has annotated a sentence of a document; nobody counts as annotator 0, who gets an empty file."""
    return sorted({a.annotator for block in document.blocks for a in block.annotations}) or [0]


def edits_of(document: Document, annotator: int) -> Iterator[tuple[int, Annotation]]:
    """Yield for each sentence of a document its index and what an annotator did to it."""
    for k, block in enumerate(document.blocks):
        yield k, block.annotation(annotator) or Annotation(annotator)


def input_files(path: str, suffix: str) -> list[str]:
    """Return a file, or the files of a folder with the right ending, sorted by name.

    Raises:
        InputError: The folder has no such file.
    """
    place = Path(path)
    if not place.is_dir():
        return [path]
    files = sorted(str(file) for file in place.iterdir() if file.name.endswith(suffix) and file.is_file())
    if not files:
        raise InputError(f"{path}: the folder has no file *{suffix}")
    return files


def names_of(file: str, suffix: str) -> tuple[str, str]:
    """Return the names of the document and of the annotator of a file.

    >>> names_of("out/0002.a1.ann", ".ann"), names_of("essay.ann", ".ann")
    (('0002', '1'), ('essay', '0'))
    """
    name = Path(file).name.removesuffix(suffix)
    match = _NAME.fullmatch(name)
    return (match[1], match[2]) if match else (name, "0")


def read_text(file: str) -> str:
    r"""Return the text of a file, with ``\n`` between lines and none at the end.

    Raises:
        FormatError: It is not UTF-8.
        InputError: It cannot be read.
    """
    return "\n".join(read_lines(file))


def placed_texts(
    texts: Sequence[tuple[MarkedText, Sequence[Mark]]], kind: str
) -> Iterator[MarkedText]:
    """Yield texts with their marks as regions of whole tokens.

    In running text an edit may cross lines; then the lines are one sentence, for all annotators of the document.

    Args:
        texts: The texts without regions, and the marks of each.
        kind: A key of ``TEXTS``.
    """
    by_document: dict[str, list[tuple[MarkedText, Placed, bool]]] = defaultdict(list)
    for text, marks in texts:
        tokenised = kind == "tokens" or (kind == "auto" and is_tokenised(text.text))
        by_document[text.document].append((text, on_whole_tokens(text.text, marks, tokenised), tokenised))
    for placed_of in by_document.values():
        joined: dict[str, str] = {}
        for text, placed, tokenised in placed_of:
            if not tokenised:
                joined[text.text] = join_crossed_lines(joined.get(text.text, text.text), placed.regions)
        for text, placed, _ in placed_of:
            yield marked(text, placed, joined.get(text.text, text.text))


def marked(text: MarkedText, placed: Placed, joined: str) -> MarkedText:
    """Return a text with its regions; ``joined`` is the text with the lines joined that an edit crosses."""
    from dataclasses import replace

    notes = list(placed.notes)
    if crossed := sum(a != b for a, b in zip(text.text, joined, strict=True)):
        notes.append((f"lines joined to one sentence, because an edit crosses them: {crossed}", ""))
    return replace(text, text=joined, regions=placed.regions, notes=tuple(notes))


def line_error(file: str, text: str, place: int, problem: str) -> FormatError:
    """Return an error at a place of a text, as a line of its file."""
    return FormatError(file, text.count("\n", 0, place) + 1, problem)
