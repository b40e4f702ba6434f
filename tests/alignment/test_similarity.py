import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from jperrant.alignment.characters import (
    EXACT_DISTANCE,
    affix_jaro,
    boundary_similarity,
    squeeze,
    text_similarity,
)

TEXT = st.text(alphabet="abc'é ", max_size=12)


@pytest.mark.parametrize(
    ("left", "right", "jaro_with_affixes"),
    # The published values; the first one is that of the sentences with their full stops.
    [("Ican'tgo.", "Icannotgo.", 0.9128), ("It'sdifficult", "Itisdifficult", 0.9252)],
)
def test_eq_3_with_the_plus_sign(left, right, jaro_with_affixes):
    assert affix_jaro(left, right) == pytest.approx(jaro_with_affixes, abs=5e-5)


def plain_jaro(left: str, right: str) -> float:
    """Jaro's definition, word by word."""
    if not left and not right:
        return 1.0
    reach = max(max(len(left), len(right)) // 2 - 1, 0)
    taken: set[int] = set()
    matched = []
    for i, c in enumerate(left):
        for j in range(max(0, i - reach), min(len(right), i + reach + 1)):
            if j not in taken and right[j] == c:
                taken.add(j)
                matched.append(c)
                break
    m = len(matched)
    if not m:
        return 0.0
    half = sum(a != b for a, b in zip(matched, [right[j] for j in sorted(taken)], strict=True))
    return (m / len(left) + m / len(right) + (m - half // 2) / m) / 3


@given(TEXT, TEXT)
def test_eq_3_against_its_definition(left, right):
    sim = plain_jaro(left, right)
    prefix = next((n for n in range(4) if left[n : n + 1] != right[n : n + 1] or not left[n : n + 1]), 4)
    back_l, back_r = left[::-1], right[::-1]
    suffix = next((n for n in range(4) if back_l[n : n + 1] != back_r[n : n + 1] or not back_l[n : n + 1]), 4)
    assert affix_jaro(left, right) == pytest.approx(sim + (prefix + suffix) * 0.1 * (1 - sim) / 2)
    assert 0 <= affix_jaro(left, right) <= 1


def test_long_shared_affixes_never_exceed_one():
    assert affix_jaro("x" * 60 + "a" + "y" * 62, "x" * 60 + "b" + "y" * 62) < 1


def test_ends_of_both_texts_match():
    assert boundary_similarity("abc", 0, 3, "abc", 0, 3) == 1
    assert boundary_similarity("abc", 0, 0, "abc", 0, 0) == 1
    assert boundary_similarity("abcd", 0, 3, "abc", 0, 3) == 0


def test_squeeze_drops_every_unicode_space_and_composes():
    assert squeeze(" a\u00a0b\u3000c\u2028d\te ") == "abcde"
    assert squeeze("e\u0301") == "é"


@given(TEXT, TEXT)
def test_eq_5_of_one_pair(left, right):
    longest = max(len(left), len(right))
    expected = 1 - Levenshtein.distance(left, right) / longest if longest else 1
    assert text_similarity(left, right) == pytest.approx(expected)


def test_long_texts_are_compared_in_linear_time_with_the_same_result():
    left = "the quick brown fox jumps over the lazy dog. " * 100
    right = left.replace("lazy", "crazy", 7)
    assert len(left) > EXACT_DISTANCE
    assert text_similarity(left, right) == 1 - Levenshtein.distance(left, right) / len(right)
