"""What the Japanese pack cannot say in YAML: a word by its sound, and with some of its kana left out."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from jperrant.core.values import Token
from jperrant.edits.edit_context import EditContext

#: From each katakana to its hiragana, which stands 96 code points before it.
_HIRAGANA = {code: code - 0x60 for code in range(0x30A1, 0x30F7)}
_SMALL = str.maketrans("ぁぃぅぇぉゃゅょゎ", "あいうえおやゆよわ")
#: Kana that sound as others do: particles, and two syllables that have merged.
_SAME_SOUND = str.maketrans("をへはぢづ", "おえわじず")
#: A vowel that only lengthens the one before it, the sign for this, and small tsu.
_LENGTH = re.compile(
    "(?<=[あかがさざただなはばぱまやらわ])あ|(?<=[いきぎしじちぢにひびぴみりえけげせぜてでねへべぺめれ])い|"
    "(?<=[うくぐすずつづぬふぶぷむゆるおこごそぞとどのほぼぽもよろ])う|(?<=[おこごそぞとどのほぼぽもよろ])お|"
    "(?<=[えけげせぜてでねへべぺめれ])え|[ーっ]"
)
#: A word in kanji and the kana after them, up to the last one.
_AFTER_KANJI = re.compile("(?<=[\u4e00-\u9fff々])[ぁ-ん]+(?=[ぁ-ん]$)")


def _hiragana(word: str) -> str:
    """The word in hiragana, as far as it is in kana: ホントウ is ほんとう."""
    return word.translate(_HIRAGANA)


def _short(word: str) -> str:
    """The word in hiragana without what lengthens a sound: がっこう is がこ, コンピューター is こんぴゆた."""
    return _LENGTH.sub("", _hiragana(word).translate(_SMALL))


def _sound(word: str) -> str:
    """The word in hiragana with one letter for those that sound the same: こんにちは is こんにちわ."""
    return _hiragana(word).translate(_SAME_SOUND)


def _okurigana(word: str) -> str:
    """The kanji and the last kana: 変わる and 変る are 変る."""
    return _AFTER_KANJI.sub("", word)


def _of_form(read: Callable[[str], str]) -> Callable[[EditContext, Token], str]:
    return lambda _view, token: read(token.form)


PROPERTIES: Mapping[str, Callable[[EditContext, Token], str]] = {
    read.__name__.strip("_"): _of_form(read) for read in (_hiragana, _sound, _short, _okurigana)
}
