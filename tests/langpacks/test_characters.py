"""Characters as tokens, words cut by models, and M2 carried between words and characters."""

from __future__ import annotations

from itertools import accumulate
from pathlib import Path

import pytest

import jperrant
from jperrant.core.errors import UsageError
from jperrant.core.text import sentence_of
from jperrant.core.values import Annotation, Block, Edit, Parallel, Sentence, Token
from jperrant.io.dialects import read_cherrant
from jperrant.m2tools.m2_formats import to_characters
from jperrant.parse.character_tokens import characters_of, keep_whole
from tests.commands import printed, refused

DATA = Path(__file__).parents[1] / "data" / "zh"
PLACEHOLDER = "[缺失成分]"


def test_characters_have_their_words_analysis():
    words = Sentence(
        (
            Token("我们", "我们", "PRON", "PRP", "Number=Plur", 3, "nsubj", 0, 2),
            Token("去", "去", "VERB", "VV", "", 0, "root", 2, 3),
            Token(PLACEHOLDER, "", "X", "FW", "", 2, "dep", 3, 9),
        ),
        "我们去" + PLACEHOLDER,
    )
    found = characters_of(words, (PLACEHOLDER,))
    assert found.forms == ("我", "们", "去", PLACEHOLDER)
    assert [t.lemma for t in found.tokens] == ["我们", "我们", "去", ""]
    assert [t.head for t in found.tokens] == [4, 4, 0, 3]
    assert [found.text[t.start : t.end] for t in found.tokens] == list(found.forms)


@pytest.mark.parametrize(
    ("unbroken", "lengths", "forms"),
    [
        ([PLACEHOLDER], [1, 3, 2, 3], ["因", "为", PLACEHOLDER, "。"]),
        (["<A>", "<A>B"], [1] * 9, ["x", "<A>B", "y", "<A>"]),
        (["<A>B", "<A>"], [1] * 9, ["x", "<A>B", "y", "<A>"]),
        ([], [1, 2], ["因", "为。"]),
    ],
)
def test_strings_are_kept_whole_wherever_they_were_cut_and_the_longest_first(unbroken, lengths, forms):
    text, ends = "".join(forms), [*accumulate(lengths)]
    places = zip([0, *ends], ends, strict=False)
    cut = Sentence(tuple([Token(text[a:b], start=a, end=b) for a, b in places]), text)
    assert keep_whole(cut, tuple(unbroken)).forms == tuple(forms)


def test_analysis_comes_from_given_tags():
    annotator = jperrant.load("zh", models="none", tokens="characters")

    def tagged(*words):
        tokens, at = [], 0
        for form, upos in words:
            tokens.append(Token(form, form, upos, start=at, end=at + len(form)))
            at += len(form)
        return Sentence(tuple(tokens), "".join(form for form, _ in words))

    record = Parallel(
        tagged(("我", "PRON"), ("来", "VERB")), (tagged(("我", "PRON"), ("昨天", "NOUN"), ("来", "VERB")),)
    )
    [block] = annotator.annotate_many([record])
    assert block == Block(("我", "来"), (Annotation(0, (Edit(1, 1, ("昨", "天"), "M:NOUN"),)),))


def test_one_space_or_many_is_no_text():
    annotator = jperrant.load("zh", models="none", tokens="characters")
    blocks = list(
        annotator.annotate_many(
            [Parallel(sentence_of("我 爱　你 。"), (sentence_of("我爱你。"), sentence_of("")))]
        )
    )
    assert blocks[0].source == ("我", "爱", "你", "。")
    assert [a.edits for a in blocks[0].annotations] == [(), (Edit(0, 4, (), "U:OTHER"),)]


def test_words_need_models():
    with pytest.raises(UsageError, match='tokens="words" needs models'):
        jperrant.load("zh", models="none", tokens="words")
    with pytest.raises(UsageError, match="did you mean 'characters'"):
        jperrant.load("zh", models="none", tokens="character")


@pytest.mark.ci
@pytest.mark.models
def test_models_cut_words_and_name_types():
    record = Parallel(
        sentence_of("我有三书。"), (sentence_of("我有三本书。"), sentence_of(f"我有三{PLACEHOLDER}书。"))
    )
    annotator = jperrant.load("zh", tokens="words")
    [block] = annotator.annotate_many([record])
    assert block.source == ("我", "有", "三", "书", "。")
    assert annotator.annotate("我有三书。", "我有三本书。") == block.annotations[0].edits
    assert [a.edits[0].type for a in block.annotations] == ["M:QUANT", "M:MC"]
    [block] = jperrant.load("zh", tokens="characters").annotate_many([record])
    assert block.source == ("我", "有", "三", "书", "。")
    assert [a.edits[0].type for a in block.annotations] == ["M:QUANT", "M:MC"]


# Words and characters


def words_file() -> list[Block]:
    return list(read_cherrant(str(DATA / "nlpcc18_60.ref.word.m2")))


def test_characters_agree_with_cherrants_own_character_level():
    found = to_characters(words_file(), (PLACEHOLDER,))
    expected = read_cherrant(str(DATA / "nlpcc18_60.ref.char.m2"))
    same = total = 0
    for block, other in zip(found, expected, strict=True):
        assert block.source == other.source
        for a, b in zip(block.annotations, other.annotations, strict=True):
            ours, theirs = ({(e.start, e.end, e.correction) for e in x.edits} for x in (a, b))
            same, total = same + len(ours & theirs), total + len(theirs)
    assert same / total > 0.9


def test_letters_follow_the_tokens():
    word = Block(("越", "好"), (Annotation(0, (Edit(0, 1, ("越来越",), "R:ADV"),)),))
    [characters] = to_characters([word])
    assert characters.annotations[0].edits == (Edit(1, 1, ("来", "越"), "M:ADV"),)


def test_edits_over_characters_are_in_order():
    edits = (Edit(0, 2, ("甲乙", "丁"), "R:A"), Edit(0, 2, None, "UNK"))
    [characters] = to_characters([Block(("甲乙", "丙"), (Annotation(0, edits),))])
    assert [(e.start, e.end) for e in characters.annotations[0].edits] == [(0, 3), (2, 3)]


# Commands


def test_commands(tmp_path):
    source, target, words, m2 = (
        tmp_path / name for name in ("source.txt", "target.txt", "words.m2", "out.m2")
    )
    source.write_text("我 去学校。\n\n我愛你。\n", encoding="utf-8")
    target.write_text("我昨天去学校。\n\n我爱你。\n", encoding="utf-8")
    words.write_text("S 我 去 学校 。\n\nS\n\nS 我 愛你 。\n\n", encoding="utf-8")
    options = ("--lang", "zh", "--models", "none", "--tokens", "characters")
    printed("annotate", source, target, *options, "-o", m2)
    assert m2.read_text(encoding="utf-8") == (
        "S 我 去 学 校 。\nA 1 1|||M:OTHER|||昨 天|||REQUIRED|||-NONE-|||0\n\n"
        "S\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n\n"
        "S 我 愛 你 。\nA 1 2|||R:ORTH|||爱|||REQUIRED|||-NONE-|||0\n\n"
    )
    assert "S 我 愛 你 。" in printed("m2", "convert", words, "-", "--to", "m2:tokens=characters")
    assert printed("m2", "retype", m2, "--gold", *options) == m2.read_text(encoding="utf-8")
    assert "m2:tokens=characters" in refused("m2", "retype", words, "--auto", *options)
