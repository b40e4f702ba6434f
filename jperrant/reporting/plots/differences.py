"""How far systems are ahead of a baseline by error type, with intervals and corrected tests."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from jperrant.core.display import labels
from jperrant.core.errors import UsageError
from jperrant.core.layout import ALPHA
from jperrant.evaluation.analysis import FULL, category, grouped
from jperrant.evaluation.metrics.score import Score
from jperrant.evaluation.statistics.differences import paired_tests, support_of
from jperrant.evaluation.statistics.significance import SEED
from jperrant.reporting.plots.by_type import TOP, error_bars
from jperrant.reporting.plots.figure import INK, Plot, add_legend, finished, new_axes, new_figure, point_style
from jperrant.reporting.plots.fonts import LONGEST_LABEL, label
from jperrant.reporting.plots.systems import check_scores, plot_name, signatures, system_names, value_label

#: What stands for the whole text.
_WHOLE = "all"


def differences_plot(
    scores: Sequence[Score],
    *,
    baseline: str = "",
    level: int = FULL,
    top: int = TOP,
    width: str | float = "column",
    samples: int | None = None,
    seed: int = SEED,
) -> Plot:
    """Return the lead of each system over the baseline, for the whole and by error type.

    Intervals are 95 % of bootstrap samples. A filled marker is a difference whose p-value, by paired randomisation
    and corrected by Holm, is below 0.05. The numbers behind the types count the edits of the baseline's references.

    Args:
        scores: Two systems or more, scored by one metric.
        baseline: The name of a system; the first if empty.
        level: What stands for a type: 1 operation, 2 category, 3 full type.
        top: How many types, those with most edits in the references first.
        width: ``column`` (3.3 inches), ``text`` (6.8 inches) or inches.
        samples, seed: As of :func:`jperrant.paired_tests`.

    Raises:
        UsageError: Fewer than one type is asked for, or fewer than two systems.
        MissingExtraError: matplotlib is not installed.
    """
    check_scores(scores)
    if top < 1:
        raise UsageError(f"found {top} types to show, expected 1 or more")
    if level != FULL:
        scores = [grouped(score, lambda type_: category(type_, level)) for score in scores]
    comparisons = paired_tests(scores, samples=samples, seed=seed, baseline=baseline, by_type=True)
    scorer, names = scores[0].scorer, system_names(scores)
    first = [score.hypothesis for score in scores].index(comparisons[0].baseline)
    others = [*names[:first], *names[first + 1 :]]
    support = {name: support_of(scorer, row) for name, row in scores[first].by_type.items()}
    frequent = sorted(comparisons[0].types, key=lambda name: (-(support.get(name) or 0.0), name))[:top]
    support[_WHOLE] = support_of(scorer, scores[first].total)
    parts = [_WHOLE, *frequent]
    measure = value_label(scores[0], scorer.main)
    figure = new_figure(width, 0.8 + len(parts) * max(0.16, 0.1 * len(others)))
    [shown] = labels(names[first : first + 1], max(8, LONGEST_LABEL - len(f"{measure}: … minus ")))
    axes = new_axes(figure, f"{measure}: … minus {shown}", grid="x")
    axes.axvline(0, color=INK, linewidth=0.6, linestyle="-", zorder=1)
    handles, step = [], 0.7 / len(others)
    for number, comparison in enumerate(comparisons):
        style = point_style(number) | {"markersize": 3.5}
        handles.append(axes.plot([], [], **style)[0])
        for row, part in enumerate(parts):
            one = comparison.differences[scorer.main] if part == _WHOLE else comparison.types[part]
            if math.isnan(one.value):
                continue
            certain = one.p_corrected < ALPHA
            axes.errorbar(
                [one.value], [row - 0.35 + step * (number + 0.5)],
                xerr=error_bars([(one.value, one.low, one.high)]), ecolor=INK, elinewidth=0.6, capsize=1.2,
                capthick=0.6, **style if certain else style | {"markerfacecolor": "white"},
            )  # fmt: skip
    axes.set_yticks(np.arange(len(parts)), [_part_label(part, support.get(part)) for part in parts])
    axes.set_ylim(len(parts) - 0.5, -0.5)
    add_legend(figure, handles, [f"{name} …" for name in others])
    title = f"{measure}: other systems minus {names[first]}; filled: p < {ALPHA}, corrected"
    return finished(figure, plot_name(scorer.name, "differences"), title, signatures(scores))


def _part_label(name: str, support: float | None) -> str:
    return label(name, longest=24) + ("" if support is None else f" ({support:.4g})")
