"""The Chinese pack: types by sound, shape, variant and class; how operations merge."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import jperrant
from jperrant.annotation.annotator import Annotator
from jperrant.core.edits import apply_edits
from jperrant.core.values import Annotation, Block, Edit
from jperrant.langpacks.zh.han import (
    character_cost,
    is_han,
    is_punctuation,
)
from jperrant.langpacks.zh.merging import moved
from jperrant.m2tools.m2_formats import to_characters
from tests.strategies import examples

from .test_gold_cases import sentence

#: Simplified, traditional, Japanese and rare characters, letters, digits, punctuation of both widths, an emoji
#: of several code points, a character that no table has, and the placeholder.
ODD = ["我", "们", "工", "作", "做", "的", "得", "地", "愛", "爱", "図", "𠮷", "𬺰", "龘", "A", "a", "Ａ", "3",
       "３", ",", "，", "。", "…", "👩‍🔬",
       "é", "\u0301", "가", "ㄅ", "\ue000", "[缺失成分]", "%", "～"]  # fmt: skip


@pytest.fixture(scope="module")
def words() -> Annotator:
    return jperrant.load("zh", models="none")


@pytest.fixture(scope="module")
def characters() -> Annotator:
    return jperrant.load("zh", models="none", tokens="characters")


def rows(edits: tuple[Edit, ...]) -> list[tuple[int, int, str, str]]:
    return [(e.start, e.end, " ".join(e.correction or ()), e.type) for e in edits]


def edits_of(annotator: Annotator, source: str, target: str) -> list[tuple[int, int, str, str]]:
    return rows(annotator.annotate(annotator.parse(source), annotator.parse(target)))


def test_kinds_of_characters():
    assert is_han("汉𠮷龘〇")
    assert not is_han("")
    assert not is_han("汉a")
    assert is_punctuation("，。…～")
    assert not is_punctuation("%")
    assert not is_punctuation("")


@given(st.sampled_from(ODD), st.sampled_from(ODD))
def test_costs_are_below_a_deletion_and_an_insertion(form, other):
    assert 0 < character_cost(form, other) < 2
    assert character_cost(form, other) == character_cost(other, form)


# Types that characters alone tell


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("我们要保护环竟", "我们要保护环境", [(6, 7, "境", "R:SPELL:PINYIN")]),
        ("他己经走了", "他已经走了", [(1, 2, "已", "R:SPELL:SHAPE")]),
        ("我愛你", "我爱你", [(1, 2, "爱", "R:ORTH")]),
        ("他跑的快", "他跑得快", [(2, 3, "得", "R:DE")]),
        ("你好,世界", "你好，世界", [(2, 3, "，", "R:PUNCT:WIDTH")]),
        ("你是谁。", "你是谁？", [(3, 4, "？", "R:PUNCT")]),
        ("他在工作银行", "他在银行工作", [(2, 6, "银 行 工 作", "R:WO")]),
        ("他说话很快地。", "他很快地说话。", [(1, 6, "很 快 地 说 话", "R:WO")]),
        ("他对外国人好", "外国人对他好", [(0, 5, "外 国 人 对 他", "R:WO")]),
        ("这是书", "这是我的书", [(2, 2, "我 的", "M:OTHER")]),
        ("所以。", "所以[缺失成分]。", [(2, 2, "[缺失成分]", "M:MC")]),
        ("用ｑq", "用qq", [(1, 2, "q", "R:ORTH")]),
        ("我 爱 你", "我爱你", []),
    ],
)
def test_types_without_any_analysis(characters, source, target, expected):
    assert edits_of(characters, source, target) == expected


def test_a_move_with_one_change_is_word_order():
    assert moved(("冬", "阴", "功", "对", "外", "国", "人"), ("外", "国", "人", "对", "冬", "荫", "功"))
    assert moved(("旅", "游", "去", "北", "京"), ("去", "北", "京", "旅", "行"))
    assert not moved(("我", "去"), ("他", "来"))
    assert not moved(("又", "来"), ("来", "再"))


def test_words_of_characters_name_the_type():
    annotator = jperrant.load("zh", models="none", tokens="characters")
    tags = {"我": "PRON", "有": "VERB", "昨天": "NOUN", "身材": "NOUN", "身体": "NOUN", "好": "ADJ", "绍介": "VERB",
            "介绍": "VERB", "谁": "PRON", "什么": "PRON", "过去": "NOUN"}  # fmt: skip

    def analysed(text):
        return annotator.whole([sentence([{"form": w, "upos": tags[w]} for w in text.split()], "")], text)

    def edits(source, target):
        return rows(annotator.annotate(analysed(source), analysed(target)))

    assert edits("我 好", "我 昨天 好") == [(1, 1, "昨 天", "M:NOUN")]
    assert edits("身材 好", "身体 好") == [(1, 2, "体", "R:NOUN")]
    assert edits("我 绍介", "我 介绍") == [(1, 3, "介 绍", "R:SPELL:ORDER")]
    assert edits("谁 好", "什么 好") == [(0, 1, "什 么", "R:PRON")]
    assert edits("我 有", "我 过去 有") == [(1, 1, "过 去", "M:NOUN")]  # 过 is no aspect particle here


# Whatever comes, nothing is lost


TEXTS = st.lists(st.sampled_from(ODD), max_size=14).map("".join)


@examples(150)
@given(TEXTS, TEXTS)
def test_characters_applied_give_the_target(characters, source, target):
    a, b = characters.parse(source), characters.parse(target)
    assert apply_edits(a.forms, characters.annotate(a, b)) == b.forms


@examples(200)
@given(TEXTS | st.text(st.characters(exclude_categories=("Cs",)), max_size=12))
def test_any_text_can_be_cut_into_characters(characters, text):
    assert "".join(characters.parse(text).forms) == "".join(text.split())


@examples(150)
@given(st.data())
def test_words_applied_give_the_targets_text_as_words_and_as_characters(words, data):
    forms = st.lists(st.lists(st.sampled_from(ODD), min_size=1, max_size=3).map("".join), max_size=7)
    tags = st.sampled_from(["NOUN", "VERB", "PART", "PUNCT", "X", ""])
    a, b = (sentence([{"form": w, "upos": data.draw(tags)} for w in data.draw(forms)], "") for _ in range(2))
    block = Block(a.forms, (Annotation(0, words.annotate(a, b)),))
    for found in (block, *to_characters([block])):
        assert "".join(apply_edits(found.source, found.annotations[0].edits)) == b.text
