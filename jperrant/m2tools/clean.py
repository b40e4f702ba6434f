"""Bringing M2 into the dialect."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from jperrant.core.m2_format import format_block
from jperrant.core.values import Block
from jperrant.io.m2 import FormatDeviations, parse_m2


def clean_m2(blocks: Iterable[Block], left: FormatDeviations | None = None) -> Iterator[Block]:
    """Yield blocks as the dialect has them: annotators and edits in order.

    The reader has fixed the rest. What only a person can fix stays as it is: edits that overlap, and alternative
    corrections.

    Args:
        blocks: Blocks read leniently.
        left: Counts what stays.

    Raises:
        InputError: A token or type cannot be written in M2.
    """
    for block in blocks:
        annotations = sorted(block.annotations, key=lambda a: a.annotator)
        edits = [tuple(sorted(a.edits, key=lambda e: (e.start, e.end))) for a in annotations]
        cleaned = Block(
            block.source, tuple([replace(a, edits=e) for a, e in zip(annotations, edits, strict=True)])
        )
        if left is not None:
            lines = format_block(cleaned).rstrip("\n").split("\n")
            for _ in parse_m2(lines, "", left):
                pass
        yield cleaned


def clean_report(file: str, read: FormatDeviations, left: FormatDeviations) -> list[str]:
    """Return what was fixed and what was not, a line each.

    Args:
        file: Name of the file.
        read: The deviations of the file.
        left: The deviations of the cleaned blocks.
    """
    fixed = {kind: n - left.counts.get(kind, 0) for kind, n in read.counts.items()}
    kept = {kind: n for kind, n in left.counts.items() if kind in read.first}
    lines = []
    for what, counts in (("fixed", fixed), ("left as it is", kept)):
        kinds = [f"{kind} ({n}, first in line {read.first[kind]})" for kind, n in counts.items() if n > 0]
        if kinds:
            lines.append(f"{file}: {what}: {'; '.join(kinds)}")
    return lines
