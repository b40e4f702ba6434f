"""The networks of a package as stages of training: tokenizer, expander, tagger, lemmatizer, parser."""

from __future__ import annotations

import gzip
import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, repeat
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeAlias

import numpy as np
import torch
from stanza.models import lemmatizer, mwt_expander, parser, tagger, tokenizer
from stanza.models.common.doc import Document
from stanza.models.depparse.data import DataLoader as ParserLoader
from stanza.models.depparse.trainer import GraphTrainer
from stanza.models.depparse.trainer import Trainer as ParserTrainer
from stanza.models.lemma.data import DataLoader as LemmaLoader
from stanza.models.lemma.trainer import Trainer as LemmaTrainer
from stanza.models.mwt.data import BinaryDataLoader
from stanza.models.mwt.trainer import Trainer as ExpanderTrainer
from stanza.models.pos.data import Dataset
from stanza.models.pos.tag_columns import tag_columns_from_args
from stanza.models.pos.trainer import Trainer as TaggerTrainer
from stanza.models.tokenization.data import DataLoader as TokenizerLoader
from stanza.models.tokenization.data import TokenizationDataset
from stanza.models.tokenization.trainer import Trainer as TokenizerTrainer
from stanza.models.tokenization.utils import create_dictionary, predict
from stanza.utils.datasets.prepare_tokenizer_treebank import augment_punct

from jperrant.compact.lemmatizer import Lemmatizer
from jperrant.compact.parser import best_trees
from jperrant.core.conllu import FEATS, FORM, LEMMA, UPOS
from jperrant.parse.model_scores import stanza_document
from training.batches import (
    BATCH_WORDS,
    TAG_COLUMNS,
    Encoded,
    Sampled,
    batch_words,
    decode_tags,
    encode_parsed,
    encode_tagged,
    fast_optimizers,
    ordered,
)
from training.export import save_model
from training.loop import SEED, Stage
from training.networks import FastParserNetwork, FastTaggerNetwork
from training.treebank import Treebank, TreebankSentence, text_and_labels

# Tokenizer and expander

_REACH = 4  # a word's further characters; Chinese words are seldom longer
_KEPT = ("feat_funcs", "feat_dim", "use_mwt", "skip_newline", "use_dictionary", "num_dict_feat")


class TokenizerStage(Stage):
    """Trains Stanza's tokenizer.

    Args:
        train: The treebank, as running text.
        dev: The treebank that chooses the best round.
        options: Settings of Stanza's tokenizer.
        work: Folder for the texts and labels that Stanza reads.
        start: A model to continue from, with its words.
        words: The words of a new model: each character is marked with the words of up to five characters that
            begin or end there. Without words there are no such marks.
    """

    def __init__(
        self,
        train: Treebank,
        dev: Treebank,
        options: Mapping[str, Any],
        work: Path,
        start: Path | None = None,
        words: Sequence[str] = (),
    ) -> None:
        lexicon = list(words) or None
        args = _tokenizer_arguments(options, bool(words), train.multi_word_tokens > 0)
        files = {
            name: _write(bank, work / name)
            for name, bank in (("train", _paragraphs(_varied(train))), ("dev", dev))
        }
        if start is not None:
            self.trainer = TokenizerTrainer(model_file=str(start), device="cpu")
            vocab, dictionary = self.trainer.vocab, self.trainer.dictionary
            args |= {name: self.trainer.args[name] for name in _KEPT if name in self.trainer.args}
            # Without this Stanza may add characters to the vocabulary for which the network has no embedding.
            args |= {"augment_mid_punct_prob": 0.0, "augment_final_punct_prob": 0.0}
        else:
            vocab, dictionary = None, create_dictionary(lexicon) if lexicon else None
        self.train = TokenizerLoader(
            args,
            input_files=files["train"],
            vocab=vocab,
            dictionary=dictionary,
            mwt_expansions=_expansions(train),
        )
        vocab = self.train.vocab
        args["vocab_size"] = len(vocab)
        if start is None:
            self.trainer = TokenizerTrainer(
                args=args, vocab=vocab, lexicon=lexicon, dictionary=dictionary, device="cpu"
            )
        self.args = args
        self.dev = TokenizationDataset(
            args, input_files=files["dev"], evaluation=True, vocab=vocab, dictionary=dictionary
        )
        self.network, self.optimizers = self.trainer.model, [self.trainer.optimizer]

    def batches(self) -> Iterator[Any]:
        """Yield batches of sentences joined at random, without end."""
        while True:
            yield self.train.next(unit_dropout=self.args["unit_dropout"])

    def score(self) -> dict[str, float]:
        """Return the harmonic mean of the F1 of tokens and sentences on the dev set, then each."""
        predicted, _ = predict(self.trainer, self.dev, self.args["batch_size"], 1000, True, 0)
        gold = list(self.dev.labels())
        tokens = _f1(predicted, gold, {1, 2, 3, 4})
        sentences = _f1(predicted, gold, {2, 4})
        mean = 2 * tokens * sentences / (tokens + sentences) if tokens + sentences else 0.0
        return {"both": mean, "tokens": tokens, "sentences": sentences}


