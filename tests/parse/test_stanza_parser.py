"""Stanza behind the parser protocol, with the embedded models: what it must never do to a text."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import socket
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import jperrant
from jperrant.annotation.annotator import Annotator, annotator_of
from jperrant.annotation.annotator_options import AnnotatorOptions
from jperrant.compact.words import SurfaceToken
from jperrant.core.edits import apply_edits
from jperrant.core.errors import CorruptModelError, JperrantError, MissingModelError, UsageError
from jperrant.core.text import join_sentences, sentence_of
from jperrant.core.values import Parallel, Sentence
from jperrant.io.m2 import read_m2
from jperrant.packs.pack import load_pack
from jperrant.parse.analyser import Language
from jperrant.parse.cache import CachedParser
from jperrant.parse.compact_analyser import CompactAnalyser
from jperrant.parse.models import damaged_file, find_models
from jperrant.parse.stanza_analyser import StanzaAnalyser
from jperrant.parse.word_analyser import sentences_over
from tests.stages import mostly_for_ci

pytestmark = pytest.mark.models

CONLL14 = Path(__file__).parents[1] / "data" / "conll14" / "conll14.errant"


@pytest.fixture(scope="module")
def pack():
    return load_pack("en")


@pytest.fixture(scope="module")
def stanza(parsers):
    return parsers["en"]


@pytest.fixture(scope="module")
def records() -> list[Parallel]:
    found = []
    for block in list(read_m2(str(CONLL14)))[::32]:
        corrected = [apply_edits(block.source, a.edits) for a in block.annotations]
        found.append(Parallel(Sentence.from_forms(block.source), tuple(map(Sentence.from_forms, corrected))))
    return found


class Counting:
    """A parser that counts how often it is asked for each sentence."""

    def __init__(self, parser):
        self.parser, self.can_parse = parser, parser.can_parse
        self.tagged: Counter[tuple[str, ...]] = Counter()
        self.parsed: Counter[tuple[str, ...]] = Counter()

    def tokenize(self, texts):
        return self.parser.tokenize(texts)

    def tag(self, sentences):
        self.tagged.update(s.forms for s in sentences)
        return self.parser.tag(sentences)

    def parse(self, sentences):
        self.parsed.update(s.forms for s in sentences)
        return self.parser.parse(sentences)


# Independence


@pytest.fixture(scope="module")
def expected(pack, stanza, records):
    return list(Annotator(pack, stanza).annotate_many(records))


def test_there_is_something_to_compare(expected, records):
    assert len(expected) == len(records) == 41
    assert sum(len(a.edits) for b in expected for a in b.annotations) > 100
    for block, record in zip(expected, records, strict=True):
        for annotation, target in zip(block.annotations, record.corrections, strict=True):
            assert apply_edits(block.source, annotation.edits) == target.forms


@pytest.mark.parametrize("batch", mostly_for_ci([1, 7, 64], 7))
def test_output_does_not_depend_on_the_batch(pack, stanza, records, expected, batch):
    assert list(Annotator(pack, CachedParser(stanza)).annotate_many(records, batch=batch)) == expected


@pytest.mark.ci
def test_output_does_not_depend_on_the_number_of_processes(records, expected):
    assert list(annotator_of(AnnotatorOptions()).annotate_many(records, jobs=2, batch=6)) == expected


def test_tokens_of_raw_text_do_not_depend_on_the_batch(stanza, records):
    texts = [r.source.text.replace(" .", ".").replace(" ,", ",").replace(" n't", "n't") for r in records]
    together = stanza.tokenize(texts)
    assert [stanza.tokenize([text])[0] for text in texts[:12]] == together[:12]
    assert stanza.tokenize(texts[::-1])[::-1] == together


# Work that is not done twice, or at all


def test_what_is_looked_at(pack, stanza):
    counting = Counting(stanza)
    annotator = Annotator(pack, CachedParser(counting))
    source, target, other = (
        Sentence.from_forms(t.split()) for t in ("a big cats .", "a big cat .", "one cats .")
    )
    same = Sentence.from_forms(["nothing", "changed", "here"])
    records = [
        Parallel(source, (target, other)),
        Parallel(same, (same, Sentence.from_forms(same.forms))),
        Parallel(source, (target, source)),
    ]
    list(annotator.annotate_many(records, batch=1))
    list(annotator.annotate_many(records, batch=8))
    assert counting.tagged == {source.forms: 1, target.forms: 1, other.forms: 1}
    assert same.forms not in counting.parsed


def test_dependencies_only_where_a_rule_asks(pack, stanza):
    counting = Counting(stanza)
    annotator = Annotator(pack, counting)
    spelling = Parallel(Sentence.from_forms(["teh", "cat"]), (Sentence.from_forms(["the", "cat"]),))
    list(annotator.annotate_many([spelling]))
    assert not counting.parsed
    tense = Parallel(
        Sentence.from_forms(["he", "go", "home"]), (Sentence.from_forms(["he", "will", "go", "home"]),)
    )
    list(annotator.annotate_many([tense]))
    assert set(counting.parsed) <= {tense.source.forms, tense.corrections[0].forms}
    assert max(counting.parsed.values()) == 1


def test_given_tags_are_kept_whatever_was_seen_before(stanza):
    cached = CachedParser(stanza)
    bare = Sentence.from_forms(["they", "fish"])
    (tagged,) = cached.tag([bare])
    cached.parse([tagged])
    tokens = tuple(t._replace(upos="NOUN", xpos="NN", feats="") for t in tagged.tokens)
    given = replace(bare, tokens=tokens)
    parsed = cached.parse([given])[0]
    assert [t.upos for t in parsed.tokens] == ["NOUN", "NOUN"]
    assert parsed.parsed
    assert cached.tag([given])[0].tokens == given.tokens


def test_offsets_are_those_of_the_text_at_hand(stanza):
    cached = CachedParser(stanza)
    for text in ("a cat", " a   cat "):
        found = cached.tag([sentence_of(text)])[0]
        assert [found.text[t.start : t.end] for t in found.tokens] == ["a", "cat"]


# Raw text

TEXTS = [
    "I don't know. He can't, won't!",
    "  leading and trailing  ",
    "",
    " \n\t ",
    "\u00a0",
    "two\n\nparagraphs here.\n\n\nAnd a third",
    "control \x00 \x07\x1b[0m characters\x7f",
    "emoji \U0001f468\u200d\U0001f469\u200d\U0001f467 and \U0001f600\U0001f600 flags \U0001f1e9\U0001f1ea",
    "zero\u200bwidth\ufeff joiner\u2060s",
    "line\u2028separators\u2029here\x85ok\x1cfs",
    "x" * 300,
    "http://" + "a/" * 60 + " end",
    "e\u0301 decomposed a\u0308 \u0301alone",
    "\u4e2d\u6587 and \u0420\u0443\u0441\u0441\u043a\u0438\u0439 \u0639\u0631\u0628\u064a",
    "<PAD> <UNK> </s> -NONE- _ | || #1",
    "\ud7ff\ue000\uffff\U0010ffff",
    ".....!!!???---___",
    "'s n't 'll",
]


def squeezed(text: str) -> str:
    return "".join(text.split())


def test_raw_text_loses_no_character(stanza):
    assert stanza.tokenize([]) == stanza.tag([]) == []
    for text, sentences in zip(TEXTS, stanza.tokenize(TEXTS), strict=True):
        joined = join_sentences(sentences, text)
        assert "".join(joined.forms) == squeezed(text)
        for whole in (*sentences, joined):
            for token in whole.tokens:
                assert whole.text[token.start : token.end] == token.form
                assert len(token.form.split()) == 1


def test_raw_annotation_counts_in_each_passage(pack, stanza):
    annotator = Annotator(pack, stanza)
    record = Parallel(
        sentence_of("I don't has it. She go home."), (sentence_of("I don't have it. She goes home."),)
    )
    first, second = annotator.annotate_many([record], raw=True)
    assert first.source + second.source == ("I", "do", "n't", "has", "it", ".", "She", "go", "home", ".")
    assert [(e.start, e.correction) for e in first.annotations[0].edits] == [(3, ("have",))]
    assert [(e.start, e.correction) for e in second.annotations[0].edits] == [(1, ("goes",))]


def test_words_that_do_not_spell_their_token_leave_it_whole():
    text = "zum Haus, del  mar"
    words = [(0, 3, ("zu", "dem")), (4, 8, ("Haus",)), (10, 18, ("de", "el", "mar"))]
    (sentence,) = sentences_over(text, [[SurfaceToken(*word) for word in words]])
    assert sentence.forms == ("zum", "Haus", ",", "del", "mar")
    assert sentence.tokens[0].words == ("zu", "dem")
    assert [t.words for t in sentence.tokens[1:]] == [()] * 4


@given(st.text(st.sampled_from("ab' \n\u2028\u00e9"), max_size=20), st.data())
def test_whatever_a_tokenizer_finds_the_tokens_are_the_text(text, data):
    bounds = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=10)))
    tokens = []
    for start, end in zip(bounds[::2], bounds[1::2], strict=False):
        cut = data.draw(st.integers(start, end))
        words = data.draw(
            st.sampled_from([(text[start:end],), (text[start:cut], text[cut:end]), ("zu", "dem"), ()])
        )
        tokens.append(SurfaceToken(start, end, words))
    half = data.draw(st.integers(0, len(tokens)))
    sentences = sentences_over(text, [tokens[:half], [], tokens[half:]])
    assert "".join(f for s in sentences for f in s.forms) == squeezed(text)
    for sentence in (*sentences, join_sentences(sentences, text)):
        for token in sentence.tokens:
            assert sentence.text[token.start : token.end] == token.form
            assert len(token.form.split()) == 1


# Models


@pytest.fixture
def copied(pack, tmp_path):
    shutil.copytree(pack.compact, tmp_path / "models", copy_function=shutil.copy)
    return tmp_path / "models"


@pytest.mark.parametrize("processor", ["tokenize", "mwt", "pos", "lemma", "depparse"])
@pytest.mark.parametrize("content", [b"", b"not a model\n", None])
def test_a_corrupt_model_is_named(copied, processor, content):
    (file,) = (copied / "en" / processor).glob("*.pt")
    file.write_bytes(file.read_bytes()[:1000] if content is None else content)
    found = find_models(str(copied), "en", None, "en")
    assert damaged_file(found) == file
    parser = CompactAnalyser(str(copied), Language("en", "en"))
    with pytest.raises(
        CorruptModelError, match=f"model file .*{processor}/{file.name} cannot be loaded"
    ) as error:
        parser.parse(parser.tag(parser.tokenize(["He can't."])[0]))
    assert "\n" not in str(error.value)
    assert error.value.exit_code == 3


class Bomb:
    """What runs a command when it is unpickled without care."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self):
        return os.mkdir, (str(self.mark),)


