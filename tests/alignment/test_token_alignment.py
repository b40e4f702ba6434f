"""Token alignment against a literal reading of reference/errant.md 1.2, which was measured on ERRANT."""

from __future__ import annotations

import random
import tracemalloc
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jperrant.alignment import tokens
from jperrant.alignment.tokens import Alignment, align_tokens
from jperrant.core.values import Sentence, Token
from tests.strategies import examples, sentences

OPEN = {"ADJ", "ADV", "NOUN", "VERB"}


def longest_common_subsequence(a: str, b: str) -> int:
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a, start=1):
        for j, y in enumerate(b, start=1):
            table[i][j] = table[i - 1][j - 1] + 1 if x == y else max(table[i - 1][j], table[i][j - 1])
    return table[-1][-1]


def substitution(a: Token, b: Token) -> float:
    if a.form.lower() == b.form.lower():
        return 0
    lemma = 0 if a.lemma == b.lemma else 0.499
    if a.upos == b.upos:
        pos = 0.0
    elif a.upos in OPEN and b.upos in OPEN:
        pos = 0.25
    else:
        pos = 0.5
    length = len(a.form) + len(b.form)
    # The Indel distance is a whole number over the length: one division, as a library does it.
    char = (length - 2 * longest_common_subsequence(a.form, b.form)) / length
    return (lemma + pos) + char


def reference(source: Sentence, target: Sentence, lev: bool) -> tuple[list[tuple], float]:
    """Fill the whole matrix, walking up the diagonal for transpositions, and trace back."""
    o, c = source.tokens, target.tokens
    n, m = len(o), len(c)
    cost = [[0.0] * (m + 1) for _ in range(n + 1)]
    op = [["O"] * (m + 1) for _ in range(n + 1)]
    for i in range(1, n + 1):
        cost[i][0], op[i][0] = cost[i - 1][0] + 1, "D"
    for j in range(1, m + 1):
        cost[0][j], op[0][j] = cost[0][j - 1] + 1, "I"
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            a, b = o[i - 1], c[j - 1]
            if a.form == b.form:
                cost[i][j], op[i][j] = cost[i - 1][j - 1], "M"
                continue
            deletion, insertion = cost[i - 1][j] + 1, cost[i][j - 1] + 1
            change = cost[i - 1][j - 1] + (1 if lev else substitution(a, b))
            moved, k = float("inf"), 2
            while not lev and i - k >= 0 and j - k >= 0 and cost[i - k + 1][j - k + 1] != cost[i - k][j - k]:
                left = sorted(t.form.lower() for t in o[i - k : i])
                if left == sorted(t.form.lower() for t in c[j - k : j]):
                    moved = cost[i - k][j - k] + (k - 1)
                    break
                k += 1
            costs = [moved, change, insertion, deletion]
            best = costs.index(min(costs))
            cost[i][j], op[i][j] = costs[best], (f"T{k}", "S", "I", "D")[best]
    i, j, operations = n, m, []
    while i or j:
        name = op[i][j]
        down, right = {"M": (1, 1), "S": (1, 1), "D": (1, 0), "I": (0, 1)}.get(name) or (int(name[1:]),) * 2
        operations.append((name, i - down, i, j - right, j))
        i, j = i - down, j - right
    return operations[::-1], cost[n][m]


def covers(alignment: Alignment) -> bool:
    """Whether the operations cover both sides in order."""
    starts = [(o.start, o.target_start) for o in alignment.operations]
    ends = [(o.end, o.target_end) for o in alignment.operations]
    sizes = len(alignment.source.tokens), len(alignment.target.tokens)
    return [*starts, sizes] == [(0, 0), *ends]


#: Any sentences; and hardly any words at all: windows of transpositions everywhere, and ties.
FEW = sentences(forms=st.sampled_from(["a", "b"]), max_size=16)
PAIRS = st.tuples(sentences(), sentences()) | st.tuples(FEW, FEW)


def near_copy(tokens: Sequence[Token], changes: int, rng: random.Random) -> Sentence:
    """Return a sentence with so many changes of a few words."""
    copy = list(tokens)
    for _ in range(changes):
        start = rng.randint(0, len(copy))
        end = min(start + rng.randint(1, 8), len(copy))
        part = copy[start:end]
        swapped = [t._replace(form=t.form.swapcase()) for t in part[:1]]
        copy[start:end] = rng.choice(
            [part[1:] + part[:1], part[1:], part + part[:2], part[::-1], swapped + part[1:]]
        )
    return Sentence(tuple(copy), "")


