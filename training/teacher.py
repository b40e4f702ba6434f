"""A teacher: an encoder that learns from treebanks and labels plain text, from which small networks learn.

Words are the first and the last of their pieces, in a mixture of all layers (Peters et al. 2018, eq. 1), beside
their capitals and last characters, which uncased encoders do not see. Heads and relations are scored by biaffine
products (Dozat and Manning 2017).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import is_zipfile

import numpy as np
import torch
from torch import nn
from torch.nn.functional import cross_entropy, leaky_relu
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from jperrant.compact.parser import best_trees
from jperrant.compact.pipeline import Networks
from jperrant.compact.tokenizer import Segment
from jperrant.core.conllu import DEPREL, FORM, HEAD
from jperrant.core.errors import InputError, UsageError
from jperrant.core.packages import ENCODERS, import_extra
from jperrant.encoders.models import computing, find_encoder, load_tokenizer, longest_input, tokenizer_limit
from jperrant.encoders.options import DEFAULT_LIMIT
from jperrant.encoders.vectors import load_encoder_model, tokens_of
from jperrant.parse.models import ModelFolder
from training.batches import TAG_COLUMNS, batch_words, epoch_of, ordered, shuffled
from training.loop import Report, Schedule, descend, seed_everything, train
from training.networks import product_type
from training.recipe import TeacherRecipe
from training.treebank import Treebank, TreebankSentence

# Flash attention's backward pass is slow on CPUs, and so are dropout masks of the size of attention.
_ATTENTION = "eager"
_NO_DROPOUT = {"attention_probs_dropout_prob": 0.0, "attention_dropout": 0.0}
#: Pieces that are kept of a word with more than all of them: the first and the last.
HEAD_PIECES, TAIL_PIECES = 6, 2


class WordPieces:
    """Cuts words into the pieces that an encoder reads.

    A word is cut as if a space stood before it: to tokenizers over bytes and to SentencePiece the space says that a
    word begins, others drop it.

    Args:
        folder: Where the encoder lies.

    Attributes:
        opening: Numbers of the tokens before a text, such as ``[CLS]``.
        closing: Numbers of those after it.
        limit: Most tokens that the tokenizer allows, or None.

    Raises:
        InputError: There is no tokenizer.
    """

    def __init__(self, folder: Path) -> None:
        self._tokenizer = load_tokenizer(folder, "encoder")
        (around,) = tokens_of(self._tokenizer, [" a"])
        self.opening, _, self.closing = around.parts
        self.limit = tokenizer_limit(self._tokenizer)
        self._known: dict[str, tuple[int, ...]] = {}

    def of(self, forms: Sequence[str]) -> list[tuple[int, ...]]:
        """Return the numbers of the pieces of each word, at least one and at most ``HEAD_PIECES + TAIL_PIECES``."""
        new = [form for form in dict.fromkeys(forms) if form not in self._known]
        for form, tokens in zip(new, tokens_of(self._tokenizer, [f" {form}" for form in new]), strict=True):
            pieces = tokens.parts[1] or (self._tokenizer.unk_token_id or 0,)
            if len(pieces) > HEAD_PIECES + TAIL_PIECES:
                pieces = pieces[:HEAD_PIECES] + pieces[-TAIL_PIECES:]
            self._known[form] = pieces
        return [self._known[form] for form in forms]


class Trainable:
    """An encoder whose weights learn.

    Args:
        folder: Where it lies.
        frozen: How many of its layers do not learn, counted from its input; with one or more its embeddings do not
            learn either. Of encoders whose layers share their weights only the embeddings can be frozen.

    Attributes:
        network: Torch's module; called with ``output_hidden_states`` it gives ``states`` of ``size`` numbers.
        states: Number of its hidden states, the embeddings counted.
        size: Numbers of a hidden state.
        limit: Most tokens it takes.
        pieces: Cuts words for it.

    Raises:
        CorruptModelError: The model cannot be loaded.
        InputError: There is no tokenizer, or it does not fit the model.
        UsageError: It has fewer layers than are to be frozen.
    """

    def __init__(self, folder: Path, frozen: int = 0) -> None:
        torch = import_extra("torch", ENCODERS)
        self.pieces = WordPieces(folder)
        self.network = load_encoder_model(folder, attn_implementation=_ATTENTION, config=_config(folder))
        limits = [limit for limit in (self.pieces.limit, longest_input(self.network)) if limit]
        self.limit: int = min(limits, default=DEFAULT_LIMIT)
        ids = [*self.pieces.opening, *self.pieces.of(["a"])[0], *self.pieces.closing]
        with computing(f"encoder {folder.name}"):
            states = self.network(input_ids=torch.tensor([ids]), output_hidden_states=True).hidden_states
        self.states, self.size = len(states), int(states[-1].shape[2])
        _freeze(self.network, frozen, folder.name)


def _config(folder: Path) -> Any:
    """Return the configuration of an encoder without dropout of attention."""
    transformers = import_extra("transformers", ENCODERS)
    config = transformers.AutoConfig.from_pretrained(
        str(folder), local_files_only=True, trust_remote_code=False
    )
    for name, value in _NO_DROPOUT.items():
        if hasattr(config, name):
            setattr(config, name, value)
    return config


def _freeze(network: Any, frozen: int, name: str) -> None:
    if not frozen:
        return
    layers = _layers(network)
    if layers is not None and frozen > len(layers):
        raise UsageError(f"frozen: found {frozen}, but encoder {name} has {len(layers)} layers")
    embeddings = getattr(network, "embeddings", None)
    still = [embeddings if embeddings is not None else network.get_input_embeddings()]
    for module in (*still, *(layers[:frozen] if layers is not None else ())):
        module.requires_grad_(False)


def _layers(network: Any) -> Any:
    """Return the list of a network's layers; families of models call it by different names."""
    torch = import_extra("torch", ENCODERS)
    count = network.config.num_hidden_layers
    lists = (m for m in network.modules() if isinstance(m, torch.nn.ModuleList) and len(m) == count)
    return next(lists, None)


