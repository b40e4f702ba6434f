"""What a user writes for a language, what counts where nothing is written, and texts in another script."""

from __future__ import annotations

import warnings

import pytest

import jperrant
from jperrant.annotation.annotator_options import AnnotatorOptions
from jperrant.core.errors import PackError, UsageError
from jperrant.core.values import Block
from jperrant.m2tools.retype import retype_m2
from jperrant.packs.pack import load_pack
from tests.program import run_program

RUSSIAN = ("я читаю книга .", "я читаю книгу .")
ENGLISH = ("I like cat .", "I like cats .")


CODES = {
    # BCP 47, and the same as locales write it
    "en_US": "en", "en-GB": "en", "EN-us": "en", "zh-Hans": "zh", "zh_Hans_CN": "zh", "zh-CN": "zh",
    "pt-BR": "pt_br", "pt_PT": "pt", "es-419": "es",
    # ISO 639-2 and 639-3
    "eng": "en", "deu": "de", "ger": "de", "zho": "zh", "cmn": "zh", "arb": "ar", "kor-KR": "ko",
    # Languages of Stanza without a pack
    "fin": "fi", "nb_NO": "nb", "zh-TW": "zh-hant", "zh-Hant-HK": "zh-hant",
    # Names
    "English": "en", "french": "fr", "DE": "de", "Finnish": "fi", "generic": "generic",
}  # fmt: skip


@pytest.mark.parametrize(("written", "code"), CODES.items())
def test_codes_of_languages(written, code):
    assert load_pack(written).code == code


@pytest.mark.parametrize(
    ("written", "meant"),
    [("en-banana", "en"), ("Englsh", "English"), ("genric", "generic"), ("xx", ""), ("en-", "")],
)
def test_an_unknown_code_is_an_error_with_the_nearest(written, meant):
    near = f"did you mean '{meant}'" if meant else ""
    rest = "expected one of ar, cs.*a folder given with pack"
    with pytest.raises(PackError, match=f"unknown language '{written}'.*{near}.*{rest}"):
        load_pack(written)


@pytest.mark.parametrize(
    ("pair", "lang", "script", "likely"),
    [
        (RUSSIAN, "en", "Cyrillic", 'lang="ru", lang="uk",'),
        (("我 昨天 去 学校 。", "我 昨天 去 了 学校 。"), "en", "Han", 'lang="zh", lang="ja",'),
        (("私 は 学校 に 行く", "私 は 学校 へ 行く"), "de", "Han", 'lang="ja",'),
        (("שלום עולם", "שלום לעולם"), "en", "Hebrew", 'lang="he",'),
        (ENGLISH, "ru", "Latin", 'lang="cs", lang="de", lang="en",'),
    ],
)
def test_text_in_another_script_is_refused(pair, lang, script, likely):
    annotator = jperrant.load(lang, models="none", dictionary="none")
    refused = f'in {script} letters, but .* is written in .*{likely}.* or lang="generic"'
    with pytest.raises(UsageError, match=refused):
        list(annotator.annotate_many([pair]))
    with pytest.warns(UserWarning, match=f"in {script} letters"):
        annotator.annotate(*pair)


@pytest.mark.parametrize(
    ("pairs", "lang"),
    [
        ([RUSSIAN], "ru"),
        ([RUSSIAN], "generic"),
        ([RUSSIAN, *[ENGLISH] * 4], "en"),  # a learner's corpus with a sentence in the mother tongue
        ([("Γ = 3", "Γ = 4")], "en"),
        ([("私 は 学校 に 行く", "私 は 学校 へ 行く")], "ja"),
        ([("Ово је мачка", "Ово је пас"), ("Ovo je mačka", "Ovo je pas")], "sr"),
    ],
)
def test_text_that_may_be_of_the_language_is_taken(pairs, lang):
    annotator = jperrant.load(lang, models="none", dictionary="none")
    assert len(list(annotator.annotate_many(pairs))) == len(pairs)


@pytest.mark.parametrize("batch", [1, 100, 1000])
def test_the_first_sentences_tell_whatever_is_annotated_together(batch):
    pairs = [*[ENGLISH] * 200, *[RUSSIAN] * 400]
    annotator = jperrant.load("en", models="none")
    assert len(list(annotator.annotate_many(pairs, batch=batch))) == 600
    with pytest.raises(UsageError, match="Cyrillic"):
        list(annotator.annotate_many(pairs[::-1], batch=batch))


def test_several_processes_and_retyping_refuse_too():
    with pytest.raises(UsageError, match="Cyrillic"):
        list(jperrant.load("en", models="none").annotate_many([RUSSIAN] * 3, jobs=2))
    blocks = [Block(tuple(RUSSIAN[0].split()))]
    for way in ("auto", "gold"):
        with pytest.raises(UsageError, match="Cyrillic"):
            list(retype_m2(blocks, AnnotatorOptions("en", "none"), **{way: True}))


@pytest.mark.ci
def test_without_a_language_english_is_said_once(tmp_path):
    for name, text in zip(("source", "target"), ENGLISH, strict=True):
        (tmp_path / name).write_text(f"{text}\n")
    said = "no language was given, so texts are annotated as English"
    for command, times in (
        ("annotate source target --models none -o out.m2", 1),
        ("annotate source target --models none --jobs 2", 1),
        ("score target --ref target --source source --models none", 1),
        ("m2 retype out.m2 --gold --models none", 1),
        ("score out.m2 --ref out.m2", 0),
        ("score target --ref target --source source -m gleu", 0),
        ("m2 retype out.m2 --gold --old-types", 0),
    ):
        done = run_program(command.split(), folder=tmp_path)
        assert (done.returncode, done.stderr.count(said)) == (0, times), (command, done.stderr)


def test_in_python_it_is_a_warning():
    with pytest.warns(UserWarning, match="no language was given, so texts are annotated as English"):
        jperrant.load(models="none")
    with warnings.catch_warnings(action="error"):
        jperrant.load("en", models="none")
        (gleu,) = jperrant.score(["I like a cat ."], [ENGLISH[1]], source=[ENGLISH[0]], metrics="gleu")
        (errant,) = jperrant.score(["I like a cat ."], [ENGLISH[1]], source=[ENGLISH[0]], models="none")
    said = "no language was given, so texts are annotated as English; choose another with lang=…"
    assert (gleu.warnings, errant.warnings) == ((), (said,))
