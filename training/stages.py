"""The networks of a package as stages of training: tokenizer, expander, tagger, lemmatizer, parser."""

from __future__ import annotations

import gzip
import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from jperrant.compact.lemmatizer import Lemmatizer
from jperrant.compact.parser import best_tree
from jperrant.core.conllu import FEATS, FORM, LEMMA, UPOS
from jperrant.core.errors import FormatError, InputError
from jperrant.core.messages import plural
from jperrant.io.files import read_lines
from jperrant.parse.scores import stanza_document
from training.batches import (
    BATCH_WORDS,
    TAG_COLUMNS,
    Encoded,
    Sampled,
    batch_words,
    decode_tags,
    encode_parsed,
    encode_tagged,
    fast_optimizer,
)
from training.export import whole_file
from training.learner_errors import ErrorTable, with_errors
from training.loop import TrainerStage
from training.networks import FastParserNetwork, FastTaggerNetwork
from training.treebank import Treebank, TreebankSentence, text_and_labels


def read_vectors(path: Path, most: int) -> dict[str, Any]:
    """Read word vectors in the text format of word2vec and GloVe: a word a line, then its numbers.

    Args:
        path: The file, the most frequent words first; a first line with two numbers, as word2vec writes it, is
            passed over. ``.xz``, ``.gz`` and ``.bz2`` are decompressed.
        most: How many words to take. Words are lowercased; of equal ones the first counts.

    Returns:
        The vectors by word, each of shape ``(size,)``.

    Raises:
        FormatError: A line has no vector, or one of another size than before, or something other than a number.
        InputError: The file cannot be read, or is empty.
    """
    vectors: dict[str, Any] = {}
    size = 0
    for number, line in enumerate(read_lines(str(path)), 1):
        word, *values = line.rstrip().split(" ")
        if number == 1 and len(values) == 1:
            continue
        if len(vectors) == most:
            break
        size = size or len(values)
        vectors.setdefault(word.lower(), _vector(values, size, str(path), number))
    if not vectors:
        raise InputError(f"{path}: no word vectors there; expected a word a line, then its numbers")
    return vectors


def _vector(values: list[str], size: int, path: str, line: int) -> Any:
    if not size:
        raise FormatError(path, line, "a word without a vector; expected its numbers behind it")
    if len(values) != size:
        found = plural(len(values), "number")
        raise FormatError(path, line, f"a word vector of {found}, expected {size} as in the lines before")
    try:
        return np.array(values, dtype=np.float32)
    except ValueError as error:
        wrong = str(error).rpartition(": ")[2]
        raise FormatError(path, line, f"a word vector holds {wrong}, expected numbers") from None


def joined(files: Mapping[str, int], folder: Path) -> dict[str, Any]:
    """Read several files of vectors, each with how many words to take; of equal words the first counts."""
    found: dict[str, Any] = {}
    for name, most in files.items():
        for word, vector in read_vectors(folder / name, most).items():
            found.setdefault(word, vector)
    return found


def resized(vectors: Mapping[str, Any], size: int) -> dict[str, Any]:
    """Return vectors of another size, with a standard deviation of 1 as torch's embeddings begin.

    Fewer numbers are the coordinates along the directions of most variance; where more are wanted, the rest are 0.
    """
    table = np.stack(list(vectors.values())).astype(np.float64)
    table -= table.mean(0)
    if table.shape[1] > size:
        directions = np.linalg.svd(table.T @ table)[2]
        table = table @ directions[:size].T
    table /= table.std() or 1.0
    padded = np.zeros((len(table), size), dtype=np.float32)
    padded[:, : table.shape[1]] = table
    return dict(zip(vectors, padded, strict=True))


def add_words(vocab: Any, words: Iterable[str]) -> None:
    """Let one of Stanza's vocabularies know further words."""
    for word in words:
        if word not in vocab:
            vocab._unit2id[word] = len(vocab._id2unit)
            vocab._id2unit.append(word)


def begin_with(embedding: Any, vocab: Any, vectors: Mapping[str, Any]) -> None:
    """Set the rows of words that have a vector; the others stay as they are."""
    if not vectors:
        return
    import torch

    with torch.no_grad():
        for word, vector in resized(vectors, embedding.weight.shape[1]).items():
            embedding.weight[vocab.unit2id(word)] = torch.from_numpy(vector)


