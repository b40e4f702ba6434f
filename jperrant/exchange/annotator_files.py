"""One file for each document and annotator: ``DOC.a0.ann``. Names, and finding the files of a folder."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from jperrant.core.errors import FormatError, InputError
from jperrant.core.values import Annotation
from jperrant.exchange.base import Corpus, Document, ExportedFile, MarkedText
from jperrant.exchange.common_lines import with_common_lines
from jperrant.exchange.given_tokens import GivenTokens
from jperrant.exchange.inline_text import Mark, is_tokenised, on_whole_tokens, retokenised

#: What the option that takes an M2 file says.
TOKENS_HELP = "M2 file of the same texts, whose tokens and sentences running text gets."
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
        raise InputError(f"{path}: found no file *{suffix} in the folder")
    return files


def names_of(file: str, suffix: str) -> tuple[str, str]:
    """Return the names of the document and of the annotator of a file.

    >>> names_of("out/0002.a1.ann", ".ann"), names_of("essay.ann", ".ann")
    (('0002', '1'), ('essay', '0'))
    """
    name = Path(file).name.removesuffix(suffix)
    match = _NAME.fullmatch(name)
    return (match[1], match[2]) if match else (name, "0")


def placed_texts(
    texts: Sequence[tuple[MarkedText, Sequence[Mark]]], kind: str, given: GivenTokens | None = None
) -> Iterator[MarkedText]:
    """Yield texts with their marks as regions of whole tokens.

    In running text an edit may cross lines, and annotators may have changed empty lines. Then a document has the
    lines that all its annotators have and no edit crosses.

    Args:
        texts: The texts without regions, and the marks of each.
        kind: A key of ``TEXTS``.
        given: The tokens and sentences that the texts get; None for those they have.

    Raises:
        FormatError: The M2 file does not hold a text.
    """
    by_document: dict[str, list[MarkedText]] = defaultdict(list)
    running = set[str]()
    for text, marks in texts:
        tokenised = kind == "tokens" or (kind == "auto" and is_tokenised(text.text))
        if not tokenised or given is not None:
            running.add(text.document)
        if given is not None:
            text, marks = _on_tokens(text, marks, given.of(text))
        placed = on_whole_tokens(text.text, marks, tokenised or given is not None)
        remarks = (*text.remarks, *placed.remarks)
        by_document[text.document].append(replace(text, regions=placed.regions, remarks=remarks))
    for document, versions in by_document.items():
        yield from with_common_lines(versions) if document in running else versions


def _on_tokens(
    text: MarkedText, marks: Sequence[Mark], sentences: Sequence[Sequence[str]]
) -> tuple[MarkedText, Sequence[Mark]]:
    moved = retokenised(text.text, marks, sentences)
    assert moved is not None, "given tokens are those of the text"
    return replace(text, text=moved[0]), moved[1]


def line_error(file: str, text: str, place: int, problem: str) -> FormatError:
    """Return an error at a place of a text, as a line of its file."""
    return FormatError(file, text.count("\n", 0, place) + 1, problem)
