"""The edit vectors by which UOT-ERRANT weighs edits: their length by error type, and the plane by t-SNE."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import InputError, UsageError
from jperrant.core.extras import import_extra
from jperrant.evaluation.metrics.uot.plans import gathered, norms_by_type
from jperrant.reporting.plots.by_type import TOP
from jperrant.reporting.plots.figure import INK, Plot, add_legend, finished, new_axes, new_figure, point_style
from jperrant.reporting.plots.fonts import EXTRA, label

if TYPE_CHECKING:
    from jperrant.evaluation.metrics.uot.scorer import EditVectors

#: Types with a colour and a marker; the others are grey.
_NAMED = 10
_OTHER = {"color": "#d9d9d9", "marker": ".", "linestyle": "none", "markersize": 3, "zorder": 0}
_SEED = 0


def vector_plots(sides: Mapping[str, Sequence[EditVectors]], description: str = "") -> list[Plot]:
    """Return the lengths of edit vectors by error type, and the vectors in the plane.

    Args:
        sides: The edit vectors of each side, by its name.
        description: What the files say of themselves: how vectors were made.

    Raises:
        UsageError: There are no edits.
        InputError: There are too few for a t-SNE plot.
        MissingExtraError: matplotlib or scikit-learn is not installed.
    """
    norms = {side: norms_by_type(own) for side, own in sides.items()}
    everything = gathered([vectors for own in sides.values() for vectors in own])
    return [norms_plot(norms, description=description), edit_vectors_plot(*everything)]


def norms_plot(sides: Mapping[str, Mapping[str, FloatArray]], *, description: str = "") -> Plot:
    """Return for each error type the mean length of its edit vectors, with their deviation (the paper's Table 3).

    The deviation is that of the population; the numbers behind the types count edits of all sides. Types are in the
    order of the last side's means, the longest first.

    Args:
        sides: The lengths by type of each side, by its name.
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
    frequent = sorted(counts, key=lambda type_: (-counts[type_], type_))[:TOP]
    means = {type_: max(_mean(norms, type_) for norms in sides.values()) for type_ in frequent}
    for norms in sides.values():
        means |= {type_: _mean(norms, type_) for type_ in frequent if type_ in norms}
    types = sorted(frequent, key=lambda type_: (-means[type_], type_))
    figure = new_figure("column", 0.75 + len(types) * max(0.16, 0.1 * len(sides)))
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


def edit_vectors_plot(vectors: FloatArray, types: Sequence[str]) -> Plot:
    """Return edit vectors in the plane by t-SNE, coloured by error type (the paper's Figure 5).

    Args:
        vectors: Shape ``(edits, dim)``; zero vectors have no place and are left out.
        types: The error type of each edit.

    Raises:
        InputError: There are fewer than 3 edits.
        MissingExtraError: matplotlib or scikit-learn is not installed.
    """
    manifold = import_extra("sklearn.manifold", EXTRA)
    with_vector = np.flatnonzero(np.linalg.norm(vectors, axis=1))
    if len(with_vector) < 3:
        raise InputError(f"found {len(with_vector)} edits with vectors, a t-SNE plot needs 3 or more")
    points = manifold.TSNE(
        perplexity=min(30, (len(with_vector) - 1) / 3), init="random", random_state=_SEED
    ).fit_transform(vectors[with_vector])
    frequent = [type_ for type_, _ in Counter(types[int(edit)] for edit in with_vector).most_common(_NAMED)]
    groups = [types[int(edit)] if types[int(edit)] in frequent else "other" for edit in with_vector]
    figure = new_figure("text", 5)
    axes = new_axes(figure)
    axes.set(xticks=[], yticks=[])
    drawn = {}
    for number, type_ in enumerate([*frequent, "other"]):
        edits = [n for n, group in enumerate(groups) if group == type_]
        if edits:
            style = _OTHER if type_ == "other" else point_style(number) | {"markersize": 3.5}
            [drawn[type_]] = axes.plot(points[edits, 0], points[edits, 1], **style)
    add_legend(figure, list(drawn.values()), list(drawn))
    return finished(figure, "uot-edit-vectors", f"{len(with_vector)} edit vectors, t-SNE")
