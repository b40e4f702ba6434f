"""Heads with two subjects or objects are resolved as Stanza's own function resolves them."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jperrant.compact.head_constraints import resolved, violations
from jperrant.compact.trees import best_tree

from .strategies import examples

RELATIONS = ["nsubj", "csubj", "nsubj:outer", "obj", "obl", "root"]


class Relations:
    """What Stanza's function asks of a vocabulary."""

    def unmap(self, numbers: list[int]) -> list[str]:
        return [RELATIONS[number - 4] for number in numbers]


@pytest.mark.models
@examples(60)
@given(st.integers(2, 9), st.integers(0, 10_000))
def test_as_stanza_resolves_them(words: int, seed: int) -> None:
    from stanza.models.depparse.head_constraints import resolve_head_constraint_violations

    draw = np.random.default_rng(seed)
    scores = draw.normal(size=(words + 1, words + 1)) * 2
    np.fill_diagonal(scores, -np.inf)
    scores -= np.log(np.exp(scores).sum(axis=1, keepdims=True))
    every = draw.normal(size=(words + 1, words + 1, len(RELATIONS))) * 2
    every -= np.log(np.exp(every).sum(axis=2, keepdims=True))
    tree = best_tree(scores)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its warning of the last round
        heads, labels = resolve_head_constraint_violations(scores, every, tree, Relations())
    found, relations = resolved(scores, every, tree.tolist(), RELATIONS)
    assert found == heads.tolist()
    assert relations[1:] == [RELATIONS[number] for number in labels]


def test_violations() -> None:
    relations = ["root", "nsubj", "csubj", "obj", "obj", "nsubj:outer"]
    found = violations([0, 0, 1, 1, 1, 2, 1], relations)
    assert [(v.head, v.words) for v in found] == [(1, [2, 3])]
    assert violations([0, 0, 1], ["root", "nsubj"]) == []
