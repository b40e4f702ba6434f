"""A quick way through Stanza's tagger.

Each distinct word is read once, all tags come out of one matrix, and no document is built. In single precision the
result of a sentence could hang, by rounding, on those it is batched with; so where the two best tags of a word are
nearly equal the sentence is tagged again in double precision.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from jperrant.parse.word_characters import CharacterVectors, readable

MARGIN = 1e-3
"""Least lead of the best score: a hundred times what single precision rounds off."""
_WORDS, _SENTENCES = 2_000, 100
_MARKS = frozenset("?？︖﹖⁇!！︕﹗‼")


class Tags(NamedTuple):
    """The tags of a word; what there is none of is empty."""

    upos: str
    xpos: str
    feats: str


class FastTagger:
    """Tags sentences given as forms.

    Args:
        trainer: Stanza's trainer of a tagger that ``fits``.
        exact: Compute in double precision, and be never in doubt.
    """

    def __init__(self, trainer: Any, exact: bool = False) -> None:
        import torch

        self.vocab, self.exact = trainer.vocab, exact
        model = copy.deepcopy(trainer.model).eval()
        self.model = model.double() if exact else model.float()
        self.characters = CharacterVectors(self.model.charmodel, self.vocab["char"], 0)
        layers, self._cuts = [self.model.upos_clf], [0]
        for name in self.model.tag_names[1:]:
            clf = self.model.tag_clf[name]
            layers += list(clf) if isinstance(clf, torch.nn.ModuleList) else [clf]
        self._weight = torch.cat([layer.weight for layer in layers]).detach()
        self._bias = torch.cat([layer.bias for layer in layers]).detach()
        self._sizes = [layer.weight.shape[0] for layer in layers]
        self._known: dict[bytes, Tags] = {}

    @staticmethod
    def fits(trainer: Any) -> bool:
        """Whether a tagger is of the kind this knows."""
        model = trainer.model
        return readable(model) and model.share_hid and list(model.tag_names) == ["upos", "xpos", "feats"]

    def tag(self, sentences: Sequence[Sequence[str]]) -> list[list[Tags] | None]:
        """Return the tags of each sentence's words, or None where they are in doubt."""
        import torch

        found: list[list[Tags] | None] = [None] * len(sentences)
        with torch.inference_mode():
            for numbers in batches([len(s) for s in sentences]):
                results = self._batch([[simple_mark(form) for form in sentences[n]] for n in numbers])
                for number, result in zip(numbers, results, strict=True):
                    found[number] = result
        return found

    def _batch(self, sentences: Sequence[Sequence[str]]) -> list[list[Tags] | None]:
        import torch
        from torch.nn.utils.rnn import PackedSequence

        model = self.model
        lengths = [len(s) for s in sentences]
        order, sizes = packing(lengths)
        distinct = list(dict.fromkeys(form for s in sentences for form in s))
        numbers = {form: n for n, form in enumerate(distinct)}
        words = torch.tensor(self.vocab["word"].map(distinct))
        characters = self.characters.vectors(distinct)
        vectors = torch.cat([model.word_emb(words), model.trans_char(characters)], 1)
        flat = np.array([numbers[form] for s in sentences for form in s])
        data = PackedSequence(vectors[torch.from_numpy(flat[order])], sizes)
        shape = (-1, len(sentences), -1)
        start = tuple(
            s.expand(*shape).contiguous() for s in (model.taggerlstm_h_init, model.taggerlstm_c_init)
        )
        hidden = torch.relu(model.upos_hid(model.taggerlstm(data, lengths, hx=start)[0].data))
        scores = torch.nn.functional.linear(hidden, self._weight, self._bias)
        codes = np.empty((len(flat), len(self._sizes)), dtype=np.int32)
        sure = np.ones(len(flat), dtype=bool)
        for column, part in enumerate(scores.split(self._sizes, dim=1)):
            (first, second), best = (t.numpy().T for t in part.topk(2, dim=1))
            codes[order, column] = best[0]
            if not self.exact:
                sure[order] &= first - second > MARGIN
        ends = np.cumsum(lengths)
        return [
            [self._tags(row) for row in codes[end - n : end]] if sure[end - n : end].all() else None
            for n, end in zip(lengths, ends, strict=True)
        ]

    def _tags(self, row: Any) -> Tags:
        key = row.tobytes()
        tags = self._known.get(key)
        if tags is None:
            tags = self._known[key] = self._unmapped(row.tolist())
        return tags

    def _unmapped(self, codes: list[int]) -> Tags:
        from stanza.models.common.vocab import CompositeVocab

        names, at = [], 0
        for name in self.model.tag_names:
            vocab = self.vocab[name]
            if isinstance(vocab, CompositeVocab):
                width = len(vocab)
                found = vocab.id2unit(codes[at : at + width])
            else:
                width = 1
                found = vocab.id2unit(codes[at])
            names.append("" if found == "_" else found)
            at += width
        return Tags(*names)


def simple_mark(form: str) -> str:
    """Return ``?`` or ``!`` for a run of such marks, which is how Stanza's taggers and parsers read it."""
    if len(form) == 1 or not _MARKS.issuperset(form):
        return form
    from stanza.models.common.utils import simplify_punct

    return str(simplify_punct([[[form]]])[0][0][0])


def batches(lengths: Sequence[int], words: int = _WORDS, sentences: int = _SENTENCES) -> list[list[int]]:
    """Group sentences of like length, longest first; the empty ones are left out.

    Args:
        lengths: Words of each sentence.
        words: Most words of a batch, padding counted; a longer sentence is a batch of its own.
        sentences: Most sentences of a batch.
    """
    ordered = sorted((n for n, length in enumerate(lengths) if length), key=lambda n: -lengths[n])
    found: list[list[int]] = []
    for number in ordered:
        last = found[-1] if found else []
        if last and len(last) < sentences and (len(last) + 1) * lengths[last[0]] <= words:
            last.append(number)
        else:
            found.append([number])
    return found


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
