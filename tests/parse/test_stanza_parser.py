"""Models behind the parser protocol, with those of the packs: what they must never do to a text."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import socket
import zipfile
from collections import Counter
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
from jperrant.parse.analyser import Language, PretokenisedParser
from jperrant.parse.cache import CachedParser
from jperrant.parse.compact_analyser import CompactAnalyser
from jperrant.parse.models import damaged_file, find_models
from jperrant.parse.stanza_analyser import StanzaAnalyser
from jperrant.parse.word_analyser import sentences_over

pytestmark = pytest.mark.models

CONLL14 = Path(__file__).parents[1] / "data" / "conll14" / "conll14.errant"


@pytest.mark.ci
def test_output_does_not_depend_on_batches_and_processes(parsers):
    records = []
    for block in list(read_m2(str(CONLL14)))[::32]:
        corrected = [apply_edits(block.source, a.edits) for a in block.annotations]
        records.append(
            Parallel(Sentence.from_forms(block.source), tuple(map(Sentence.from_forms, corrected)))
        )
    expected = list(Annotator(load_pack("en"), parsers["en"]).annotate_many(records))
    assert sum(len(a.edits) for b in expected for a in b.annotations) > 100
    assert list(annotator_of(AnnotatorOptions()).annotate_many(records, jobs=2, batch=6)) == expected


def test_sentences_are_looked_at_once_and_parsed_where_something_changes(parsers):
    asked: Counter[tuple[str, str]] = Counter()

    class Counting(PretokenisedParser):
        can_parse = True

        def tag(self, sentences):
            asked.update(("tag", s.text) for s in sentences)
            return parsers["en"].tag(sentences)

        def parse(self, sentences):
            asked.update(("parse", s.text) for s in sentences)
            return parsers["en"].parse(sentences)

    annotator = Annotator(load_pack("en"), CachedParser(Counting()))
    source, target, other, same = map(
        sentence_of, ("a big cats .", "a big cat .", "one cats .", "nothing changed here")
    )
    records = [
        Parallel(source, (target, other)),
        Parallel(same, (same, same)),
        Parallel(source, (target, source)),
    ]
    for batch in (1, 8):
        list(annotator.annotate_many(records, batch=batch))
    tagged = {text: count for (name, text), count in asked.items() if name == "tag"}
    assert tagged == {source.text: 1, target.text: 1, other.text: 1}
    assert asked["parse", same.text] == 0


def test_offsets_are_those_of_the_text_at_hand(parsers):
    cached = CachedParser(parsers["en"])
    for text in ("a cat", " a   cat "):
        found = cached.tag([sentence_of(text)])[0]
        assert [found.text[t.start : t.end] for t in found.tokens] == ["a", "cat"]


def test_words_that_do_not_spell_their_token_leave_it_whole():
    words = [(0, 3, ("zu", "dem")), (4, 8, ("Haus",)), (10, 18, ("de", "el", "mar"))]
    (sentence,) = sentences_over("zum Haus, del  mar", [[SurfaceToken(*word) for word in words]])
    assert sentence.forms == ("zum", "Haus", ",", "del", "mar")
    assert [t.words for t in sentence.tokens] == [("zu", "dem"), (), (), (), ()]


@given(st.text(st.sampled_from("ab' \n\u2028\u00e9"), max_size=20), st.data())
def test_whatever_a_tokenizer_finds_the_tokens_are_the_text(text, data):
    bounds = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=10)))
    tokens = []
    for start, end in zip(bounds[::2], bounds[1::2], strict=False):
        cut = data.draw(st.integers(start, end))
        words = [(text[start:end],), (text[start:cut], text[cut:end]), ("zu", "dem"), ()]
        tokens.append(SurfaceToken(start, end, data.draw(st.sampled_from(words))))
    half = data.draw(st.integers(0, len(tokens)))
    sentences = sentences_over(text, [tokens[:half], [], tokens[half:]])
    assert "".join(f for s in sentences for f in s.forms) == "".join(text.split())
    for sentence in (*sentences, join_sentences(sentences, text)):
        for token in sentence.tokens:
            assert sentence.text[token.start : token.end] == token.form
            assert len(token.form.split()) == 1


# Models


@pytest.fixture
def copied(tmp_path):
    shutil.copytree(load_pack("en").compact, tmp_path / "models", copy_function=shutil.copy)
    return tmp_path / "models"


class Bomb:
    """What runs a command when it is unpickled without care."""

    def __reduce__(self):
        return os.mkdir, ("executed",)


def write_damaged(file: Path, how: str) -> None:
    """Write something else into the file of a model: ``how`` may be the processor of another model."""
    content = file.read_bytes()
    if how.startswith("zip of"):
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr("model/data.pkl", pickle.dumps({"model": Bomb()} if "bomb" in how else [], 2))
        return
    damaged = {"empty": b"", "text": b"no model\n", "cut": content[:5000], "bomb": pickle.dumps(Bomb(), 2)}
    (other,) = (file.parents[1] / how).glob("*.pt") if how not in damaged else [file]
    file.write_bytes(damaged.get(how, other.read_bytes()))


@pytest.mark.parametrize(
    ("processor", "damage"),
    [
        ("tokenize", "cut"), ("mwt", "text"), ("lemma", "empty"), ("depparse", "cut"), ("pos", "bomb"),
        ("pos", "zip of a bomb"), ("pos", "zip of a list"), ("pos", "tokenize"), ("pos", "lemma"),
        ("pos", "depparse"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("kind", [CompactAnalyser, StanzaAnalyser])
def test_a_model_that_is_none_is_named_and_never_run(copied, tmp_path, monkeypatch, kind, processor, damage):
    monkeypatch.chdir(tmp_path)
    (file,) = (copied / "en" / processor).glob("*.pt")
    write_damaged(file, damage)
    assert damaged_file(find_models(str(copied), "en", None, "en")) == file
    parser = kind(str(copied), Language("en", "en"))
    named = f"model file .*{processor}/{file.name} (cannot be loaded|is of)"
    with pytest.raises(JperrantError, match=named) as error:
        parser.parse(parser.tag(parser.tokenize(["He can't."])[0]))
    assert "\n" not in str(error.value)
    assert error.value.exit_code == 3
    assert not Path("executed").exists()


def test_missing_models_name_what_to_do(copied, tmp_path, monkeypatch):
    monkeypatch.setenv("STANZA_RESOURCES_DIR", str(tmp_path))
    next((copied / "en" / "pos").glob("*.pt")).unlink()
    for lang, models, said in (
        ("en", str(copied), r"the pos model .*pos.* is missing; put models for 'en' into "),
        ("en", "default", r"run: jperrant models get en$"),
        ("en", "gum", "jperrant models get en gum"),
        ("fr", "compact", "jperrant models get fr"),
        ("en", str(tmp_path), "expected a folder of Stanza models"),
        ("en", "no/such/", "no/such/: found no such folder"),
    ):
        with pytest.raises(MissingModelError, match=said) as error:
            jperrant.load(lang, models=models)
        assert error.value.exit_code == 3
    with pytest.raises(UsageError, match="not a language code"):
        find_models(str(copied), "../en", None, "en")


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ("{", "cannot be read"),
        ("[]", "found list"),
        ("[" * 100_000, "cannot be read"),
        ({"en": []}, "'en'"),
        ({"en": {"packages": {"default": "x"}}}, "'default'"),
        ({"en": {"packages": {"default": {"pos": "../../secret"}}}}, "secret"),
        ({"en": {"packages": {"default": {"pos": "/etc/passwd"}}}}, "passwd"),
        ({"en": {"packages": {"default": {"pos": ["a"]}}}}, "as the name of a model"),
        ({"en": {"alias": "../en"}}, "language"),
    ],
)
def test_damaged_resources(copied, content, named):
    (copied / "resources.json").write_text(content if isinstance(content, str) else json.dumps(content))
    with pytest.raises(CorruptModelError, match=named) as raised:
        find_models(str(copied), "en", None, "en")
    assert "resources.json" in str(raised.value)


def test_nothing_goes_online(monkeypatch):
    def refuse(*args, **options):
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    annotator = jperrant.load("en")
    found = annotator.annotate("This are gramamtical sentence .", "This is a grammatical sentence .")
    types = [(e.start, e.end, e.type) for e in found]
    assert types == [(1, 2, "R:VERB:SVA"), (2, 2, "M:DET"), (2, 3, "R:SPELL")]
    assert annotator.parse("It's raw.", tokenise=True).forms == ("It", "'s", "raw", ".")
