"""Analysers are found by name, also those of other packages, and say what they give."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

import jperrant
from jperrant.annotation.files import annotate_stream, load_beside_others
from jperrant.annotation.fingerprint import fingerprint
from jperrant.annotation.options import AnnotatorOptions
from jperrant.core.errors import MissingExtraError, MissingModelError, UsageError
from jperrant.core.text import Splitting, sentence_of
from jperrant.core.values import Parallel, format_block
from jperrant.parse.analyser import (
    GROUP,
    Analyser,
    Language,
    PretokenisedParser,
    Scheme,
    analysers,
    find_analyser,
    stanza_models,
)
from jperrant.parse.compact_analyser import CompactAnalyser
from jperrant.parse.stanza_analyser import StanzaAnalyser

PAGE = (Path(__file__).parents[2] / "docs" / "analysers.md").read_text(encoding="utf-8")
[MODULE] = re.findall(r"^```python\n(.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL)
[WORDS] = re.findall(r"^\$ cat words.tsv\n(.*?)^\$", PAGE, flags=re.MULTILINE | re.DOTALL)
MINE = "\nclass Mine(ListTagger):\n    scheme = Scheme.CLEAR\n"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package that brings an analyser."""
    (tmp_path / "listtagger.py").write_text(MODULE + MINE)
    (tmp_path / "words.tsv").write_text(WORDS)
    (tmp_path / "few.tsv").write_text(WORDS.partition("\n")[0] + "\n")
    info = tmp_path / "listtagger-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: listtagger\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        f"[{GROUP}]\nlist = listtagger:ListTagger\nmine = listtagger:Mine\nbroken = nosuchmodule:Tagger\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.delitem(sys.modules, "listtagger", raising=False)
    return tmp_path


def test_an_analyser_of_another_package(package: Path) -> None:
    assert {"stanza", "spacy", "list", "mine"} <= analysers().keys()
    [expected] = re.findall(r"^A \d.*$", PAGE, flags=re.MULTILINE)
    (block,) = jperrant.load("en", models="list:words.tsv").annotate_many([("two cat", "two cats")])
    assert format_block(block) == f"S two cat\n{expected}\n\n"
    (block,) = jperrant.load("en", models="list:few.tsv").annotate_many([("two cat", "two cats")])
    assert "R:NOUN:NUM" not in format_block(block)


def test_the_pack_reads_relations_as_the_analyser_says(package: Path) -> None:
    names = jperrant.load("en", models="list:words.tsv").pack.vocabulary.deprels
    assert names["obj"] == "dobj"
    assert jperrant.load("en", models="mine:words.tsv").pack.vocabulary.deprels == {}


def test_identities_tell_analysers_apart(package: Path) -> None:
    several = ("list:words.tsv", "list:few.tsv", "none")
    assert len({tuple(fingerprint(AnnotatorOptions("en", models))) for models in several}) == 3
    before = fingerprint(AnnotatorOptions("en", "list:words.tsv"))
    assert "list tagger 1.0" in before
    Path("words.tsv").write_text("other\tother\tX\tFW\n")
    assert fingerprint(AnnotatorOptions("en", "list:words.tsv")) != before


@pytest.mark.slow
@pytest.mark.ci
def test_worker_processes_find_it(package: Path) -> None:
    record = Parallel(sentence_of("two cat"), (sentence_of("two cats"),))
    blocks = list(annotate_stream(AnnotatorOptions("en", "list:words.tsv"), [record] * 3, jobs=2, batch=2))
    assert [edit.type for block in blocks for edit in block.annotations[0].edits] == ["R:NOUN:NUM"] * 3


@pytest.mark.parametrize("split_on", list(Splitting))
def test_beside_others_it_uses_one_thread(
    package: Path, monkeypatch: pytest.MonkeyPatch, split_on: Splitting
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(Analyser, "use_one_thread", lambda self: asked.append(self.name))
    load_beside_others(AnnotatorOptions("en", "list:words.tsv", split_on=split_on))
    assert asked == ["words.tsv"]


def test_commands_for_models_of_stanza_alone() -> None:
    assert [stanza_models(models) for models in ("stanza:compact", "compact", "a/b")] == [
        "compact",
        "compact",
        "a/b",
    ]
    with pytest.raises(UsageError, match="found spacy:x, expected Stanza models"):
        stanza_models("spacy:x")


def test_which_analyser_runs_what_names_none() -> None:
    english = Language("en", "en", jperrant.load("en", models="none").pack.compact)
    assert english.compact is not None
    own, folder = {"compact", "ewt-compact", "compact:", f"compact:{english.compact}"}, str(english.compact)
    for models in (*own, "stanza:compact", folder):
        found = find_analyser(models, english)
        assert isinstance(found, CompactAnalyser if models in own else StanzaAnalyser)
        assert (found.name, found.scheme, found.tokenizes, found.can_parse) == (
            models.partition(":")[2] or "compact" if ":" in models else models,
            Scheme.UD,
            True,
            True,
        )
    assert isinstance(find_analyser("none", english), PretokenisedParser)


@pytest.mark.skipif(os.name == "nt", reason="no such names")
def test_a_folder_with_a_colon_is_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "spacy:models"
    folder.mkdir()
    with pytest.raises(MissingModelError, match=r"found no resources\.json"):
        find_analyser(str(folder), Language("en", "en"))


@pytest.mark.parametrize("models", [r"C:\models", "C:models"])
def test_a_drive_is_no_analyser(models: str) -> None:
    with pytest.raises(MissingModelError):
        find_analyser(models, Language("en", "en", Path(__file__).parents[1]))


def test_bad_names(package: Path) -> None:
    with pytest.raises(UsageError, match=r"unknown analyser 'stansa' .*'stanza'.*expected one of "):
        find_analyser("stansa:compact", Language("en", "en"))
    with pytest.raises(MissingExtraError, match=r"'broken' cannot be loaded from nosuchmodule:Tagger"):
        find_analyser("broken:x", Language("en", "en"))
    with pytest.raises(UsageError, match=r"tokens=.words. needs models that split text"):
        jperrant.load("en", models="list:words.tsv", tokens="words")
