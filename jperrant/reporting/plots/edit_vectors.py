"""Edit vectors in the plane, by t-SNE (needs scikit-learn too)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import InputError
from jperrant.core.extras import import_extra
from jperrant.reporting.plots.figure import Plot, add_legend, finished, new_axes, new_figure, point_style
from jperrant.reporting.plots.fonts import EXTRA
from jperrant.reporting.plots.picture import check_format

#: Types with a colour and a marker; the others are grey.
_NAMED = 10
_OTHER = {"color": "#d9d9d9", "marker": ".", "linestyle": "none", "markersize": 3, "zorder": 0}
_SEED = 0


def plot_edit_vectors(
    vectors: FloatArray, types: Sequence[str], path: str, inputs: Iterable[str] = ()
) -> None:
    """Draw edit vectors in the plane by t-SNE, coloured by error type (the paper's Figure 5).

    Args:
        vectors: Shape ``(edits, dim)``; zero vectors have no place and are left out.
        types: The error type of each edit.
        path: Where the picture goes; its ending says which format (``.svg``, ``.pdf``, ``.png``).
        inputs: Files that must not be overwritten.

    Raises:
        InputError: There are fewer than 3 edits, the format is unknown, or the file cannot be written.
        MissingExtraError: matplotlib or scikit-learn is not installed.
    """
    check_format(path)
    edit_vectors_plot(vectors, types).save(path, inputs)


def edit_vectors_plot(vectors: FloatArray, types: Sequence[str]) -> Plot:
    """Return edit vectors in the plane by t-SNE.

    Args:
        vectors, types: As in :func:`plot_edit_vectors`.

    Raises:
        InputError, MissingExtraError: As :func:`plot_edit_vectors`.
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
    return finished(figure, "edit-vectors", f"{len(with_vector)} edit vectors, t-SNE")
