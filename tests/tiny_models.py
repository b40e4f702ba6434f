"""Tiny models with random weights in every architecture of Stanza's hub, saved by Stanza's own trainers.

The settings are the defaults of Stanza's training commands, with few dimensions. All weights are drawn, those of
the output layers too, which Stanza sets to zero before training.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import torch

from jperrant.parse.model_scores import stanza_document
from training.treebank import read_treebank

#: Character language models, forward and backward.
Charlms: TypeAlias = tuple[Path, Path] | None
TREEBANK = Path(__file__).parent / "data" / "treebank" / "train.conllu"
SMALL: dict[str, Any] = {
    "char_emb_dim": 5, "char_hidden_dim": 6, "transformed_dim": 7, "word_emb_dim": 6, "hidden_dim": 10,
    "num_layers": 2, "deep_biaff_hidden_dim": 12, "composite_deep_biaff_hidden_dim": 9, "tag_emb_dim": 5,
    "deep_biaff_output_dim": 8, "word_cutoff": 1, "lang": "en", "shorthand": "en_combined", "device": "cpu",
    "transition_embedding_dim": 6, "transition_hidden_dim": 6, "transition_merge_words_output_dim": 6,
}  # fmt: skip
#: Settings of Stanza's training for low-rank adapters, as it fills them in, but of rank 2.
ADAPTERS: dict[str, Any] = {
    "use_peft": True, "bert_finetune": True, "lora_rank": 2, "lora_alpha": 4, "lora_dropout": 0.1,
    "lora_target_modules": ["query", "value", "output.dense", "intermediate.dense"], "lora_modules_to_save": [],
}  # fmt: skip
MULTI_WORD = {"don't": "do n't", "can't": "ca n't", "it's": "it 's", "gonna": "gon na", "I'm": "I 'm"}
PIECES = ["[UNK]", "[CLS]", "[SEP]", "[PAD]", *"abcdefghijklmnopqrstuvwxyz0123456789.,!?'-"]
PIECES += [f"##{c}" for c in "abcdefghijklmnopqrstuvwxyz0123456789.,!?'-"] + ["the", "##ing", "##ed", "and"]


def drawn(network: Any, name: str) -> None:
    """Draw all weights of a network but those of models that it takes over; the same ones for the same name.

    What adapters add to such a model belongs to the network.
    """
    chance = torch.Generator().manual_seed(zlib.crc32(name.encode()))
    skipped = {n for n in getattr(network, "unsaved_modules", ()) if not n.startswith("bert_tokenizer")}
    for key, parameter in network.named_parameters():
        if key.split(".")[0] not in skipped or ".lora_" in key:
            parameter.data.normal_(0, 0.5, generator=chance)


def document(parts: bool = False) -> Any:
    """Return a treebank as Stanza's document; ``parts`` makes each XPOS one of several parts."""
    found = stanza_document(read_treebank([TREEBANK]).sentences)
    for sentence in found.sentences if parts else ():
        for word in sentence.words:
            word.xpos = "|".join([word.upos, *((word.feats or "").split("|") if word.feats else ())][:3])
    return found


def write_pretrain(path: Path) -> None:
    """Write word vectors."""
    from stanza.models.common.pretrain import Pretrain, PretrainedWordVocab
    from stanza.models.common.vocab import VOCAB_PREFIX

    words = sorted({word.text.lower() for s in document().sentences for word in s.words})[::2]
    pretrain = Pretrain(str(path))
    pretrain._vocab = PretrainedWordVocab(words)
    chance = torch.Generator().manual_seed(1)
    pretrain._emb = torch.randn(len(words) + len(VOCAB_PREFIX), 8, generator=chance)
    pretrain.save(str(path))


def write_charlm(path: Path, direction: str) -> None:
    """Write a character language model; ``direction`` is forward or backward."""
    from stanza.models.charlm import parse_args
    from stanza.models.common.char_model import CharacterLanguageModel
    from stanza.models.common.vocab import CharVocab

    args = parse_args([]) | {"char_emb_dim": 5, "char_hidden_dim": 9, "direction": direction}
    letters = sorted({c for s in document().sentences for w in s.words for c in w.text} | {"\n", " "})
    model = CharacterLanguageModel(args, {"char": CharVocab([letters])}, is_forward_lm=direction == "forward")
    drawn(model, direction)
    model.save(str(path))


