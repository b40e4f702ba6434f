"""Packages in every architecture of Stanza's hub: jperrant finds what plain Stanza does, whatever the batch."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from jperrant.core.errors import MissingExtraError, MissingModelError
from jperrant.parse.analyser import Language
from jperrant.parse.models import stanza_folder
from jperrant.parse.stanza_analyser import StanzaAnalyser
from tests.strategies import examples
from tests.tiny_hub import PACKAGES, install, write_hub
from tests.tiny_models import write_transformer

from .official_models import SENTENCES, TEXTS, Plain, analysed, tokenized

pytestmark = [pytest.mark.slow, pytest.mark.models]


@pytest.fixture(scope="session")
def installed(small_hub, tmp_path_factory):
    """Stanza's folder with the small hub."""
    folder = tmp_path_factory.mktemp("installed") / "small"
    install(small_hub, folder)
    return folder


@pytest.fixture(scope="session")
def everything(tmp_path_factory):
    """Stanza's folder with every architecture."""
    base = tmp_path_factory.mktemp("every")
    write_transformer(base / "electra")
    write_hub(base / "hub", str(base / "electra"))
    install(base / "hub", base / "installed")
    return base / "installed"


@pytest.fixture(scope="module")
def loaded():
    """Parsers that tests have loaded, by architecture."""
    return {}


def found(folder, monkeypatch, package):
    monkeypatch.setenv("STANZA_RESOURCES_DIR", str(folder))
    return StanzaAnalyser(package, Language("en", "en"))


def check(folder, package, monkeypatch, sentences, texts):
    """Compare with plain Stanza, which sees one sentence or text a time, in batches of all, some and one."""
    parser, plain = found(folder, monkeypatch, package), Plain(folder, package)
    expected = [plain.words(sentence) for sentence in sentences]
    expected = settled(analysed(parser, sentences), expected, plain, sentences)
    assert analysed(parser, sentences) == expected
    assert analysed(parser, sentences[::-1][:3]) == expected[::-1][:3]
    assert analysed(parser, sentences[:1]) == expected[:1]
    tokens = [plain.tokens(text) for text in texts]
    assert tokenized(parser, texts) == tokens
    assert tokenized(parser, texts[:1]) == tokens[:1]


def settled(found, expected, plain, sentences):
    """Return what was expected, and of a sentence where plain Stanza is between two analyses what was found."""
    other = [
        n for n, sentence in enumerate(sentences) if found[n] != expected[n] and plain.is_near_tie(sentence)
    ]
    assert len(other) <= len(sentences) / 3
    return [found[n] if n in other else words for n, words in enumerate(expected)]


def test_default_finds_what_plain_stanza_finds(installed, monkeypatch):
    check(installed, "default", monkeypatch, SENTENCES[:4], TEXTS[:2])


@pytest.mark.ci
@pytest.mark.parametrize("package", PACKAGES)
def test_every_architecture_finds_what_plain_stanza_finds(everything, monkeypatch, package):
    check(everything, package, monkeypatch, SENTENCES, TEXTS)


@pytest.mark.ci
def test_a_transformer_is_loaded_in_silence(everything, monkeypatch, capfd):
    parser = found(everything, monkeypatch, "adapters")
    analysed(parser, SENTENCES[:1])
    assert capfd.readouterr() == ("", "")


@pytest.mark.ci
def test_adapters_without_peft_say_what_to_install(everything, monkeypatch):
    parser = found(everything, monkeypatch, "adapters")
    monkeypatch.setitem(sys.modules, "peft", None)
    with pytest.raises(
        MissingExtraError, match=r"require a package that is not installed .*pip install peft$"
    ):
        analysed(parser, SENTENCES[:1])


@pytest.mark.ci
@examples(10)
@given(st.data())
def test_companions_change_nothing(everything, loaded, data):
    package = data.draw(st.sampled_from(PACKAGES[:3]))
    words = st.sampled_from(
        [*sorted({word for sentence in SENTENCES for word in sentence}), "zæ", "字字", "'s"]
    )
    sentences = data.draw(st.lists(st.lists(words, min_size=1, max_size=9), min_size=2, max_size=7))
    with pytest.MonkeyPatch.context() as patch:
        parser = loaded.setdefault(package, found(everything, patch, package))
    together = analysed(parser, sentences)
    assert [analysed(parser, [sentence])[0] for sentence in sentences] == together


# What is not there


def test_a_package_with_a_missing_foundation(installed, monkeypatch, tmp_path):
    import shutil

    folder = tmp_path / "models"
    shutil.copytree(installed, folder)
    (folder / "en" / "forward_charlm" / "1billion.pt").unlink()
    with pytest.raises(
        MissingModelError, match=r"the forward_charlm model .* is missing; run: jperrant models get en$"
    ):
        found(folder, monkeypatch, "default")


@pytest.mark.ci
def test_a_transformer_that_is_not_there(everything, monkeypatch, tmp_path):
    import shutil

    folder = tmp_path / "models"
    shutil.copytree(everything, folder)
    file = folder / "en" / "pos" / "combined_electra-large.pt"
    state = torch.load(file, weights_only=True)
    state["config"]["bert_model"] = "nobody/has-this"
    torch.save(state, file)
    with pytest.raises(MissingModelError, match="run: jperrant models get --encoder nobody/has-this"):
        analysed(found(folder, monkeypatch, "default_accurate"), SENTENCES[:1])


def test_the_folder_of_downloads_is_stanzas_own(monkeypatch):
    from stanza.resources.common import USER_CACHE_DIR

    monkeypatch.delenv("STANZA_RESOURCES_DIR", raising=False)
    assert stanza_folder() == Path(USER_CACHE_DIR) / "resources"
