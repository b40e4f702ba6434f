"""Stanza's tagger and parser for training on a CPU, with Stanza's own parameters.

Sequences are padded, longest first, with time as the first dimension. oneDNN runs one direction of an LSTM over
them in one call. For the backward direction each sentence is reversed, so that its padding comes last there too and
reaches no word. Where the processor has instructions for bfloat16, products are of such numbers; weights and sums
stay in single precision.

The formulas are those of ``stanza.models.pos.model`` and ``stanza.models.depparse.model``; the parameters stay in
Stanza's modules. A test holds that losses and gradients agree without dropout.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch.nn.functional import cross_entropy, embedding, linear, logsigmoid, softplus

from training.batches import Batch


def product_type() -> Any:
    """Return torch's type of the factors of products: bfloat16 where the processor has instructions for it."""
    known = torch.cpu._is_avx512_bf16_supported() or torch.cpu._is_amx_tile_supported()
    return torch.bfloat16 if torch.backends.mkldnn.is_available() and known else torch.float32


class Layers:
    """The layers of one network; in training with dropout.

    Args:
        kind: Torch's type of the factors of products.
        dropout: Share of the values to drop.
        word_dropout: Share of the words to replace.
    """

    def __init__(self, kind: Any, dropout: float, word_dropout: float) -> None:
        self.kind, self.dropout, self.word_dropout = kind, dropout, word_dropout

    def drop(self, values: Any) -> Any:
        """Apply dropout: set a share of the values to 0 and scale the others so that the mean stays."""
        dropped = round(self.dropout * 256)
        if not dropped:
            return values
        # Torch's own dropout masks take longer than the layers that they are for.
        words = torch.empty(-(-values.numel() // 8), dtype=torch.int64).random_(-(2**63), None)
        kept = words.view(torch.uint8)[: values.numel()].view(values.shape) >= dropped
        return values * (kept.to(torch.float32) * (256 / (256 - dropped)))

    def drop_words(self, vectors: Any, replacement: Any) -> Any:
        """Return the vectors of words, shape ``(…, size)``, with a share of them replaced by one vector."""
        if not self.word_dropout:
            return vectors
        dropped = torch.rand(*vectors.shape[:-1], 1) < self.word_dropout
        return torch.where(dropped, replacement, vectors)

    def linear(self, values: Any, weight: Any, bias: Any = None) -> Any:
        """Return ``values @ weight.T + bias`` in single precision."""
        product = linear(values.to(self.kind), weight.to(self.kind)).float()
        return product if bias is None else product + bias

    def apply(self, layer: Any, values: Any) -> Any:
        """Apply one of torch's linear layers."""
        return self.linear(values, layer.weight, layer.bias)

    def lstm(self, layer: Any, values: Any, states: tuple[Any, Any], suffix: str = "") -> Any:
        """Return one direction of an LSTM over values of shape ``(steps, sequences, size)``.

        Args:
            layer: Torch's LSTM, of one layer.
            values: Its input.
            states: The initial hidden and cell state, shape ``(1, 1, hidden size)``.
            suffix: ``_reverse`` for the weights of the other direction.
        """
        names = ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0")
        weights = [getattr(layer, name + suffix).to(self.kind) for name in names]
        shape = (1, values.shape[1], -1)
        start = tuple(state.to(self.kind).expand(shape).contiguous() for state in states)
        return torch.lstm(
            values.to(self.kind), start, weights, True, 1, 0.0, torch.is_grad_enabled(), False, False
        )[0].float()

    def highway(self, network: Any, values: Any, starts: tuple[Any, Any], turned: Any) -> Any:
        """Return the output of Stanza's highway LSTM for words, shape ``(steps, sentences, 2 * hidden size)``.

        Args:
            network: The highway LSTM.
            values: The vectors of words, shape ``(steps, sentences, size)``.
            starts: The initial hidden and cell states, one for each layer and direction.
            turned: For each place in the flattened words its place when sentences are reversed.
        """
        for number in range(network.num_layers):
            layer = network.lstm[number].lstm
            if number:
                values = self.drop(values)
            states = [tuple(s[2 * number + way][None] for s in starts) for way in range(2)]
            ahead = self.lstm(layer, values, states[0])
            back = self.lstm(layer, _Turn.apply(values, turned), states[1], "_reverse")
            carried = torch.tanh(self.apply(network.highway[number], values))
            share = torch.sigmoid(self.apply(network.gate[number], values))
            values = torch.cat([ahead, _Turn.apply(back, turned)], 2) + share * carried
        return values

    def characters(self, model: Any, words: Sequence[Any]) -> Any:
        """Return the output of Stanza's character model for words.

        Args:
            model: The character model; it reads in one direction and weighs characters.
            words: Groups of words of similar length, each the numbers of their characters, shape
                ``(longest word, words)``, 0 for none.

        Returns:
            Shape ``(words of all groups, hidden size)``.
        """
        vectors = []
        states = (model.charlstm_h_init, model.charlstm_c_init)
        for group in words:
            read = self.drop(embedding(group, model.char_emb.weight, padding_idx=0))
            output = self.lstm(model.charlstm.lstm, read, states)
            weights = torch.sigmoid(self.drop(output) @ model.char_attn.weight[0])
            vectors.append((output * (weights * (group != 0))[:, :, None]).sum(0))
        return torch.cat(vectors)


class _Turn(torch.autograd.Function):  # type: ignore[misc]  # untyped in torch
    """Reverses sentences; reversing twice restores them, and gradients likewise."""

    @staticmethod
    def forward(context: Any, values: Any, turned: Any) -> Any:
        context.turned = turned
        return values.reshape(-1, values.shape[2])[turned].view(values.shape)

    @staticmethod
    def backward(context: Any, gradient: Any) -> tuple[Any, None]:
        return gradient.reshape(-1, gradient.shape[2])[context.turned].view(gradient.shape), None


_SIDES = ("unlabeled", "deprel", "linearization", "distance")


class _Reader:
    """The layers that tagger and parser share: from words to their vectors in the sentence."""

    def __init__(self, model: Any, args: dict[str, Any], lstm: str, kind: Any) -> None:
        self.model, self._lstm = model, lstm
        self._training = Layers(kind or product_type(), args["dropout"], args["word_dropout"])
        self._exact = Layers(torch.float32, 0.0, 0.0)

    def _read(self, layers: Layers, batch: Batch, embedded: list[Any]) -> Any:
        """Return the vectors of words, shape ``(words, sentences, size)``, from embeddings and characters."""
        model = self.model
        distinct = layers.characters(model.charmodel, batch.characters)
        spelled = layers.drop(embedding(batch.columns["form"], distinct))
        vectors = torch.cat([*embedded, layers.linear(spelled, model.trans_char.weight)], 2)
        vectors = layers.drop(layers.drop_words(vectors, model.drop_replacement))
        starts = tuple(getattr(model, f"{self._lstm}_{state}_init") for state in "hc")
        return layers.highway(getattr(model, self._lstm), vectors, starts, batch.turned)


class FastTaggerNetwork(_Reader):
    """Stanza's tagger.

    Args:
        model: Stanza's module, with one hidden layer for all tags.
        args: Its settings.
        kind: Torch's type of the factors of products; None for ``product_type``.
    """

    def __init__(self, model: Any, args: dict[str, Any], kind: Any = None) -> None:
        super().__init__(model, args, "taggerlstm", kind)
        self._heads = [model.upos_clf]
        for name in model.tag_names[1:]:
            head = model.tag_clf[name]
            self._heads += list(head) if isinstance(head, torch.nn.ModuleList) else [head]

    def loss(self, batch: Batch) -> Any:
        """Return the sum over the parts of tags of the mean loss of the words that have them."""
        scores = self._scores(self._training, batch)
        gold = batch.columns["tags"].reshape(-1, len(self._heads))
        total = 0.0
        for number, part in enumerate(scores):
            known = (gold[:, number] != 0).sum().clamp(min=1)
            total += cross_entropy(part, gold[:, number], ignore_index=0, reduction="sum") / known
        return total

    def predict(self, batch: Batch, noise: float = 0.0) -> Any:
        """Return the numbers of the best tags, shape ``(words, sentences, parts)``.

        Args:
            batch: The sentences.
            noise: Share of the training's dropout that is applied.
        """
        rates = self._training
        layers = Layers(torch.float32, noise * rates.dropout, noise * rates.word_dropout)
        with torch.no_grad():
            best = [part.argmax(1) for part in self._scores(layers, batch)]
        return torch.stack(best, 1).view(*batch.columns["word"].shape, -1)

    def _scores(self, layers: Layers, batch: Batch) -> list[Any]:
        model = self.model
        words = embedding(batch.columns["word"], model.word_emb.weight, padding_idx=0)
        read = layers.drop(self._read(layers, batch, [words]))
        hidden = layers.drop(torch.relu(layers.apply(model.upos_hid, read.reshape(-1, read.shape[2]))))
        weight, bias = (torch.cat([getattr(h, name) for h in self._heads]) for name in ("weight", "bias"))
        return list(layers.linear(hidden, weight, bias).split([len(h.bias) for h in self._heads], dim=1))


class FastParserNetwork(_Reader):
    """Stanza's graph parser.

    Args:
        model: Stanza's module.
        args: Its settings.
        kind: Torch's type of the factors of products; None for ``product_type``.
    """

    def __init__(self, model: Any, args: dict[str, Any], kind: Any = None) -> None:
        super().__init__(model, args, "parserlstm", kind)

    def loss(self, batch: Batch) -> Any:
        """Return the mean loss of a word, the root included: of its head, relation, order and distance."""
        heads, labels = (batch.columns[name].T[:, 1:] for name in ("head", "deprel"))
        sides = self._vectors(self._training, batch)
        inside = (torch.arange(heads.shape[1]) < (batch.lengths - 1)[:, None]).reshape(-1)
        scores, order, distance = self._arcs(sides, batch)
        total = cross_entropy(
            scores[:, 1:].reshape(-1, scores.shape[2])[inside], heads.reshape(-1)[inside], reduction="sum"
        )
        of_heads = self._relations(self._training, sides, heads)
        known = labels.reshape(-1)[inside] - _PREFIX
        # The model that training continues from may lack a relation.
        known = known.masked_fill(known < 0, _UNKNOWN)
        relations = of_heads.reshape(-1, of_heads.shape[2])[inside]
        total += cross_entropy(relations, known, ignore_index=_UNKNOWN, reduction="sum")
        chosen, far = (
            part[:, 1:].gather(2, heads[:, :, None]).reshape(-1)[inside] for part in (order, distance)
        )
        offset = (heads - torch.arange(1, heads.shape[1] + 1)).reshape(-1)[inside]
        total -= logsigmoid(torch.where(offset > 0, chosen, -chosen)).sum()
        total -= far.sum()
        return total / batch.lengths.sum()

    def predict(self, batch: Batch) -> tuple[Any, Any]:
        """Return the score of each head for each word, and a function from heads to their best relations."""
        with torch.no_grad():
            sides = self._vectors(self._exact, batch)
            scores = self._arcs(sides, batch)[0]

        def relations(heads: Any) -> Any:
            with torch.no_grad():
                return self._relations(self._exact, sides, torch.as_tensor(heads)).argmax(2) + _PREFIX

        return scores, relations

    def _vectors(self, layers: Layers, batch: Batch) -> dict[str, tuple[Any, Any]]:
        """Return for each scorer the vectors of dependents and heads, shape ``(sentences, words, size)``."""
        model, columns = self.model, batch.columns
        embedded = [
            embedding(columns[n], getattr(model, f"{n}_emb").weight, padding_idx=0) for n in ("word", "lemma")
        ]
        # Stanza reads the tags here although its names say features.
        embedded += [self._tags(columns)] * 2
        read = self._read(layers, batch, embedded).transpose(0, 1)
        scorers = [getattr(model, name) for name in _SIDES]
        sizes = [len(scorer.W1.bias) for scorer in scorers]
        both = []
        for side in ("W1", "W2"):
            weight, bias = (
                torch.cat([getattr(getattr(s, side), n) for s in scorers]) for n in ("weight", "bias")
            )
            vectors = layers.drop(torch.relu(layers.linear(layers.drop(read), weight, bias)))
            both.append([_with_one(part) for part in vectors.split(sizes, dim=2)])
        return dict(zip(_SIDES, zip(*both, strict=True), strict=True))

    def _tags(self, columns: Any) -> Any:
        """Return the sum of the vectors of UPOS and of the parts of XPOS."""
        total = embedding(columns["upos"], self.model.upos_emb.weight, padding_idx=0)
        parts = self.model.xpos_emb
        for number, part in enumerate([parts] if isinstance(parts, torch.nn.Embedding) else parts):
            total = total + embedding(columns["xpos"][:, :, number], part.weight, padding_idx=0)
        return total

    def _arcs(self, sides: dict[str, tuple[Any, Any]], batch: Batch) -> tuple[Any, Any, Any]:
        """Return the scores of heads, of their side, and of their distance, shape ``(sentences, words, words)``."""
        scores = self._pairs(sides, "unlabeled")
        width = scores.shape[1]
        offset = torch.arange(width)[None, :] - torch.arange(width)[:, None]
        order = self._pairs(sides, "linearization")
        scores = scores + logsigmoid(order * torch.sign(offset).float()).detach()
        predicted = 1 + softplus(self._pairs(sides, "distance"))
        distance = -torch.log((offset.abs().float() - predicted) ** 2 / 2 + 1)
        scores = scores + distance.detach()
        outside = torch.arange(width) >= batch.lengths[:, None]
        return scores.masked_fill(outside[:, None, :] | (offset == 0), -torch.inf), order, distance

    def _pairs(self, sides: dict[str, tuple[Any, Any]], name: str) -> Any:
        bilinear = getattr(self.model, name).scorer.W_bilin
        dependents, heads = sides[name]
        return dependents @ bilinear.weight[:, :, 0] @ heads.transpose(1, 2) + bilinear.bias

    def _relations(self, layers: Layers, sides: dict[str, tuple[Any, Any]], heads: Any) -> Any:
        """Return the score of each relation of each word to its head, shape ``(sentences, words, relations)``.

        Args:
            layers: For the products.
            sides: See ``_vectors``.
            heads: The head of each word but the root, shape ``(sentences, words - 1)``.
        """
        bilinear = self.model.deprel.scorer.W_bilin
        dependents, governors = sides["deprel"]
        size, count = governors.shape[2], bilinear.weight.shape[2]
        chosen = governors.gather(1, heads[:, :, None].expand(-1, -1, size))
        weight = bilinear.weight.permute(1, 2, 0).reshape(-1, bilinear.weight.shape[0])
        halves = layers.linear(dependents[:, 1:], weight).view(-1, size, count)
        scores = torch.bmm(chosen.reshape(-1, 1, size), halves).view(*heads.shape, count)
        return scores + bilinear.bias


_UNKNOWN = -100
_PREFIX = 4
"""Numbers below stand for no relation: ``stanza.models.common.vocab.VOCAB_PREFIX_SIZE``."""


def _with_one(vectors: Any) -> Any:
    return torch.cat([vectors, vectors.new_ones(*vectors.shape[:-1], 1)], -1)
