"""I-measure with mixed references: the best combination against listing all, clusters, and limits."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jperrant.core.apply import apply_edits
from jperrant.core.values import Annotation, Edit
from jperrant.evaluation.metrics.imeasure import anchors, mixing
from jperrant.evaluation.metrics.imeasure.alignment import Triple, align_all
from jperrant.evaluation.metrics.imeasure.clusters import Cluster, combinations_of, find_clusters
from jperrant.evaluation.metrics.imeasure.counts import Counts, count_columns, preference
from jperrant.evaluation.metrics.imeasure.mixing import Mixture, best_mixtures, prepare_mixing

from .strategies import examples


def mix(source: Sequence[str], hypothesis: Sequence[str], clusters: Sequence[Cluster]) -> Mixture:
    [mixture] = best_mixtures(prepare_mixing([tuple(source)], [clusters]), [tuple(hypothesis)])
    return mixture


def references(source: Sequence[str], clusters: Sequence[Cluster]) -> list[tuple[str, ...]]:
    """Every combination, applied as edits."""
    combined = []
    for texts in product(*(cluster.alternatives for cluster in clusters)):
        edits = [Edit(c.start, c.end, text, "R:OTHER") for c, text in zip(clusters, texts, strict=True)]
        combined.append(apply_edits(source, edits) or tuple(source))
    return combined


def counts_of(source: Sequence[str], hypothesis: Sequence[str], reference: Sequence[str]) -> Counts:
    triples = [Triple(tuple(source), tuple(text), tuple(reference)) for text in (hypothesis, source)]
    ours, untouched = (count_columns(t, m) for t, m in zip(triples, align_all(triples), strict=True))
    return Counts(*ours, untouched[1], untouched[3])


@st.composite
def annotations(draw, source, number):
    edits, position = [], 0
    while position <= len(source):
        start = draw(st.integers(position, len(source) + 3))
        if start > len(source):
            break
        end = draw(st.integers(start, min(len(source), start + 2)))
        edits.append(Edit(start, end, tuple(draw(st.lists(st.sampled_from("abx"), max_size=2))), "R:OTHER"))
        position = max(end, start + 1)
    return Annotation(number, tuple(edits))


@st.composite
def cases(draw):
    """A source of few or many different words, its clusters, and a hypothesis that takes some corrections."""
    words = draw(st.sampled_from(["ab", "abcdefghijkl"]))
    source = tuple(draw(st.lists(st.sampled_from(words), max_size=9)))
    clusters = find_clusters(source, [draw(annotations(source, number)) for number in range(2)])
    choice = [Edit(c.start, c.end, draw(st.sampled_from(c.alternatives)), "R:OTHER") for c in clusters]
    hypothesis = apply_edits(source, choice)
    return source, apply_edits(hypothesis, draw(annotations(hypothesis, 0)).edits), clusters


@examples(60)
@given(cases())
def test_the_best_of_all_combinations_is_found_without_listing_them(case):
    source, hypothesis, clusters = case
    listed = [counts_of(source, hypothesis, reference) for reference in references(source, clusters)]
    best = max(listed, key=preference)
    with patch.object(mixing, "FEW", 0):
        mixture = mix(source, hypothesis, clusters)
    assert mixture.exact
    assert mixture.counts == best
    assert counts_of(source, hypothesis, mixture.reference) == best


def word_clusters(count: int) -> tuple[list[str], list[Cluster]]:
    """A sentence with so many wrong words, each corrected in two ways, between right words of which none recurs."""
    source = [word for number in range(count) for word in (f"wrong{number}", f"right{number}")]
    return source, [Cluster(2 * n, 2 * n + 1, ((f"one{n}",), (f"other{n}",))) for n in range(count)]


def test_more_combinations_than_could_ever_be_listed():
    source, clusters = word_clusters(60)
    assert combinations_of(clusters) == 2**60
    hypothesis = [f"{'one' if n % 2 else 'other'}{n}" if n % 3 else f"wrong{n}" for n in range(60)]
    hypothesis = [word for n in range(60) for word in (hypothesis[n], f"right{n}")]
    mixture = mix(source, hypothesis, clusters)
    assert mixture.exact
    assert mixture.counts == Counts(tp=40, tn=60, fp=0, fn=20, fpn=0, untouched_tn=60, untouched_fn=60)


def test_a_piece_with_too_many_combinations_says_that_it_is_not_exact():
    source, clusters = [f"w{n}" for n in range(13)], []
    for n in range(13):
        clusters.append(Cluster(n, n + 1, ((f"v{n}",), (f"u{n}",))))
    hypothesis = [f"{'uv'[n % 2]}{n}" for n in range(13)]
    mixture = mix(source, hypothesis, clusters)
    assert not mixture.exact
    assert mixture.counts == Counts(tp=13, untouched_fn=13)


def test_a_sentence_too_long_for_proofs_is_cut_where_texts_agree_and_says_so():
    source, clusters = word_clusters(30)
    source = [word for word in source for word in (word, f"{word}a", f"{word}b")]
    clusters = [Cluster(6 * n, 6 * n + 1, cluster.alternatives) for n, cluster in enumerate(clusters)]
    hypothesis = [f"one{n // 6}" if n % 6 == 0 and n % 4 else word for n, word in enumerate(source)]
    proven = mix(source, hypothesis, clusters)
    with patch.object(anchors, "MOST_BOUNDS", 1000):
        likely = mix(source, hypothesis, clusters)
    assert (proven.exact, likely.exact) == (True, False)
    assert proven.counts == likely.counts == Counts(15, 150, 0, 15, 0, 150, 30)


@pytest.mark.parametrize(
    ("edits", "expected"),
    [
        # Both annotators correct the same word.
        ([[(1, 2, "x")], [(1, 2, "y")]], [(1, 2, ["x", "y"])]),
        # They agree.
        ([[(1, 2, "x")], [(1, 2, "x")]], [(1, 2, ["x"])]),
        # Only one does: the other leaves it.
        ([[(1, 2, "x")], []], [(1, 2, ["x", "b"])]),
        # Independent places may be combined.
        ([[(0, 1, "x")], [(2, 3, "y")]], [(0, 1, ["x", "a"]), (2, 3, ["y", "c"])]),
        # Overlapping ranges are one cluster, in which each annotator's edits belong together.
        ([[(0, 1, "x"), (1, 2, "y")], [(0, 2, "z")]], [(0, 2, ["x y", "z"])]),
        # Linked by a third edit.
        ([[(0, 2, "x"), (2, 4, "y")], [(1, 3, "z")]], [(0, 4, ["x y", "a z d"])]),
        # An insertion beside a replaced word is another place, one inside its range is not.
        ([[(1, 1, "x")], [(1, 2, "y")]], [(1, 1, ["x", ""]), (1, 2, ["y", "b"])]),
        ([[(1, 1, "x")], [(0, 2, "y")]], [(0, 2, ["a x b", "y"])]),
        # A marked error without a correction leaves the source as it is.
        ([[(1, 2, None)], [(1, 2, "y")]], [(1, 2, ["y", "b"])]),
    ],
)
def test_clusters(edits, expected):
    annotators = [
        Annotation(
            n, tuple(Edit(s, e, None if c is None else tuple(c.split()), "R:OTHER") for s, e, c in those)
        )
        for n, those in enumerate(edits)
    ]
    found = find_clusters(tuple("abcd"), annotators)
    assert [(c.start, c.end, [" ".join(text) for text in c.alternatives]) for c in found] == expected


def test_a_combination_that_deletes_the_sentence_leaves_it():
    clusters = find_clusters(("a",), [Annotation(0, (Edit(0, 1, (), "U:OTHER"),))])
    assert mix(["a"], ["a"], clusters) == Mixture(Counts(tn=1, untouched_tn=1), ("a",), True)


@pytest.mark.parametrize("hypothesis", [[], ["a"]])
def test_empty_sources(hypothesis):
    assert mix([], hypothesis, []).counts == Counts(fp=len(hypothesis))
