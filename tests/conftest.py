"""What all tests share: hypothesis profiles, the marker of tests that need models, models loaded once."""

from __future__ import annotations

import gc
import os
import re
import sys
import warnings
from collections.abc import Callable
from functools import cache, wraps
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

# The networks are small and two workers share the cores: more threads would only wait for each other.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# Threads that wait for each other sleep: on busy cores they would spin for seconds.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

import pytest
import typer.testing
from hypothesis import HealthCheck, settings

import jperrant.packs.pack
from jperrant.packs.pack import AUTO, Pack

if TYPE_CHECKING:
    from jperrant.annotation.annotator import Annotator
    from jperrant.parse.compact_analyser import CompactAnalyser

# One profile a stage: ``fast`` while writing, ``short`` before each commit, ``ci`` for every change, ``thorough``
# before a release. Tests that want more or fewer examples than others take ``examples(…)`` of strategies.py, which
# scales with the profile.
settings.register_profile(
    "ci", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.register_profile("fast", settings.get_profile("ci"), max_examples=10)
settings.register_profile("short", settings.get_profile("ci"), max_examples=15)
settings.register_profile("thorough", settings.get_profile("ci"), max_examples=1000, derandomize=False)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

# A runner builds the commands of a program from its signatures: once for each program, not once for each call.
typer.testing._get_command = cache(typer.testing._get_command)


def _shared(load: Callable[..., Pack]) -> Callable[..., Pack]:
    """Return ``load_pack`` that reads an installed pack once for all tests; ``__wrapped__`` always reads it."""
    once = cache(load)

    @wraps(load)
    def load_pack(lang: str, *options: Any, **named: Any) -> Pack:
        plain = {*options, *named.values()} <= {None, AUTO}  # the defaults
        return once(lang) if plain else load(lang, *options, **named)

    return load_pack


# Before anything else imports it: reading a pack and its dictionary takes a tenth of a second, hundreds of times.
jperrant.packs.pack.load_pack = _shared(jperrant.packs.pack.load_pack)


#: Fixtures that hold a network; tests that take them directly or through another fixture need models.
NETWORKS = {"parsers", "small_hub", "tiny_bert"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that need models; files with such or long tests go first, so that none ends the run alone."""
    for item in items:
        if NETWORKS.intersection(getattr(item, "fixturenames", ())):
            item.add_marker("models")
    with_models = {item.path for item in items if item.get_closest_marker("models")}
    long = {item.path for item in items if item.get_closest_marker("slow") or item.get_closest_marker("ci")}
    items.sort(key=lambda item: (item.path not in with_models, item.path not in long))


def pytest_collectstart() -> None:
    """Look for no garbage while modules and tests come, which are kept to the end."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Look for garbage again, among what tests make alone, and less often than Python, as the program does."""
    gc.freeze()
    gc.set_threshold(10_000)
    gc.enable()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Before a test of deep nesting look for garbage: what is finalised at the limit of recursion fails there.

    Files that an earlier test has left open are no fault of this one.
    """
    if "nested" in item.name:
        with warnings.catch_warnings(action="ignore", category=ResourceWarning):
            gc.collect()


def without_models(config: pytest.Config) -> bool:
    """Return whether pytest runs with ``-m "not models and not slow"`` or the like."""
    return "not models" in config.option.markexpr


class NoNetworks:
    """An import hook that refuses the libraries networks run on."""

    def find_spec(self, name: str, *_: object) -> None:
        """Raise for those libraries; leave everything else to the other hooks."""
        if name.partition(".")[0] in ("torch", "stanza", "transformers", "spacy"):
            raise ImportError(f"{name} is not for this test: mark it with pytest.mark.models")


def pytest_configure(config: pytest.Config) -> None:
    """Where models are left out, refuse the libraries they run on: then a test that lacks the marker fails."""
    if without_models(config):
        sys.meta_path.insert(0, NoNetworks())


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even import modules all of whose tests are marked, where models are left out."""
    marked = collection_path.suffix == ".py" and re.search(
        r"^pytestmark = .*\bmark\.models\b", collection_path.read_text(encoding="utf-8"), re.MULTILINE
    )
    return True if marked and without_models(config) else None


class Parsers(dict[str, "CompactAnalyser"]):
    """The models that the packs bring along, by language; each is loaded when it is first used."""

    def __missing__(self, lang: str) -> CompactAnalyser:
        from jperrant.packs.pack import load_pack
        from jperrant.parse.analyser import Language
        from jperrant.parse.compact_analyser import CompactAnalyser

        pack = load_pack(lang)
        parser = CompactAnalyser("compact", Language(pack.code, pack.stanza_lang, pack.compact))
        return self.setdefault(lang, parser)


@pytest.fixture(scope="session")
def parsers() -> Parsers:
    return Parsers()


@pytest.fixture(scope="session")
def english(parsers: Parsers) -> Annotator:
    """The annotator that ``jperrant.load("en")`` returns, over the parser that all tests share."""
    from jperrant.annotation.annotator import Annotator
    from jperrant.packs.pack import load_pack
    from jperrant.parse.cache import CachedParser

    return Annotator(load_pack("en"), CachedParser(parsers["en"]))


@pytest.fixture(scope="session")
def short_conll(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first hundred sentences of CoNLL-2014's systems and references, in a folder, by the files' own names."""
    from jperrant.io.m2 import read_m2, write_m2

    folder = tmp_path_factory.mktemp("conll14")
    for path in sorted((Path(__file__).parent / "data" / "conll14").glob("conll14*.errant")):
        with (folder / path.name).open("w", encoding="utf-8") as stream:
            write_m2(islice(read_m2(str(path)), 100), stream)
    return folder


WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "he", "she", "it", "go", "goes", "going", "home", "school", "to"]
WORDS += ["the", "a", ".", ",", "not", "is", "are", "was", "very", "much"]


@pytest.fixture(scope="session")
def tiny_bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT of 2 layers and 16 positions with random weights, always the same, as a folder."""
    import torch
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    folder = tmp_path_factory.mktemp("encoders") / "tiny-bert"
    words = Tokenizer(models.WordLevel({word: at for at, word in enumerate(WORDS)}, unk_token="[UNK]"))
    words.normalizer = normalizers.Lowercase()
    words.pre_tokenizer = pre_tokenizers.Whitespace()
    words.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    PreTrainedTokenizerFast(
        tokenizer_object=words, unk_token="[UNK]", pad_token="[PAD]", cls_token="[CLS]", sep_token="[SEP]"
    ).save_pretrained(folder)
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(WORDS), hidden_size=8, num_hidden_layers=2, num_attention_heads=2, intermediate_size=16,
        max_position_embeddings=16,
    )  # fmt: skip
    BertModel(config).save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def small_hub(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Stanza's hub with tiny English models: the packages default and default_fast."""
    from .tiny_hub import write_hub

    folder = tmp_path_factory.mktemp("hub") / "small"
    write_hub(folder)
    return folder