#: Little was changed: the narrow band, long prefixes and suffixes, words that moved.
NEAR_COPIES = st.builds(
    lambda source, changes, rng: (source, near_copy(source.tokens, changes, rng)),
    sentences(forms=st.sampled_from(["a", "A", "b", "c", "cd"]), max_size=14),
    st.integers(0, 3),
    st.randoms(use_true_random=False),
)


@examples(900)
@given(pair=PAIRS | NEAR_COPIES, lev=st.booleans())
def test_operations_and_cost_are_those_of_the_definition(pair, lev):
    source, target = pair
    alignment = align_tokens(source, target, lev=lev)
    operations, cost = reference(source, target, lev)
    assert ([tuple(o) for o in alignment.operations], alignment.cost) == (operations, cost)
    assert covers(alignment)


def align(source: str, target: str) -> Alignment:
    return align_tokens(*[Sentence.from_forms(text.split()) for text in (source, target)])


@pytest.mark.parametrize(
    ("source", "target", "operations"),
    [
        ("a a b", "a b", "D M M"),  # a common prefix is not always matched
        ("The the York", "The York", "D S M"),  # substitution wins ties with deletion
        ("a b", "b a", "T2"),
        ("", "", ""),
        ("", "a b", "I I"),
        ("a b", "", "D D"),
    ],
)
def test_operations_of_a_few_words(source, target, operations):
    assert [o.op for o in align(source, target).operations] == operations.split()


def test_a_reversed_sentence_is_one_transposition():
    words = [f"w{n:03}" for n in range(160)]
    # Words of random shape would be substituted more cheaply where they look alike.
    source, target = [
        Sentence(tuple(Token(word, word, f"{tag}{n}") for n, word in enumerate(order)), "")
        for tag, order in (("P", words), ("Q", words[::-1]))
    ]
    alignment = align_tokens(source, target)
    assert ([o.op for o in alignment.operations], alignment.cost) == (["T160"], 159)


def words(count: int) -> list[str]:
    rng = random.Random(0)
    return [f"w{rng.randrange(count // 2)}" for _ in range(count)]


def test_blocks_give_what_the_whole_search_gives(monkeypatch):
    source = Sentence.from_forms(words(2500))
    target = near_copy(source.tokens, 60, random.Random(1))
    whole = align_tokens(source, target)
    monkeypatch.setattr(tokens, "MOST_CELLS", 1000)
    blocks = align_tokens(source, target)
    assert (whole.exact, blocks.exact) == (True, False)
    assert blocks.operations == whole.operations
    assert blocks.cost == pytest.approx(whole.cost)
    assert covers(blocks)


@pytest.mark.slow
@pytest.mark.ci
@pytest.mark.parametrize(("length", "other"), [(2500, 2500), (100, 5000)])
def test_long_unrelated_sentences_are_aligned_in_pieces(length, other):
    sides = [" ".join(f"{name}{n}" for n in range(count)) for name, count in (("a", length), ("b", other))]
    alignment = align(*sides)
    assert covers(alignment)
    assert alignment.exact == (length != other)
    assert alignment.cost >= abs(length - other)
    assert tokens.MOST_CELLS >= 2000 * 2001  # docs/errant.md promises two sentences of 2,000 tokens


@pytest.mark.ci
def test_memory_grows_with_the_length_where_little_differs():
    peaks = []
    for length in (2000, 8000):
        forms = words(length)
        changed = [*forms[: length // 2], "other", *forms[length // 2 + 1 :]]
        tracemalloc.start()
        alignment = align(" ".join(forms), " ".join(changed))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert [o.op for o in alignment.operations].count("S") == 1
    assert peaks[1] < 6 * peaks[0]


def test_a_token_of_very_many_letters():
    rng = random.Random(0)
    long, other = ("".join(rng.choices("abcdef", k=200_000)) for _ in range(2))
    one_letter_more = align(f"a {long} b", f"a {long[:70_000]}x{long[70_000:]} b")
    assert [o.op for o in one_letter_more.operations] == ["M", "S", "M"]
    alignment = align(long, other)
    assert covers(alignment)
    assert 0 < alignment.cost <= 2
