"""The tokenizer and sentence splitter as a stage of training."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from training.loop import TrainerStage
from training.treebank import Treebank, TreebankSentence, text_and_labels

_FORM = 1
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
                expansions[row[_FORM]] = tuple(w[_FORM] for w in sentence.words[int(first) - 1 : int(last)])
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
