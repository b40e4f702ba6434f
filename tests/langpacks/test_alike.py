"""Korean and Chinese forms that are one, sound alike or look alike, and forms that are not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from jperrant.langpacks.ko.affixes import contracted, join_endings
from jperrant.langpacks.ko.jamo import sound_alike
from jperrant.langpacks.ko.stems import shared_stem
from jperrant.langpacks.zh import han
from jperrant.packs.pack import load_pack

Alike = Callable[[str, str], object]


def one_ending(one: str, other: str) -> bool:
    return join_endings(one.split("+")) == join_endings(other.split("+"))


def one_contraction(one: str, other: str) -> bool:
    return contracted(one) == contracted(other)


def one_verb(one: str, other: str) -> bool:
    return shared_stem(one, other, load_pack("ko").vocabulary.lexicon) is not None


def variants(one: str, other: str) -> bool:
    return not han.plain(one).isdisjoint(han.plain(other))


@pytest.mark.parametrize(
    ("alike", "pairs", "others"),
    [
        (one_ending,
         "았+다 ㅆ+다, 였+어요 었+아요, 은 ㄴ, 습니다 ㅂ니다, 으시+어요 세요, 으면 면, 는다 ㄴ다, 어+요 아요",
         "는 ㄴ, 고 지만, 을 은, 었다 다"),
        # What must be contracted is no contraction.
        (one_contraction,
         "하였다 했다, 되어요 돼요, 보았다 봤다, 것을 걸, 무엇을 뭘, 나의 내, 가수이었다 가수였다, "
         "마시었다 마셨다, 그것은 그건, 저에게 제게, 친구이에요 친구예요",
         "가아요 가요, 오았다 왔다, 학생이에요 학생예요, 쓰어 써"),
        # ㅎ beside a consonant (좋다, spoken 조타) is left out: learners do not write it so.
        (sound_alike, "안자 앉아, 마니 많이, 재일 제일, 조은 좋은, 읽어 일거, 갑씨 값씨",
         "업어요 없어요, 시각 시간, 가다 나다, 좋다 조타"),
        (one_verb, "추운데 춥습니다, 들어요 듣고", "보여요 봐요, 있어요 이에요, 살아요 사요, 책상 책이"),
        # Any shared reading, without tones.
        (han.sound_alike, "做 作, 买 卖, 着 找", "又 再, A A, ， ，, \ue000 \ue000"),
        (han.look_alike, "己 已, 晋 普", "无 不, 个 本, 我 \ue000, 我 a"),
        (variants, "愛 爱, 學習 学习, 看著 看着, 発 发, Ａ１ a1, iphone iPhone", "作 做"),
    ],
)  # fmt: skip
def test_what_is_alike(alike: Alike, pairs: str, others: str) -> None:
    for pair in pairs.split(", "):
        assert alike(*pair.split()), pair
    for pair in others.split(", "):
        assert not alike(*pair.split()), pair
