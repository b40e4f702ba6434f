"""Hypothesis strategies that several test modules share; imported as ``from .strategies import …``."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st

from jperrant.core.values import Annotation, Block, Edit, Sentence, Token


def examples(number: int) -> settings:
    """Return settings for so many examples in the profile ``ci``, and for fewer or more in the others."""
    return settings(max_examples=max(5, number * settings.default.max_examples // 100))


#: Few words, so that they repeat, with case variants, equal letters in other words, and punctuation.
FORMS = st.sampled_from(
    ["a", "A", "b", "B", "ab", "the", "The", "York", "to", "eat", "eating", ",", ".", "'s", "-", "()"]
)
UPOS = st.sampled_from(["ADJ", "ADV", "NOUN", "VERB", "AUX", "PART", "DET", "PROPN", "PUNCT", ""])
XPOS = st.sampled_from(["POS", "NN", "NN", "VB", "DT"])
LEMMAS = st.sampled_from(["a", "b", "the"])


@st.composite
def sentences(draw, forms=FORMS, max_size=8, tags=UPOS):
    """Sentences of few distinct words whose lemmas and tags have nothing to do with them."""
    tokens, at = [], 0
    for form in draw(st.lists(forms, max_size=max_size)):
        lemma, upos, xpos = draw(LEMMAS), draw(tags), draw(XPOS)
        tokens.append(Token(form, lemma, upos, xpos, start=at, end=at + len(form)))
        at += len(form) + 1
    return Sentence(tuple(tokens), " ".join(t.form for t in tokens))


#: Tokens that M2 can hold, bars, dashes and the letters its lines begin with among them.
M2_TOKENS = st.one_of(
    st.sampled_from(["S", "A", "T0", "|", "||", "noop", "a|", "|a", "-1", "字", "é", "\U0001f600"]),
    st.text(st.characters(exclude_categories=("Cs", "Zs", "Zl", "Zp", "Cc")), min_size=1, max_size=5),
).filter(lambda t: "|||" not in t and len(t.split()) == 1 and t == t.strip())
#: Tokens of corrections, where two bars inside a token would part alternatives.
CORRECTED = M2_TOKENS.filter(lambda t: t == "||" or ("||" not in t and t != "-NONE-"))
TYPES = st.sampled_from(["M:DET", "R:NOUN:NUM", "U:PUNCT", "R:OTHER", "UNK", "Um"])


@st.composite
def annotations(draw, annotator, length):
    """Sorted edits that do not overlap; insertions at one place may repeat."""
    bounds = sorted(draw(st.lists(st.integers(0, length), max_size=8)))
    edits = []
    for start, end in zip(bounds[::2], bounds[1::2], strict=False):
        if edits and edits[-1].end > start:
            continue
        correction = tuple(draw(st.lists(CORRECTED, max_size=3)))
        edits.append(Edit(start, end, correction, draw(TYPES)))
    return Annotation(annotator, tuple(edits))


@st.composite
def blocks(draw):
    """Blocks as the writer's dialect has them."""
    source = tuple(draw(st.lists(M2_TOKENS, max_size=6)))
    names = sorted(draw(st.sets(st.integers(0, 12), max_size=3)))
    return Block(source, tuple(draw(annotations(n, len(source))) for n in names))
