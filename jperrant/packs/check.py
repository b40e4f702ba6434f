"""Checking a pack by its own examples."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from jperrant.annotator import Annotator
from jperrant.packs import Pack
from jperrant.packs.examples import Example
from jperrant.parse.given import GivenParser


def failing_examples(pack: Pack) -> Iterator[str]:
    """Yield one line for each example whose edits differ from what the pack's rules find.

    Examples are annotated with the analysis they give and no models.
    """
    annotator = Annotator(pack, GivenParser())
    for n, example in enumerate(pack.examples):
        if problem := _problem(annotator, example):
            name = f" ({example.name})" if example.name else ""
            yield f"examples[{n}]{name}: {problem}"


def _problem(annotator: Annotator, example: Example) -> str:
    found = annotator.annotate(example.source, example.target)
    for wanted, edit in zip_longest(example.edits, found):
        if wanted is not None and edit is not None and wanted.fits(edit):
            continue
        shown = (
            "no edit"
            if edit is None
            else f"{edit.start} {edit.end} {' '.join(edit.correction or ())!r} {edit.type}"
        )
        return f"expected {wanted or 'no edit'}, found {shown}"
    return ""
