"""Plots that need matplotlib and scikit-learn (``jperrant[plots]``)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import InputError
from jperrant.core.extras import import_extra
from jperrant.io.files import open_binary_output, reason

EXTRA = "plots"
#: Types with a colour of their own; the others are grey.
_COLOURED = 10
_SEED = 0


def plot_edit_vectors(
    vectors: FloatArray, types: Sequence[str], path: str, inputs: Iterable[str] = ()
) -> None:
    """Draw edit vectors in the plane by t-SNE, coloured by error type (the paper's Figure 5).

    Args:
        vectors: Shape ``(edits, dim)``; zero vectors have no place and are left out.
        types: The error type of each edit.
        path: Where the picture goes; its ending says which format (``.svg``, ``.png``, ``.pdf``).
        inputs: Files that must not be overwritten.

    Raises:
        InputError: There are fewer than 3 edits, the format is unknown, or the file cannot be written.
        MissingExtraError: matplotlib or scikit-learn is not installed.
    """
    manifold = import_extra("sklearn.manifold", EXTRA)
    matplotlib = import_extra("matplotlib", EXTRA)
    figure_class = import_extra("matplotlib.figure", EXTRA).Figure
    seen = np.flatnonzero(np.linalg.norm(vectors, axis=1))
    if len(seen) < 3:
        raise InputError(f"{len(seen)} edits with vectors, a t-SNE plot needs 3 or more")
    places = manifold.TSNE(
        perplexity=min(30, (len(seen) - 1) / 3), init="random", random_state=_SEED
    ).fit_transform(vectors[seen])
    named = [types[int(number)] for number in seen]
    with matplotlib.rc_context({"svg.hashsalt": "jperrant", "svg.fonttype": "none"}):
        figure = figure_class(figsize=(8, 6), layout="constrained")
        axes = figure.add_subplot(xticks=[], yticks=[], title=f"{len(seen)} edit vectors, t-SNE")
        frequent = [type_ for type_, _ in Counter(named).most_common(_COLOURED)]
        for colour, type_ in enumerate([*frequent, "other"]):
            own = [n for n, name in enumerate(named) if (name if name in frequent else "other") == type_]
            grey = {"color": "lightgrey", "zorder": 0} if type_ == "other" else {"color": f"C{colour}"}
            if own:
                axes.scatter(places[own, 0], places[own, 1], s=9, label=type_, **grey)
        axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
        kind = Path(path).suffix.lstrip(".").lower()
        try:
            with open_binary_output(path, inputs) as stream:
                figure.savefig(stream, format=kind, metadata={"Date": None} if kind == "svg" else None)
        except ValueError as error:
            raise InputError(f"{path}: {error}") from error
        except OSError as error:
            raise InputError(f"{path}: cannot be written ({reason(error)})") from None
