"""The hooks of the Korean pack: conditions on the content, particles and endings of eojeols.

Principle (docs/korean.md): content and function are compared first, and spelling only if they do not decide,
because a changed particle looks just like a misspelling.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence

from jperrant.core.values import Token
from jperrant.edits.edit_context import EditContext
from jperrant.langpacks.ko import affixes, jamo
from jperrant.langpacks.ko.morphemes import Eojeol, joined, particles_known
from jperrant.langpacks.ko.spacing import spans
from jperrant.langpacks.ko.stems import endings_known, is_known, read, reconciled

#: The similarity from which one word can be a misspelling of the other.
_ALIKE = 0.5
#: Endings before which the copula may be dropped after a vowel.
_AFTER_COPULA = ("다", "고", "지만", "면", "라고", "라는", "니까", "라서", "며", "든지")
#: Final letters of irregular stems: before a consonant, and before a vowel.
_IRREGULAR = (("ㄷ", "ㄹ"), ("ㅂ", "ㅇㅜ"), ("ㅅ", ""), ("ㄹㅡ", "ㄹㄹ"), ("ㅎ", ""))


def only_spacing(view: EditContext) -> bool:
    """Whether the sides differ only in spaces."""
    return _text(view.source) == _text(view.target)


def only_case_or_width(view: EditContext) -> bool:
    """Whether the sides differ only in case, width and other compatibility forms."""
    if view.one_to_one and jamo.is_syllables(view.source[0].form) and jamo.is_syllables(view.target[0].form):
        return False
    return _folded(view.source) == _folded(view.target)


def only_punctuation(view: EditContext) -> bool:
    """Whether only punctuation differs, as separate tokens or at the edges of eojeols."""
    if view.one_to_one:
        one, other = _pair(view)
        return one.form == other.form or (one.is_punctuation and other.is_punctuation)
    source, target = _sides(view)
    if all([e.is_punctuation for e in (*source, *target)]):
        return True
    words = [[e.form for e in side if not e.is_punctuation] for side in (source, target)]
    return words[0] == words[1]


def contraction(view: EditContext) -> bool:
    """Whether the sides differ only in an optional contraction (되었다, 됐다)."""
    if not view.one_to_one:
        return False
    source, target = _pair(view)
    if source.is_punctuation or target.is_punctuation:
        return False
    if affixes.contracted(source.form) == affixes.contracted(target.form) or _same_copula(source, target):
        return True
    if source.endings != target.endings or not _same_content_when_short(source, target):
        return False
    if source.particles == target.particles:
        return source.content != target.content
    return affixes.shortened_particle(source.form, target.form, source.particles, target.particles)


def particle(view: EditContext) -> bool:
    """Whether the content is the same, the particles differ, and those of the source exist."""
    pair = _whole(view)
    return (
        pair is not None
        and pair[0].content == pair[1].content != ""
        and pair[0].endings == pair[1].endings
        and pair[0].later == pair[1].later
        and pair[0].particles != pair[1].particles
        and particles_known(pair[0])
    )


def same_morphemes(view: EditContext) -> bool:
    """Whether the morphemes are the same up to allomorphs, and only their written combination differs."""
    if not view.one_to_one:
        return False
    source, target = _pair(view)
    return (
        source.tagged
        and (source.content == target.content or _same_stem(source, target))
        and source.endings == target.endings
        and source.particles == target.particles
        and source.later == target.later
    )


def wrong_inflection(view: EditContext) -> bool:
    """Whether the source lacks a change of the target's inflection, judged by letters alone."""
    return view.one_to_one and affixes.is_wrong_inflection(*[e.form for e in _pair(view)])


def ending(view: EditContext) -> bool:
    """Whether the content is the same, the endings differ, and those of the source exist."""
    pair = _whole(view)
    return (
        pair is not None
        and _other_endings(*pair)
        and not _misspelt_endings(*pair)
        and not jamo.sound_alike(pair[0].form, pair[1].form)  # 그런대, 그런데
    )


def auxiliary(view: EditContext) -> bool:
    """Whether only an auxiliary inside the eojeol differs (먹어보세요, 먹어주세요)."""
    if not view.one_to_one:
        return False
    source, target = _pair(view)
    return source.content == target.content and "" != source.later != target.later != ""


def misspelt(view: EditContext) -> bool:
    """Whether the source is a misspelling of the target: a similar non-word, a homophone or another slip."""
    pair = _whole(view)
    stems = view.vocabulary.lexicon
    if pair is None:
        source, target = _sides(view)
        unknown = not all([is_known(e, stems) for e in source])
        return unknown and _alike(_text(view.source), _text(view.target)) and bool(target)
    source_word, target_word = pair
    if source_word.is_punctuation or target_word.is_punctuation or not source_word.content:
        return False
    if affixes.has_misspelt_ending(source_word.form, target_word.form):
        return True
    pronouns = source_word.word_class == target_word.word_class == "PRON"  # 내, 네
    if not pronouns and jamo.sound_alike(source_word.form, target_word.form):
        return True
    if source_word.content == target_word.content and source_word.endings == target_word.endings:
        if not particles_known(source_word) or source_word.form != target_word.form:
            return _alike(source_word.form, target_word.form)
        return False
    if _other_endings(source_word, target_word):
        return _misspelt_endings(source_word, target_word)
    if is_known(source_word, stems):
        return is_known(target_word, stems) and jamo.is_real_word_slip(
            source_word.content, target_word.content, source_word.word_class == target_word.word_class
        )
    return _alike(*_without_shared_function(source_word, target_word))