def _tokenizer_arguments(options: Mapping[str, Any], has_words: bool, use_mwt: bool) -> dict[str, Any]:
    """Return Stanza's arguments for a new tokenizer."""
    args = {
        **tokenizer.parse_args(["--cpu"]),
        "feat_funcs": list(tokenizer.DEFAULT_FEAT_FUNCS),
        "num_dict_feat": _REACH if has_words else 0,
        "use_dictionary": has_words,
        **options,
    }
    feat_dim = len(args["feat_funcs"]) + 2 * args["num_dict_feat"]
    return {**args, "feat_dim": feat_dim, "use_mwt": use_mwt}


def _expansions(treebank: Treebank) -> dict[str, tuple[str, ...]]:
    expansions = {}
    for sentence in treebank.sentences:
        for row in sentence.rows:
            if "-" in row[0]:
                first, last = map(int, row[0].split("-"))
                expansions[row[FORM]] = tuple(word[FORM] for word in sentence.words[first - 1 : last])
    return expansions


def _varied(treebank: Treebank) -> Treebank:
    """Add sentences with other quotes, apostrophes, dots and brackets where the treebank lacks them."""
    random.seed(SEED)  # this process only trains
    lines = augment_punct(
        [[f"# text = {text_and_labels([s])[0]}", *map("\t".join, s.rows)] for s in treebank.sentences]
    )
    marks = chain((s.new_paragraph for s in treebank.sentences), repeat(False))
    rows = (tuple(tuple(line.split("\t")) for line in sentence[1:]) for sentence in lines)
    return Treebank(tuple(map(TreebankSentence, rows, marks)))


def _paragraphs(treebank: Treebank) -> Treebank:
    """Let half of the sentences begin a paragraph in a treebank without paragraphs.

    Learners' text often has one sentence a line, which makes each a paragraph. A tokenizer that has never seen the
    end of a paragraph joins the last mark to the word before it.
    """
    if any(s.new_paragraph for s in treebank.sentences):
        return treebank
    chance = random.Random(SEED)
    return Treebank(tuple(replace(s, new_paragraph=chance.random() < 0.5) for s in treebank.sentences))


def _write(treebank: Treebank, path: Path) -> dict[str, str]:
    """Write text and labels as Stanza reads them, and return the names of the files."""
    files = {"txt": f"{path}.txt", "label": f"{path}.labels"}
    for name, content in zip(files.values(), text_and_labels(treebank.sentences), strict=True):
        Path(name).write_text(content + "\n", encoding="utf-8")
    return files


def _f1(predictions: Sequence[Any], gold: Sequence[Any], ends: set[int]) -> float:
    """Return the F1 of the units that end at one of these labels."""
    pairs = [
        (_spans(predicted, ends), _spans(expected, ends))
        for predicted, expected in zip(predictions, gold, strict=True)
    ]
    right = sum(len(found & expected) for found, expected in pairs)
    count = sum(len(found) + len(expected) for found, expected in pairs)
    return 2 * right / count if count else 0.0


