"""Merging against a literal reading of reference/errant.md 1.3, which was measured on ERRANT."""

from __future__ import annotations

import string
import time
from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Indel

from jperrant.alignment.tokens import Alignment, Operation, align_tokens
from jperrant.core.edits import apply_edits
from jperrant.core.errors import UsageError
from jperrant.core.values import Edit, Sentence, Span, Token
from jperrant.edits.spans import STRATEGIES, MergeRules, merge
from tests.strategies import examples, sentences

ENGLISH = MergeRules(possessive=frozenset({"POS"}))
CONTENT = {"ADJ", "AUX", "ADV", "NOUN", "VERB"}


def join(group):
    return [("X", group[0][1], group[-1][2], group[0][3], group[-1][4])]


def punct(token: Token) -> bool:
    return token.upos == "PUNCT" or token.form in string.punctuation


def bare(tokens) -> str:
    return "".join(t.form for t in tokens).lower().replace("'", "").replace("-", "")


def proc(g, source, target):
    """Process one group of D, I and S: the table of rules, in its order."""
    if len(g) <= 1:
        return list(g)
    if {op[0] for op in g} in ({"D"}, {"I"}):
        return join(g)
    content = False
    ranges = sorted(
        ((s, e) for s in range(len(g)) for e in range(s + 1, len(g))), key=lambda r: (r[0] - r[1], r[0])
    )
    for s, e in ranges:
        if not any(op[0] == "S" for op in g[s : e + 1]):
            continue
        o, k = source[g[s][1] : g[e][2]], target[g[s][3] : g[e][4]]
        whole = proc(g[:s], source, target) + join(g[s : e + 1]) + proc(g[e + 1 :], source, target)
        last_two = (
            proc(g[: e - 1], source, target) + join(g[e - 1 : e + 1]) + proc(g[e + 1 :], source, target)
        )
        if s == 0 and "POS" in (o[0].xpos, k[0].xpos):
            return [g[0], *proc(g[1:], source, target)]
        if "POS" in (o[-1].xpos, k[-1].xpos):
            return last_two
        if o[-1].form.lower() == k[-1].form.lower():
            if s == 0 and (
                (len(o) == 1 and k[0].form[0].isupper()) or (len(k) == 1 and o[0].form[0].isupper())
            ):
                return join(g[s : e + 1]) + proc(g[e + 1 :], source, target)
            if (len(o) > 1 and punct(o[-2])) or (len(k) > 1 and punct(k[-2])):
                return last_two
        if bare(o) == bare(k):
            return whole
        upos = {t.upos for t in (*o, *k)}
        if len(o) != len(k) and (len(upos) == 1 or upos <= {"AUX", "PART", "VERB"}):
            return whole
        if e == s + 1:
            split = proc(g[: s + 1], source, target) + proc(g[s + 1 :], source, target)
            if len(o) == len(k) == 2:
                return split
            if (g[s][0] == "S" and Indel.normalized_similarity(o[0].form, k[0].form) > 0.75) or (
                g[e][0] == "S" and Indel.normalized_similarity(o[-1].form, k[-1].form) > 0.75
            ):
                return split
            if e == len(g) - 1 and (
                (g[e][0] in "DS" and o[-1].upos == "DET") or (g[e][0] in "IS" and k[-1].upos == "DET")
            ):
                return [*proc(g[:-1], source, target), g[-1]]
        content = content or bool(upos & CONTENT)
    return join(g) if content else list(g)


def reference(alignment, strategy):
    operations = [tuple(op) for op in alignment.operations]
    source, target = alignment.source.tokens, alignment.target.tokens
    if strategy == "all-split":
        merged = [op for op in operations if op[0] != "M"]
    elif strategy == "all-equal":
        merged = [join(list(g))[0] for kind, g in groupby(operations, key=lambda op: op[0]) if kind != "M"]
    elif strategy == "all-merge":
        merged = [
            join(list(g))[0] for kind, g in groupby(operations, key=lambda op: op[0] == "M") if not kind
        ]
    else:
        merged = []
        for kind, group in groupby(operations, key=lambda op: op[0][0] if op[0][0] in "MT" else "X"):
            if kind == "T":
                merged += group
            elif kind == "X":
                merged += proc(list(group), source, target)
    return tuple(Span(*op[1:]) for op in merged)


#: Few classes and letters: long stretches of one class, and equal letters at many places.
REPETITIVE = sentences(st.sampled_from(["a", "aa", "A", "-", "b"]), 14, st.sampled_from(["VERB", "AUX", "X"]))
PAIRS = st.tuples(sentences(), sentences()) | st.tuples(REPETITIVE, REPETITIVE)


@examples(800)
@given(pair=PAIRS, strategy=st.just("rules") | st.sampled_from(STRATEGIES), lev=st.booleans())
def test_spans_are_those_of_the_definition_and_their_edits_give_the_target(pair, strategy, lev):
    source, target = pair
    alignment = align_tokens(source, target, lev=lev)
    spans = merge(alignment, strategy, ENGLISH)
    assert spans == reference(alignment, strategy)
    edits = [Edit(s.start, s.end, target.forms[s.target_start : s.target_end], "R:OTHER") for s in spans]
    assert apply_edits(source.forms, edits) == target.forms


@pytest.mark.parametrize("upos", ["X", "VERB"])
@pytest.mark.parametrize("xpos", ["", "POS"])
def test_time_grows_with_the_length_of_a_run(upos, xpos):
    """Where every range is looked at, a run of this length takes many minutes; by recursion it ends nowhere."""
    kinds = "SDSSI" * 4_000
    operations, i, j = [], 0, 0
    for kind in kinds:
        operations.append(Operation(kind, i, i + (kind != "I"), j, j + (kind != "D")))
        i, j = operations[-1].end, operations[-1].target_end
    sides = [[Token(f"{n}{end}", "", upos, xpos) for n in range(m)] for m, end in ((i, "a"), (j, "zz"))]
    source, target = (Sentence(tuple(tokens), " ".join(t.form for t in tokens)) for tokens in sides)
    start = time.process_time()
    spans = merge(Alignment(source, target, tuple(operations), 0.0), "rules", ENGLISH)
    assert time.process_time() - start < 20
    assert sum(s.end - s.start for s in spans) == i


def test_unknown_strategy_names_the_known_ones():
    a, b = (Sentence.from_forms([word]) for word in "ab")
    with pytest.raises(UsageError, match=r"'all_split'.*did you mean 'all-split'.*all-split"):
        merge(align_tokens(a, b), "all_split")
