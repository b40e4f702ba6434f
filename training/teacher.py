"""The teacher: an encoder fine-tuned on treebanks labels plain text, from which small networks learn.

A word's vector is that of its first and last pieces, in a mixture of all layers (Peters et al. 2018, eq. 1), beside
its capitals and last characters, which uncased encoders do not see. Heads and relations are scored by biaffine
products (Dozat and Manning 2017).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn.functional import cross_entropy, leaky_relu
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
from transformers import AutoConfig, AutoModel, AutoTokenizer

from jperrant.compact.parser import best_trees
from jperrant.compact.pipeline import Networks
from jperrant.compact.words import SurfaceToken
from jperrant.core.conllu import DEPREL, FORM, HEAD
from jperrant.encoders.hugging_face import find_encoder
from training.batches import TAG_COLUMNS, batch_words, epoch_of, ordered, padded, shuffled
from training.loop import SEED, Schedule, Stage, seed_everything, train
from training.networks import product_type
from training.recipe import TeacherRecipe
from training.stages import Lessons
from training.treebank import Treebank, TreebankSentence

#: A word with more pieces than these together keeps its first and its last pieces.
HEAD_PIECES, TAIL_PIECES = 6, 2


class Encoder:
    """A BERT in training, and its tokenizer of word pieces.

    Args:
        folder: Its folder.
        frozen: How many of its layers are not trained, from the input on; its embeddings are not trained either.

    Attributes:
        network: Torch's module.
        states: Number of its hidden states, the embeddings included.
        size: Size of a hidden state.
        limit: The most pieces that it takes.
    """

    def __init__(self, folder: Path, frozen: int) -> None:
        # On CPUs the backward pass of flash attention is slow, and so is the dropout of attention weights.
        config = AutoConfig.from_pretrained(folder, attention_probs_dropout_prob=0.0)
        self.network = AutoModel.from_pretrained(folder, attn_implementation="eager", config=config).eval()
        for module in (self.network.embeddings, *self.network.encoder.layer[:frozen]):
            module.requires_grad_(False)
        self.states, self.size = config.num_hidden_layers + 1, config.hidden_size
        self._tokenizer = AutoTokenizer.from_pretrained(folder)
        self.limit = min(self._tokenizer.model_max_length, config.max_position_embeddings)
        self.opening, self.closing = self._tokenizer("").input_ids
        self._known: dict[str, list[int]] = {}

    def pieces(self, forms: Sequence[str]) -> list[list[int]]:
        """Return the numbers of the pieces of each word, at least one and at most ``HEAD_PIECES + TAIL_PIECES``."""
        for form in forms:
            if form not in self._known:
                pieces = self._tokenizer(form, add_special_tokens=False).input_ids
                if len(pieces) > HEAD_PIECES + TAIL_PIECES:
                    pieces = pieces[:HEAD_PIECES] + pieces[-TAIL_PIECES:]
                self._known[form] = pieces or [self._tokenizer.unk_token_id]
        return [self._known[form] for form in forms]


@dataclass(frozen=True)
class Labels:
    """The labels that a teacher chooses from.

    Attributes:
        tags: The values of each column of tags, in order: ``upos``, ``xpos``, ``feats``.
        relations: The relations, in order.
        of_roots: The relations of words with head 0.
        of_others: The relations of words with another head.
        characters: The characters of words.
    """

    tags: Mapping[str, Sequence[str]]
    relations: Sequence[str]
    of_roots: frozenset[str]
    of_others: frozenset[str]
    characters: Sequence[str]

    @cached_property
    def numbers(self) -> Mapping[str, Mapping[str, int]]:
        """The number of each value of each column, ``deprel`` included."""
        columns = {**self.tags, "deprel": self.relations}
        return {name: {v: n for n, v in enumerate(values)} for name, values in columns.items()}

    @cached_property
    def character_numbers(self) -> Mapping[str, int]:
        """The number of each character, from 2; 0 is for none and 1 for others."""
        return {character: number for number, character in enumerate(self.characters, start=2)}

    def of(self, sentence: TreebankSentence) -> dict[str, Any]:
        """Return the numbers of a sentence's labels by column, ``head`` included, each of shape ``(words,)``."""
        rows, found = sentence.words, {}
        for name, place in TAG_COLUMNS.items():
            known, said = self.numbers[name], name not in sentence.lacks
            found[name] = [known.get(row[place], _NEVER) if said else UNSAID for row in rows]
        known = self.numbers["deprel"]
        found["head"] = [int(row[HEAD]) if row[HEAD] != "_" else UNSAID for row in rows]
        found["deprel"] = [known.get(row[DEPREL], _NEVER) if row[HEAD] != "_" else UNSAID for row in rows]
        return {name: np.array(values, dtype=np.int32) for name, values in found.items()}