@dataclass(frozen=True)
class Labels:
    """The labels that a teacher chooses from.

    Attributes:
        tags: The values of each column of tags that the treebanks have, in order: ``upos``, ``xpos``, ``feats``.
        relations: The relations, in order; none where the treebanks have no heads.
        of_roots: Those that words with head 0 have.
        of_others: Those that words with another head have.
        characters: The characters of words.
    """

    tags: Mapping[str, tuple[str, ...]]
    relations: tuple[str, ...]
    of_roots: frozenset[str]
    of_others: frozenset[str]
    characters: tuple[str, ...]

    @cached_property
    def numbers(self) -> Mapping[str, Mapping[str, int]]:
        """The number of each value of the columns, ``deprel`` one of them."""
        columns = {**self.tags, "deprel": self.relations}
        return {name: {v: n for n, v in enumerate(values)} for name, values in columns.items()}

    @cached_property
    def character_numbers(self) -> Mapping[str, int]:
        """The number of each character, from 2; 0 is for none and 1 for others."""
        return {character: number for number, character in enumerate(self.characters, start=2)}


def labels_of(sentences: Iterable[TreebankSentence]) -> Labels:
    """Return the labels of sentences; columns that a sentence ``lacks`` say nothing."""
    tags: dict[str, set[str]] = {name: set() for name in TAG_COLUMNS}
    relations: tuple[set[str], set[str]] = (set(), set())
    characters: set[str] = set()
    for sentence in sentences:
        characters.update(*(row[FORM] for row in sentence.words))
        for name in tags.keys() - sentence.lacks:
            tags[name].update(row[TAG_COLUMNS[name]] for row in sentence.words)
        for row in attached(sentence):
            relations[row[HEAD] != "0"].add(row[DEPREL])
    return Labels(
        {name: tuple(sorted(values)) for name, values in tags.items() if values},
        tuple(sorted(relations[0] | relations[1])),
        frozenset(relations[0]),
        frozenset(relations[1]),
        tuple(sorted(characters)),
    )


def attached(sentence: TreebankSentence) -> Iterator[tuple[str, ...]]:
    """Yield the words of a sentence that have a head."""
    return (row for row in sentence.words if row[HEAD] != "_")