def _spans(labels: Sequence[Any], ends: set[int]) -> set[tuple[int, int]]:
    places = [place for place, label in enumerate(labels) if int(label) in ends]
    return set(zip([0, *(place + 1 for place in places)], places, strict=False))


class ExpanderStage(Stage):
    """Trains Stanza's expander of multi-word tokens: a classifier that cuts a token into the words that spell it.

    Args:
        train: The treebank; it has multi-word tokens.
        dev: The treebank that chooses the best round; it has some, too.
        options: Settings of Stanza's expander.
    """

    def __init__(self, train: Treebank, dev: Treebank, options: Mapping[str, Any]) -> None:
        args = {
            **vars(mwt_expander.parse_args(["--cpu"])),
            **options,
            "force_exact_pieces": True,
            "num_layers": 2,
        }
        document = stanza_document(train.sentences)
        self.train = BinaryDataLoader(document, args["batch_size"], args)
        args["vocab_size"] = self.train.vocab.size
        self.trainer = ExpanderTrainer(args=args, vocab=self.train.vocab, device="cpu")
        self.trainer.train_dict(document.get_mwt_expansions())
        self.network, self.optimizers = self.trainer.model, [self.trainer.optimizer]
        gold = stanza_document(dev.sentences).get_mwt_expansions()
        self.forms, self.gold = zip(*gold, strict=True)
        # The one method of Stanza's documents that its loader calls for predictions.
        tokens = SimpleNamespace(get_mwt_expansions=lambda evaluation: self.forms)  # noqa: ARG005
        self.dev = BinaryDataLoader(tokens, args["batch_size"], args, self.train.vocab, evaluation=True)

    def batches(self) -> Iterator[Any]:
        """Yield shuffled batches without end."""
        while True:
            yield from self.train.to_loader()

    def score(self) -> dict[str, float]:
        """Return the share of the dev set's multi-word tokens that are cut correctly."""
        found = [words for batch in self.dev.to_loader() for words in self.trainer.predict(batch)]
        found = self.trainer.ensemble(self.forms, found)
        return {"mwt": sum(map(str.__eq__, found, self.gold)) / len(self.gold)}


# Lemmatizer


class LemmatizerStage(Stage):
    """Trains Stanza's lemmatizer.

    The network learns each pair of form and tag once, with its most frequent lemma, and not running text: frequent
    words are in the dictionary, and English text would be ten times as long.

    Args:
        train: The treebank.
        dev: The treebank that chooses the best round, by its gold tags.
        options: Settings of Stanza's lemmatizer.
        start: A model to continue from; its dictionary is made anew.
    """

    def __init__(
        self, train: Treebank, dev: Treebank, options: Mapping[str, Any], start: Path | None = None
    ) -> None:
        words = _counted(train)
        majority: dict[tuple[str, str], str] = {}
        for (form, upos, lemma), _ in words.most_common():
            majority.setdefault((form, upos), lemma)
        args = {**lemmatizer.parse_args(["--shorthand", "xx_x", "--cpu"]), **options}
        vocab = None
        if start is not None:
            self.trainer = LemmaTrainer(model_file=str(start), device="cpu", args={})
            vocab, args = self.trainer.vocab, self.trainer.args
        random.seed(SEED)
        document = _document((form, upos, lemma) for (form, upos), lemma in majority.items())
        self.train = LemmaLoader(document, args["batch_size"], args, vocab=vocab)
        vocab = self.train.vocab
        args["vocab_size"], args["pos_vocab_size"] = vocab["char"].size, vocab["pos"].size
        if start is None:
            self.trainer = LemmaTrainer(args=args, vocab=vocab, device="cpu")
        self.network = self.trainer.model
        self.optimizers = [] if self.network is None else [self.trainer.optimizer]
        self.trainer.pos_dict = {}
        self.trainer.train_dict(list(words.elements()))
        self.args, self.dev = args, _counted(dev)
        keys = dict.fromkeys(word[:2] for word in self.dev)
        self.unseen = [key for key in keys if not self.trainer.skip_seq2seq([key])[0]]
        document = _document((*key, "") for key in self.unseen)
        self.dev_batches = LemmaLoader(document, args["batch_size"], args, vocab=vocab, evaluation=True)

    def batches(self) -> Iterator[Any]:
        """Yield batches in random order, without end."""
        while True:
            numbers = list(range(len(self.train)))
            random.shuffle(numbers)
            for number in numbers:
                yield self.train[number]

    def score(self) -> dict[str, float]:
        """Return the share of dev words with the right lemma, then that of those not in the dictionary."""
        guessed = dict(zip(self.unseen, self._spelled(), strict=True))
        right: Counter[bool] = Counter()
        words: Counter[bool] = Counter()
        for (form, upos, lemma), count in self.dev.items():
            new = (form, upos) in guessed
            predicted = guessed[form, upos] if new else self.trainer.predict_dict([(form, upos)])[0]
            right[new] += count * (predicted == lemma)
            words[new] += count
        unseen = right[True] / words[True] if words[True] else 1.0
        return {"lemma": right.total() / words.total(), "unseen": unseen}

    def _spelled(self) -> list[str]:
        """Return the lemmas of the unseen words."""
        lemmas: list[str] = []
        edits: list[Any] = []
        for batch in self.dev_batches:
            spelled, kinds = self.trainer.predict(batch, self.args["beam_size"])
            lemmas += spelled
            edits += kinds
        return list(self.trainer.postprocess([form for form, _ in self.unseen], lemmas, edits=edits))