def guessed_lemmas(sentences: Iterable[TreebankSentence]) -> dict[tuple[str, str], str]:
    """Return the most frequent lemma of each form in lower case and UPOS."""
    counts = Counter(
        (row[FORM].lower(), row[UPOS], row[LEMMA])
        for s in sentences
        if "lemma" not in s.lacks
        for row in s.words
    )
    lemmas: dict[tuple[str, str], str] = {}
    for (form, upos, lemma), _ in counts.most_common():
        lemmas.setdefault((form, upos), lemma)
    return lemmas


def with_lemmas(
    sentence: TreebankSentence, lemmas: Mapping[tuple[str, str], str], unknown: str | None = None
) -> TreebankSentence:
    """Return a sentence with lemmas where its file has none but others have.

    Args:
        sentence: The sentence; lemmas that it has already stay.
        lemmas: What ``guessed_lemmas`` returns.
        unknown: The lemma of words that have none there; None for the word itself.
    """
    if "lemma" not in sentence.lacks or not lemmas:
        return sentence
    rows = []
    for row in sentence.rows:
        if "-" not in row[0] and row[LEMMA] == "_":
            form = row[FORM].lower()
            lemma = lemmas.get((form, row[UPOS]), form if unknown is None else unknown)
            row = (*row[:LEMMA], lemma, *row[UPOS:])
        rows.append(row)
    return replace(sentence, rows=tuple(rows))


Lexicon = Mapping[tuple[str, str], str]
"""Lemmas by form and UPOS."""


def read_lexicon(path: Path) -> dict[tuple[str, str], str]:
    """Read words with their lemmas: form, UPOS and lemma a line, with tabs between.

    Args:
        path: The file; of equal forms with equal tags the first counts. ``.xz``, ``.gz`` and ``.bz2`` are
            decompressed.

    Raises:
        FormatError: A line has other columns, or one that is empty.
        InputError: The file cannot be read, or is empty.
    """
    lexicon: dict[tuple[str, str], str] = {}
    for number, line in enumerate(read_lines(str(path)), 1):
        columns = line.rstrip("\r\n").split("\t")
        if len(columns) != 3 or not all(columns):
            expected = "expected form, UPOS and lemma with tabs between"
            raise FormatError(str(path), number, f"found {line.strip()[:80]!r}, {expected}")
        form, upos, lemma = columns
        lexicon.setdefault((form, upos), lemma)
    if not lexicon:
        raise InputError(f"{path}: found no words, expected form, UPOS and lemma with tabs between")
    return lexicon


def beyond(lexicon: Lexicon, treebank: Treebank) -> dict[tuple[str, str], str]:
    """Return the words of a lexicon that a treebank does not have with their UPOS."""
    known = {(row[FORM], row[UPOS]) for sentence in treebank.sentences for row in sentence.words}
    return {key: lemma for key, lemma in lexicon.items() if key not in known}


def extend_dictionary(path: Path, lexicon: Lexicon) -> None:
    """Add the words that a lemmatizer gets wrong to the dictionary in its file.

    Args:
        path: A lemmatizer whose lemmas depend on form and UPOS alone, at the precision at which it will be used.
        lexicon: The words, without those of its treebank.
    """
    import torch

    state = torch.load(path, map_location="cpu", weights_only=True)
    found = Lemmatizer(state).lemmas(list(lexicon))
    dictionary: dict[str, dict[str, str]] = json.loads(gzip.decompress(state["dicts"]))
    for (form, upos), lemma in lexicon.items():
        if found[form, upos] != lemma:
            dictionary.setdefault(upos, {})[form] = lemma
    packed = json.dumps(dictionary, ensure_ascii=False, separators=(",", ":")).encode()
    with whole_file(path) as beside:
        torch.save({**state, "dicts": gzip.compress(packed, mtime=0)}, beside)


@dataclass(frozen=True, slots=True)
class Taught:
    """What a network learns beside its treebanks; its vocabularies come from the treebanks, but for ``words``.

    Attributes:
        treebanks: What a teacher labelled, each with how often an epoch takes each sentence.
        words: Words that the network knows beside those of its treebanks, in lower case.
    """

    treebanks: tuple[tuple[Treebank, float], ...] = ()
    words: tuple[str, ...] = ()


NOTHING = Taught()


