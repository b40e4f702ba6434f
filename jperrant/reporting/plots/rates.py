"""CLEME2.0's four rates: what becomes of the chunks that need a change, and how much is changed needlessly."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from jperrant.core.errors import UsageError
from jperrant.evaluation.metrics.score import Score
from jperrant.reporting.plots.figure import Plot, add_legend, bar_style, finished, new_axes, new_figure
from jperrant.reporting.plots.fonts import name_labels
from jperrant.reporting.plots.systems import check_scores, plot_name, signatures, system_names

#: Rates of the chunks that need a change, which add up to 1 at corpus level; the fourth has another divisor.
_NEEDED, _OVER = ("hit", "wrong", "under"), "over"


def has_rates(score: Score) -> bool:
    """Whether a metric has CLEME2.0's four rates."""
    return {*_NEEDED, _OVER} <= score.values.keys()


def rates_plot(scores: Sequence[Score], *, width: str | float = "column") -> Plot:
    """Return hit, wrong and under-correction of each system as a stacked bar, and over-correction beside it.

    The first three are shares of the chunks that need a change (TP + FPne + FN), over-correction is a share of the
    chunks that the system changed (TP + FPne + FPun), so it has a bar of its own (Ye et al. 2025, section 3).

    Args:
        scores: Systems scored by CLEME2.0.
        width: ``column`` (3.3 inches), ``text`` (6.8 inches) or inches.

    Raises:
        UsageError: The metric has other values.
        MissingExtraError: matplotlib is not installed.
    """
    check_scores(scores)
    if not has_rates(scores[0]):
        raise UsageError(f"metric {scores[0].metric!r} has no rates of hits and over-correction to plot")
    figure = new_figure(width, 0.85 + 0.2 * len(scores))
    grid = figure.add_gridspec(1, 2, width_ratios=(2, 1))
    left = new_axes(figure, "of needed changes", subplotspec=grid[0])
    right = new_axes(figure, "of changes made", subplotspec=grid[1], sharey=left)
    rows = np.arange(len(scores))
    handles, start = [], np.zeros(len(scores))
    for number, name in enumerate(_NEEDED):
        values = np.array([score.values[name] for score in scores])
        handles.append(left.barh(rows, values, left=start, height=0.65, **bar_style(number)))
        start += values
    over = [score.values[_OVER] for score in scores]
    handles.append(right.barh(rows, over, height=0.65, **bar_style(len(_NEEDED))))
    left.set_yticks(rows, name_labels(system_names(scores), 20))
    left.set(ylim=(len(scores) - 0.5, -0.5), xlim=(0, 1))
    right.tick_params(labelleft=False)
    right.set_xlim(0, max([*over, 0.05]) * 1.1)
    add_legend(figure, handles, ("hit", "wrong", "under-correction", "over-correction"))
    title = f"{scores[0].metric}: hits, wrong, under- and over-correction"
    return finished(figure, plot_name(scores[0].metric, "rates"), title, signatures(scores))
