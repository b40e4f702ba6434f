"""Transport plans drawn: edits of both sides, and bands between them as wide as what is transported."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from html import escape
from itertools import accumulate

from jperrant.core.arrays import FloatArray
from jperrant.core.display import labels
from jperrant.core.edit_words import edit_words
from jperrant.core.values import Edit
from jperrant.evaluation.metrics.uot.plans import SentencePlan
from jperrant.reporting.plan import plan_title

#: Sizes in pixels.
_WIDTH, _BOX, _MARGIN, _ROW, _GAP, _TOP, _BAND = 960, 340, 8, 34, 12, 64, 18
_RIGHT = _WIDTH - _BOX - _MARGIN
#: Colours that people who see no red or no green tell apart (Okabe and Ito 2008).
_HYPOTHESIS, _REFERENCE, _FLOW, _INK = "#d55e00", "#0072b2", "#009e73", "#222222"
#: What XML 1.0 has no way to write (section 2.2), and control characters that it discourages.
_NOT_IN_XML = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
#: Letters that fit a box or the width, and those of it that a name takes.
_FITS_BOX, _FITS_LINE, _FITS_NAME = 42, 130, 40


def _labelled(plans: Sequence[SentencePlan]) -> list[SentencePlan]:
    """Return plans whose systems have names that fit into a line."""
    systems = list(dict.fromkeys(plan.system for plan in plans))
    names = dict(zip(systems, labels(systems, _FITS_NAME), strict=True))
    return [replace(plan, system=names[plan.system]) for plan in plans]


def plans_svg(plans: Sequence[SentencePlan]) -> str:
    """Return plans as one SVG picture, one below the other, ending in a newline."""
    plans = _labelled(plans)
    heights = [_height(plan) for plan in plans]
    drawn = zip(plans, accumulate([0, *heights]), strict=False)
    parts = [f'<g transform="translate(0 {y})">\n{_drawing(plan)}\n</g>' for plan, y in drawn]
    return _svg("\n".join(parts), max(1, sum(heights)))


def plan_svg(plan: SentencePlan) -> str:
    """Return a plan as an SVG picture, ending in a newline.

    Boxes name the edits: words, type, and how much of their mass is transported; a band is as wide as what it
    carries, the heaviest edit of the sentence being the measure.
    """
    return _svg(_drawing(plan), _height(plan))


def plans_html(plans: Sequence[SentencePlan], title: str) -> str:
    """Return plans as one self-contained HTML page, ending in a newline."""
    pictures = "\n".join(f"<figure>\n{plan_svg(plan)}</figure>" for plan in _labelled(plans))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{_xml(title)}</title>\n"
        "<style>body{font-family:sans-serif;margin:2em}"
        "figure{margin:0 0 2em}svg{max-width:100%;height:auto}</style>\n"
        f"</head>\n<body>\n<h1>{_xml(title)}</h1>\n"
        "<p>Left: edits of the hypothesis. Right: edits of the reference. Bands: transported mass.</p>\n"
        f"{pictures}\n</body>\n</html>\n"
    )


def _svg(drawing: str, height: int) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" '
        f'height="{height}" font-family="sans-serif" font-size="13" fill="{_INK}">\n{drawing}\n</svg>\n'
    )


def _height(plan: SentencePlan) -> int:
    rows = max(len(plan.hypothesis_edits), len(plan.reference_edits), 1)
    return _TOP + rows * (_ROW + _GAP) + _GAP


def _drawing(plan: SentencePlan) -> str:
    ours, theirs = plan.plan.sum(axis=1), plan.plan.sum(axis=0)
    lines = [
        _label(8, 20, _cut(plan_title(plan), _FITS_LINE), 'font-weight="bold"'),
        _label(8, 42, _cut(" ".join(plan.source), _FITS_LINE)),
        *_bands(plan),
        *_boxes(plan, plan.hypothesis_edits, plan.hypothesis_mass, ours, _MARGIN, _HYPOTHESIS),
        *_boxes(plan, plan.reference_edits, plan.reference_mass, theirs, _RIGHT, _REFERENCE),
    ]
    return "\n".join(lines)


def _bands(plan: SentencePlan) -> list[str]:
    """Return a curve for each pair of edits that mass is transported between, the widest last."""
    if not plan.plan.any():
        return []
    measure = max(float(part.max()) for part in (plan.plan, plan.hypothesis_mass, plan.reference_mass))
    left, right = _MARGIN + _BOX, _RIGHT
    middle = (left + right) / 2
    bands = []
    for one in range(plan.plan.shape[0]):
        for other in range(plan.plan.shape[1]):
            share = float(plan.plan[one, other]) / measure
            start, end = _centre(one), _centre(other)
            bands.append(
                (
                    share,
                    f'<path d="M{left} {start} C{middle} {start} {middle} {end} {right} {end}" fill="none" '
                    f'stroke="{_FLOW}" stroke-width="{max(0.3, _BAND * share):.2f}" '
                    f'stroke-opacity="{0.15 + 0.6 * share:.2f}">'
                    f"<title>{plan.plan[one, other]:.4f}</title></path>",
                )
            )
    return [line for _, line in sorted(bands)]


def _boxes(
    plan: SentencePlan,
    edits: Sequence[Edit],
    masses: FloatArray,
    transported: FloatArray,
    x: int,
    colour: str,
) -> list[str]:
    lines = []
    for row, (edit, mass, tp) in enumerate(zip(edits, masses, transported, strict=True)):
        y = _TOP + row * (_ROW + _GAP)
        words, figures = edit_words(plan.source, edit), f"{edit.type}  {tp:.3f} of {mass:.3f}"
        lines += [
            f'<rect x="{x}" y="{y}" width="{_BOX}" height="{_ROW}" rx="4" fill="white" stroke="{colour}"/>',
            _label(x + 8, y + 15, _cut(words, _FITS_BOX)),
            _label(x + 8, y + 29, figures, f'font-size="11" fill="{colour}"'),
        ]
    return lines


def _centre(row: int) -> float:
    return _TOP + row * (_ROW + _GAP) + _ROW / 2


def _label(x: int, y: int, text: str, more: str = "") -> str:
    opening = f'<text x="{x}" y="{y}" {more}>'.replace(" >", ">")
    return f"{opening}{_xml(text)}</text>"


def _xml(text: str) -> str:
    return escape(_NOT_IN_XML.sub("\ufffd", text))


def _cut(text: str, fits: int) -> str:
    return text if len(text) <= fits else text[: fits - 1] + "…"
