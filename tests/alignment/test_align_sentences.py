"""Alignment of sentences: the algorithm's equations and laws, Gale-Church, and texts that are cut again."""

from __future__ import annotations

import math
import random
import tracemalloc
from itertools import accumulate, pairwise, product, takewhile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Jaro, Levenshtein

from jperrant.alignment.characters import (
    EXACT_DISTANCE,
    WINDOWS,
    affix_jaro,
    squeeze,
    text_similarity,
)
from jperrant.alignment.gale_church import COUNTS, SHAPES, align_gale_church, length_cost, shape_costs
from jperrant.alignment.projection import resegment
from jperrant.alignment.sentences import Group, align_sentences, group_similarity, require_same_text
from jperrant.core.errors import UsageError
from jperrant.core.values import Sentence, Token
from jperrant.io.m2 import read_m2
from jperrant.langpacks.zh.hooks import MISSPELT

CONLL14 = Path(__file__).parents[1] / "data" / "conll14" / "conll14.errant"
WORDS = st.sampled_from(
    ["a", "b", "the", "cat", "n't", "don't", ".", "é", "e\u0301", "\u0301", "字", "\U0001f600"]
)
SENTENCES = st.lists(st.lists(WORDS, max_size=6).map(" ".join), max_size=12)


def pairs(alignment):
    return [(list(g.left), list(g.right)) for g in alignment.groups]


def check_complete(left, right, alignment):
    """Nothing lost, repeated or reordered, and no group without any sentence."""
    assert [i for g in alignment.groups for i in g.left] == list(range(len(left)))
    assert [j for g in alignment.groups for j in g.right] == list(range(len(right)))
    assert all(g.left or g.right for g in alignment.groups)
    assert all(g.is_unaligned == (not g.left or not g.right) for g in alignment.groups)
    assert 0 <= alignment.coverage <= 1


@given(st.lists(st.tuples(WORDS, st.booleans(), st.booleans()), min_size=1, max_size=40))
def test_identical_text_is_exact_under_any_resegmentation(rows):
    """Each row is a word and whether a sentence of the left and of the right text ends with it."""
    rows[-1] = (rows[-1][0], True, True)
    ends = [[0, *[n for n, row in enumerate(rows, start=1) if row[side]]] for side in (1, 2)]
    left, right = [[[row[0] for row in rows[a:b]] for a, b in pairwise(side)] for side in ends]
    alignment = align_sentences([" ".join(s) for s in left], ["\u3000".join(s) for s in right])
    check_complete(left, right, alignment)
    found = [(ends[0][g.left_end], ends[1][g.right_end]) for g in alignment.groups]
    assert found == [(end, end) for end in ends[0][1:] if end in ends[1]]
    assert alignment.coverage == 1


@pytest.mark.parametrize("threshold", [-0.1, 1.5, float("nan")])
def test_a_threshold_is_a_share(threshold):
    with pytest.raises(UsageError, match="expected 0 to 1"):
        align_sentences(["a"], ["a"], threshold=threshold)


def test_a_high_threshold_leaves_sentences_together_that_differ_at_their_boundary():
    left, right = ["ab cd ef gh .", "ij kl mn op ."], ["ab cd ef gx .", "ix kl mn op ."]
    found = [pairs(align_sentences(left, right, threshold=least)) for least in (None, 0.9, 1.0)]
    assert found == [[([0], [0]), ([1], [1])]] * 2 + [[([0, 1], [0, 1])]]


#: Sentences and a copy in which some are deleted, repeated, moved or joined.
EDITED = SENTENCES.flatmap(
    lambda left: st.tuples(
        st.just(left),
        st.lists(st.lists(st.sampled_from(["", *left]), min_size=1, max_size=2).map(" ".join), max_size=12)
        | st.lists(st.integers(0, len(left))).map(
            lambda gone: [s for n, s in enumerate(left) if n not in gone]
        ),
    )
)


@given(EDITED | st.tuples(SENTENCES, SENTENCES), st.booleans(), st.none() | st.floats(0, 1))
def test_nothing_is_lost_whatever_is_aligned(case, tolerant, threshold):
    for left, right in (case, case[::-1]):
        alignment = align_sentences(left, right, threshold=threshold, tolerant=tolerant)
        check_complete(left, right, alignment)


