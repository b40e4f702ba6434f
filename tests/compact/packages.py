"""Packages of the packs' models: as numpy computes them, and as Stanza does."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from jperrant.compact.pipeline import Networks
from jperrant.io.m2 import read_m2
from jperrant.packs.pack import load_pack
from jperrant.parse.models import ModelFolder, find_models

DATA = Path(__file__).parents[1] / "data"
#: Where a token begins and ends, and its words.
Segment: TypeAlias = tuple[int, int, tuple[str, ...]]


def folder(lang: str, models: str = "compact") -> ModelFolder:
    """Return a package of a pack, or the models of its language in a folder."""
    pack = load_pack(lang)
    return find_models(models, pack.stanza_lang, pack.compact, pack.code)


@cache
def networks(lang: str, models: str = "compact") -> Networks:
    """Return its networks here."""
    return Networks(folder(lang, models).files)


@cache
def plain(lang: str, models: str, *processors: str, **options: Any) -> Any:
    """Return a pipeline of Stanza with some of its networks."""
    import stanza

    found = folder(lang, models)
    return stanza.Pipeline(
        lang, dir=str(found.folder), package=found.package, download_method=None, use_gpu=False, verbose=False,
        processors=",".join(name for name in processors if name in found.files), **options,
    )  # fmt: skip


def segments(lang: str, models: str, texts: list[str]) -> list[list[list[Segment]]]:
    """Return the tokens of the sentences of texts."""
    own = networks(lang, models)
    found = own.tokenizer.segments(texts)
    several = {s.form for text in found for sentence in text for s in sentence if s.several}
    words = own.expander.words(sorted(several)) if own.expander else {}
    return [
        [[(s.start, s.end, words[s.form] if s.several else (s.form,)) for s in sentence] for sentence in text]
        for text in found
    ]


def plain_segments(lang: str, models: str, text: str) -> list[list[Segment]]:
    """Return the tokens of the sentences of a text as Stanza finds them."""
    document = plain(lang, models, "tokenize", "mwt")(text)
    return [
        [(t.start_char, t.end_char, tuple(w.text for w in t.words)) for t in sentence.tokens]
        for sentence in document.sentences
    ]


def plain_lemmas(lang: str, models: str, keys: Sequence[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """Return the lemmas that Stanza finds for forms with their UPOS."""
    from stanza.models.common.doc import Document

    pipeline = plain(lang, models, "tokenize", "lemma", tokenize_pretokenized=True, lemma_pretagged=True)
    document = pipeline.processors["lemma"].process(
        Document([[{"id": (1,), "text": f, "upos": u}] for f, u in keys])
    )
    return {key: s.words[0].lemma or "" for key, s in zip(keys, document.sentences, strict=True)}


def real_sentences(lang: str) -> list[list[str]]:
    """Return 200 sentences: learner English as CoNLL-2014 has it, Chinese and Korean of treebanks."""
    if lang == "en":
        sources = [list(b.source) for b in list(read_m2(str(DATA / "conll14" / "conll14.errant")))[::3]]
        return [source for source in sources if 4 <= len(source) <= 25][:200]
    lines = (DATA / "treebank" / f"{lang}_words.txt").read_text(encoding="utf-8").splitlines()
    return [line.split() for line in lines]