def taught(
    bank: Treebank, share: float, words: int, train: Treebank, errors: ErrorTable | None, seed: int
) -> Taught:
    """Return what a network learns from sentences that a teacher labelled.

    Args:
        bank: The sentences.
        share: How often an epoch takes each; where there are errors, half as often with errors in it, too.
        words: How many words they bring, the most frequent.
        train: The treebank, which knows lemmas and inflected forms.
        errors: Learners' errors, or None.
        seed: What is drawn derives from it.
    """
    counts = Counter(row[FORM].lower() for s in bank.sentences for row in s.words)
    ranked = sorted(counts, key=lambda word: (-counts[word], word))
    banks = [(bank, share)]
    if errors is not None:
        banks.append((with_errors(_inflected(bank, train), errors, seed, lexicon=train), share / 2))
    return Taught(tuple(banks), tuple(ranked[:words]))


def _inflected(bank: Treebank, train: Treebank) -> Treebank:
    """Return sentences with the lemmas that the treebank knows, by which errors of inflection are made."""
    lemmas = guessed_lemmas(train.sentences)
    return replace(bank, sentences=tuple(with_lemmas(s, lemmas, unknown="_") for s in bank.sentences))


_REACH = 4  # a word's further characters; Chinese words are seldom longer
_KEPT = ("feat_funcs", "feat_dim", "use_mwt", "skip_newline", "use_dictionary", "num_dict_feat")


class TokenizerStage(TrainerStage):
    """Trains Stanza's tokenizer.

    Args:
        train: The treebank, as running text.
        dev: Chooses the best round.
        options: Settings of Stanza's tokenizer.
        work: Folder for the texts and labels Stanza reads.
        start: A model to continue from; it learns the words, if it does not know any yet.
        words: A text with a word a line, or a tokenizer that has words: each character is then marked with the
            words of up to five characters that begin or end there. None for no such marks.
    """

    def __init__(
        self,
        train: Treebank,
        dev: Treebank,
        options: Mapping[str, Any],
        work: Path,
        start: Path | None = None,
        words: Path | None = None,
    ) -> None:
        from stanza.models.tokenization.data import DataLoader, TokenizationDataset
        from stanza.models.tokenization.trainer import Trainer
        from stanza.models.tokenization.utils import create_dictionary

        lexicon = _words(words) if words else None
        dictionary = create_dictionary(lexicon) if lexicon else None
        args = _arguments(options, bool(lexicon), train.multi_word_tokens > 0)
        banks = {"train": _paragraphs(_varied(train)), "dev": dev}
        files = {name: _write(bank, work / name) for name, bank in banks.items()}
        vocab = None
        if start is not None:
            self.trainer = Trainer(model_file=str(start), device="cpu")
            vocab = self.trainer.vocab
            if lexicon and not self.trainer.args["use_dictionary"]:
                _widen(self.trainer, lexicon, dictionary)
            dictionary = self.trainer.dictionary
            args |= _kept_arguments(self.trainer)
        self.train = DataLoader(
            args,
            input_files=files["train"],
            vocab=vocab,
            dictionary=dictionary,
            mwt_expansions=_expansions(train),
        )
        args["vocab_size"] = len(self.train.vocab)
        if start is None:
            self.trainer = Trainer(
                args=args, vocab=self.train.vocab, lexicon=lexicon, dictionary=dictionary, device="cpu"
            )
        self.args, known = args, {"vocab": self.train.vocab, "dictionary": dictionary}
        self.dev = TokenizationDataset(args, input_files=files["dev"], evaluation=True, **known)

    def batches(self) -> Iterator[Any]:
        """Yield batches of sentences joined at random, without end."""
        while True:
            yield self.train.next(unit_dropout=self.args["unit_dropout"])

    def score(self) -> dict[str, float]:
        """Return the harmonic mean of the F1 of tokens and sentences on the dev set, then each."""
        from stanza.models.tokenization.utils import predict

        predicted, _ = predict(self.trainer, self.dev, self.args["batch_size"], 1000, True, 0)
        gold = list(self.dev.labels())
        tokens = _f1(predicted, gold, 1)
        sentences = _f1(predicted, gold, 2)
        mean = 2 * tokens * sentences / (tokens + sentences) if tokens + sentences else 0.0
        return {"both": mean, "tokens": tokens, "sentences": sentences}


def _arguments(options: Mapping[str, Any], has_words: bool, has_multi_word_tokens: bool) -> dict[str, Any]:
    """Return Stanza's arguments for a new tokenizer."""
    from stanza.models.tokenizer import DEFAULT_FEAT_FUNCS, parse_args

    args = {**parse_args(["--cpu"]), "feat_funcs": list(DEFAULT_FEAT_FUNCS), "num_dict_feat": 0, **options}
    args["feat_dim"] = len(args["feat_funcs"])
    if has_words:
        args["use_dictionary"] = True
        args["num_dict_feat"] = _REACH
        args["feat_dim"] += 2 * _REACH
    args["use_mwt"] = has_multi_word_tokens
    return args