def labels_of(sentences: Iterable[TreebankSentence]) -> Labels:
    """Return the labels of sentences, without the columns that a sentence ``lacks``."""
    tags: dict[str, set[str]] = {name: set() for name in TAG_COLUMNS}
    relations: tuple[set[str], set[str]] = (set(), set())
    characters: set[str] = set()
    for sentence in sentences:
        for row in sentence.words:
            characters.update(row[FORM])
            for name in tags.keys() - sentence.lacks:
                tags[name].add(row[TAG_COLUMNS[name]])
            if row[HEAD] != "_":
                relations[row[HEAD] != "0"].add(row[DEPREL])
    return Labels(
        {name: sorted(values) for name, values in tags.items()},
        sorted(relations[0] | relations[1]),
        frozenset(relations[0]),
        frozenset(relations[1]),
        sorted(characters),
    )


#: Marks a label that the treebank does not have; torch's losses ignore it.
UNSAID = -100
#: Marks a label that the teacher does not know; only dev treebanks have such labels.
_NEVER = -1
#: How many characters at the end of a word are read.
SPELLED = 16
_OTHER_CHARACTER = 1
#: Number of patterns of capitals in a word.
SHAPES = 6


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence as numbers.

    Attributes:
        pieces: The input of the encoder, special tokens included, shape ``(pieces,)``.
        words: For each word its first and last piece, shape, and last characters, shape ``(words, 3 + SPELLED)``.
        gold: The numbers of the labels, as ``Labels.of`` returns them.
    """

    pieces: Any
    words: Any
    gold: Mapping[str, Any]


def example_of(sentence: TreebankSentence, encoder: Encoder, labels: Labels) -> Example | None:
    """Return a sentence as numbers, or None where it is longer than the encoder takes."""
    forms = [row[FORM] for row in sentence.words]
    inner = encoder.pieces(forms)
    ends = np.cumsum([1, *map(len, inner)])
    ids = [encoder.opening, *(piece for word in inner for piece in word), encoder.closing]
    if len(ids) > encoder.limit:
        return None
    words = np.zeros((len(forms), 3 + SPELLED), dtype=np.int32)
    words[:, 0], words[:, 1] = ends[:-1], ends[1:] - 1
    words[:, 2] = [capitals(form) for form in forms]
    known = labels.character_numbers
    for number, form in enumerate(forms):
        last = form[-SPELLED:]
        words[number, -len(last) :] = [known.get(character, _OTHER_CHARACTER) for character in last]
    return Example(np.array(ids, dtype=np.int32), words, labels.of(sentence))


def capitals(form: str) -> int:
    """Return the number of a word's pattern of capitals, below ``SHAPES``; an uncased encoder does not see them."""
    if form.isupper():
        return 1 if len(form) > 1 else 2
    if form[:1].isupper():
        return 3
    if form.islower():
        return 4
    return 5 if any(character.isupper() for character in form) else 0


@dataclass(frozen=True, slots=True)
class Batch:
    """A batch of examples, padded with 0, BERT's padding piece; gold labels are padded with ``UNSAID``.

    Attributes:
        pieces: Shape ``(sentences, pieces)``.
        words: Shape ``(sentences, words, 3 + SPELLED)``.
        lengths: Words of each sentence, shape ``(sentences,)``.
        gold: By column, each of shape ``(sentences, words)``.
    """

    pieces: Any
    words: Any
    lengths: Any
    gold: Mapping[str, Any]


def batch_of(examples: Sequence[Example]) -> Batch:
    """Return a batch of examples."""
    return Batch(
        padded([e.pieces for e in examples]),
        padded([e.words for e in examples]),
        torch.tensor([len(e.words) for e in examples]),
        {name: padded([e.gold[name] for e in examples], UNSAID) for name in examples[0].gold},
    )


_WORD, _CONTEXT, _ARC, _RELATION = 400, 256, 400, 128
_CHARACTER, _FILTERS, _WIDTHS = 32, 48, (2, 3, 5)
_CAPITALS = 16
_DROPOUT = 0.25