def word_class(view: EditContext, token: Token) -> str:
    """Return the word class of an eojeol's content, or ``OTHER``."""
    return _analysed(view, token).word_class or "OTHER"


def _part(name: str) -> Callable[[EditContext, Token], str]:
    """Return the property that reads a field of an eojeol: its content, particles or endings."""
    return lambda view, token: str(getattr(_analysed(view, token), name))


def _analysed(view: EditContext, token: Token) -> Eojeol:
    return read(token, view.vocabulary.lexicon)


def _pair(view: EditContext) -> tuple[Eojeol, Eojeol]:
    stems = view.vocabulary.lexicon
    return reconciled(_analysed(view, view.source[0]), _analysed(view, view.target[0]), stems)


def _sides(view: EditContext) -> tuple[list[Eojeol], list[Eojeol]]:
    return [_analysed(view, t) for t in view.source], [_analysed(view, t) for t in view.target]


def _whole(view: EditContext) -> tuple[Eojeol, Eojeol] | None:
    """Return each side as one eojeol, or None if a side is more than one."""
    if view.one_to_one:
        return _pair(view)
    if min(len(view.source), len(view.target)) > 1:
        return None
    source, target = joined(view.source), joined(view.target)
    return (source, target) if source and target else None


def _same_stem(source: Eojeol, target: Eojeol) -> bool:
    """Whether the stems are forms of one irregular stem, before a consonant and before a vowel (듣, 들)."""
    if not (source.is_verbal and target.is_verbal and source.endings.startswith("ㅇ")):
        return False
    a, b = jamo.letters(source.content), jamo.letters(target.content)
    return any([a[: -len(x)] + y == b for x, y in _IRREGULAR if a.endswith(x)])


def _other_endings(source: Eojeol, target: Eojeol) -> bool:
    return (
        source.content == target.content
        and source.later == target.later
        and source.endings != target.endings
        and bool(source.endings or target.endings)
        and (
            source.is_verbal
            or bool(source.endings and target.endings)
            or source.word_class == target.word_class
        )
    )


def _misspelt_endings(source: Eojeol, target: Eojeol) -> bool:
    """Whether the source's endings do not exist and resemble the target's, which do."""
    return (
        bool(source.ending_parts)
        and not endings_known(source.ending_parts)
        and endings_known(target.ending_parts)
        and _alike(source.endings, target.endings)
    )


def _same_content_when_short(source: Eojeol, target: Eojeol) -> bool:
    return source.word_class == target.word_class and (
        source.content == target.content
        or affixes.SHORT_WORDS.get(source.content) == target.content
        or affixes.SHORT_WORDS.get(target.content) == source.content
    )


def _same_copula(source: Eojeol, target: Eojeol) -> bool:
    """Whether two forms of a noun differ only in the copula, dropped after a vowel (의사이다, 의사다)."""
    if abs(len(source.form) - len(target.form)) != 1:
        return False
    nouns = [e.content for e in (source, target) if e.word_class in ("NOUN", "PRON", "NUM")]
    long, short = sorted((source.form, target.form), key=len, reverse=True)
    return any(
        [
            jamo.ends_in_vowel(noun) and long == f"{noun}이{rest}" and short == f"{noun}{rest}"
            for noun in nouns
            for rest in _AFTER_COPULA
        ]
    )


def _alike(text: str, other: str) -> bool:
    return jamo.similarity(text, other) >= _ALIKE


def _without_shared_function(source: Eojeol, target: Eojeol) -> tuple[str, str]:
    """Return two forms without shared particles or endings: 보기입니다 does not resemble 것입니다."""
    tail = len(target.form) - len(target.content) if target.form.startswith(target.content) else 0
    longest = min(tail, len(source.form) - 1)
    shared = next((n for n in range(longest) if source.form[-n - 1] != target.form[-n - 1]), longest)
    return (source.form[:-shared], target.form[:-shared]) if shared > 0 else (source.form, target.form)


def _text(side: Sequence[Token]) -> str:
    return jamo.compose("".join([t.form for t in side]))


def _folded(side: Sequence[Token]) -> str:
    return unicodedata.normalize("NFKC", "".join([t.form for t in side])).casefold()


CONDITIONS = {
    condition.__name__: condition
    for condition in (
        only_spacing, only_case_or_width, only_punctuation, contraction, particle, same_morphemes,
        wrong_inflection, ending, auxiliary, misspelt,
    )
}  # fmt: skip
PROPERTIES = {"class": word_class, **{name: _part(name) for name in ("content", "particles", "endings")}}
MERGE = spans


def SIMILARITY(text: str, other: str) -> float:
    """Return the similarity of two texts by their Hangul letters, in [0, 1]."""
    return jamo.similarity(jamo.letters(text), jamo.letters(other))