def _kept_arguments(trainer: Any) -> dict[str, Any]:
    """Return the arguments that stay as they are when training continues from a model."""
    kept = {name: trainer.args[name] for name in _KEPT if name in trainer.args}
    # Else Stanza may add characters to the vocabulary, for which the network has no embedding.
    return kept | {"augment_mid_punct_prob": 0.0, "augment_final_punct_prob": 0.0}


def _words(path: Path) -> list[str]:
    """Return the words of a text with one a line, or of a tokenizer."""
    if path.suffix != ".pt":
        return path.read_text(encoding="utf-8").split()
    import torch

    return list(torch.load(path, map_location="cpu", weights_only=True)["lexicon"] or ())


def _widen(trainer: Any, lexicon: list[str], dictionary: Any) -> None:
    """Let a tokenizer that knows no words see them: its first layer gets inputs for their marks."""
    import torch

    more = 2 * _REACH
    trainer.lexicon, trainer.dictionary = set(lexicon), dictionary
    trainer.args |= {
        "use_dictionary": True,
        "num_dict_feat": _REACH,
        "feat_dim": trainer.args["feat_dim"] + more,
    }
    model = trainer.model
    model.input_dim += more
    model.rnn.input_size += more
    for name in ("weight_ih_l0", "weight_ih_l0_reverse"):
        old = getattr(model.rnn, name).data
        new = 0.01 * torch.randn(old.shape[0], more)
        setattr(model.rnn, name, torch.nn.Parameter(torch.cat((old, new), 1)))
    trainer.optimizer = torch.optim.Adam(model.parameters(), lr=trainer.args["lr0"], betas=(0.9, 0.9))


def _expansions(treebank: Treebank) -> dict[str, tuple[str, ...]]:
    expansions = {}
    for sentence in treebank.sentences:
        for row in sentence.rows:
            if "-" in row[0]:
                first, _, last = row[0].partition("-")
                expansions[row[FORM]] = tuple(w[FORM] for w in sentence.words[int(first) - 1 : int(last)])
    return expansions


def _varied(treebank: Treebank) -> Treebank:
    """Add sentences with other quotes, apostrophes, dots and brackets where the treebank lacks them."""
    from stanza.utils.datasets.prepare_tokenizer_treebank import augment_punct

    random.seed(1234)  # this process only trains
    lines = augment_punct(
        [[f"# text = {text_and_labels([s])[0]}", *map("\t".join, s.rows)] for s in treebank.sentences]
    )
    rows = [tuple(tuple(line.split("\t")) for line in sentence[1:]) for sentence in lines]
    marks = [s.new_paragraph for s in treebank.sentences] + [False] * len(rows)
    return Treebank(treebank.name, tuple(map(TreebankSentence, rows, marks)))


def _paragraphs(treebank: Treebank) -> Treebank:
    """Let half of the sentences begin a paragraph where the treebank has none.

    What comes to be corrected is often one sentence a line, and so a paragraph of its own; a tokenizer that has
    never seen where one ends glues the last mark to the word before it.
    """
    if any(s.new_paragraph for s in treebank.sentences):
        return treebank
    chance = random.Random(1234)
    sentences = (TreebankSentence(s.rows, chance.random() < 0.5) for s in treebank.sentences)
    return Treebank(treebank.name, tuple(sentences))


def _write(treebank: Treebank, path: Path) -> dict[str, str]:
    text, labels = text_and_labels(treebank.sentences)
    files = {"txt": f"{path}.txt", "label": f"{path}.labels"}
    Path(files["txt"]).write_text(text + "\n", encoding="utf-8")
    Path(files["label"]).write_text(labels + "\n", encoding="utf-8")
    return files


def _f1(predictions: Sequence[Any], gold: Sequence[Any], least: int) -> float:
    """Return the F1 of the stretches that end where a label is at least this (2: or 4, of sentences)."""
    ends = {1: (1, 2, 3, 4), 2: (2, 4)}[least]
    right = guessed = true = 0
    for predicted, expected in zip(predictions, gold, strict=True):
        spans = [_spans([int(x) in ends for x in labels]) for labels in (predicted, expected)]
        right += len(spans[0] & spans[1])
        guessed += len(spans[0])
        true += len(spans[1])
    return 2 * right / (guessed + true) if guessed + true else 0.0


