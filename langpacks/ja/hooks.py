"""The hooks of the Japanese pack: properties that compare words by sound or while ignoring some kana."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from jperrant.core.values import Token
from jperrant.edits.edit_context import EditContext

#: Katakana to hiragana, which are 96 code points lower.
_HIRAGANA = {code: code - 0x60 for code in range(0x30A1, 0x30F7)}
_SMALL = str.maketrans("ぁぃぅぇぉゃゅょゎ", "あいうえおやゆよわ")
#: Kana that sound like others: particles, and two syllables that have merged.
_SAME_SOUND = str.maketrans("をへはぢづ", "おえわじず")
#: A vowel that lengthens the one before it, the long-vowel mark, and small tsu.
_LENGTH = re.compile(
    "(?<=[あかがさざただなはばぱまやらわ])あ|(?<=[いきぎしじちぢにひびぴみりえけげせぜてでねへべぺめれ])い|"
    "(?<=[うくぐすずつづぬふぶぷむゆるおこごそぞとどのほぼぽもよろ])う|(?<=[おこごそぞとどのほぼぽもよろ])お|"
    "(?<=[えけげせぜてでねへべぺめれ])え|[ーっ]"
)
#: The kana between the kanji and the last kana of a word.
_AFTER_KANJI = re.compile("(?<=[\u4e00-\u9fff々])[ぁ-ん]+(?=[ぁ-ん]$)")


def _hiragana(word: str) -> str:
    """Convert katakana to hiragana: ホントウ becomes ほんとう."""
    return word.translate(_HIRAGANA)


def _short(word: str) -> str:
    """Convert to hiragana without marks of length: がっこう becomes がこ, コンピューター becomes こんぴゆた."""
    return _LENGTH.sub("", _hiragana(word).translate(_SMALL))


def _sound(word: str) -> str:
    """Convert to hiragana with one letter for each sound: こんにちは becomes こんにちわ."""
    return _hiragana(word).translate(_SAME_SOUND)


def _okurigana(word: str) -> str:
    """Keep only the kanji and the last kana: 変わる and 変る become 変る."""
    return _AFTER_KANJI.sub("", word)


def _of_form(read: Callable[[str], str]) -> Callable[[EditContext, Token], str]:
    return lambda _view, token: read(token.form)


PROPERTIES: Mapping[str, Callable[[EditContext, Token], str]] = {
    read.__name__.strip("_"): _of_form(read) for read in (_hiragana, _sound, _short, _okurigana)
}