@pytest.mark.parametrize("kind", [CompactAnalyser, StanzaAnalyser])
@pytest.mark.parametrize("damage", ["hostile", "cut", "text"])
def test_a_model_that_is_none_is_never_run(copied, tmp_path, kind, damage):
    (file,) = (copied / "en" / "pos").glob("*.pt")
    mark = tmp_path / "executed"
    bomb = pickle.dumps(Bomb(mark))
    file.write_bytes({"hostile": bomb, "cut": file.read_bytes()[:5000], "text": b"no model\n"}[damage])
    analyser = kind(str(copied), Language("en", "en"))
    with pytest.raises(
        JperrantError, match=f"model file .*pos/{file.name} (cannot be loaded|is of)"
    ) as error:
        analyser.tag([sentence_of("a cat")])
    assert "\n" not in str(error.value)
    assert error.value.exit_code == 3
    assert not mark.exists()


def test_a_missing_model_file_is_named(copied):
    next((copied / "en" / "pos").glob("*.pt")).unlink()
    with pytest.raises(
        MissingModelError, match=r"the pos model .*pos.* is missing; put models for 'en' into "
    ):
        find_models(str(copied), "en", None, "en")


def test_missing_models_name_the_command(tmp_path, monkeypatch):
    monkeypatch.setenv("STANZA_RESOURCES_DIR", str(tmp_path))
    with pytest.raises(MissingModelError, match=r"run: jperrant models get en$") as error:
        jperrant.load("en", models="default")
    assert error.value.exit_code == 3
    with pytest.raises(MissingModelError, match="jperrant models get en gum"):
        jperrant.load("en", models="gum")
    with pytest.raises(MissingModelError, match="jperrant models get fr"):
        jperrant.load("fr")
    with pytest.raises(MissingModelError, match=r"expected a folder of Stanza models"):
        jperrant.load("en", models=str(tmp_path))
    with pytest.raises(MissingModelError, match="no/such/: found no such folder"):
        jperrant.load("en", models="no/such/")