def _spans(ends: Sequence[bool]) -> set[tuple[int, int]]:
    spans, start = set(), 0
    for index, end in enumerate(ends):
        if end:
            spans.add((start, index))
            start = index + 1
    return spans


class ExpanderStage(TrainerStage):
    """Trains Stanza's expander of multi-word tokens.

    Args:
        train: The treebank; it has multi-word tokens.
        dev: Chooses the best round.
        options: Settings of Stanza's expander.
    """

    def __init__(self, train: Treebank, dev: Treebank, options: Mapping[str, Any]) -> None:
        from stanza.models.mwt.data import BinaryDataLoader, DataLoader
        from stanza.models.mwt.trainer import Trainer
        from stanza.models.mwt.utils import mwts_composed_of_words
        from stanza.models.mwt_expander import parse_args

        args = {**vars(parse_args(["--cpu"])), **options}
        document = stanza_document(train.sentences)
        # Where the words always spell the token a classifier finds the cuts, and nothing can be made up.
        args["force_exact_pieces"] = mwts_composed_of_words(document)
        args["num_layers"] = 2 if args["force_exact_pieces"] else 1
        loader = BinaryDataLoader if args["force_exact_pieces"] else DataLoader
        self.train = loader(document, args["batch_size"], args)
        args["vocab_size"] = self.train.vocab.size
        self.trainer = Trainer(args=args, vocab=self.train.vocab, device="cpu")
        self.trainer.train_dict(document.get_mwt_expansions())
        gold = stanza_document(dev.sentences).get_mwt_expansions()
        self.gold = [tuple(pair) for pair in gold]
        self.dev = loader(
            _Tokens([form for form, _ in self.gold]), args["batch_size"], args, self.train.vocab, True
        )
        self.args = args

    def batches(self) -> Iterator[Any]:
        """Yield shuffled batches without end."""
        while True:
            yield from self.train.to_loader()

    def score(self) -> dict[str, float]:
        """Return the share of the dev set's multi-word tokens that are cut right."""
        if not self.gold:
            return {"mwt": 1.0}
        expansions: list[str] = []
        for batch in self.dev.to_loader():
            expansions += self.trainer.predict(batch)
        expansions = self.trainer.ensemble([form for form, _ in self.gold], expansions)
        return {"mwt": sum(f == g for f, (_, g) in zip(expansions, self.gold, strict=True)) / len(self.gold)}


class _Tokens:
    """The part of Stanza's documents that its loader asks for when it predicts."""

    def __init__(self, forms: list[str]) -> None:
        self.forms = forms

    def get_mwt_expansions(self, evaluation: bool) -> list[str]:  # noqa: ARG002 - Stanza's signature
        return self.forms


#: Words that a tagger and a parser score at a time.
_TAGGED_WORDS, _PARSED_WORDS = 4_000, 3_000


class TaggerStage(TrainerStage):
    """Trains Stanza's tagger.

    Args:
        train: Treebanks, each with how often an epoch takes each of its sentences.
        dev: Chooses the best round.
        options: Settings of Stanza's tagger; and ``batch_words``, most words of a batch.
        start: A model to continue from, with its vocabulary; None begins anew.
        vectors: Word vectors to begin anew with.
        taught: What a teacher labelled, to learn from, too.
    """

    def __init__(
        self,
        train: Sequence[tuple[Treebank, float]],
        dev: Treebank,
        options: Mapping[str, Any],
        start: Path | None = None,
        vectors: Mapping[str, Any] = MappingProxyType({}),
        taught: Taught = NOTHING,
    ) -> None:
        from stanza.models.pos.data import Dataset
        from stanza.models.pos.tag_columns import tag_columns_from_args
        from stanza.models.pos.trainer import Trainer
        from stanza.models.tagger import parse_args

        settings = {name: value for name, value in options.items() if name != "batch_words"}
        args = {**parse_args(["--no_pretrain", "--share_hid", "--cpu"]), **settings}
        if start is None:
            documents = [stanza_document(treebank.sentences) for treebank, _ in train]
            vocab = Dataset.init_vocab(documents, args, tag_columns_from_args(args))
            add_words(vocab["word"], (*vectors, *taught.words))
            self.trainer = Trainer(args=args, vocab=vocab, device="cpu")
            begin_with(self.trainer.model.word_emb, vocab["word"], vectors)
        else:
            self.trainer = Trainer(args=args_of(settings), model_file=str(start), device="cpu")
        fast_optimizer(self.trainer.optimizers)
        self.tagger = Tagger(self.trainer)
        every = (*train, *taught.treebanks)
        absent = {column for column in TAG_COLUMNS if not any(bank.has(column) for bank, _ in train)}
        sentences = [(_told(s, absent), share) for bank, share in every for s in bank.sentences]
        self.train = Sampled(sentences, self.tagger.encode, self.trainer.args.get("augment_nopunct") or 0.0)
        self.words, self.dev = batch_words(int(options.get("batch_words", BATCH_WORDS)), train[0][0]), dev

    @property
    def optimizers(self) -> list[Any]:
        """Torch's optimizers of the network."""
        return list(self.trainer.optimizers.values())

    def batches(self) -> Iterator[Any]:
        """Yield shuffled batches without end."""
        return self.train.batches(self.words)

    def update(self, batch: Any) -> float:
        """Learn from a batch and return its loss."""
        return self.learn(self.tagger.network.loss(batch), self.trainer.args["max_grad_norm"])

    def score(self) -> dict[str, float]:
        """Return the share of dev words with all tags right, then with each."""
        return self.tagger.score(self.dev)


