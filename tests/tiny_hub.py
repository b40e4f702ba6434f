"""A hub of tiny models laid out by Stanza's own tool, ``stanza.resources.prepare_resources``, as the real one."""

from __future__ import annotations

import contextlib
import io
import json
import shutil
import warnings
from argparse import Namespace
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from jperrant.parse.stanza_analyser import quiet_stanza

from .tiny_models import (
    ADAPTERS,
    lemma_classifier,
    transformer_lemma_classifier,
    write_charlm,
    write_ensemble,
    write_expander,
    write_lemmatizer,
    write_parser,
    write_pretrain,
    write_tagger,
    write_tokenizer,
)

#: From a file's name (as Stanza's cluster has them) to what writes it.
Files: TypeAlias = dict[str, Callable[[Path], None]]


@dataclass(frozen=True)
class Architecture:
    """A package of the hub and what its models are made of.

    Attributes:
        lang, package: Where it is in ``resources.json``.
        about: Its tokenizer, expander, tagger, lemmatizer and parser.
    """

    lang: str
    package: str
    about: str


ARCHITECTURES = (
    Architecture("en", "default", "mwt classifier; charlm tagger and parser; seq2seq lemmatizer with dictionary"),
    Architecture("en", "default_fast", "the same with word vectors only"),
    Architecture("en", "default_accurate", "charlm tokenizer; Electra tagger and parser; charlm lemmatizer, lemma "
        "classifiers with LSTM and attention"),
    Architecture("en", "ewt", "tokenizer with dictionary; seq2seq mwt; charlm through a layer; arc embedding"),
    Architecture("en", "gum", "tokenizer with convolutions; mwt by dictionary; share_hid tagger; no distance, no "
        "linearisation; charlm lemmatizer"),
    Architecture("en", "roberta", "XLM-RoBERTa tagger and parser; transformer lemma classifier"),
    Architecture("en", "tuned", "tagger and parser with a finetuned BERT; lemmatizer by dictionary"),
    Architecture("en", "adapters", "tagger and parser over a BERT with low-rank adapters (PEFT)"),
    Architecture("en", "reversed", "parser from right to left; lemmatizer without capitals"),
    Architecture("en", "ensemble", "two graph parsers; identity lemmatizer"),
    *(Architecture("en", f"transition-{kind.lower().replace('_', '-')}", f"transition parser, subtrees {kind}")
      for kind in ("NONE", "LINEAR", "HEAD_LINEAR", "UNTIED_LINEAR", "BILINEAR", "MAX", "LSTM", "BILSTM")),
    Architecture("en", "transitions", "two transition parsers"),
    Architecture("sv", "default", "XPOS in parts; seq2seq mwt with dictionary"),
    Architecture("zh-hans", "default", "tokenizer without lines, no mwt; lemmatizer by dictionary"),
    Architecture("cop", "default", "no word vectors, no charlm; identity lemmatizer of the language"),
)  # fmt: skip


