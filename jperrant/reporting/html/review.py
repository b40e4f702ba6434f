"""The review page: the edits of an M2 file to accept, reject and change in a browser, without a server."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from jperrant.core.errors import InputError, UsageError
from jperrant.core.messages import plural
from jperrant.core.values import Block
from jperrant.exchange.review_files import ADJUDICATE, FORMAT, REVIEW, VERSION
from jperrant.exchange.side_file import Original, original_of, read_original
from jperrant.io.files import STDIO
from jperrant.packs.keys import PackKeys
from jperrant.reporting.html.page import SavedPage, labels_of, render_page

_OPERATIONS = ("M", "U", "R")
_SCRIPTS = ("review_state.js", "review_view.js", "review_panel.js", "review.js")


@dataclass(frozen=True, repr=False)
class Review(SavedPage):
    """A review page.

    Attributes:
        title: The title of the page.
        sentences: The number of sentences.
        html: The page.
        notes: Notes about the M2 file, a line each.
    """

    title: str
    sentences: int
    html: str = field(repr=False)
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<Review {self.title!r}: {plural(self.sentences, 'sentence')}, {len(self.html) // 1000} kB>"


def review(
    path: str | PathLike[str],
    *,
    lang: str | None = None,
    pack: str | None = None,
    adjudicate: bool = False,
    blind: bool = False,
    title: str = "",
    strict: bool = False,
) -> Review:
    """Return a page on which people review the edits of an M2 file.

    They save ``NAME.review.json``, which ``convert_m2(file, out, "review", "m2")`` turns into M2.

    Args:
        path: The M2 file, ``-`` meaning standard input.
        lang: The language whose pack has the types to choose from. Without ``lang`` and ``pack`` these are the
            types of the English pack if it has all types of the file, else the types of the file.
        pack: The folder of a pack of your own.
        adjudicate: Whether the versions of several annotators are merged into one; if not, each annotator keeps a
            version.
        blind: Whether the page shows the source alone, so that each person annotates without seeing the edits of
            others, as studies of agreement require; the saved review becomes M2 of one annotator.
        title: The heading of the page; the name of the file if empty.
        strict: Make every deviation from the M2 format an error.

    Raises:
        FormatError: The file is not M2, or has no sentences.
        PackError: The pack cannot be read.
        UsageError: Both ``adjudicate`` and ``blind`` are given.

    Example:
        >>> jperrant.review("gold.m2", lang="en").save("review.html")
    """
    file = fspath(path)
    if adjudicate and blind:
        raise UsageError("--adjudicate decides between edits, which --blind does not show; give only one")
    original = read_original(file, strict)
    if not original.blocks:
        raise InputError(f"{file}: found no sentences, so there is nothing to review")
    keys = labels_of(lang, pack, _types(original))
    if blind:
        original = without_edits(original)
    name = "document.m2" if file == STDIO else Path(file).name
    shown = title or name
    html = render_page(
        "review.html",
        title=shown,
        styles=["review.css"],
        scripts=_SCRIPTS,
        data={"review": review_record(original, name, adjudicate), "labels": _labels(original, keys)},
        heading=shown,
        adjudicate=adjudicate,
        blind=blind,
        several=len({a.annotator for block in original.blocks for a in block.annotations}) > 1,
        sentences=len(original.blocks),
        lang=lang or "",
        join=keys.join,
        pack=keys.name,
        m2=name,
        sha256=original.sha256,
    )
    summary = original.deviations.summary(file)
    return Review(shown, len(original.blocks), html, (summary,) if summary else ())


def without_edits(original: Original) -> Original:
    """Return an M2 file without its annotations: the sentences alone."""
    blocks = [Block(block.source) for block in original.blocks]
    return replace(original_of(original.path, blocks), deviations=original.deviations)


def review_record(original: Original, name: str, adjudicate: bool = False) -> dict[str, Any]:
    """Return the M2 file as a review without decisions, as the page would save it before any click.

    Args:
        original: The M2 file.
        name: The name of the file in the review.
        adjudicate: Whether the versions of several annotators are merged into one.
    """
    return {
        "format": FORMAT,
        "version": VERSION,
        "task": ADJUDICATE if adjudicate else REVIEW,
        "m2": name,
        "sha256": original.sha256,
        "head": original.head,
        "sentences": [
            block.to_dict() | ({} if text is None else {"text": text})
            for block, text in zip(original.blocks, original.texts, strict=True)
        ],
    }


def _labels(original: Original, keys: PackKeys) -> list[list[str]]:
    """Return labels without operations, each with its meaning: those of the pack, then other labels of the file."""
    labels = dict(keys.labels)
    for type_ in _types(original):
        operation, _, label = type_.partition(":")
        if operation in _OPERATIONS and label:
            labels.setdefault(label, "")
    return [[label, meaning] for label, meaning in sorted(labels.items())]


def _types(original: Original) -> list[str]:
    return sorted({e.type for block in original.blocks for a in block.annotations for e in a.edits})
