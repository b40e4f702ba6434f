"""Whether regions cover what their file says, in code points or in UTF-16 code units."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from jperrant.core.errors import FormatError
from jperrant.core.m2_format import shorten
from jperrant.core.messages import plural
from jperrant.exchange.base import MarkedText, Region
from jperrant.exchange.findings import Findings
from jperrant.exchange.offsets import Utf16


def checked_regions(text: MarkedText, findings: Findings) -> tuple[Region, ...]:
    """Return the regions of a text, their offsets in code points, insertions with zero width.

    Offsets that do not fit in code points are tried once, all together, in UTF-16 code units, which Java and
    JavaScript count.

    Raises:
        FormatError: A region lies outside of the text or does not cover what the file says; names file and id.
    """
    return tuple([_insertion(region) for region in _fitting(text, findings)])


def _fitting(text: MarkedText, findings: Findings) -> tuple[Region, ...]:
    """Return the regions, in code points, that cover what the file says."""
    if text.utf16:
        regions = _converted(text)
        problem = _problem(text, regions)
    else:
        regions = text.regions
        problem = _problem(text, regions)
        if problem and not text.text.isascii() and not _problem(text, converted := _converted(text)):
            findings.add("offsets count UTF-16 code units, converted to code points", text.file)
            return converted
    if not problem:
        return regions
    if text.trusts_offsets and not _outside(text, regions):
        findings.add(f"{problem}; the offsets are used", text.file)
        return regions
    raise FormatError(text.file, None, problem)


def _converted(text: MarkedText) -> tuple[Region, ...]:
    point: Callable[[int], int] = Utf16(text.text).to_code_points
    return tuple([replace(r, start=point(r.start), end=point(r.end)) for r in text.regions])


def _insertion(region: Region) -> Region:
    """Return a region beside which something is inserted with the place of the insertion."""
    if not region.insert:
        return region
    point = region.start if region.insert == "before" else region.end
    return replace(region, start=point, end=point)


def _outside(text: MarkedText, regions: Sequence[Region]) -> bool:
    return any(not 0 <= r.start <= r.end <= len(text.text) for r in regions)


def _problem(text: MarkedText, regions: Sequence[Region]) -> str:
    """Return what is wrong with the first region that does not fit; empty if all do."""
    for region in regions:
        where = f"{region.id or 'a region'}: {region.start} to {region.end}"
        if not 0 <= region.start <= region.end <= len(text.text):
            return f"{where} lies outside the text of {plural(len(text.text), 'character')}"
        covered = text.text[region.start : region.end]
        if region.covered is not None and _on_a_line(region.covered) != _on_a_line(covered):
            return f"{where} covers {shorten(covered)}, expected {shorten(region.covered)} as the file says"
    return ""


def _on_a_line(text: str) -> str:
    """Return a text as tools show it that write a newline as a space."""
    return text.replace("\n", " ")
