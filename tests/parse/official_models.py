"""Analyses of one package by plain Stanza, a sentence at a time, and by jperrant, in batches."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from jperrant.core.values import Sentence
from jperrant.parse.models import find_models
from jperrant.parse.stanza_analyser import StanzaAnalyser, quiet_stanza

SENTENCES = tuple(
    tuple(line.split())
    for line in """\
I have n't seen the 12 dogs 's owner yesterday , have you ?
He is .
Wow
The man saw it 's done by the Ñandú 字 people !!!
This sentence is longer than all others are , so that what is beside it may be filled up , is n't it ?
We goed to skool and recieved the leter .""".splitlines()
)
TEXTS = (
    "He doesn't know. It's fine... They're gonna go, I'm sure! Can't you\nsee? 12.5 km\n\nNew one. Don't.",
    "One short text",
    # Stanza reads a paragraph of more than 1,000 characters in pieces.
    "I can't say. " * 85,
)

_ANALYSIS = "tokenize,pos,lemma,depparse"


class Word(NamedTuple):
    """A word with its analysis."""

    form: str
    lemma: str
    upos: str
    xpos: str
    feats: str
    head: int
    deprel: str


class Plain:
    """Plain Stanza on a package in a folder.

    Args:
        folder: Stanza's folder.
        package: The English package that is loaded.
    """

    def __init__(self, folder: Path, package: str) -> None:
        self.folder, self.package = folder, package

    def words(self, sentence: Sequence[str]) -> list[Word]:
        """Return the analysis of a sentence."""
        pipeline = self._pipeline(_ANALYSIS, tokenize_pretokenized=True)
        with quiet_stanza(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            (found,) = pipeline([list(sentence)]).sentences
        return [
            Word(w.text, w.lemma or "", w.upos or "", w.xpos or "", w.feats or "", w.head, w.deprel)
            for w in found.words
        ]

    def is_near_tie(self, sentence: Sequence[str]) -> bool:
        """Return whether plain Stanza finds something else in a sentence where weights change by a millionth.

        Sums come out differently with other numbers of threads and on other processors; networks with random
        weights decide hundreds of times a sentence, and now and then by less than that.
        """
        import torch

        expected = self.words(sentence)
        for seed in range(5):
            other, chance = Plain(self.folder, self.package), torch.Generator().manual_seed(seed)
            for processor in other._pipeline(_ANALYSIS, tokenize_pretokenized=True).processors.values():
                network = getattr(processor.trainer, "model", None)
                for weights in network.parameters() if network is not None else ():
                    weights.data *= 1 + 1e-6 * torch.randn(weights.shape, generator=chance)
            if other.words(sentence) != expected:
                return True
        return False

    def tokens(self, text: str) -> list[list[str]]:
        """Return the tokens of the sentences of a text, as jperrant takes them: words that spell their token."""
        mwt = ",mwt" if "mwt" in find_models(self.package, "en", None, "").files else ""
        with quiet_stanza():
            sentences = self._pipeline(f"tokenize{mwt}")(text).sentences
        return [[piece for token in s.tokens for piece in _pieces(token, text)] for s in sentences]

    def _pipeline(self, processors: str, **options: Any) -> Any:
        import stanza

        key = f"_{processors}"
        if not hasattr(self, key):
            with quiet_stanza():
                pipeline = stanza.Pipeline(
                    "en", dir=str(self.folder), package=self.package, processors=processors,
                    download_method=None, use_gpu=False, **options,
                )  # fmt: skip
            setattr(self, key, pipeline)
        return getattr(self, key)


def _pieces(token: Any, text: str) -> list[str]:
    words = [word.text for word in token.words]
    if len(words) > 1 and "".join(words) == token.text:
        return words
    # Stanza has no text for a token of more than 1,000 characters; jperrant keeps what was written.
    form: str = text[token.start_char : token.end_char] if token.text == "<UNK>" else token.text
    return form.split()


def analysed(parser: StanzaAnalyser, sentences: Sequence[Sequence[str]]) -> list[list[Word]]:
    """Return jperrant's analyses of some sentences in one call."""
    found = parser.parse(parser.tag([Sentence.from_forms(s) for s in sentences]))
    return [
        [Word(t.form, t.lemma, t.upos, t.xpos, t.feats, t.head or 0, t.deprel) for t in s.tokens]
        for s in found
    ]


def tokenized(parser: StanzaAnalyser, texts: Sequence[str]) -> list[list[list[str]]]:
    """Return jperrant's tokens of the sentences of some texts in one call."""
    return [[list(s.forms) for s in sentences] for sentences in parser.tokenize(texts)]