def args_of(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that may change in further training: weights do not hang on them."""
    return {
        k: v for k, v in options.items() if k in ("batch_size", "dropout", "word_dropout", "lr", "shorthand")
    }


def _told(sentence: TreebankSentence, absent: Set[str]) -> TreebankSentence:
    """Return a sentence that does not lack what no treebank has: that is learnt as empty."""
    return replace(sentence, lacks=sentence.lacks - absent) if sentence.lacks else sentence


class Tagger:
    """A tagger that is trained, or tags treebanks for a parser.

    Args:
        trainer: Stanza's trainer of it.
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
            noise: Share of the dropout of training to leave on. On its own training data a tagger is nearly always
                right; with 0.15 to 0.3 it errs there about as often as on new text.
        """
        encoded = self.encode(sentences)
        predicted: list[list[tuple[str, ...]]] = [[] for _ in sentences]
        for numbers in encoded.ordered(_TAGGED_WORDS):
            batch = encoded.batch(numbers)
            best = self.network.predict(batch, noise).numpy()
            for place, number in enumerate(batch.numbers):
                rows = best[: encoded.lengths[number], place]
                predicted[number] = decode_tags(self.vocab, self.names, rows)
        return predicted

    def score(self, gold: Treebank) -> dict[str, float]:
        """Return the share of words with all tags right, then with each; what a file lacks is not counted."""
        right, words = np.zeros(4), np.zeros(4)
        empty = {name for name in TAG_COLUMNS if gold_lacks(gold, name)}
        for sentence, predicted in zip(gold.sentences, self.predict(gold.sentences), strict=True):
            known = np.array([name not in sentence.lacks - empty for name in TAG_COLUMNS])
            for row, tags in zip(sentence.words, predicted, strict=True):
                equal = np.array([row[n] == tag for n, tag in zip(TAG_COLUMNS.values(), tags, strict=True)])
                counted = np.append(True, known)
                right += np.append((equal | ~known).all(), equal) * counted
                words += counted
        shares = right / np.maximum(words, 1)
        return dict(zip(("all", *TAG_COLUMNS), map(float, shares), strict=True))


def gold_lacks(gold: Treebank, name: str) -> bool:
    """Whether all sentences lack a column, so that it is learnt and measured as empty."""
    return all(name in s.lacks for s in gold.sentences)


class LemmatizerStage(TrainerStage):
    """Trains Stanza's lemmatizer.

    The network learns each form with its tag once, with its most frequent lemma, not running text: frequent words
    are in the dictionary anyway, and English text would be ten times as long.

    Args:
        train: The treebank.
        dev: Chooses the best round, by its gold tags.
        options: Settings of Stanza's lemmatizer.
        start: A model to continue from; its dictionary is made anew.
    """

    def __init__(
        self, train: Treebank, dev: Treebank, options: Mapping[str, Any], start: Path | None = None
    ) -> None:
        from stanza.models.lemma.data import DataLoader
        from stanza.models.lemma.trainer import Trainer
        from stanza.models.lemmatizer import parse_args

        words = _counted(train)
        majority: dict[tuple[str, str], str] = {}
        for (form, upos, lemma), _ in words.most_common():
            majority.setdefault((form, upos), lemma)
        args = {**parse_args(["--shorthand", "xx_x", "--cpu"]), **options}
        vocab = None
        if start is not None:
            self.trainer = Trainer(model_file=str(start), device="cpu", args={})
            vocab, args = self.trainer.vocab, self.trainer.args
        random.seed(1234)
        distinct = [[form, upos, lemma] for (form, upos), lemma in majority.items()]
        self.train = DataLoader(_document(distinct), args["batch_size"], args, vocab=vocab)
        args["vocab_size"] = self.train.vocab["char"].size
        args["pos_vocab_size"] = self.train.vocab["pos"].size
        if start is None:
            self.trainer = Trainer(args=args, vocab=self.train.vocab, device="cpu")
        self.trainer.pos_dict = {}
        self.trainer.train_dict([word for word, count in words.items() for _ in range(count)])
        self.args = args
        self.dev = _counted(dev)
        new = [
            key for key in dict.fromkeys(w[:2] for w in self.dev) if not self.trainer.skip_seq2seq([key])[0]
        ]
        self.unseen = new
        document = _document([[*key, ""] for key in new])
        self.dev_batches = (
            DataLoader(document, args["batch_size"], args, vocab=self.train.vocab, evaluation=True)
            if new
            else []
        )

    def batches(self) -> Iterator[Any]:
        """Yield batches in random order, without end."""
        while True:
            numbers = list(range(len(self.train)))
            random.shuffle(numbers)
            for number in numbers:
                yield self.train[number]

    def score(self) -> dict[str, float]:
        """Return the share of dev words with the right lemma, then that of those not in the dictionary."""
        spelled: list[str] = []
        edits: list[Any] = []
        if self.network is not None:
            for batch in self.dev_batches:
                lemmas, kinds = self.trainer.predict(batch, self.args["beam_size"])
                spelled += lemmas
                edits += kinds or []
            spelled = self.trainer.postprocess([form for form, _ in self.unseen], spelled, edits=edits)
        guessed = dict(zip(self.unseen, spelled or [form for form, _ in self.unseen], strict=True))
        right = words = new_right = new = 0
        for (form, upos, lemma), count in self.dev.items():
            key = (form, upos)
            predicted = guessed[key] if key in guessed else self.trainer.predict_dict([key])[0]
            right += count * (predicted == lemma)
            words += count
            if key in guessed:
                new += count
                new_right += count * (predicted == lemma)
        return {"lemma": right / words, "unseen": new_right / new if new else 1.0}


def _counted(treebank: Treebank) -> Counter[tuple[str, str, str]]:
    """Count form, tag and lemma; words without a lemma teach nothing."""
    return Counter(
        (word[FORM], word[UPOS], word[LEMMA])
        for sentence in treebank.sentences
        for word in sentence.words
        if word[LEMMA] != "_" or word[FORM] == "_"
    )


def _document(words: list[list[str]]) -> Any:
    from stanza.models.common.doc import Document

    return Document(
        [[{"id": (1,), "text": form, "upos": upos, "lemma": lemma}] for form, upos, lemma in words]
    )


_WITHOUT_END = 0.1  # the share of sentences that end in no mark which Stanza aims at


class ParserStage(TrainerStage):
    """Trains Stanza's parser.

    Args:
        train: Treebanks, each with how often an epoch takes its sentences; those without trees are left out.
        dev: Chooses the best round; it is tagged by the tagger before it is parsed.
        options: Settings of Stanza's parser; and ``batch_words``, most words of a batch.
        tagger: Stanza's trainer of a tagger, whose tags replace the gold ones; None keeps those.
        copies: How often the training treebank is tagged, each time with other errors, beside its gold tags.
        noise: How much noise is added to the tagger over its training data; see ``Tagger.predict``.
        start: A model to continue from.
        vectors: Word vectors to begin anew with.
        taught: What a teacher labelled, to learn from, too; the tagger tags it once.
    """

    def __init__(
        self,
        train: Sequence[tuple[Treebank, float]],
        dev: Treebank,
        options: Mapping[str, Any],
        tagger: Any = None,
        copies: int = 1,
        noise: float = 0.15,
        start: Path | None = None,
        vectors: Mapping[str, Any] = MappingProxyType({}),
        taught: Taught = NOTHING,
    ) -> None:
        from stanza.models.depparse.data import DataLoader
        from stanza.models.depparse.trainer import GraphTrainer, Trainer
        from stanza.models.parser import parse_args

        settings = {name: value for name, value in options.items() if name != "batch_words"}
        switches = ["--no_pretrain", "--no_checkpoint", "--no_second_optim", "--no_plateau", "--cpu"]
        args = {**parse_args(switches), **settings}
        lemmas = guessed_lemmas(s for bank, _ in train for s in bank.sentences if "head" not in s.lacks)
        known = Tagger(tagger) if tagger else None
        tagged = _parsed(train, lemmas)
        tagged = [*tagged, *_tagged(tagged, known, copies, noise)] if known else tagged
        further = _tagged(_parsed(taught.treebanks, lemmas), known, 1, noise)
        if start is None:
            document = stanza_document(s for s, _ in tagged)
            vocab = DataLoader(document, args["batch_size"], args, None).vocab
            add_words(vocab["word"], (*vectors, *taught.words))
            self.trainer = GraphTrainer(args=args, vocab=vocab, device="cpu")
            begin_with(self.trainer.model.word_emb, vocab["word"], vectors)
        else:
            self.trainer = Trainer.load(
                str(start), None, args=args_of(settings), device="cpu", reset_history=True
            )
        fast_optimizer(self.trainer.optimizer)
        self.network_of_words = FastParserNetwork(self.trainer.model, self.trainer.args)
        self.train = Sampled([*tagged, *further], self._encode, _WITHOUT_END)
        self.words = batch_words(int(options.get("batch_words", BATCH_WORDS)), train[0][0])
        self.dev = [s for s, _ in _tagged(_parsed([(dev, 1.0)], lemmas), known, 1, 0.0)]

    def _encode(self, sentences: Sequence[TreebankSentence]) -> Any:
        return encode_parsed(sentences, self.trainer.vocab)

    @property
    def optimizers(self) -> list[Any]:
        """Torch's optimizers of the network."""
        return list(self.trainer.optimizer.values())

    def batches(self) -> Iterator[Any]:
        """Yield batches of sentences of similar length in random order, without end."""
        return self.train.batches(self.words)

    def update(self, batch: Any) -> float:
        """Learn from a batch and return its loss."""
        return self.learn(self.network_of_words.loss(batch), self.trainer.args["max_grad_norm"])

    def score(self) -> dict[str, float]:
        """Return labelled and unlabelled attachment on the dev set, every word counted."""
        encoded = self._encode(self.dev)
        labelled = unlabelled = words = 0
        for numbers in encoded.ordered(_PARSED_WORDS):
            batch = encoded.batch(numbers)
            scores, relations = self.network_of_words.predict(batch)
            heads = np.zeros((len(batch.numbers), int(batch.lengths[0]) - 1), dtype=np.int64)
            for place, length in enumerate(batch.lengths.tolist()):
                heads[place, : length - 1] = best_tree(scores[place, :length, :length].numpy())[1:]
            found = relations(heads).numpy()
            gold_heads, gold_labels = (batch.columns[name].T[:, 1:].numpy() for name in ("head", "deprel"))
            counted = np.arange(heads.shape[1]) < batch.lengths.numpy()[:, None] - 1
            right = (heads == gold_heads) & counted
            words += int(counted.sum())
            unlabelled += int(right.sum())
            labelled += int((right & (found == gold_labels)).sum())
        return {"las": labelled / words, "uas": unlabelled / words}


def _parsed(
    banks: Sequence[tuple[Treebank, float]], lemmas: Mapping[tuple[str, str], str]
) -> list[tuple[TreebankSentence, float]]:
    """Return the sentences that have trees, with lemmas, which a parser reads, guessed where they have none."""
    return [
        (with_lemmas(s, lemmas), share)
        for bank, share in banks
        for s in bank.sentences
        if "head" not in s.lacks
    ]


def _tagged(
    sentences: Sequence[tuple[TreebankSentence, float]],
    tagger: Tagger | None,
    copies: int,
    noise: float,
) -> list[tuple[TreebankSentence, float]]:
    """Return the sentences once for each tagging asked for, or as they are where there is no tagger."""
    if tagger is None:
        return list(sentences)
    found = []
    for _ in range(copies):
        predicted = tagger.predict([s for s, _ in sentences], noise)
        for (sentence, share), tags in zip(sentences, predicted, strict=True):
            words = iter(tags)
            rows = tuple(
                row if "-" in row[0] else (*row[:UPOS], *next(words), *row[FEATS + 1 :])
                for row in sentence.rows
            )
            found.append((replace(sentence, rows=rows), share))
    return found