class TeacherNetwork(nn.Module):  # type: ignore[misc]  # untyped in torch
    """Labels words.

    Args:
        encoder: The encoder.
        labels: The labels to choose from.
    """

    def __init__(self, encoder: Encoder, labels: Labels) -> None:
        super().__init__()
        self.encoder = encoder.network
        self.layer_weights = nn.Parameter(torch.zeros(encoder.states))
        self.spelling = _Spelling(len(labels.characters) + 2)
        self.capitals = nn.Embedding(SHAPES, _CAPITALS)
        width = 2 * encoder.size + _CAPITALS + _FILTERS * len(_WIDTHS)
        self.word, self.drop = nn.Linear(width, _WORD), nn.Dropout(_DROPOUT)
        self.context = nn.LSTM(_WORD, _CONTEXT, bidirectional=True, batch_first=True)
        read = 2 * _CONTEXT + _WORD
        self.tags = nn.ModuleDict({name: nn.Linear(read, len(v)) for name, v in labels.tags.items()})
        self.arcs = _Arcs(read, labels)

    def loss(self, batch: Batch) -> Any:
        """Return the sum over the columns of the mean loss of the words that have them."""
        with _products():
            read = self._read(batch)
            losses = [_loss(layer(read), batch.gold[name]) for name, layer in self.tags.items()]
            return sum([*losses, *self.arcs.losses(read, batch)])

    def predict(self, batch: Batch) -> dict[str, Any]:
        """Return the numbers of the best labels by column, ``head`` included, each of shape ``(sentences, words)``.

        The heads of a sentence are its best tree with one root.
        """
        self.eval()
        with torch.inference_mode(), _products():
            read = self._read(batch)
            found = {name: layer(read).argmax(2).numpy() for name, layer in self.tags.items()}
            found |= self.arcs.predict(read, batch)
        self.train()
        return found

    def _read(self, batch: Batch) -> Any:
        """Return the vectors of words in their sentence, shape ``(sentences, words, size)``."""
        encoded = self.encoder(
            input_ids=batch.pieces, attention_mask=(batch.pieces != 0).long(), output_hidden_states=True
        ).hidden_states
        shares = self.layer_weights.softmax(0)
        mixed = sum(share * layer for share, layer in zip(shares, encoded, strict=True))
        ends = [mixed.gather(1, batch.words[:, :, n, None].expand(-1, -1, mixed.shape[2])) for n in range(2)]
        parts = [*ends, self.capitals(batch.words[:, :, 2]), self.spelling(batch.words[:, :, 3:])]
        words = self.drop(torch.relu(self.word(self.drop(torch.cat(parts, 2)))))
        packed = pack_padded_sequence(words.float(), batch.lengths, batch_first=True, enforce_sorted=False)
        with torch.autocast("cpu", enabled=False):
            output, _ = pad_packed_sequence(self.context(packed)[0], batch_first=True)
        return self.drop(torch.cat([words, output.to(words.dtype)], 2))


