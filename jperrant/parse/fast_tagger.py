"""Stanza's tagger without documents: each distinct word is read once, and all tags come out of one matrix."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from jperrant.parse.word_characters import CharacterVectors, readable

_WORDS, _SENTENCES = 2_000, 100
_MARKS = frozenset("?？︖﹖⁇!！︕﹗‼")


class Tags(NamedTuple):
    """The tags of a word; what there is none of is empty."""

    upos: str
    xpos: str
    feats: str


class FastTagger:
    """Tags sentences given as forms; threads may share it.

    Args:
        trainer: Stanza's trainer of a tagger that ``fits``, its network reproducible.
    """

    def __init__(self, trainer: Any) -> None:
        import torch

        from jperrant.parse.reproducible_layers import TallLinear

        self.vocab, self.model = trainer.vocab, trainer.model.eval()
        self.characters = CharacterVectors(self.model.charmodel, self.vocab["char"], 0)
        layers = [self.model.upos_clf]
        for name in self.model.tag_names[1:]:
            layer = self.model.tag_clf[name]
            layers += list(layer) if isinstance(layer, torch.nn.ModuleList) else [layer]
        weight, bias = (
            torch.cat([getattr(layer, n) for layer in layers]).detach() for n in ("weight", "bias")
        )
        self._classify = TallLinear(SimpleNamespace(weight=weight, bias=bias))
        self._sizes = [layer.weight.shape[0] for layer in layers]
        self._known: dict[bytes, Tags] = {}

    @staticmethod
    def fits(trainer: Any) -> bool:
        """Whether a tagger is of the kind this knows."""
        model = trainer.model
        return (
            readable(model)
            and model.share_hid
            and list(getattr(model, "tag_names", ())) == ["upos", "xpos", "feats"]
        )

    def tag(self, sentences: Sequence[Sequence[str]]) -> list[list[Tags]]:
        """Return the tags of each sentence's words."""
        import torch

        from jperrant.parse.reproducible import ReproducibleFunctions

        tags: list[list[Tags]] = [[] for _ in sentences]
        with torch.inference_mode(), ReproducibleFunctions():
            for numbers in batches([len(s) for s in sentences]):
                batch = self._batch([[simple_mark(form) for form in sentences[n]] for n in numbers])
                for number, sentence in zip(numbers, batch, strict=True):
                    tags[number] = sentence
        return tags

    def _batch(self, sentences: Sequence[Sequence[str]]) -> list[list[Tags]]:
        import torch

        lengths = [len(s) for s in sentences]
        order, sizes = packing(lengths)
        hidden = torch.relu(self.model.upos_hid(self._read(sentences, lengths, order, sizes)))
        scores = self._classify(hidden)
        codes = np.empty((len(order), len(self._sizes)), dtype=np.int32)
        for column, part in enumerate(scores.split(self._sizes, dim=1)):
            codes[order, column] = part.argmax(1).numpy()
        ends = np.cumsum(lengths)
        return [
            [self._tags(row) for row in codes[end - n : end]] for n, end in zip(lengths, ends, strict=True)
        ]

    def _read(self, sentences: Sequence[Sequence[str]], lengths: list[int], order: Any, sizes: Any) -> Any:
        """Return what the network makes of each word in its sentence, words in packed order."""
        import torch
        from torch.nn.utils.rnn import PackedSequence

        model = self.model
        distinct = list(dict.fromkeys(form for s in sentences for form in s))
        numbers = {form: n for n, form in enumerate(distinct)}
        words = torch.tensor(self.vocab["word"].map(distinct))
        vectors = torch.cat([model.word_emb(words), model.trans_char(self.characters.vectors(distinct))], 1)
        flat = np.array([numbers[form] for s in sentences for form in s])
        data = PackedSequence(vectors[torch.from_numpy(flat[order])], sizes)
        shape = (-1, len(sentences), -1)
        start = tuple(
            s.expand(*shape).contiguous() for s in (model.taggerlstm_h_init, model.taggerlstm_c_init)
        )
        return model.taggerlstm(data, lengths, hx=start)[0].data

    def _tags(self, row: Any) -> Tags:
        key = row.tobytes()
        tags = self._known.get(key)
        if tags is None:
            tags = self._known[key] = self._unmapped(row.tolist())
        return tags

    def _unmapped(self, codes: list[int]) -> Tags:
        from stanza.models.common.vocab import CompositeVocab

        names, start = [], 0
        for name in self.model.tag_names:
            vocab = self.vocab[name]
            width = len(vocab) if isinstance(vocab, CompositeVocab) else 1
            tag = vocab.id2unit(
                codes[start : start + width] if isinstance(vocab, CompositeVocab) else codes[start]
            )
            names.append("" if tag == "_" else tag)
            start += width
        return Tags(*names)


def simple_mark(form: str) -> str:
    """Return ``?`` or ``!`` for a run of such marks, which is how Stanza's taggers and parsers read it."""
    if len(form) == 1 or not _MARKS.issuperset(form):
        return form
    from stanza.models.common.utils import simplify_punct

    return str(simplify_punct([[[form]]])[0][0][0])


def batches(lengths: Sequence[int], words: int = _WORDS, sentences: int = _SENTENCES) -> list[list[int]]:
    """Group sentences of similar length, longest first; the empty ones are left out.

    Args:
        lengths: Words of each sentence.
        words: Most words of a batch, padding counted; a longer sentence is a batch of its own.
        sentences: Most sentences of a batch.
    """
    ordered = sorted((n for n, length in enumerate(lengths) if length), key=lambda n: -lengths[n])
    groups: list[list[int]] = []
    for number in ordered:
        last = groups[-1] if groups else []
        if last and len(last) < sentences and (len(last) + 1) * lengths[last[0]] <= words:
            last.append(number)
        else:
            groups.append([number])
    return groups


def packing(lengths: Sequence[int]) -> tuple[Any, Any]:
    """Return the order that packs sentences, longest first, word by word, and how many have each word.

    Args:
        lengths: Words of each sentence, falling.

    Returns:
        For each place in the packed sequence the place of its word in the sentences one after the other, shape
        ``(words,)``, and the sizes torch wants.
    """
    import torch

    starts = np.cumsum([0, *lengths[:-1]])
    places = np.arange(lengths[0])[:, None]
    inside = places < np.asarray(lengths)[None, :]
    return (places + starts[None, :])[inside], torch.from_numpy(inside.sum(1))
