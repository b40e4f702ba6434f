"""Trees are the best there are: by trying all, and as Stanza's own search finds them."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from stanza.models.common.chuliu_edmonds import chuliu_edmonds, chuliu_edmonds_one_root

from jperrant.compact.parser import arborescence, best_tree, best_trees, has_cycle

pytestmark = pytest.mark.models


def best_by_trying_all(scores: np.ndarray) -> tuple[int, ...]:
    """Return the heads of the best tree with one root, found among all."""
    nodes = range(1, len(scores))
    trees = (
        (0, *heads)
        for heads in product(range(len(scores)), repeat=len(scores) - 1)
        if heads.count(0) == 1 and not has_cycle(np.array((0, *heads)))
    )
    return max(trees, key=lambda tree: sum(scores[n, tree[n]] for n in nodes))


@pytest.mark.parametrize("seed", range(60))
def test_the_best_tree_is_found(seed: int) -> None:
    scores = np.random.default_rng(seed).normal(size=(5, 5))
    expected = best_by_trying_all(scores)
    assert tuple(best_tree(scores)) == expected
    assert tuple(chuliu_edmonds_one_root(scores)) == expected


@given(st.integers(0, 2**32), st.integers(1, 30), st.sampled_from([np.float32, np.float64]))
def test_as_good_as_the_trees_of_stanza(seed: int, words: int, kind: type) -> None:
    chance = np.random.default_rng(seed)
    scores = (chance.normal(size=(words + 1, words + 1)) * chance.choice([1, 10])).astype(kind)
    np.fill_diagonal(scores, -np.inf)
    found, expected = best_tree(scores), chuliu_edmonds_one_root(scores.copy())
    nodes = np.arange(1, words + 1)
    assert not has_cycle(found)
    assert np.count_nonzero(found[1:] == 0) == 1
    total = scores.astype(np.float64)
    assert total[nodes, found[1:]].sum() == pytest.approx(total[nodes, expected[1:]].sum(), abs=1e-4)
    free = arborescence(_without_loops(total))
    other = chuliu_edmonds(_without_loops(total))
    assert total[nodes, free[1:]].sum() == pytest.approx(total[nodes, other[1:]].sum(), abs=1e-9)


def _without_loops(scores: np.ndarray) -> np.ndarray:
    table = scores.copy()
    np.fill_diagonal(table, -np.inf)
    table[0] = -np.inf
    table[0, 0] = 0
    return table


@given(st.lists(st.integers(1, 9), min_size=1, max_size=6), st.integers(0, 99))
def test_trees_of_a_batch_are_those_of_its_sentences(lengths: list[int], seed: int) -> None:
    width = max(lengths)
    scores = np.random.default_rng(seed).normal(size=(len(lengths), width, width))
    for n, length in enumerate(lengths):
        np.fill_diagonal(scores[n], -np.inf)
        scores[n, :, length:] = -np.inf
    found = best_trees(scores, lengths)
    for n, length in enumerate(lengths):
        assert found[n, :length].tolist() == best_tree(scores[n, :length, :length]).tolist()
        assert not found[n, length:].any()