@given(SENTENCES, st.data())
def test_a_prefix_leaves_the_rest_unaligned(sentences, data):
    sentences = [sentence for sentence in sentences if squeeze(sentence)]
    cut = data.draw(st.integers(0, len(sentences)))
    expected = [([i], [i] if i < cut else []) for i in range(len(sentences))]
    assert pairs(align_sentences(sentences, sentences[:cut])) == expected


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ([], [], []),
        ([], ["a", ""], [([], [0]), ([], [1])]),
        (["", "A", ""], ["A"], [([0], []), ([1], [0]), ([2], [])]),
        (["a", "b", "c"], ["a", "c"], [([0], [0]), ([1], []), ([2], [1])]),
        (["A b .", "C d ."], ["A b. C", "d."], [([0, 1], [0, 1])]),
        # Algorithm 1's own examples: contractions written in full, other boundaries.
        (["I ca n't go .", "It 's difficult ."], ["I can not go .", "It is difficult ."],
         [([0], [0]), ([1], [1])]),
        (["I can't go .", "It 's difficult ."], ["I can not go . It is difficult ."], [([0, 1], [0])]),
        # Which of two equal beginnings was inserted is told by the boundaries.
        (["The cat .", "The dog ."], ["The cat .", "The bird sings .", "The dog ."],
         [([0], [0]), ([], [1]), ([1], [2])]),
        # The boundary itself stands in changed text.
        (["He said it at the end", "nxt we went home ."], ["He said it at the end !", "Next we went home ."],
         [([0], [0]), ([1], [1])]),
        # A missing sentence begins like the next one.
        (["It was so .", "It is a rule that none of us keeps .", "It is late , and so I went home ."],
         ["It was so .", "It is late , and so I went home ."], [([0], [0]), ([1], []), ([2], [1])]),
        (["Before it .", "Something wholly unlike .", "After it ."],
         ["Before it .", "0123456789 0123456789", "After it ."], [([0], [0]), ([1], []), ([], [1]), ([2], [2])]),
    ],
)  # fmt: skip
def test_examples(left, right, expected):
    assert pairs(align_sentences(left, right)) == expected
    assert sorted(pairs(align_sentences(right, left))) == sorted(pair[::-1] for pair in expected)


@pytest.mark.parametrize(
    ("source", "correction", "expected"),
    [
        (["Before it .", "Something wholly unlike .", "After it ."],
         ["Before it .", "0123456789 0123456789", "After it ."], [([0], [0]), ([1], [1]), ([2], [2])]),
        (["I like cats", "Because they is cute .", "My dog dont like it he barks all the day .", "Bye ."],
         ["I like cats because they are cute .", "My dog does n't like it .", "He barks all day .", "Bye ."],
         [([0, 1], [0]), ([2], [1, 2]), ([3], [3])]),
        # What is joined and written anew is not missing.
        (["It was so .", "It is a rule that none of us keeps .", "It is late , and so I went home ."],
         ["It was so , as nobody kept to that rule .", "It is late , and so I went home ."],
         [([0, 1], [0]), ([2], [1])]),
    ],
)  # fmt: skip
def test_corrections_of_any_extent(source, correction, expected):
    assert pairs(align_sentences(source, correction, tolerant=True)) == expected


@pytest.fixture(scope="module")
def corpus():
    return [list(block.source) for block in read_m2(str(CONLL14))]