def _counted(treebank: Treebank) -> Counter[tuple[str, str, str]]:
    """Count form, tag and lemma of the words that have a lemma."""
    return Counter(
        (word[FORM], word[UPOS], word[LEMMA])
        for sentence in treebank.sentences
        for word in sentence.words
        if word[LEMMA] != "_" or word[FORM] == "_"
    )


def _document(words: Iterable[tuple[str, str, str]]) -> Any:
    return Document(
        [[{"id": (1,), "text": form, "upos": upos, "lemma": lemma}] for form, upos, lemma in words]
    )


def extend_dictionary(path: Path, lexicon: Mapping[tuple[str, str], str]) -> None:
    """Add the words that a lemmatizer gets wrong to the dictionary in its file.

    Args:
        path: A lemmatizer, at the precision at which it will be used.
        lexicon: Lemmas by form and UPOS, without those of its treebank.
    """
    state = torch.load(path, weights_only=True)
    found = Lemmatizer(state).lemmas(list(lexicon))
    dictionary: dict[str, dict[str, str]] = json.loads(gzip.decompress(state["dicts"]))
    for (form, upos), lemma in lexicon.items():
        if found[form, upos] != lemma:
            dictionary.setdefault(upos, {})[form] = lemma
    packed = json.dumps(dictionary, ensure_ascii=False, separators=(",", ":")).encode()
    save_model({**state, "dicts": gzip.compress(packed, mtime=0)}, path)


def guessed_lemmas(sentences: Iterable[TreebankSentence]) -> dict[tuple[str, str], str]:
    """Return the most frequent lemma of each form in lower case and UPOS."""
    counts = Counter(
        (row[FORM].lower(), row[UPOS], row[LEMMA])
        for sentence in sentences
        if "lemma" not in sentence.lacks
        for row in sentence.words
    )
    lemmas: dict[tuple[str, str], str] = {}
    for (form, upos, lemma), _ in counts.most_common():
        lemmas.setdefault((form, upos), lemma)
    return lemmas


def with_lemmas(
    sentence: TreebankSentence, lemmas: Mapping[tuple[str, str], str], unknown: str | None = None
) -> TreebankSentence:
    """Return a sentence with guessed lemmas for its words without one.

    Args:
        sentence: The sentence; lemmas that it has already stay.
        lemmas: The lemmas that ``guessed_lemmas`` returns.
        unknown: The lemma of words that have none there; None for the word itself.
    """
    if "lemma" not in sentence.lacks:
        return sentence
    rows = []
    for row in sentence.rows:
        if "-" not in row[0] and row[LEMMA] == "_":
            form = row[FORM].lower()
            lemma = lemmas.get((form, row[UPOS]), form if unknown is None else unknown)
            row = (*row[:LEMMA], lemma, *row[UPOS:])
        rows.append(row)
    return replace(sentence, rows=tuple(rows))


