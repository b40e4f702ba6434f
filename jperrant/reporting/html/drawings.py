"""Drawings of a page as SVG: values of systems with their intervals, and intervals in cells of tables."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from jperrant.core.display import labels
from jperrant.reporting.html.page import visible

#: Sizes in pixels.
_WIDTH, _LABEL, _FIGURE, _ROW, _TOP, _BOTTOM = 500, 140, 58, 26, 6, 26
_LONGEST_LABEL = 19


@dataclass(frozen=True, slots=True)
class Bar:
    """A value and its interval.

    Attributes:
        name: Whose it is.
        value: The value.
        low, high: The ends of its interval; None without one.
    """

    name: str
    value: float
    low: float | None = None
    high: float | None = None


def interval_plot(bars: Sequence[Bar], title: str) -> Markup:
    """Return a plot of values, one a row, each a dot with its interval.

    Args:
        bars: From top to bottom.
        title: What screen readers say.
    """
    known = [bar for bar in bars if math.isfinite(bar.value)]
    low, high, ticks = _axis([x for bar in known for x in (bar.value, bar.low, bar.high) if x is not None])
    height = _TOP + len(bars) * _ROW + _BOTTOM

    def x(value: float) -> float:
        return _LABEL + (value - low) / (high - low) * (_WIDTH - _LABEL - _FIGURE - 8)

    bottom = height - _BOTTOM
    lines = [
        f'<line x1="{x(t):.1f}" y1="{_TOP}" x2="{x(t):.1f}" y2="{bottom}" class="grid"/>'
        f'<text x="{x(t):.1f}" y="{bottom + 17}" text-anchor="middle" class="soft">{t:g}</text>'
        for t in ticks
    ]
    for row, (bar, name) in enumerate(
        zip(bars, labels([bar.name for bar in bars], _LONGEST_LABEL), strict=True)
    ):
        y = _TOP + row * _ROW + _ROW / 2
        lines.append(_text(bar.name, name, 0, y + 4.5))
        if not math.isfinite(bar.value):
            continue
        if bar.low is not None and bar.high is not None:
            ends = f'x1="{x(bar.low):.1f}" y1="{y}" x2="{x(bar.high):.1f}" y2="{y}"'
            lines.append(f'<line {ends} class="whisker"/>')
        lines.append(f'<circle cx="{x(bar.value):.1f}" cy="{y}" r="4.5" class="dot"/>')
        lines.append(f'<text x="{_WIDTH}" y="{y + 4.5}" text-anchor="end">{bar.value:.3f}</text>')
    return _svg(_WIDTH, height, "plot", title, lines)


def difference_bar(value: float, low: float, high: float, largest: float) -> Markup:
    """Return an interval of a difference as a small drawing around zero; empty where there is none.

    Args:
        value, low, high: The difference and the ends of its interval.
        largest: The largest distance from zero that the drawing has room for.
    """
    if any(math.isnan(end) for end in (value, low, high)) or not largest:
        return Markup("")
    width, half = 150, 75

    def x(end: float) -> float:
        return half + max(-1.0, min(1.0, end / largest)) * (half - 6)

    sure = "sure" if low > 0 or high < 0 else "unsure"
    return Markup(
        f'<svg class="difference {sure}" viewBox="0 0 {width} 14" width="{width}" height="14" aria-hidden="true">'
        f'<line x1="{half}" y1="0" x2="{half}" y2="14" class="zero"/>'
        f'<line x1="{x(low):.1f}" y1="7" x2="{x(high):.1f}" y2="7" class="whisker"/>'
        f'<circle cx="{x(value):.1f}" cy="7" r="3.5" class="dot"/></svg>'
    )


def count_bar(count: float, largest: float) -> Markup:
    """Return a bar as long as a count, beside the largest one."""
    width = 120 * count / largest if largest else 0
    return Markup(
        f'<svg class="count" viewBox="0 0 120 10" width="120" height="10" aria-hidden="true">'
        f'<rect x="0" y="1" width="{width:.1f}" height="8" class="bar"/></svg>'
    )


def _svg(width: int, height: float, kind: str, title: str, lines: Sequence[str]) -> Markup:
    return Markup(
        f'<svg class="{kind}" viewBox="0 0 {width} {height:g}" width="{width}" height="{height:g}" '
        f'font-size="13" role="img" aria-label="{escape(visible(title))}">{"".join(lines)}</svg>'
    )


def _text(text: str, short: str, x: float, y: float) -> str:
    full = f"<title>{escape(visible(text))}</title>" if short != text else ""
    return f'<text x="{x}" y="{y}">{full}{escape(visible(short))}</text>'


def _axis(values: Sequence[float]) -> tuple[float, float, list[float]]:
    """Return the ends of an axis and its ticks: round numbers around all values."""
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    span = high - low or abs(high) or 1.0
    step = 10 ** math.floor(math.log10(span / 3))
    step = next(step * k for k in (1, 2, 5, 10) if span / (step * k) <= 5)
    first, last = math.floor(low / step), math.ceil(high / step)
    last = last if last > first else first + 1
    return first * step, last * step, [round(n * step, 10) for n in range(first, last + 1)]