@pytest.mark.parametrize("content", ["{", "[]", "\x00", "[" * 100_000])
def test_damaged_resources(copied, content):
    (copied / "resources.json").write_text(content)
    with pytest.raises(CorruptModelError, match=r"resources\.json"):
        find_models(str(copied), "en", None, "en")


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ({"en": []}, "'en'"),
        ({"en": {"packages": [1]}}, "'packages'"),
        ({"en": {"packages": {"default": "x"}}}, "'default'"),
        ({"en": {"packages": {"default": {"pos": "../../secret"}}}}, "secret"),
        ({"en": {"packages": {"default": {"pos": "/etc/passwd"}}}}, "passwd"),
        ({"en": {"packages": {"default": {"pos": ["a"]}}}}, "as the name of a model"),
        ({"en": {"alias": "../en"}}, "language"),
    ],
)
def test_malformed_resources(copied, content, named):
    (copied / "resources.json").write_text(json.dumps(content))
    with pytest.raises(CorruptModelError, match=named) as raised:
        find_models(str(copied), "en", None, "en")
    assert "resources.json" in str(raised.value)


def test_a_language_is_not_a_path(copied):
    with pytest.raises(UsageError, match="not a language code"):
        find_models(str(copied), "../en", None, "en")


def test_nothing_goes_online(monkeypatch):
    def refuse(*args, **options):
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    annotator = jperrant.load("en")
    found = annotator.annotate("This are gramamtical sentence .", "This is a grammatical sentence .")
    assert [(e.start, e.end, e.type, e.correction) for e in found] == [
        (1, 2, "R:VERB:SVA", ("is",)),
        (2, 2, "M:DET", ("a",)),
        (2, 3, "R:SPELL", ("grammatical",)),
    ]
    assert annotator.parse("It's raw.", tokenise=True).forms == ("It", "'s", "raw", ".")