# Tagger and parser

_Shares: TypeAlias = Sequence[tuple[Treebank, float]]
"""Treebanks, each with how often an epoch takes each of its sentences."""


@dataclass(frozen=True, slots=True)
class Lessons:
    """The training data of a tagger, a parser or a teacher.

    Attributes:
        train: Treebanks, each with how often an epoch takes each of its sentences; the vocabularies come from them.
        dev: The treebank that chooses the best round.
        vectors: Initial word vectors of a new network; it also knows their words.
        taught: Sentences that a teacher labelled, as further training data.
        words: Further words that the network knows, in lower case.
    """

    train: _Shares
    dev: Treebank
    vectors: Mapping[str, Any] = field(default_factory=dict)
    taught: _Shares = ()
    words: Sequence[str] = ()


def frequent_words(treebank: Treebank, most: int) -> list[str]:
    """Return the most frequent words of a treebank in lower case, equally frequent ones in alphabetical order."""
    counts = Counter(row[FORM].lower() for s in treebank.sentences for row in s.words)
    return sorted(counts, key=lambda word: (-counts[word], word))[:most]


def resized(vectors: Mapping[str, Any], size: int) -> dict[str, Any]:
    """Return vectors of another size, with a standard deviation of 1 as torch's embeddings begin.

    A smaller size keeps the principal components; a larger one adds zeros.
    """
    table = np.stack(list(vectors.values())).astype(np.float64)
    table -= table.mean(0)
    if table.shape[1] > size:
        directions = np.linalg.svd(table.T @ table)[2]
        table = table @ directions[:size].T
    table /= table.std()
    padded = np.zeros((len(table), size), dtype=np.float32)
    padded[:, : table.shape[1]] = table
    return dict(zip(vectors, padded, strict=True))


class _WordStage(Stage):
    """The base class of the stages of tagger and parser.

    Attributes:
        lessons: The training data.
        fast: The network in the form that is trained here.
        sampled: The encoded training sentences.
    """

    lessons: Lessons
    fast: Any
    sampled: Sampled

    def batches(self) -> Iterator[Any]:
        """Yield batches of sentences of similar length in random order, without end."""
        return self.sampled.batches(batch_words(BATCH_WORDS, self.lessons.train[0][0]))

    def update(self, batch: Any) -> float:
        """Learn from a batch and return its loss."""
        return self.learn(self.fast.loss(batch), self.trainer.args["max_grad_norm"])


def _add_words(vocab: Any, lessons: Lessons) -> None:
    """Add the words of the vectors and of the teacher's sentences to one of Stanza's vocabularies."""
    for word in (*lessons.vectors, *lessons.words):
        if word not in vocab:
            vocab._unit2id[word] = len(vocab._id2unit)
            vocab._id2unit.append(word)


def _begin_with(embedding: Any, vocab: Any, vectors: Mapping[str, Any]) -> None:
    """Set the embeddings of words that have a vector; the others stay as they are."""
    if not vectors:
        return
    with torch.no_grad():
        for word, vector in resized(vectors, embedding.weight.shape[1]).items():
            embedding.weight[vocab.unit2id(word)] = torch.from_numpy(vector)


