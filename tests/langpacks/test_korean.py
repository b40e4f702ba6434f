"""Korean: Hangul letters, allomorphs, spacing, and whatever else may stand in an eojeol."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

import jperrant
from jperrant.core.edits import apply_edits
from jperrant.core.values import Parallel, Sentence, Token
from jperrant.langpacks.ko.affixes import are_particles, join_endings
from jperrant.langpacks.ko.jamo import compose_letters, letters, similarity, sound_alike
from jperrant.langpacks.ko.morphemes import analyse
from jperrant.langpacks.ko.stems import readings

from .test_gold_cases import sentence

ANNOTATOR = jperrant.load("ko", models="none")


def short(text):
    """``form/lemma/XPOS`` tokens separated by spaces."""
    parts = [(*word.split("/"), "", "")[:3] for word in text.split()]
    tokens = [{"form": f, "lemma": le or f, "xpos": x, "upos": "X" if x else ""} for f, le, x in parts]
    return sentence(tokens, " ")


def edits(source, target):
    (block,) = ANNOTATOR.annotate_many([Parallel(source, (target,))])
    return block.annotations[0].edits


def types(source, target):
    return [e.type for e in edits(short(source), short(target))]


@given(st.text(st.characters(min_codepoint=0xAC00, max_codepoint=0xD7A3), max_size=8))
def test_letters_are_those_of_the_canonical_decomposition(text):
    assert letters(text) == letters(unicodedata.normalize("NFD", text))
    assert len(letters(text)) == len(unicodedata.normalize("NFD", text))
    assert compose_letters(letters(text)) == text


@pytest.mark.parametrize(
    ("a", "b", "alike"), [("한", "한", 1.0), ("안", "않", 2 / 3), ("가", "각", 2 / 3), ("ㄴ", "\u11ab", 1.0)]
)
def test_similarity_by_letters(a, b, alike):
    assert similarity(a, b) == pytest.approx(alike)


def test_particles_may_follow_each_other():
    assert all(are_particles(p) for p in ("에서는", "까지도", "에게서만", ""))
    assert not any(are_particles(p) for p in ("애서", "한태", "부타", "읗"))


@pytest.mark.parametrize(
    ("token", "content", "particles", "endings", "word_class"),
    [
        (Token("도서관에서는", "도서관+에서+는", "ADV", "ncn+jca+jxt"), "도서관", "에서는", "", "NOUN"),
        (Token("도서관에서는", "도서관+에서+는", "NOUN", "NNG+JKB+JX"), "도서관", "에서는", "", "NOUN"),
        (Token("공부했다", "공부+하+았+다", "VERB", "NNG+XSV+EP+EF"), "공부하", "", letters("었다"), "VERB"),
        (Token("조용히", "조용+히", "ADV", "ncps+xsa"), "조용히", "", "", "ADV"),
        (Token("있었다", "있", "AUX", "px+ep+ef"), "있", "", letters("었다"), "AUX"),
        (Token("학생이다", "학생+이+다", "VERB", "NNG+VCP+EF"), "학생", "", letters("이다"), "NOUN"),
        (Token("먹기를", "먹+기+를", "NOUN", "VV+ETN+JKO"), "먹", "를", letters("기"), "VERB"),
        (Token("가요.", "가+아요+.", "VERB", "VV+EF+SF"), "가", "", letters("어요"), "VERB"),
    ],
)
def test_the_parts_of_an_eojeol(token, content, particles, endings, word_class):
    found = analyse(token)
    assert (found.content, found.particles, found.endings) == (content, particles, endings)
    assert found.word_class == word_class


def test_composed_and_decomposed_text_is_compared_as_one():
    decomposed = Token(
        unicodedata.normalize("NFD", "친구을"), unicodedata.normalize("NFD", "친구+을"), "NOUN", "NNG+JKO"
    )
    target = Token("친구를", "친구+를", "NOUN", "NNG+JKO")
    found = edits(Sentence((decomposed,), decomposed.form), Sentence((target,), target.form))
    assert [e.type for e in found] == ["R:PARTICLE"]


def test_words_that_differ_in_composition_alone_stay_edits_beside_spacing():
    source, target = "집 에 자주 가요 .", "집에 자주 " + unicodedata.normalize("NFD", "가요") + " ."
    assert types(source, target) == ["R:WS", "R:ORTH"]
    found = edits(short(source), short(target))
    assert " ".join(apply_edits(source.split(), found)) == target


def test_composed_and_decomposed_characters_are_annotated():
    source, target = "하새?요", unicodedata.normalize("NFD", "하새?요")
    (block,) = jperrant.load("ko", models="none", tokens="characters").annotate_many([(source, target)])
    assert "".join(apply_edits(block.source, block.annotations[0].edits)) == target


EOJEOLS = st.one_of(
    st.sampled_from(
        [
            "저는", "나", "사과", "사과를", "먹었어요", "먹었", "어요", "할수", "할", "수", "있다",
            ".", "?!", "ㅋㅋㅋ", "ㅠㅠ", "k-pop", "K-POP", "3개", "2021년", "😀", "👍🏽", "에", "를",
        ]
    ),
    st.text(st.characters(min_codepoint=0xAC00, max_codepoint=0xD7A3), min_size=1, max_size=4),
    st.text(st.characters(exclude_categories=["Z", "C"]), min_size=1, max_size=4),
    st.text(st.characters(min_codepoint=0x1100, max_codepoint=0x11FF), min_size=1, max_size=3),
).filter(lambda form: not any(c.isspace() for c in form))  # fmt: skip
TAGS = st.sampled_from(
    ["", "_", "ncn", "ncn+jxt", "NNG+JKO", "VV+EP+EF", "px+ep+ef", "VV+ETM+NNB+VV+EF", "SF", "sf+sf", "jp+ef", "NA",
     "SL+JX", "+", "XR+XSA+EC", "ep", "JKB", "?"]
)  # fmt: skip
LEMMAS = st.one_of(
    st.sampled_from(["", "_", "+", "++", "사과+를", "먹+었+어요", "있", "가+ㄴ"]), st.text(max_size=5)
)
TOKENS = st.builds(
    lambda form, lemma, upos, xpos: Token(form, lemma, upos, xpos),
    EOJEOLS, LEMMAS, st.sampled_from(["", "X", "NOUN", "VERB", "AUX", "PUNCT", "CCONJ"]), TAGS,
)  # fmt: skip
SENTENCES = st.lists(TOKENS, max_size=6).map(lambda ts: Sentence(tuple(ts), " ".join(t.form for t in ts)))


@given(SENTENCES, SENTENCES)
def test_whatever_stands_in_an_eojeol_the_edits_give_the_target(source, target):
    found = edits(source, target)
    assert tuple(apply_edits(source.forms, found)) == target.forms
    labels = set(ANNOTATOR.pack.labels)
    for edit in found:
        assert edit.type == "UNK" or edit.type.partition(":")[2] in labels
        assert edit.type[0] == ("M" if edit.start == edit.end else "R" if edit.correction else "U")


@given(
    st.lists(st.sampled_from(["한국", "에", "가요", "할", "수", "있다"]), min_size=2, max_size=6), st.data()
)
def test_pairs_that_differ_in_spaces_alone_have_nothing_but_spacing_edits(words, data):
    kept = [data.draw(st.booleans()) for _ in words[1:]]
    joined = words[0] + "".join((" " if keep else "") + w for keep, w in zip(kept, words[1:], strict=True))
    found = edits(Sentence.from_forms(words), Sentence.from_forms(joined.split()))
    assert {e.type for e in found} <= {"R:WS"}
    assert bool(found) == (not all(kept))


@given(st.text(st.characters(min_codepoint=0xAC00, max_codepoint=0xD7A3), min_size=1, max_size=5))
def test_a_form_sounds_like_itself(text):
    assert sound_alike(text, text)


@pytest.mark.parametrize(
    ("form", "stem", "endings"),
    [
        ("추운데", "춥", ("ㄴㄷㅔ",)), ("바빴기", "바쁘", ("ㅇㅓㅆ", "ㄱㅣ")), ("들어요", "듣", ("ㅇㅓㅇㅛ",)),
        ("사니까", "살", ("ㄴㅣㄲㅏ",)), ("나았습니다", "낫", ("ㅇㅏㅆ", "ㅅㅡㅂㄴㅣㄷㅏ")),
        ("공부했어요", "공부하", ("ㅇㅓㅆ", "ㅇㅓㅇㅛ")), ("가서", "가", ("ㅇㅓㅅㅓ",)), ("오셨겠지만", "오", None),
    ],
)  # fmt: skip
def test_readings_of_verbs(form, stem, endings):
    found = readings(form, ANNOTATOR.pack.vocabulary.lexicon)
    assert stem in found
    assert endings is None or join_endings(list(found[stem])) == join_endings(list(endings))
