"""The short cut to dependency trees finds what Stanza's own search finds."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from stanza.models.common.chuliu_edmonds import chuliu_edmonds, chuliu_edmonds_one_root

from jperrant.parse.trees import best_tree, fast_trees, has_cycle


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
    assert tuple(best_tree(scores, chuliu_edmonds, chuliu_edmonds_one_root)) == expected
    assert tuple(chuliu_edmonds_one_root(scores)) == expected


def test_each_way_is_taken() -> None:
    calls: list[str] = []

    def free(scores: np.ndarray) -> np.ndarray:
        calls.append("free")
        return chuliu_edmonds(scores)

    def one_root(scores: np.ndarray) -> np.ndarray:
        calls.append("one root")
        return chuliu_edmonds_one_root(scores)

    for seed in range(60):
        best_tree(np.random.default_rng(seed).normal(size=(6, 6)), free, one_root)
    assert 0 < calls.count("free") < 60
    assert 0 < calls.count("one root") < 60


@pytest.mark.parametrize(
    ("heads", "cycle"),
    [([0], False), ([0, 0], False), ([0, 2, 0], False), ([0, 2, 1], True), ([0, 0, 3, 2], True)],
)
def test_cycles(heads: list[int], cycle: bool) -> None:
    assert has_cycle(np.array(heads)) is cycle


def test_stanza_gets_its_own_search_back() -> None:
    from stanza.models.depparse import model

    def fail() -> None:
        with fast_trees():
            assert model.chuliu_edmonds_one_root is not chuliu_edmonds_one_root
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert model.chuliu_edmonds_one_root is chuliu_edmonds_one_root