class Builder:
    """Writes the files of a hub that are asked for.

    Args:
        folder: Where they go.
        transformers: Name or folder of each transformer by kind.
    """

    def __init__(self, folder: Path, transformers: Mapping[str, str]) -> None:
        self.folder, self.transformers = folder, transformers
        folder.mkdir(parents=True)
        self.charlms = (folder / "en_1billion_forward_charlm.pt", folder / "en_1billion_backward_charlm.pt")
        self.pretrain = folder / "en_conll17_pretrain.pt"
        write_pretrain(self.pretrain)
        write_charlm(self.charlms[0], "forward")
        write_charlm(self.charlms[1], "backward")

    def files(self) -> dict[tuple[str, str], Files]:
        """Return the files of each package."""
        tagger, parser = (partial(f, pretrain=self.pretrain) for f in (write_tagger, write_parser))
        charlms, pretrain, no = self.charlms, self.pretrain, {"pretrain": self.pretrain, "charlms": None}
        electra, roberta, bert = (self.transformers.get(k, "") for k in ("Electra", "XLMRoberta", "Bert"))
        vectors: Files = {
            "pos": partial(write_tagger, **no), "depparse": partial(write_parser, **no),
            "lemma": partial(write_lemmatizer, charlms=None),
        }  # fmt: skip
        with_charlm = {
            "pos": partial(tagger, charlms=charlms), "depparse": partial(parser, charlms=charlms)
        }  # fmt: skip

        def classifiers() -> list[Any]:
            return [lemma_classifier(pretrain, charlms), lemma_classifier(pretrain, None, 2)]

        english: dict[str, Files] = {
            "default_fast": _named(
                "en_combined", {"tokenize": write_tokenizer, "mwt": write_expander} | vectors
            ),
            "default": _named("en_combined", with_charlm, "_charlm"),
            "default_accurate": {
                "en_combined_charlm_tokenizer.pt": partial(write_tokenizer, charlm=charlms[0]),
                "en_combined_electra-large_tagger.pt": partial(
                    tagger, charlms=charlms, bert=electra, bert_hidden_layers=3
                ),
                "en_combined_electra-large_parser.pt": partial(parser, charlms=charlms, bert=electra),
                "en_combined_charlm_lemmatizer.pt": partial(
                    write_lemmatizer,
                    charlms=charlms,
                    contextual=classifiers,
                ),
            },
            "ewt": _named(
                "en_ewt",
                {
                    "tokenize": partial(write_tokenizer, use_dictionary=True),
                    "mwt": partial(write_expander, kind="seq2seq"),
                    "pos": partial(tagger, charlms=charlms, charlm_transform_dim=4),
                    "depparse": partial(parser, charlms=charlms, use_arc_embedding=True),
                    "lemma": partial(write_lemmatizer, charlms=None, edit=False),
                },
                "_charlm",
            ),
            "gum": _named(
                "en_gum",
                {
                    "tokenize": partial(write_tokenizer, conv_res="1,9", hier_conv_res=True),
                    "mwt": partial(write_expander, kind="dictionary"),
                    "pos": partial(write_tagger, **no, share_hid=True),
                    "depparse": partial(write_parser, **no, distance=False, linearization=False),
                },
            )
            | {"en_gum_charlm_lemmatizer.pt": partial(write_lemmatizer, charlms=charlms)},
            "roberta": _named(
                "en_roberta",
                {
                    "tokenize": write_tokenizer,
                    "pos": partial(tagger, charlms=None, bert=roberta),
                    "depparse": partial(parser, charlms=charlms, bert=roberta, bert_hidden_layers=2),
                    "lemma": partial(
                        write_lemmatizer,
                        charlms=charlms,
                        contextual=lambda: [transformer_lemma_classifier(bert)],
                    ),
                },
                "_charlm",
            ),
            "tuned": _named(
                "en_tuned",
                {
                    "tokenize": write_tokenizer,
                    "pos": partial(tagger, charlms=charlms, bert=bert, bert_finetune=True, max_steps=9),
                    "depparse": partial(parser, charlms=charlms, bert=bert, bert_finetune=True),
                    "lemma": partial(write_lemmatizer, charlms=None, dict_only=True),
                },
                "_charlm",
            ),
            "adapters": _named(
                "en_adapters",
                {
                    "tokenize": write_tokenizer,
                    "pos": partial(tagger, charlms=charlms, bert=bert, **ADAPTERS),
                    "depparse": partial(parser, charlms=None, bert=bert, **ADAPTERS),
                    "lemma": partial(write_lemmatizer, charlms=None, dict_only=True),
                },
                "_charlm",
            ),
            "reversed": _named(
                "en_reversed",
                {"tokenize": write_tokenizer, "mwt": write_expander}
                | vectors
                | {
                    "depparse": partial(write_parser, **no, reversed=True),
                    "lemma": partial(write_lemmatizer, charlms=None, caseless=True),
                },
            ),
            "ensemble": _named("en_ensemble", _without_lemmas(partial(self._ensemble, ("", "")))),
            "transitions": _named(
                "en_transitions", _without_lemmas(partial(self._ensemble, ("NONE", "LINEAR")))
            ),
        }
        for one in ARCHITECTURES:
            if one.package.startswith("transition-"):
                kind = one.package.removeprefix("transition-").replace("-", "_").upper()
                english[one.package] = _named(
                    f"en_{one.package}", _without_lemmas(partial(write_parser, **no, transition=kind))
                )
        every = {("en", package): files for package, files in english.items()}
        every["sv", "default"] = _named(
            "sv_talbanken",
            {"tokenize": partial(write_tokenizer, lang="sv"), "mwt": partial(write_expander, kind="seq2seq")}
            | vectors
            | {kind: partial(f, **no, shorthand="sv_talbanken", lang="sv")
               for kind, f in (("pos", write_tagger), ("depparse", write_parser))},
        )  # fmt: skip
        every["zh-hans", "default"] = _named(
            "zh-hans_gsdsimp",
            {"tokenize": partial(write_tokenizer, mwt=False, skip_newline=True, lang="zh-hans")}
            | vectors
            | {"lemma": partial(write_lemmatizer, charlms=None, dict_only=True)},
        )
        every["cop", "default"] = _named(
            "cop_scriptorium",
            {"tokenize": write_tokenizer,
             "pos": partial(write_tagger, pretrain=None, charlms=None),
             "depparse": partial(write_parser, pretrain=None, charlms=None)},
            "_nopretrain",
        )  # fmt: skip
        return every

    def _ensemble(self, kinds: tuple[str, str], path: Path) -> None:
        parts = [path.with_name(f"{path.stem}-{n}.part") for n in range(2)]
        for part, kind in zip(parts, kinds, strict=True):
            write_parser(part, self.pretrain, None, transition=kind)
        write_ensemble(path, parts, self.pretrain)