def _further_settings(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that may change in further training, since no weights depend on them."""
    kept = ("batch_size", "dropout", "word_dropout", "shorthand")
    return {name: value for name, value in options.items() if name in kept}


class TaggerStage(_WordStage):
    """Trains Stanza's tagger.

    Args:
        lessons: The training data.
        options: Settings of Stanza's tagger.
        start: A model to continue from, with its vocabulary; None begins anew.
    """

    def __init__(self, lessons: Lessons, options: Mapping[str, Any], start: Path | None = None) -> None:
        args = {**tagger.parse_args(["--no_pretrain", "--share_hid", "--cpu"]), **options}
        if start is None:
            documents = [stanza_document(bank.sentences) for bank, _ in lessons.train]
            vocab = Dataset.init_vocab(documents, args, tag_columns_from_args(args))
            _add_words(vocab["word"], lessons)
            self.trainer = TaggerTrainer(args=args, vocab=vocab, device="cpu")
            _begin_with(self.trainer.model.word_emb, vocab["word"], lessons.vectors)
        else:
            self.trainer = TaggerTrainer(args=_further_settings(options), model_file=str(start), device="cpu")
        self.network = self.trainer.model
        self.optimizers = fast_optimizers(self.trainer.optimizers)
        self.tagger = Tagger(self.trainer)
        self.lessons, self.fast = lessons, self.tagger.network
        # A column that no treebank has is learnt as empty.
        absent = {name for name in TAG_COLUMNS if all(_lacks(bank, name) for bank, _ in lessons.train)}
        sentences = [
            (replace(s, lacks=s.lacks - absent), share)
            for bank, share in (*lessons.train, *lessons.taught)
            for s in bank.sentences
        ]
        self.sampled = Sampled(sentences, self.tagger.encode, self.trainer.args["augment_nopunct"])

    def score(self) -> dict[str, float]:
        """Return the share of dev words with all tags right, then with each."""
        return self.tagger.score(self.lessons.dev)


def _lacks(bank: Treebank, name: str) -> bool:
    """Whether all sentences lack a column, so that it is learnt and measured as empty."""
    return all(name in sentence.lacks for sentence in bank.sentences)


class Tagger:
    """A tagger in training, or one that tags treebanks for a parser.

    Args:
        trainer: Stanza's trainer of the tagger.
    """

    def __init__(self, trainer: Any) -> None:
        self.vocab, self.names = trainer.vocab, trainer.model.tag_names
        self.network = FastTaggerNetwork(trainer.model, trainer.args)

    def encode(self, sentences: Sequence[TreebankSentence]) -> Encoded:
        """Encode sentences by the tagger's vocabularies."""
        return encode_tagged(sentences, self.vocab, self.names)

    def predict(
        self, sentences: Sequence[TreebankSentence], noise: float = 0.0
    ) -> list[list[tuple[str, ...]]]:
        """Return UPOS, XPOS and FEATS of each word of each sentence, an underscore for none.

        Args:
            sentences: The sentences.
            noise: Share of the training's dropout that is applied. On its own training data a tagger is nearly
                always right; with 0.15 to 0.3 it errs there about as often as on new text.
        """
        encoded = self.encode(sentences)
        predicted: list[list[tuple[str, ...]]] = [[] for _ in sentences]
        for numbers in ordered(encoded.lengths, _TAGGED_WORDS):
            batch = encoded.batch(numbers)
            best = self.network.predict(batch, noise).numpy()
            for place, number in enumerate(batch.numbers):
                rows = best[: encoded.lengths[number], place]
                predicted[number] = decode_tags(self.vocab, self.names, rows)
        return predicted

    def score(self, gold: Treebank) -> dict[str, float]:
        """Return the share of words with all tags right, then with each tag right; empty columns do not count."""
        right, words = np.zeros(4), np.zeros(4)
        empty = {name for name in TAG_COLUMNS if _lacks(gold, name)}
        for sentence, predicted in zip(gold.sentences, self.predict(gold.sentences), strict=True):
            known = np.array([name not in sentence.lacks - empty for name in TAG_COLUMNS])
            for row, tags in zip(sentence.words, predicted, strict=True):
                equal = np.array([row[n] == tag for n, tag in zip(TAG_COLUMNS.values(), tags, strict=True)])
                counted = np.append(True, known)
                right += np.append((equal | ~known).all(), equal) * counted
                words += counted
        shares = right / np.maximum(words, 1)
        return dict(zip(("all", *TAG_COLUMNS), map(float, shares), strict=True))


#: Words that a tagger and a parser score at a time.
_TAGGED_WORDS, _PARSED_WORDS = 4_000, 3_000
_WITHOUT_END = 0.1  # Stanza's target for the share of sentences without final punctuation


class ParserStage(_WordStage):
    """Trains Stanza's parser.

    Args:
        lessons: The training data; sentences without trees are left out.
        options: Settings of Stanza's parser.
        known: The tagger. Treebanks are learnt with its tags and with gold tags, the teacher's sentences and dev
            with its tags alone.
        copies: How often the treebanks are tagged, each time with other errors.
        noise: The noise of the tagger on the training data; see ``Tagger.predict``.
        start: A model to continue from.
    """

    def __init__(
        self,
        lessons: Lessons,
        options: Mapping[str, Any],
        known: Tagger,
        copies: int = 1,
        noise: float = 0.0,
        start: Path | None = None,
    ) -> None:
        switches = ["--no_pretrain", "--no_checkpoint", "--no_second_optim", "--no_plateau", "--cpu"]
        args = {**parser.parse_args(switches), **options}
        lemmas = guessed_lemmas(
            s for bank, _ in lessons.train for s in bank.sentences if "head" not in s.lacks
        )
        gold = _trees(lessons.train, lemmas)
        tagged = [*gold, *_tagged(gold, known, copies, noise)]
        further = _tagged(_trees(lessons.taught, lemmas), known, 1, noise)
        if start is None:
            vocab = ParserLoader(stanza_document(s for s, _ in tagged), args["batch_size"], args, None).vocab
            _add_words(vocab["word"], lessons)
            self.trainer = GraphTrainer(args=args, vocab=vocab, device="cpu")
            _begin_with(self.trainer.model.word_emb, vocab["word"], lessons.vectors)
        else:
            self.trainer = ParserTrainer.load(
                str(start), None, args=_further_settings(options), device="cpu", reset_history=True
            )
        self.network = self.trainer.model
        self.optimizers = fast_optimizers(self.trainer.optimizer)
        self.lessons, self.fast = lessons, FastParserNetwork(self.trainer.model, self.trainer.args)
        self.sampled = Sampled([*tagged, *further], self._encode, _WITHOUT_END)
        self.dev = [s for s, _ in _tagged(_trees([(lessons.dev, 1.0)], lemmas), known, 1, 0.0)]

    def _encode(self, sentences: Sequence[TreebankSentence]) -> Any:
        return encode_parsed(sentences, self.trainer.vocab)

    def score(self) -> dict[str, float]:
        """Return the labelled and the unlabelled attachment score on the dev set, over all words."""
        encoded = self._encode(self.dev)
        labelled = unlabelled = words = 0
        for numbers in ordered(encoded.lengths, _PARSED_WORDS):
            batch = encoded.batch(numbers)
            scores, relations = self.fast.predict(batch)
            heads = best_trees(scores.numpy(), batch.lengths.tolist())[:, 1:]
            found = relations(heads).numpy()
            gold_heads, gold_labels = (batch.columns[name].T[:, 1:].numpy() for name in ("head", "deprel"))
            counted = np.arange(heads.shape[1]) < batch.lengths.numpy()[:, None] - 1
            right = (heads == gold_heads) & counted
            words += int(counted.sum())
            unlabelled += int(right.sum())
            labelled += int((right & (found == gold_labels)).sum())
        return {"las": labelled / words, "uas": unlabelled / words}


_Sentences: TypeAlias = list[tuple[TreebankSentence, float]]
"""Sentences, each with how often an epoch takes it."""


def _trees(banks: _Shares, lemmas: Mapping[tuple[str, str], str]) -> _Sentences:
    """Return the sentences that have trees; missing lemmas, which a parser reads, are guessed."""
    return [
        (with_lemmas(s, lemmas), share)
        for bank, share in banks
        for s in bank.sentences
        if "head" not in s.lacks
    ]


def _tagged(sentences: _Sentences, known: Tagger, copies: int, noise: float) -> _Sentences:
    """Return the sentences once for each tagging asked for."""
    found = []
    for _ in range(copies):
        predicted = known.predict([s for s, _ in sentences], noise)
        for (sentence, share), tags in zip(sentences, predicted, strict=True):
            words = iter(tags)
            rows = tuple(
                row if "-" in row[0] else (*row[:UPOS], *next(words), *row[FEATS + 1 :])
                for row in sentence.rows
            )
            found.append((replace(sentence, rows=rows), share))
    return found