#: Marks what a treebank does not say; torch's losses pass over it.
UNSAID = -100
#: Marks what a treebank says and a teacher does not know; only dev treebanks have such.
_NEVER = -1
#: Characters at the end of a word that are read.
SPELLED = 16
_OTHER_CHARACTER = 1
#: Number of ways in which capitals are distributed over a word.
SHAPES = 6


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence as numbers.

    Attributes:
        pieces: What the encoder reads, special tokens included, shape ``(pieces,)``.
        words: For each word its first and last piece, shape, and last characters, shape ``(words, 3 + SPELLED)``.
        gold: Numbers of labels by column, ``head`` one of them, each of shape ``(words,)``; empty for plain text.
    """

    pieces: Any
    words: Any
    gold: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Batch:
    """Examples together, padded with 0, gold labels with ``UNSAID``.

    Attributes:
        pieces: Shape ``(sentences, pieces)``.
        known: 1 for pieces, 0 for padding, of the same shape.
        words: Shape ``(sentences, words, 3 + SPELLED)``.
        lengths: Words of each sentence, shape ``(sentences,)``.
        gold: By column, each of shape ``(sentences, words)``.
    """

    pieces: Any
    known: Any
    words: Any
    lengths: Any
    gold: Mapping[str, Any]


class Reader:
    """Turns sentences into numbers.

    Args:
        encoder: Whose pieces and limit count.
        labels: The labels to learn.
    """

    def __init__(self, encoder: Trainable, labels: Labels) -> None:
        self._pieces, self._limit, self._labels = encoder.pieces, encoder.limit, labels

    def example(self, sentence: TreebankSentence, gold: bool = True) -> Example | None:
        """Return a sentence as numbers, or None where it is longer than the encoder takes.

        Args:
            sentence: The sentence.
            gold: Whether its labels are wanted, too.
        """
        forms = [row[FORM] for row in sentence.words]
        inner = self._pieces.of(forms)
        ends = np.cumsum([len(self._pieces.opening), *map(len, inner)])
        ids = (*self._pieces.opening, *(piece for word in inner for piece in word), *self._pieces.closing)
        if len(ids) > self._limit:
            return None
        words = np.zeros((len(forms), 3 + SPELLED), dtype=np.int32)
        words[:, 0], words[:, 1] = ends[:-1], ends[1:] - 1
        words[:, 2] = [capitals(form) for form in forms]
        for number, form in enumerate(forms):
            words[number, -len(form[-SPELLED:]) :] = self._spelled(form)
        return Example(np.array(ids, dtype=np.int32), words, self._gold(sentence) if gold else {})

    def _spelled(self, form: str) -> list[int]:
        known = self._labels.character_numbers
        return [known.get(character, _OTHER_CHARACTER) for character in form[-SPELLED:]]

    def _gold(self, sentence: TreebankSentence) -> dict[str, Any]:
        numbers, rows, found = self._labels.numbers, sentence.words, {}
        for name in self._labels.tags:
            known, place = numbers[name], TAG_COLUMNS[name]
            said = name not in sentence.lacks
            found[name] = [known.get(row[place], _NEVER) if said else UNSAID for row in rows]
        if self._labels.relations:
            found["head"] = [int(row[HEAD]) if row[HEAD] != "_" else UNSAID for row in rows]
            known = numbers["deprel"]
            found["deprel"] = [known.get(row[DEPREL], _NEVER) if row[HEAD] != "_" else UNSAID for row in rows]
        return {name: np.array(values, dtype=np.int32) for name, values in found.items()}


def capitals(form: str) -> int:
    """Return how capitals are distributed over a word, which uncased encoders do not see; below ``SHAPES``."""
    if form.isupper():
        return 1 if len(form) > 1 else 2
    if form[:1].isupper():
        return 3
    if form.islower():
        return 4
    return 5 if any(character.isupper() for character in form) else 0


def batch_of(examples: Sequence[Example]) -> Batch:
    """Return examples together."""
    known = _padded([np.ones_like(e.pieces) for e in examples])
    return Batch(
        _padded([e.pieces for e in examples]),
        known,
        _padded([e.words for e in examples]),
        torch.tensor([len(e.words) for e in examples]),
        {name: _padded([e.gold[name] for e in examples], UNSAID) for name in examples[0].gold},
    )


def _padded(rows: Sequence[Any], value: int = 0) -> Any:
    table = np.full((len(rows), max(map(len, rows)), *rows[0].shape[1:]), value, dtype=np.int64)
    for number, row in enumerate(rows):
        table[number, : len(row)] = row
    return torch.from_numpy(table)


_WORD, _CONTEXT, _ARC, _RELATION = 400, 256, 400, 128
_CHARACTER, _FILTERS, _WIDTHS = 32, 48, (2, 3, 5)
_CAPITALS = 16
_DROPOUT = 0.25


class TeacherNetwork(nn.Module):  # type: ignore[misc]  # untyped in torch
    """Labels words.

    Args:
        encoder: What reads the pieces of words.
        labels: What they are labelled with.
    """

    def __init__(self, encoder: Trainable, labels: Labels) -> None:
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
        self.arcs = _Arcs(read, labels) if labels.relations else None

    def loss(self, batch: Batch) -> Any:
        """Return the sum over the columns of the mean loss of the words that have them."""
        with _products():
            read = self._read(batch)
            losses = [_loss(layer(read), batch.gold[name]) for name, layer in self.tags.items()]
            if self.arcs is not None:
                losses += self.arcs.losses(read, batch)
        return sum(losses)

    def predict(self, batch: Batch) -> dict[str, Any]:
        """Return the numbers of the best labels by column, ``head`` one of them, each ``(sentences, words)``.

        The heads of a sentence are its best tree with one root.
        """
        self.eval()
        with torch.inference_mode(), _products():
            read = self._read(batch)
            found = {name: layer(read).argmax(2).numpy() for name, layer in self.tags.items()}
            if self.arcs is not None:
                found |= self.arcs.predict(read, batch)
        self.train()
        return found

    def _read(self, batch: Batch) -> Any:
        """Return the vectors of words in their sentence, shape ``(sentences, words, size)``."""
        encoded = self.encoder(
            input_ids=batch.pieces, attention_mask=batch.known, output_hidden_states=True
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
        # Which relations the root has, and which others have.
        self._allowed = np.array(
            [[r in those for r in labels.relations] for those in (labels.of_roots, labels.of_others)]
        )

    def losses(self, read: Any, batch: Batch) -> list[Any]:
        """Return the mean loss of heads and that of the relations to the right ones."""
        heads = batch.gold["head"]
        rooted = self._rooted(read)
        scores = self._scores(read, rooted, batch.lengths)
        relations = self._relations(read, rooted, heads.clamp(min=0))
        return [_loss(scores, heads), _loss(relations, batch.gold["deprel"])]

    def predict(self, read: Any, batch: Batch) -> dict[str, Any]:
        """Return the heads of the best trees, and relations."""
        rooted = self._rooted(read)
        scores = self._scores(read, rooted, batch.lengths).numpy()
        nodes = np.concatenate([np.zeros_like(scores[:, :1]), scores], 1)
        heads = best_trees(nodes, (batch.lengths + 1).tolist())[:, 1:]
        relations = self._relations(read, rooted, torch.from_numpy(heads.astype(np.int64)))
        allowed = self._allowed[(heads > 0).astype(int)]
        return {"head": heads, "deprel": np.where(allowed, relations.numpy(), -np.inf).argmax(2)}

    def _rooted(self, read: Any) -> Any:
        """Return the vectors of the nodes: the root and the words."""
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
    """Let products be of bfloat16 where the processor multiplies it itself."""
    return torch.autocast("cpu", torch.bfloat16, enabled=product_type() is torch.bfloat16)


def _loss(scores: Any, gold: Any) -> Any:
    known = (gold != UNSAID).sum().clamp(min=1)
    flat = scores.float().flatten(0, 1)
    return cross_entropy(flat, gold.flatten(), ignore_index=UNSAID, reduction="sum") / known


def _with_one(vectors: Any) -> Any:
    return torch.cat([vectors, torch.ones_like(vectors[..., :1])], -1)


#: Words of the sentences that are worth labelling: shorter ones tell little, longer ones are seldom sentences.
LEAST, MOST = 3, 60
_UNSAID = ("_",) * 7
_ALL = frozenset(("lemma", "upos", "xpos", "feats", "head"))


class Segmenter:
    """Segments texts into sentences of words without labels.

    Args:
        models: A tokenizer, and an expander where tokens may stand for several words.

    Raises:
        UsageError: There is no tokenizer.
        CorruptModelError: It is of a kind that is not trained here.
    """

    def __init__(self, models: ModelFolder) -> None:
        if "tokenize" not in models.files:
            raise UsageError(
                f"the texts for the teacher need a tokenizer, but {models.folder} contains none; also train "
                "tokenize, or give models made by such a training with --start"
            )
        with TemporaryDirectory() as folder:
            files = dict(models.files)
            for name in files.keys() & {"tokenize", "mwt"}:
                if not is_zipfile(file := files[name]):  # Stanza's trainers write torch's older format
                    files[name] = Path(folder) / f"{name}.pt"
                    torch.save(torch.load(file, map_location="cpu", weights_only=True), files[name])
            networks = Networks(files)
            self._tokenizer, self._expander = networks.tokenizer, networks.expander

    def sentences(self, texts: Sequence[str]) -> Iterator[TreebankSentence]:
        """Yield the sentences of texts that are worth labelling."""
        cut = [sentence for text in self._tokenizer.segments(texts) for sentence in text]
        several = {token.form for sentence in cut for token in sentence if token.several}
        words = self._expander.words(sorted(several)) if self._expander and several else {}
        for sentence in cut:
            rows = tuple(_rows(sentence, words))
            found = TreebankSentence(rows, lacks=_ALL)
            if LEAST <= len(found.words) <= MOST and all(map(_writable, rows)):
                yield found


def _rows(tokens: Sequence[Segment], words: Mapping[str, tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """Yield the rows of tokens and words as CoNLL-U has them."""
    number = 0
    for place, token in enumerate(tokens):
        glued = place + 1 < len(tokens) and tokens[place + 1].start == token.end
        misc = "SpaceAfter=No" if glued else "_"
        parts = words.get(token.form, (token.form,)) if token.several else (token.form,)
        if len(parts) > 1:
            yield f"{number + 1}-{number + len(parts)}", token.form, *_UNSAID, misc
        for part in parts:
            number += 1
            yield str(number), part, *_UNSAID, misc if len(parts) == 1 else "_"


def _writable(row: Sequence[str]) -> bool:
    """Whether a form can stand in CoNLL-U: it is more than spaces and holds none that separate columns or lines."""
    form = row[FORM]
    return bool(form.strip()) and not any(mark in form for mark in "\t\r\n")


# Most pieces of a batch, padding counted.
_TAUGHT, _PREDICTED = 1_600, 3_000
_DECAY, _LONGEST_GRADIENT = 0.01, 5.0
# What is not the encoder begins with random weights and learns faster.
_REST_RATE = 0.002
_WARM, _EVERY = 200, 1_000


class TeacherStage:
    """Trains a teacher.

    Args:
        train: Treebanks, each with how often an epoch takes each of its sentences; those longer than the encoder
            takes are left out.
        dev: Chooses the best round.
        encoder: What the teacher begins with.
        rate: The learning rate of the encoder.

    Attributes:
        labels: What the teacher tells of words.
        reader: Turns sentences into what it reads.
    """

    def __init__(
        self, train: Sequence[tuple[Treebank, float]], dev: Treebank, encoder: Trainable, rate: float
    ) -> None:
        self.labels = labels_of(sentence for bank, _ in train for sentence in bank.sentences)
        self.reader = Reader(encoder, self.labels)
        self._network = TeacherNetwork(encoder, self.labels)
        self._optimizer = _optimizer(self._network, rate)
        fitting = [(e, share) for bank, share in train for e in self._examples(bank)]
        self._train, self._shares = [e for e, _ in fitting], np.array([share for _, share in fitting])
        self._lengths, self._dev, self._rate = _lengths(self._train), self._examples(dev), rate
        self._most = batch_words(_TAUGHT, train[0][0])
        for bank, examples in ((train[0][0], self._train), (dev, self._dev)):
            if not examples:
                raise UsageError(
                    f"{bank.name}: all sentences have more than the {encoder.limit} word pieces that the encoder "
                    "takes; choose another"
                )

    def _examples(self, bank: Treebank) -> list[Example]:
        return [e for e in map(self.reader.example, bank.sentences) if e is not None]

    @property
    def network(self) -> Any:
        """Torch's module."""
        return self._network

    @property
    def optimizers(self) -> Iterable[Any]:
        """Torch's optimizer of the network."""
        return [self._optimizer]

    def schedule(self, epochs: float, seed: int) -> Schedule:
        """Return a schedule of so many epochs, with a look at the dev set after each."""
        one = sum(1 for _ in self._epoch(np.random.default_rng(seed)))
        steps = max(1, round(epochs * one))
        return Schedule(steps, self._rate, min(one, steps, _EVERY), seed, warm=min(_WARM, steps // 10))

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
        self._network.train()
        return descend(self._network, self.optimizers, self._network.loss(batch), _LONGEST_GRADIENT)

    def score(self) -> dict[str, float]:
        """Return the mean of the shares of dev words with the right tags and attachment, then each."""
        right: dict[str, int] = {}
        said: dict[str, int] = {}
        for numbers, found in self._predicted(self._dev):
            for place, number in enumerate(numbers):
                of_sentence = {name: values[place] for name, values in found.items()}
                for name, equal in _right(self._dev[number], of_sentence).items():
                    right[name] = right.get(name, 0) + int(equal.sum())
                    said[name] = said.get(name, 0) + len(equal)
        shares = {name: right[name] / said[name] for name in right if said[name]}
        return {"mean": float(np.mean(list(shares.values()))) if shares else 0.0, **shares}

    def label(self, sentences: Sequence[TreebankSentence]) -> list[dict[str, Any] | None]:
        """Return the numbers of the labels of each sentence by column; None of what is too long for the encoder."""
        read = [self.reader.example(sentence, gold=False) for sentence in sentences]
        examples = [example for example in read if example is not None]
        places = [place for place, example in enumerate(read) if example is not None]
        labels: list[dict[str, Any] | None] = [None] * len(sentences)
        for numbers, found in self._predicted(examples):
            for row, number in enumerate(numbers):
                words = len(examples[number].words)
                labels[places[number]] = {name: values[row, :words] for name, values in found.items()}
        return labels

    def _predicted(self, examples: Sequence[Example]) -> Iterator[tuple[list[int], dict[str, Any]]]:
        """Yield what is predicted, in batches, each with the numbers of its examples."""
        for numbers in ordered(_lengths(examples), _PREDICTED):
            yield numbers, self._network.predict(batch_of([examples[number] for number in numbers]))

    def save(self, path: Path) -> None:
        """Write the weights."""
        torch.save(self._network.state_dict(), path)

    def load(self, path: Path) -> None:
        """Read the weights."""
        self._network.load_state_dict(torch.load(path, map_location="cpu", weights_only=True))


def _right(example: Example, found: dict[str, Any]) -> dict[str, Any]:
    """Return for each score which of the words that count have the right label."""
    gold, words = example.gold, len(example.words)
    equal = {name: found[name][:words] == gold[name] for name in gold}
    counted = {name: gold[name] != UNSAID for name in gold}
    if "head" in equal:
        equal["las"], counted["las"] = equal["head"] & equal.pop("deprel"), counted.pop("deprel")
    return {("uas" if name == "head" else name): equal[name][counted[name]] for name in equal}


def _optimizer(network: TeacherNetwork, rate: float) -> Any:
    encoder = [p for p in network.encoder.parameters() if p.requires_grad]
    inside = {id(p) for p in network.encoder.parameters()}
    rest = [p for p in network.parameters() if id(p) not in inside]
    groups: list[dict[str, Any]] = [{"params": encoder}, {"params": rest, "times": _REST_RATE / rate}]
    learning = [group for group in groups if group["params"]]
    return torch.optim.AdamW(learning, lr=rate, weight_decay=_DECAY, fused=True)


def _lengths(examples: Sequence[Example]) -> Any:
    return np.array([len(e.pieces) for e in examples], dtype=np.int64)


_MODEL = "teacher.pt"
_AT_ONCE = 500  # paragraphs; their sentences are in memory together
_SEEDS = 103  # sets a teacher's random numbers apart from those of the networks


@dataclass(frozen=True, slots=True)
class Lessons:
    """What a teacher learns from, and what it then labels.

    Attributes:
        train: Treebanks, each with how often an epoch takes each of its sentences.
        dev: Chooses the best teacher.
        texts: The paragraphs to label.
        models: What cuts them into sentences and words.
    """

    train: Sequence[tuple[Treebank, float]]
    dev: Treebank
    texts: Sequence[str]
    models: ModelFolder


def teach(
    lessons: Lessons, plan: TeacherRecipe, seed: int, work: Path, report: Report
) -> tuple[Treebank, dict[str, float]]:
    """Train a teacher; return what it labels, and its scores.

    Args:
        lessons: What it learns from and what it labels.
        plan: How.
        seed: What all randomness derives from.
        work: A folder for the best teacher.
        report: Told what happens.

    Raises:
        InputError: The texts have no sentence that can be labelled, or the encoder has no tokenizer.
        MissingModelError, MissingExtraError, CorruptModelError: The encoder is missing or damaged.
        UsageError: The encoder does not fit the recipe or the treebanks, or nothing cuts texts.
    """
    segmenter = Segmenter(lessons.models)
    # Before the network is made: what it begins with is part of the result.
    seed_everything(seed * _SEEDS)
    encoder = Trainable(find_encoder(plan.encoder), plan.frozen)
    stage = TeacherStage(lessons.train, lessons.dev, encoder, plan.rate)
    best = train(stage, stage.schedule(plan.epochs, seed), work / _MODEL, "teacher", report)
    stage.load(work / _MODEL)
    known = (s for bank in (lessons.train[0][0], lessons.dev) for s in bank.sentences)
    found = tuple(_labelled(stage, lessons.texts, segmenter, known, report))
    if not found:
        raise InputError(
            "found no sentence in the texts for the teacher that it can label; expected sentences of 3 to 60 "
            "words, one paragraph per line, that are not in the treebanks"
        )
    return Treebank("what the teacher labelled", found), best


def _labelled(
    stage: TeacherStage,
    texts: Sequence[str],
    segmenter: Segmenter,
    known: Iterable[TreebankSentence],
    report: Report,
) -> Iterator[TreebankSentence]:
    """Yield the sentences of texts, each once and none of those that are known, as the teacher labels them."""
    seen = set(map(_forms, known))
    for start in range(0, len(texts), _AT_ONCE):
        new = []
        for sentence in segmenter.sentences(texts[start : start + _AT_ONCE]):
            if _forms(sentence) not in seen:
                seen.add(_forms(sentence))
                new.append(sentence)
        for sentence, labels in zip(new, stage.label(new), strict=True):
            if labels is not None:
                yield labelled(sentence, labels, stage.labels)
        report("teacher labels", min(start + _AT_ONCE, len(texts)), len(texts), None, None)


def _forms(sentence: TreebankSentence) -> tuple[str, ...]:
    return tuple(row[FORM] for row in sentence.words)


def labelled(sentence: TreebankSentence, found: dict[str, Any], labels: Labels) -> TreebankSentence:
    """Return a sentence with labels instead of its own.

    Args:
        sentence: The sentence; its lemmas stay.
        found: By column, the number of each word's label; of ``head`` the head itself.
        labels: What the numbers stand for.
    """
    columns = {TAG_COLUMNS[name]: [values[n] for n in found[name]] for name, values in labels.tags.items()}
    if labels.relations:
        columns |= {
            HEAD: [str(n) for n in found["head"]],
            DEPREL: [labels.relations[n] for n in found["deprel"]],
        }
    rows, word = [], 0
    for row in sentence.rows:
        if "-" in row[0]:
            rows.append(row)
            continue
        rows.append(tuple(columns[n][word] if n in columns else value for n, value in enumerate(row)))
        word += 1
    lacks = sentence.lacks - labels.tags.keys() - ({"head"} if labels.relations else set())
    return replace(sentence, rows=tuple(rows), lacks=lacks)