class _Spelling(nn.Module):  # type: ignore[misc]
    """Vectors of words from their last characters, by convolutions."""

    def __init__(self, characters: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(characters, _CHARACTER)
        self.filters = nn.ModuleList(nn.Conv1d(_CHARACTER, _FILTERS, n, padding=n // 2) for n in _WIDTHS)

    def forward(self, characters: Any) -> Any:
        vectors = self.embedding(characters.reshape(-1, SPELLED)).transpose(1, 2)
        found = torch.cat([torch.relu(one(vectors)).amax(2) for one in self.filters], 1)
        return found.view(*characters.shape[:2], -1)


class _Arcs(nn.Module):  # type: ignore[misc]
    """Scores heads, and relations to them."""

    def __init__(self, read: int, labels: Labels) -> None:
        super().__init__()
        self.root = nn.Parameter(torch.randn(read) * 0.02)
        sides = {"head": _ARC, "dependent": _ARC, "relation_head": _RELATION, "relation_dependent": _RELATION}
        self.sides = nn.ModuleDict({name: nn.Linear(read, size) for name, size in sides.items()})
        self.arc = nn.Parameter(torch.randn(_ARC + 1, _ARC) * 0.02)
        self.relation = nn.Parameter(torch.zeros(len(labels.relations), _RELATION + 1, _RELATION + 1))
        self.drop = nn.Dropout(_DROPOUT)
        # The relations of roots, and those of other words.
        self._allowed = np.array(
            [[r in those for r in labels.relations] for those in (labels.of_roots, labels.of_others)]
        )

    def losses(self, read: Any, batch: Batch) -> list[Any]:
        """Return the mean loss of heads, and that of relations to the gold heads."""
        heads = batch.gold["head"]
        rooted = self._rooted(read)
        scores = self._scores(read, rooted, batch.lengths)
        relations = self._relations(read, rooted, heads.clamp(min=0))
        return [_loss(scores, heads), _loss(relations, batch.gold["deprel"])]

    def predict(self, read: Any, batch: Batch) -> dict[str, Any]:
        """Return the heads of the best trees, and their relations."""
        rooted = self._rooted(read)
        scores = self._scores(read, rooted, batch.lengths).numpy()
        nodes = np.concatenate([np.zeros_like(scores[:, :1]), scores], 1)
        heads = best_trees(nodes, (batch.lengths + 1).tolist())[:, 1:]
        relations = self._relations(read, rooted, torch.from_numpy(heads.astype(np.int64)))
        allowed = self._allowed[(heads > 0).astype(int)]
        return {"head": heads, "deprel": np.where(allowed, relations.numpy(), -np.inf).argmax(2)}

    def _rooted(self, read: Any) -> Any:
        """Return the vectors of the nodes, which are the root and the words."""
        return torch.cat([self.root.to(read.dtype).expand(len(read), 1, -1), read], 1)

    def _side(self, name: str, vectors: Any) -> Any:
        return self.drop(leaky_relu(self.sides[name](vectors), 0.1))

    def _scores(self, read: Any, rooted: Any, lengths: Any) -> Any:
        """Return the score of each node as head of each word, shape ``(sentences, words, nodes)``."""
        heads, dependents = self._side("head", rooted), self._side("dependent", read)
        scores = (_with_one(dependents) @ self.arc @ heads.transpose(1, 2)).float()
        words, nodes = torch.arange(scores.shape[1]), torch.arange(scores.shape[2])
        beyond = nodes[None, None, :] > lengths[:, None, None]
        itself = nodes[None, None, :] == words[None, :, None] + 1
        return scores.masked_fill(beyond | itself, -torch.inf)

    def _relations(self, read: Any, rooted: Any, heads: Any) -> Any:
        """Return the score of each relation of each word to its head, shape ``(sentences, words, relations)``."""
        sides = _with_one(self._side("relation_head", rooted))
        chosen = sides.gather(1, heads[:, :, None].expand(-1, -1, sides.shape[2]))
        dependents = _with_one(self._side("relation_dependent", read))
        halves = torch.einsum("bwi,rij->bwrj", dependents, self.relation)
        return torch.einsum("bwrj,bwj->bwr", halves, chosen).float()


def _products() -> Any:
    """Compute products in bfloat16 where the processor has instructions for it."""
    return torch.autocast("cpu", torch.bfloat16, enabled=product_type() is torch.bfloat16)


def _loss(scores: Any, gold: Any) -> Any:
    known = (gold != UNSAID).sum().clamp(min=1)
    flat = scores.float().flatten(0, 1)
    return cross_entropy(flat, gold.flatten(), ignore_index=UNSAID, reduction="sum") / known


def _with_one(vectors: Any) -> Any:
    return torch.cat([vectors, torch.ones_like(vectors[..., :1])], -1)


#: Words of the sentences that are labelled: shorter ones teach little, longer ones are seldom sentences.
LEAST, MOST = 3, 60
_UNSAID = ("_",) * 7
_ALL = frozenset(("lemma", "upos", "xpos", "feats", "head"))


class Segmenter:
    """Segments texts into sentences of words without labels.

    Args:
        tokenizer: A tokenizer as a trainer saves it.
        expander: A model that expands multi-word tokens, saved in the same way.
    """

    def __init__(self, tokenizer: Path, expander: Path) -> None:
        files = {}
        for name, saved in (("tokenize", tokenizer), ("mwt", expander)):
            files[name] = saved.with_suffix(".zip")
            torch.save(
                torch.load(saved, weights_only=True), files[name]
            )  # trainers save in torch's older format
        self._networks = Networks(files)

    def sentences(self, texts: Sequence[str]) -> Iterator[TreebankSentence]:
        """Yield the sentences of texts that are to be labelled."""
        for text, sentences in zip(texts, self._networks.cut(texts), strict=True):
            for tokens in sentences:
                found = TreebankSentence(tuple(_rows(text, tokens)), lacks=_ALL)
                if LEAST <= len(found.words) <= MOST:
                    yield found


def _rows(text: str, tokens: Sequence[SurfaceToken]) -> Iterator[tuple[str, ...]]:
    """Yield the rows of tokens and words as in CoNLL-U."""
    number = 0
    for place, token in enumerate(tokens):
        glued = place + 1 < len(tokens) and tokens[place + 1].start == token.end
        misc = "SpaceAfter=No" if glued else "_"
        form = text[token.start : token.end]
        parts = token.words or (form,)
        if len(parts) > 1:
            yield f"{number + 1}-{number + len(parts)}", form, *_UNSAID, misc
        for part in parts:
            number += 1
            yield str(number), part, *_UNSAID, misc if len(parts) == 1 else "_"


# The most pieces of a batch, padding included.
_TAUGHT, _PREDICTED = 1_600, 3_000
_DECAY, _LONGEST_GRADIENT = 0.01, 5.0
# The layers above the encoder start from random weights and learn at a higher rate.
_REST_RATE = 0.002
_WARM, _EVERY = 200, 1_000


class TeacherStage(Stage):
    """Trains a teacher.

    Args:
        lessons: The training data; sentences longer than the encoder takes are left out.
        encoder: The encoder that the teacher starts from.
        rate: The learning rate of the encoder.

    Attributes:
        labels: The labels that the teacher chooses from.
    """

    def __init__(self, lessons: Lessons, encoder: Encoder, rate: float) -> None:
        self.labels = labels_of(sentence for bank, _ in lessons.train for sentence in bank.sentences)
        self.network = TeacherNetwork(encoder, self.labels)
        self.optimizers, self._rate, self._encoder = [_optimizer(self.network, rate)], rate, encoder
        fitting = [(e, share) for bank, share in lessons.train for e in self._examples(bank.sentences) if e]
        self._train, self._shares = [e for e, _ in fitting], np.array([share for _, share in fitting])
        self._lengths = _lengths(self._train)
        self._dev = [example for example in self._examples(lessons.dev.sentences) if example]
        self._most = batch_words(_TAUGHT, lessons.train[0][0])

    def _examples(self, sentences: Sequence[TreebankSentence]) -> list[Example | None]:
        return [example_of(sentence, self._encoder, self.labels) for sentence in sentences]

    def schedule(self, epochs: float) -> Schedule:
        """Return a schedule of ``epochs`` epochs, with the dev set scored after each."""
        one = sum(1 for _ in self._epoch(np.random.default_rng(SEED)))
        steps = max(1, round(epochs * one))
        return Schedule(steps, self._rate, min(one, _EVERY), warm=min(_WARM, steps // 10))

    def batches(self) -> Iterator[Batch]:
        """Yield batches of sentences of similar length in random order, without end."""
        draw = np.random.default_rng(np.random.randint(2**31, size=4))
        while True:
            for numbers in self._epoch(draw):
                yield batch_of([self._train[number] for number in numbers])

    def _epoch(self, draw: np.random.Generator) -> Iterator[Any]:
        chosen = epoch_of(self._shares, draw)
        return (chosen[places] for places in shuffled(self._lengths[chosen], self._most, draw))

    def update(self, batch: Batch) -> float:
        """Learn from a batch and return its loss."""
        self.network.train()
        return self.learn(self.network.loss(batch), _LONGEST_GRADIENT)

    def score(self) -> dict[str, float]:
        """Return the mean of tagging and attachment accuracy on dev, then each of them."""
        right: dict[str, list[Any]] = {}
        for example, found in zip(self._dev, self._predicted(self._dev), strict=True):
            for name, equal in _right(example.gold, found).items():
                right.setdefault(name, []).append(equal)
        shares = {name: float(np.concatenate(equal).mean()) for name, equal in right.items()}
        return {"mean": float(np.mean(list(shares.values()))), **shares}

    def label(self, sentences: Sequence[TreebankSentence]) -> Iterator[TreebankSentence]:
        """Yield the labelled sentences, without those that are too long for the encoder."""
        read = [(s, e) for s, e in zip(sentences, self._examples(sentences), strict=True) if e]
        predicted = self._predicted([example for _, example in read])
        return (labelled(s, found, self.labels) for (s, _), found in zip(read, predicted, strict=True))

    def _predicted(self, examples: Sequence[Example]) -> list[dict[str, Any]]:
        """Return the numbers of the labels of each example by column."""
        labels: list[dict[str, Any]] = [{} for _ in examples]
        for numbers in ordered(_lengths(examples), _PREDICTED):
            found = self.network.predict(batch_of([examples[number] for number in numbers]))
            for row, number in enumerate(numbers):
                words = len(examples[number].words)
                labels[number] = {name: values[row, :words] for name, values in found.items()}
        return labels

    def save(self, path: Path) -> None:
        """Write the weights."""
        torch.save(self.network.state_dict(), path)

    def load(self, path: Path) -> None:
        """Read the weights."""
        self.network.load_state_dict(torch.load(path, weights_only=True))


def _right(gold: Mapping[str, Any], found: Mapping[str, Any]) -> dict[str, Any]:
    """Return for each score whether each counted word has the right label."""
    equal = {name: found[name] == gold[name] for name in gold}
    scores = {name: equal[name][gold[name] != UNSAID] for name in TAG_COLUMNS}
    said = gold["head"] != UNSAID
    return {**scores, "uas": equal["head"][said], "las": (equal["head"] & equal["deprel"])[said]}


def _optimizer(network: TeacherNetwork, rate: float) -> Any:
    encoder = [p for p in network.encoder.parameters() if p.requires_grad]
    inside = {id(p) for p in network.encoder.parameters()}
    rest = [p for p in network.parameters() if id(p) not in inside]
    groups: list[dict[str, Any]] = [{"params": encoder}, {"params": rest, "times": _REST_RATE / rate}]
    return torch.optim.AdamW(groups, lr=rate, weight_decay=_DECAY, fused=True)


def _lengths(examples: Sequence[Example]) -> Any:
    return np.array([len(e.pieces) for e in examples], dtype=np.int64)


_AT_ONCE = 500  # paragraphs whose sentences are in memory together
_SEEDS = 103  # makes the teacher's random numbers differ from those of the networks


def teach(
    lessons: Lessons, texts: Sequence[str], segmenter: Segmenter, plan: TeacherRecipe, work: Path
) -> Treebank:
    """Train a teacher and return the sentences it labels: each once, without those of the treebank and dev.

    Args:
        lessons: The training data.
        texts: The paragraphs to label.
        segmenter: Segments them into sentences and words.
        plan: The recipe of the teacher.
        work: A folder for the best teacher.
    """
    # Before the network is made: its initial weights decide the result, too.
    seed_everything(SEED * _SEEDS)
    stage = TeacherStage(lessons, Encoder(find_encoder(plan.encoder), plan.frozen), plan.rate)
    train(stage, stage.schedule(plan.epochs), work / "teacher.pt", "teacher")
    stage.load(work / "teacher.pt")
    seen = {_forms(s) for bank in (lessons.train[0][0], lessons.dev) for s in bank.sentences}
    found: list[TreebankSentence] = []
    for start in range(0, len(texts), _AT_ONCE):
        new: dict[tuple[str, ...], TreebankSentence] = {}
        for sentence in segmenter.sentences(texts[start : start + _AT_ONCE]):
            if _forms(sentence) not in seen:
                new.setdefault(_forms(sentence), sentence)
        found += stage.label(list(new.values()))
        seen |= new.keys()
    return Treebank(tuple(found))


def _forms(sentence: TreebankSentence) -> tuple[str, ...]:
    return tuple(row[FORM] for row in sentence.words)


def labelled(sentence: TreebankSentence, found: Mapping[str, Any], labels: Labels) -> TreebankSentence:
    """Return a sentence with its labels replaced.

    Args:
        sentence: The sentence; its lemmas stay.
        found: By column, the number of each word's label; for ``head`` the head itself.
        labels: The labels that the numbers stand for.
    """
    columns = {TAG_COLUMNS[name]: [values[n] for n in found[name]] for name, values in labels.tags.items()}
    columns[HEAD] = [str(n) for n in found["head"]]
    columns[DEPREL] = [labels.relations[n] for n in found["deprel"]]
    rows, word = [], 0
    for row in sentence.rows:
        if "-" in row[0]:
            rows.append(row)
            continue
        rows.append(tuple(columns[n][word] if n in columns else value for n, value in enumerate(row)))
        word += 1
    return replace(sentence, rows=tuple(rows), lacks=sentence.lacks & {"lemma"})
