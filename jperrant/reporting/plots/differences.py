"""How far one system is ahead of others by error type, with intervals and corrected tests."""

from __future__ import annotations

import math

import numpy as np

from jperrant.core.display import labels
from jperrant.core.errors import UsageError
from jperrant.core.layout import ALPHA
from jperrant.evaluation.comparison import PartComparison, SystemComparison
from jperrant.reporting.plots.by_type import TOP, error_bars
from jperrant.reporting.plots.figure import INK, Plot, add_legend, finished, new_axes, new_figure, point_style
from jperrant.reporting.plots.fonts import LONGEST_LABEL, label
from jperrant.reporting.plots.systems import plot_name, signatures, system_names, value_label

#: What stands for the whole text.
_WHOLE = "all"


def differences_plot(comparison: SystemComparison, *, top: int = TOP, width: str | float = "column") -> Plot:
    """Return the first system's lead over each other one, for the whole and by error type.

    Intervals are 95 % of bootstrap samples. A filled marker is a difference whose corrected p-value is below 0.05.

    Args:
        comparison: What was compared.
        top: How many types, those with most edits in the references first.
        width: ``column`` (3.3 inches), ``text`` (6.8 inches) or inches.

    Raises:
        UsageError: Fewer than one type is asked for.
        MissingExtraError: matplotlib is not installed.
    """
    if top < 1:
        raise UsageError(f"found {top} types to show, expected 1 or more")
    frequent = sorted(comparison.types, key=lambda part: (-(part.support[0] or 0.0), part.type))[:top]
    parts = [comparison.overall, *frequent]
    scorer, names = comparison.scorer, system_names(comparison.scores)
    others, measure = names[1:], value_label(comparison.scores[0], scorer.main)
    figure = new_figure(width, 0.8 + len(parts) * max(0.16, 0.1 * len(others)))
    [first] = labels(names[:1], max(8, LONGEST_LABEL - len(f"{measure}:  minus …")))
    axes = new_axes(figure, f"{measure}: {first} minus …", grid="x")
    axes.axvline(0, color=INK, linewidth=0.6, linestyle="-", zorder=1)
    handles, step = [], 0.7 / len(others)
    for number in range(len(others)):
        style = point_style(number) | {"markersize": 3.5}
        handles.append(axes.plot([], [], **style)[0])
        for row, part in enumerate(parts):
            one = part.differences[number]
            if math.isnan(one.value):
                continue
            certain = one.p_corrected < ALPHA
            axes.errorbar(
                [one.value], [row - 0.35 + step * (number + 0.5)],
                xerr=error_bars([(one.value, one.low, one.high)]), ecolor=INK, elinewidth=0.6, capsize=1.2,
                capthick=0.6, **style if certain else style | {"markerfacecolor": "white"},
            )  # fmt: skip
    axes.set_yticks(np.arange(len(parts)), [_part_label(part) for part in parts])
    axes.set_ylim(len(parts) - 0.5, -0.5)
    add_legend(figure, handles, [f"… {name}" for name in others])
    title = f"{measure}: {names[0]} minus other systems; filled: p < {ALPHA}, corrected"
    return finished(figure, plot_name(scorer.name, "differences"), title, signatures(comparison.scores))


def _part_label(part: PartComparison) -> str:
    support = part.support[0]
    return label(part.type or _WHOLE, longest=24) + ("" if support is None else f" ({support:.4g})")