def noisy(corpus, rng, rewrite):
    """Change a tenth of the boundaries and some words; return the copy and the true groups."""
    tokens = [word for sentence in corpus for word in sentence]
    ends = list(accumulate(map(len, corpus)))
    bounds = {e for e in ends if rng.random() > 0.05} | set(
        rng.sample(range(1, len(tokens)), len(ends) // 20)
    )
    order = sorted({*bounds, len(tokens)})
    parts = [tokens[start:end] for start, end in pairwise([0, *order])]
    copy = [" ".join([w for token in part if (w := rewrite(token))] or part) for part in parts]
    shared = [(0, 0), *[(ends.index(end) + 1, order.index(end) + 1) for end in order if end in ends]]
    return copy, {(range(i, k), range(j, m)) for (i, j), (k, m) in pairwise(shared)}


def retokenised(word):
    changes = {"n't": "not", "'s": "is", "can": "ca", "cannot": "can not"}
    marks = {'"': "''", "'": "’", "-": "–", "(": "-LRB-"}
    return (changes | marks).get(word.lower(), word)


def misspelt(word):
    """Return a word with another letter now and then; one word in three hundred is dropped."""
    if CHANCE.random() < 0.003:
        return ""
    at = CHANCE.randrange(len(word))
    return word[:at] + "x" + word[at + 1 :] if CHANCE.random() < 0.02 else word


CHANCE = random.Random(0)


@pytest.mark.parametrize(("rewrite", "least"), [(str, 1), (retokenised, 0.999), (misspelt, 0.997)])
def test_other_boundaries_and_words(corpus, rewrite, least):
    CHANCE.seed(0)
    left = [" ".join(sentence) for sentence in corpus]
    assert quality((left, *noisy(corpus, random.Random(seed), rewrite)) for seed in range(3)) >= least


def quality(cases):
    """Return the lower of precision and recall of the groups that are found, given the true ones."""
    right = found = true = 0
    for left, copy, expected in cases:
        alignment = align_sentences(left, copy)
        check_complete(left, copy, alignment)
        groups = {(g.left, g.right) for g in alignment.groups}
        right, found, true = right + len(groups & expected), found + len(groups), true + len(expected)
    return min(right / found, right / true)


def thinned(texts, *kept):
    """Return two copies of a text with the sentences that each keeps, and their true groups."""
    sides = [{n: range(place, place + 1) for place, n in enumerate(numbers)} for numbers in kept]
    groups = {tuple(side.get(n, range(0)) for side in sides) for n in range(len(texts))}
    return *[[texts[n] for n in numbers] for numbers in kept], groups - {(range(0), range(0))}


@pytest.mark.parametrize("rate", [0.01, 0.03, 0.1])
def test_whole_sentences_missing_on_either_side(corpus, rate):
    rng = random.Random(0)
    texts = rng.sample([" ".join(sentence) for sentence in corpus], len(corpus))
    chosen = [[n for n in range(len(texts)) if rng.random() > rate] for _ in range(6)]
    assert quality(thinned(texts, *chosen[n : n + 2]) for n in (0, 2, 4)) >= 0.999


def test_long_missing_stretches_are_found_exactly(corpus):
    texts = [f"{n} {' '.join(sentence)}" for n, sentence in enumerate(corpus)]
    kept = [n for n in range(len(texts)) if n // 130 % 2]  # 130 sentences are longer than every window
    assert sum(map(len, texts[:130])) > WINDOWS[-1]
    assert quality([thinned(texts, range(len(texts)), kept)]) == 1


ADVERSARIAL = {
    "all equal but one letter": lambda n: (["the same sentence ."] * n, ["the sane sentence ."] * n),
    "no boundary shared": lambda n: (["ab c"] * n, ["a", *["bc a"] * (n - 1), "bc"]),
    "one giant sentence": lambda n: ([" ".join(["it was so"] * n)], ["it was s0"] * n),
    "nothing in common": lambda n: ([f"{i} sentence" for i in range(n)], ["字典"] * n),
    "rotated": lambda n: ([f"s {i}" for i in range(n)], [f"s {(i + n // 2) % n}" for i in range(n)]),
}


@pytest.mark.slow
@pytest.mark.ci
@pytest.mark.parametrize("name", ADVERSARIAL)
def test_adversarial_input_is_complete_and_memory_is_linear(name):
    peaks = []
    for n in (1000, 4000):
        left, right = ADVERSARIAL[name](n)
        tracemalloc.start()
        alignment = align_sentences(left, right)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        check_complete(left, right, alignment)
    assert peaks[1] < 6 * peaks[0] + 1_000_000


def test_missing_text_is_not_another_text():
    left = [f"Sentence number {i} of the text ." for i in range(50)]
    require_same_text(left, left[10:15], align_sentences(left, left[10:15]))
    require_same_text(left, [], align_sentences(left, []))


def test_mean_over_groups():
    groups = [Group(0, 1, 0, 1), Group(1, 2, 1, 1), Group(2, 3, 1, 2)]
    assert group_similarity(["ab"] * 3, ["ab", "ac"], groups) == pytest.approx((1 + 0 + 0.5) / 3)
    assert group_similarity([], [], []) == 1


TEXT = st.text(alphabet="abc'é ", max_size=12)


@pytest.mark.parametrize(
    ("left", "right", "jaro_with_affixes"),
    # The published values; the first one is that of the sentences with their full stops.
    [("Ican'tgo.", "Icannotgo.", 0.9128), ("It'sdifficult", "Itisdifficult", 0.9252)],
)
def test_eq_3_with_the_plus_sign(left, right, jaro_with_affixes):
    assert affix_jaro(left, right) == pytest.approx(jaro_with_affixes, abs=5e-5)


def shared(left: str, right: str) -> int:
    """How many letters are equal at the beginning, of four."""
    return len([*takewhile(lambda letters: letters[0] == letters[1], zip(left[:4], right[:4], strict=False))])


@given(TEXT, TEXT)
def test_eq_3_against_its_definition(left, right):
    sim = Jaro.similarity(left, right)  # another library's
    affixes = sum(shared(left[::step], right[::step]) for step in (1, -1))
    assert affix_jaro(left, right) == pytest.approx(sim + affixes * 0.1 * (1 - sim) / 2)
    assert 0 <= affix_jaro(left, right) <= 1


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


GALE_SENTENCES = st.lists(st.text(alphabet="ab ", max_size=12), max_size=8)


def test_priors_are_smoothed_after_laplace():
    costs = shape_costs(COUNTS)
    total = sum(COUNTS.values())
    assert total == 1904
    assert math.exp(-costs[1, 1]) == pytest.approx((1805 + 1) / (1904 + len(SHAPES)))
    assert sum(math.exp(-cost) for cost in costs.values()) == pytest.approx(1)
    assert all(cost > 0 for cost in costs.values())


def test_length_cost_is_the_two_sided_tail_of_the_normal_distribution():
    delta = (120 - 100) / math.sqrt(6.8 * 110)
    tail = 2 * (1 - 0.5 * (1 + math.erf(delta / math.sqrt(2))))
    assert length_cost(100, 120) == pytest.approx(-math.log(tail))
    assert length_cost(0, 0) == length_cost(7, 7) == 0
    assert length_cost(10, 10_000) > 100


def compositions(count):
    """All ways to cut a number of sentences into groups of at least one."""
    for marks in product((False, True), repeat=max(count - 1, 0)):
        yield [0, *[i for i, mark in enumerate(marks, start=1) if mark], count]


def path_cost(left, right, lefts, rights):
    costs = shape_costs(COUNTS)
    total = 0.0
    for (a, b), (c, d) in zip(pairwise(lefts), pairwise(rights), strict=True):
        size = [sum(map(len, side)) for side in (left[a:b], right[c:d])]
        total += costs[b - a, d - c] + length_cost(*size)
    return total


@given(*[st.lists(st.integers(0, 60).map("x".__mul__), min_size=1, max_size=5)] * 2)
def test_the_search_finds_the_least_cost(left, right):
    alignment = align_gale_church(left, right)
    assert not any(group.is_unaligned for group in alignment.groups)
    best = min(
        path_cost(left, right, a, b)
        for a in compositions(len(left))
        for b in compositions(len(right))
        if len(a) == len(b)
    )
    ends = [[0, *found] for found in zip(*[(g.left_end, g.right_end) for g in alignment.groups], strict=True)]
    assert path_cost(left, right, *ends) == pytest.approx(best)


@given(GALE_SENTENCES, GALE_SENTENCES, st.integers(1, 3))
def test_both_sides_are_covered_in_order(left, right, band):
    alignment = align_gale_church(left, right, band=band)
    check_complete(left, right, alignment)


def test_unaligned_only_where_nothing_else_covers():
    assert pairs(align_gale_church(["a"], [])) == [([0], [])]
    assert pairs(align_gale_church(["abcdefgh" * 4], ["abcdefgh"] * 4)) == [([0], [0, 1, 2, 3])]
    groups = align_gale_church(["ab"] * 30, ["ab" * 30]).groups
    assert sorted(len(group.left) for group in groups) == [1] * 19 + [11]
    assert sum(group.is_unaligned for group in groups) == 19


def cut(words: str) -> Sentence:
    """Make a sentence of words separated by ``|``; other spaces are text."""
    tokens, at, text = [], 0, words.replace("|", "")
    for word in words.split("|"):
        form = word.strip()
        at = text.index(form, at)
        tokens.append(Token(form, start=at, end=at + len(form)))
        at += len(form)
    return Sentence(tuple(tokens), text)


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("学|了|两|个|年汉|语", "学|了|两|年|汉语", "学|了|两|年汉|语"),
        ("跑|的|快", "跑得|快", "跑|得|快"),  # one particle for another
        ("明天|又|来", "明天|再来", "明天|再|来"),  # another word
        ("我|愛|汉语", "我|爱汉语", "我|爱|汉语"),  # a variant
        ("我|的|工|做|忙", "我|的|工作|忙", "我|的|工作|忙"),  # a misspelling broke the word
        ("工|的|作", "工作", "工|作"),  # left out
        ("各天|都|去", "每|天|都|去", "每|天|都|去"),
        ("我|去| 吧", "我| 去|吧", "我| 去|吧"),
    ],
)
def test_cuts(source, target, expected):
    [found] = resegment([cut(source)], [cut(target)], MISSPELT)
    assert found.forms == cut(expected).forms
    assert [found.text[t.start : t.end] for t in found.tokens] == list(found.forms)


WORD = st.text("我你他去的得a", min_size=1, max_size=3)
CUT = st.lists(st.lists(WORD, min_size=1, max_size=6).map("|".join).map(cut), min_size=1, max_size=3)


@given(CUT, CUT)
def test_text_and_sentences_stay(source, target):
    found = resegment(source, target, MISSPELT)
    assert [s.text for s in found] == [s.text for s in target] == ["".join(s.forms) for s in found]
    for sentence in found:
        assert [sentence.text[t.start : t.end] for t in sentence.tokens] == list(sentence.forms)


@given(CUT)
def test_the_same_text_is_cut_the_same(source):
    whole = "".join(s.text for s in source)
    [found] = resegment(source, [Sentence((Token(whole, start=0, end=len(whole)),), whole)], MISSPELT)
    assert found.forms == tuple(form for s in source for form in s.forms)