_ENDINGS = {"tokenize": "tokenizer", "mwt": "mwt_expander", "pos": "tagger", "lemma": "lemmatizer"}
_ENDINGS["depparse"] = "parser"


def _named(name: str, models: Files, kind: str = "_nocharlm") -> Files:
    """Return the names that models of a treebank have."""
    kinds = {"tokenize": "", "mwt": "", "lemma": "_charlm" if kind == "_charlm" else "_nocharlm"}
    return {f"{name}{kinds.get(p, kind)}_{_ENDINGS[p]}.pt": write for p, write in models.items()}


def _without_lemmas(parser: Callable[[Path], None]) -> Files:
    return {"tokenize": write_tokenizer, "pos": _PLAIN_TAGGER, "depparse": parser}


def _PLAIN_TAGGER(path: Path) -> None:
    write_tagger(path, path.with_name("en_conll17_pretrain.pt"), None)


def _others(lang: str) -> Files:
    """Return the other models that a language's default package names, and the foundations of all of them."""
    from stanza.resources import prepare_resources as prepare

    named = {"ner": prepare.default_ners, "sentiment": prepare.default_sentiment}
    named |= {"constituency": prepare.default_constituency}
    files: Files = {}
    for processor, packages in named.items():
        if lang in packages:
            ending = prepare.processor_to_ending[processor]
            files[f"{lang}_{packages[lang]}_{ending}.pt"] = lambda path: _write(path, b"not for us")
    if lang in prepare.default_pretrains:
        files[f"{lang}_{prepare.default_pretrains[lang]}_pretrain.pt"] = write_pretrain
    if lang in prepare.default_charlms:
        for direction in ("forward", "backward"):
            name = f"{lang}_{prepare.default_charlms[lang]}_{direction}_charlm.pt"
            files[name] = partial(write_charlm, direction=direction)
    return files


def _write(path: Path, content: bytes) -> None:
    path.write_bytes(content)


def write_hub(
    folder: Path, wanted: Callable[[Architecture], bool], transformers: Mapping[str, str]
) -> tuple[Architecture, ...]:
    """Write a hub: ``resources.json``, and ``LANG/models/PROCESSOR/PACKAGE.pt`` and ``LANG/models/default.zip``.

    Args:
        folder: Where it goes.
        wanted: Which architectures; the English default is always there.
        transformers: Name or folder of each kind of transformer that they need.

    Returns:
        The architectures.
    """
    with quiet_stanza():
        return _written(folder, wanted, transformers)


def _written(
    folder: Path, wanted: Callable[[Architecture], bool], transformers: Mapping[str, str]
) -> tuple[Architecture, ...]:
    from stanza.resources import prepare_resources

    models = folder.with_name(folder.name + "-models")
    builder = Builder(models / "all", transformers)
    every = builder.files()
    chosen = [one for one in ARCHITECTURES if wanted(one)]
    keys = {(one.lang, one.package) for one in chosen} | {("en", "default"), ("en", "default_fast")}
    for key in every:
        if key in keys:
            for name, write in every[key].items():
                write(models / "all" / name)
    for lang in {lang for lang, _ in keys}:
        for name, write in _others(lang).items():
            write(models / "all" / name)
    _write(models / "all" / "multilingual_ud_langid.pt", b"not for us")
    folder.mkdir()
    args = Namespace(input_dir=str(models), output_dir=str(folder), lang=None, packages_only=False)
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # Stanza's tool leaves files open
        for step in ("dirs", "packages", "default_zips", "lcode", "misc"):
            getattr(prepare_resources, f"process_{step}")(args)
    shutil.rmtree(models)
    return tuple(chosen)


def install(hub: Path, folder: Path) -> None:
    """Lay a hub out as Stanza's own folder is after everything was downloaded."""
    resources: dict[str, Any] = json.loads((hub / "resources.json").read_text())
    folder.mkdir()
    shutil.copy(hub / "resources.json", folder)
    for lang, entry in resources.items():
        if isinstance(entry, dict) and "packages" in entry:
            shutil.copytree(hub / lang / "models", folder / lang)
