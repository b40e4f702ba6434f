"""The length of edit vectors by error type, as UOT-ERRANT weighs edits."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import UsageError
from jperrant.reporting.plots.by_type import TOP
from jperrant.reporting.plots.figure import INK, Plot, add_legend, finished, new_axes, new_figure, point_style
from jperrant.reporting.plots.fonts import label


def norms_plot(
    sides: Mapping[str, Mapping[str, FloatArray]],
    *,
    top: int = TOP,
    width: str | float = "column",
    description: str = "",
) -> Plot:
    """Return for each error type the mean length of its edit vectors, with their deviation (the paper's Table 3).

    The deviation is that of the population; the numbers behind the types count edits of all sides. Types are in the
    order of the last side's means, the longest first.

    Args:
        sides: The lengths by type of each side, by its name.
        top: How many types, those with most edits first.
        width: ``column`` (3.3 inches), ``text`` (6.8 inches) or inches.
        description: What the file says of itself: how vectors were made.

    Raises:
        UsageError: There are no edits.
        MissingExtraError: matplotlib is not installed.
    """
    counts: dict[str, int] = {}
    for norms in sides.values():
        for type_, lengths in norms.items():
            counts[type_] = counts.get(type_, 0) + len(lengths)
    if not counts:
        raise UsageError("found no edits whose vectors could be plotted")
    frequent = sorted(counts, key=lambda type_: (-counts[type_], type_))[:top]
    means = {type_: max(_mean(norms, type_) for norms in sides.values()) for type_ in frequent}
    for norms in sides.values():
        means |= {type_: _mean(norms, type_) for type_ in frequent if type_ in norms}
    types = sorted(frequent, key=lambda type_: (-means[type_], type_))
    figure = new_figure(width, 0.75 + len(types) * max(0.16, 0.1 * len(sides)))
    axes = new_axes(figure, "length of edit vectors", grid="x")
    handles, step = [], 0.7 / len(sides)
    for number, norms in enumerate(sides.values()):
        rows = [row for row, type_ in enumerate(types) if type_ in norms]
        drawn = [norms[types[row]] for row in rows]
        handles.append(
            axes.errorbar(
                [own.mean() for own in drawn], np.array(rows) - 0.35 + step * (number + 0.5),
                xerr=[own.std() for own in drawn], ecolor=INK, elinewidth=0.6, capsize=1.2, capthick=0.6,
                **point_style(number) | {"markersize": 3.5},
            )
        )  # fmt: skip
    axes.set_yticks(range(len(types)), [f"{label(t, longest=24)} ({counts[t]})" for t in types])
    axes.set_ylim(len(types) - 0.5, -0.5)
    if len(sides) > 1:
        add_legend(figure, handles, list(sides))
    return finished(figure, "uot-norms", "Length of edit vectors by error type", description)


def _mean(norms: Mapping[str, FloatArray], type_: str) -> float:
    return float(np.mean(norms[type_])) if type_ in norms else 0.0
