"""Analysers are found by name, also those of other packages, and say what they give."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

import jperrant
from jperrant.annotation.fingerprint import fingerprint
from jperrant.annotation.options import AnnotatorOptions
from jperrant.annotation.workers import annotate_stream
from jperrant.core.errors import MissingExtraError, MissingModelError, UsageError
from jperrant.core.text import sentence_of
from jperrant.core.values import Parallel
from jperrant.parse.analyser import Language, Scheme
from jperrant.parse.analysers import GROUP, analysers, find_analyser
from jperrant.parse.pretokenised import PretokenisedParser
from jperrant.parse.stanza_analyser import StanzaAnalyser

MODULE = """
from dataclasses import replace
from jperrant.parse.analyser import Analyser, Scheme

class Tagger(Analyser):
    scheme = Scheme.CLEAR

    def identity(self):
        return ["upper 1.0", self.name]

    def tag(self, sentences):
        return [replace(s, tokens=tuple(self.tagged(t) for t in s.tokens)) for s in sentences]

    def tagged(self, token):
        noun = token.form.endswith(self.name)
        return replace(token, lemma=token.form.lower(), upos="NOUN" if noun else "X", xpos="NN" if noun else "FW")
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package that brings an analyser."""
    (tmp_path / "uppertagger.py").write_text(MODULE)
    info = tmp_path / "uppertagger-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: uppertagger\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        f"[{GROUP}]\nupper = uppertagger:Tagger\nbroken = nosuchmodule:Tagger\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.delitem(sys.modules, "uppertagger", raising=False)
    return tmp_path


def test_an_analyser_of_another_package(package: Path) -> None:
    assert {"stanza", "upper"} <= analysers().keys()
    annotator = jperrant.load("en", models="upper:s")
    assert annotator.pack.vocabulary.deprels == {}, "it says that its relations are read as they stand"
    (edit,) = annotator.annotate("one cats here", "one dogs here")
    assert edit.type == "R:NOUN"
    (edit,) = jperrant.load("en", models="upper:t").annotate("one cats here", "one dogs here")
    assert edit.type == "R:OTHER"


def test_identities_tell_analysers_apart(package: Path) -> None:
    seen = {tuple(fingerprint(AnnotatorOptions("en", models))) for models in ("upper:s", "upper:t", "none")}
    assert len(seen) == 3
    assert "upper 1.0" in fingerprint(AnnotatorOptions("en", "upper:s"))


def test_worker_processes_find_it(package: Path) -> None:
    record = Parallel(sentence_of("one cats here"), (sentence_of("one dogs here"),))
    blocks = list(annotate_stream(AnnotatorOptions("en", "upper:s"), [record] * 3, jobs=2, batch=2))
    assert [edit.type for block in blocks for edit in block.annotations[0].edits] == ["R:NOUN"] * 3


def test_what_names_no_analyser_is_stanza_s() -> None:
    english = Language("en", "en", jperrant.load("en", models="none").pack.compact)
    for models in ("compact", "stanza:compact", "stanza:"):
        found = find_analyser(models, english)
        assert isinstance(found, StanzaAnalyser)
        assert (found.name, found.scheme, found.tokenizes, found.can_parse) == (
            "compact",
            Scheme.UD,
            True,
            True,
        )
    assert isinstance(find_analyser("none", english), PretokenisedParser)


@pytest.mark.skipif(os.name == "nt", reason="no such names")
def test_a_folder_with_a_colon_is_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "spacy:models"
    folder.mkdir()
    with pytest.raises(MissingModelError, match=r"no resources\.json there"):
        find_analyser(str(folder), Language("en", "en"))


@pytest.mark.parametrize("models", [r"C:\models", "C:models"])
def test_a_drive_is_no_analyser(models: str) -> None:
    with pytest.raises(MissingModelError):
        find_analyser(models, Language("en", "en", Path(__file__).parent))


def test_bad_names(package: Path) -> None:
    with pytest.raises(UsageError, match=r"unknown analyser 'stansa' .*'stanza'.*known: "):
        find_analyser("stansa:compact", Language("en", "en"))
    with pytest.raises(MissingExtraError, match=r"'broken' cannot be loaded from nosuchmodule:Tagger"):
        find_analyser("broken:x", Language("en", "en"))
    with pytest.raises(UsageError, match="words needs models that segment the text"):
        jperrant.load("en", models="upper:s", tokens="words")