def write_transformer(folder: Path) -> None:
    """Write an Electra and its tokenizer."""
    import transformers
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    tokenizer = Tokenizer(models.WordPiece({p: n for n, p in enumerate(PIECES)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
    )
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, model_max_length=48, unk_token="[UNK]", pad_token="[PAD]",
        cls_token="[CLS]", sep_token="[SEP]",
    ).save_pretrained(folder)  # fmt: skip
    config = transformers.ElectraConfig(
        vocab_size=len(PIECES), hidden_size=8, embedding_size=8, num_hidden_layers=4, num_attention_heads=2,
        intermediate_size=12, max_position_embeddings=50, pad_token_id=3,
    )  # fmt: skip
    model = transformers.ElectraModel(config)
    drawn(model, "Electra")
    model.save_pretrained(folder)


def write_tokenizer(path: Path) -> None:
    """Write a tokenizer."""
    from stanza.models.tokenization.data import TokenizationDataset
    from stanza.models.tokenization.trainer import Trainer
    from stanza.models.tokenization.vocab import Vocab
    from stanza.models.tokenizer import DEFAULT_FEAT_FUNCS, parse_args

    args = parse_args(["--cpu"]) | {"emb_dim": 6, "hidden_dim": 8, "lang": "en", "shorthand": "en_combined"}
    args |= {"feat_funcs": list(DEFAULT_FEAT_FUNCS), "num_dict_feat": 0, "use_mwt": True}
    args["feat_dim"] = len(args["feat_funcs"])
    text = "\n\n".join(" ".join(w.text for w in s.words) for s in document().sentences)
    vocab = Vocab(TokenizationDataset(args, input_text=text, evaluation=True).data, args["lang"])
    args["vocab_size"] = len(vocab)
    trainer = Trainer(args=args, vocab=vocab, device="cpu")
    drawn(trainer.model, path.name)
    # What does not end a token is scored down as in trained models, or every second character would be one.
    trainer.model.tok_clf.bias.data += 1.0
    trainer.model.sent_clf.bias.data -= 3.0
    trainer.save(str(path))


def write_expander(path: Path) -> None:
    """Write an expander of multi-word tokens."""
    from stanza.models.mwt.data import BinaryDataLoader
    from stanza.models.mwt.trainer import Trainer
    from stanza.models.mwt_expander import parse_args
    from stanza.utils.conll import CoNLL

    args = vars(parse_args(["--cpu"])) | {"hidden_dim": 8, "emb_dim": 6, "lang": "en", "max_dec_len": 12}
    args |= {"force_exact_pieces": True, "num_layers": 2}
    words = CoNLL.conll2doc(input_str="".join(map(_multi_word_token, *zip(*MULTI_WORD.items(), strict=True))))
    loader = BinaryDataLoader(words, args["batch_size"], args)
    args["vocab_size"] = loader.vocab.size
    trainer = Trainer(args=args, vocab=loader.vocab, device="cpu")
    trainer.train_dict(list(MULTI_WORD.items())[:2])
    drawn(trainer.model, path.name)
    trainer.save(str(path))


def _multi_word_token(form: str, words: str) -> str:
    """Return a sentence of one token of two words in CoNLL-U."""
    blank = "\t_" * 7
    first, second = words.split()
    rows = (f"1-2\t{form}\t_{blank}", f"1\t{first}\t{first}{blank}", f"2\t{second}\t{second}{blank}")
    return "\n".join(rows) + "\n\n"


def write_tagger(
    path: Path, pretrain: Path | None, charlms: Charlms, bert: str | None = None, **options: Any
) -> None:
    """Write a tagger; ``options`` are those of Stanza's training."""
    from stanza.models.pos.data import Dataset
    from stanza.models.pos.tag_columns import tag_columns_from_args
    from stanza.models.pos.trainer import Trainer
    from stanza.models.tagger import parse_args

    args = parse_args(["--cpu"]) | SMALL | _foundations(pretrain, charlms, bert) | options
    vocab = Dataset.init_vocab(
        [document(args["shorthand"] == "sv_talbanken")], args, tag_columns_from_args(args)
    )
    trainer = Trainer(args=args, vocab=vocab, pretrain=_pretrain(pretrain), device="cpu")
    drawn(trainer.model, path.name)
    trainer.model.upos_clf.bias.data[:4] -= 50  # no trained tagger finds that a word is padding
    trainer.save(str(path))


def write_parser(
    path: Path, pretrain: Path | None, charlms: Charlms, bert: str | None = None, **options: Any
) -> None:
    """Write a dependency parser; ``transition`` makes it a transition parser with that combination of subtrees."""
    from stanza.models.depparse.data import DataLoader
    from stanza.models.depparse.trainer import GraphTrainer, TransitionTrainer
    from stanza.models.depparse.transition.model import SubtreeCombination
    from stanza.models.parser import parse_args

    args = parse_args(["--cpu"]) | SMALL | _foundations(pretrain, charlms, bert)
    combination = options.pop("transition", "")
    args |= {"transition_subtree_combination": SubtreeCombination[combination or "NONE"]} | options
    words = document(args["shorthand"] == "sv_talbanken")
    loader = DataLoader(words, args["batch_size"], args, _pretrain(pretrain))
    trainer = (TransitionTrainer if combination else GraphTrainer)(
        args=args, vocab=loader.vocab, pretrain=_pretrain(pretrain), device="cpu"
    )
    drawn(trainer.model, path.name)
    trainer.save(str(path))


def write_ensemble(path: Path, parts: list[Path], pretrain: Path) -> None:
    """Write a parser that adds up the scores of graph parsers."""
    from stanza.models.depparse.model import EnsembleGraphParser
    from stanza.models.depparse.trainer import Trainer

    trainers = [Trainer.load(str(part), _pretrain(pretrain), device="cpu") for part in parts]
    first = trainers[0]
    model = EnsembleGraphParser(first.args, first.vocab, [t.model for t in trainers])
    Trainer(args=first.args, vocab=first.vocab, model=model, build_optimizer=False).save(str(path))


def write_lemmatizer(path: Path, charlms: Charlms, contextual: Callable[[], list[Any]] = list) -> None:
    """Write a lemmatizer; ``contextual`` makes the classifiers that decide some words by their sentence."""
    from stanza.models.lemma.data import DataLoader
    from stanza.models.lemma.trainer import Trainer
    from stanza.models.lemmatizer import parse_args

    args = parse_args(["--shorthand", "en_combined", "--cpu"]) | _charlm_files(charlms)
    args |= {"hidden_dim": 10, "emb_dim": 6, "pos_dim": 6, "max_dec_len": 15, "lang": "en"}
    args["charlm"] = charlms is not None
    words = document()
    loader = DataLoader(words, args["batch_size"], args)
    args |= {"vocab_size": loader.vocab["char"].size, "pos_vocab_size": loader.vocab["pos"].size}
    trainer = Trainer(args=args, vocab=loader.vocab, device="cpu")
    triples = [(w.text, w.upos, w.lemma) for s in words.sentences for w in s.words]
    trainer.train_dict(triples[::2])
    drawn(trainer.model, path.name)
    trainer.contextual_lemmatizers = contextual()
    trainer.save(str(path))


def lemma_classifier(transformer: str) -> Any:
    """Return a classifier of lemmas over a transformer."""
    from stanza.models.lemma_classifier.transformer_model import LemmaClassifierWithTransformer

    model = LemmaClassifierWithTransformer(
        {"bert_model": transformer}, 2, transformer, {"be": 0, "have": 1}, {"'s", "is", "saw", "the", "a"},
        {"AUX", "DET"},
    )  # fmt: skip
    drawn(model, "transformer classifier")
    return model


def _foundations(pretrain: Path | None, charlms: Charlms, bert: str | None) -> dict[str, Any]:
    charlm = "1billion" if charlms else None
    return {"pretrain": pretrain is not None, "charlm": charlm, "bert_model": bert, **_charlm_files(charlms)}


def _charlm_files(charlms: Charlms) -> dict[str, Any]:
    forward, backward = map(str, charlms) if charlms else (None, None)
    return {"charlm_forward_file": forward, "charlm_backward_file": backward}


def _pretrain(path: Path | None) -> Any:
    from stanza.models.common.pretrain import Pretrain

    return Pretrain(str(path)) if path else None
