"""Agreement on each error type, against Krippendorff's alpha computed pair of values by pair of values."""

from __future__ import annotations

import math
from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import jperrant
from jperrant.core.values import Annotation, Block, Edit
from tests.strategies import examples

WORDS = 4
#: The type that an annotator sees at each word of a sentence, if any; None for a sentence that was not looked at.
SEEN = st.one_of(
    st.none(), st.lists(st.sampled_from(["", "R:A", "R:B", "U:C"]), min_size=WORDS, max_size=WORDS)
)


def annotated(seen: list[list[str] | None]) -> Block:
    """A sentence with an edit of one word wherever an annotator sees a type."""
    annotations = [
        Annotation(who, tuple(Edit(n, n + 1, ("x",), name) for n, name in enumerate(types) if name))
        for who, types in enumerate(seen)
        if types is not None
    ]
    return Block(("w",) * WORDS, tuple(annotations))


def krippendorff(units: list[list[bool]]) -> float:
    """Nominal alpha, 1 - Do / De (Krippendorff 2011), of units with the values of those who looked at them."""
    units = [values for values in units if len(values) > 1]
    values = Counter(value for unit in units for value in unit)
    total = values.total()
    observed = sum(sum(a != b for a, b in permutations(unit, 2)) / (len(unit) - 1) for unit in units)
    expected = sum(values[a] * values[b] for a in values for b in values if a != b) / max(total - 1, 1)
    return 1 - observed / expected if expected else math.nan


@given(st.lists(st.lists(SEEN, min_size=3, max_size=3), min_size=2, max_size=6))
@examples(40)
def test_alpha_of_a_type(sentences: list[list[list[str] | None]]) -> None:
    first = [["R:A"] + [""] * 3] * 3  # every annotator looks at a sentence, and there is one type
    seen = [first, *sentences]
    agreed = jperrant.agreement([annotated(sentence) for sentence in seen], subsets=1)
    assert {found.type for found in agreed.by_type} == {
        name for sentence in seen for types in sentence if types is not None for name in types if name
    }
    for found in agreed.by_type:
        units = [
            [types[n] == found.type for types in sentence if types is not None]
            for sentence in seen
            for n in range(WORDS)
        ]
        assert found.alpha == pytest.approx(krippendorff(units), nan_ok=True)
