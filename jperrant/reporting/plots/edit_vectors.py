"""The edit vectors by which UOT-ERRANT weighs edits: their length by error type, and the plane by t-SNE."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import InputError, UsageError
from jperrant.core.packages import import_extra
from jperrant.evaluation.explain import gathered, norms_by_type
from jperrant.reporting.plots.figure import (
    EXTRA,
    Plot,
    add_legend,
    draw_rows,
    finished,
    label,
    new_axes,
    new_figure,
    point_style,
)
from jperrant.reporting.plots.scores import TOP

if TYPE_CHECKING:
    from jperrant.evaluation.metrics.uot import EditVectors

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
    lengths: dict[str, list[FloatArray]] = {}
    for norms in sides.values():
        for type_, own in norms.items():
            lengths.setdefault(type_, []).append(own)
    if not lengths:
        raise UsageError("found no edits whose vectors could be plotted")
    counts = {type_: sum(map(len, own)) for type_, own in lengths.items()}
    frequent = sorted(counts, key=lambda type_: (-counts[type_], type_))[:TOP]
    means = {type_: float(lengths[type_][-1].mean()) for type_ in frequent}
    types = sorted(frequent, key=lambda type_: (-means[type_], type_))
    figure = new_figure("column", 0.6 + len(types) * max(0.16, 0.1 * len(sides)))
    axes = new_axes(figure, "length of edit vectors", grid="x")
    nothing = np.full(3, np.nan)
    series = [
        np.array([_spread(norms[type_]) if type_ in norms else nothing for type_ in types])
        for norms in sides.values()
    ]
    handles = draw_rows(axes, [f"{label(type_, 24)} ({counts[type_]})" for type_ in types], series)
    if len(sides) > 1:
        add_legend(figure, handles, list(sides))
    return finished(figure, "uot-norms", "Length of edit vectors by error type", description)


def _spread(lengths: FloatArray) -> FloatArray:
    """Return the mean of lengths, and it less and plus their deviation."""
    return np.array([lengths.mean() + part * lengths.std() for part in (0, -1, 1)])


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
