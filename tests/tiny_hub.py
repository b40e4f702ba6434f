"""A hub of tiny models laid out by Stanza's own tool, ``stanza.resources.prepare_resources``, as the real one."""

from __future__ import annotations

import contextlib
import io
import json
import shutil
import warnings
from argparse import Namespace
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

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


class Architecture(NamedTuple):
    """A package of the hub: where it is in ``resources.json``."""

    lang: str
    package: str


#: Each with its tokenizer, expander, tagger, lemmatizer and parser.
ARCHITECTURES = (
    # mwt classifier; charlm tagger and parser; seq2seq lemmatizer with dictionary
    Architecture("en", "default"),
    # the same with word vectors only
    Architecture("en", "default_fast"),
    # charlm tokenizer; Electra tagger and parser; charlm lemmatizer, lemma classifiers with LSTM and attention
    Architecture("en", "default_accurate"),
    # tokenizer with dictionary; seq2seq mwt; charlm through a layer; arc embedding
    Architecture("en", "ewt"),
    # XLM-RoBERTa tagger and parser; transformer lemma classifier
    Architecture("en", "roberta"),
    # tagger and parser over a BERT with low-rank adapters (PEFT)
    Architecture("en", "adapters"),
    # two graph parsers; identity lemmatizer
    Architecture("en", "ensemble"),
    # transition parser, subtrees BILINEAR and BILSTM
    Architecture("en", "transition-bilinear"),
    Architecture("en", "transition-bilstm"),
    # XPOS in parts; seq2seq mwt with dictionary
    Architecture("sv", "default"),
    # tokenizer without lines, no mwt; lemmatizer by dictionary
    Architecture("zh-hans", "default"),
    # no word vectors, no charlm; identity lemmatizer of the language
    Architecture("cop", "default"),
)


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
        electra, roberta, bert = (self.transformers.get(k, "") for k in ("Electra", "XLMRoberta", "Bert"))
        charlms, pretrain, with_charlms = self.charlms, self.pretrain, {"charlms": self.charlms}

        def lemmatizer(**settings: Any) -> Callable[[Path], None]:
            return partial(write_lemmatizer, **{"charlms": None, **settings})

        def pair(both: Mapping[str, Any], tagger: Mapping[str, Any] = {}, **parser: Any) -> Files:
            """Return a tagger and a parser with some settings, besides word vectors."""
            plain = {"pretrain": pretrain, "charlms": None, **both}
            return {
                "pos": partial(write_tagger, **plain | tagger),
                "depparse": partial(write_parser, **plain | parser),
            }

        def classifiers() -> list[Any]:
            return [lemma_classifier(pretrain, charlms), lemma_classifier(pretrain, None, 2)]

        tokens: Files = {"tokenize": write_tokenizer}
        seq2seq: Files = {"mwt": partial(write_expander, kind="seq2seq")}
        by_dictionary: Files = {"lemma": lemmatizer(dict_only=True)}
        accurate = pair({**with_charlms, "bert": electra}, {"bert_hidden_layers": 3})
        english = {
            "default_fast": tokens | {"mwt": write_expander, "lemma": lemmatizer()} | pair({}),
            "default": pair(with_charlms),
            "ewt": {
                "tokenize": partial(write_tokenizer, use_dictionary=True),
                "lemma": lemmatizer(edit=False),
            }
            | seq2seq
            | pair(with_charlms, {"charlm_transform_dim": 4}, use_arc_embedding=True),
            "roberta": tokens
            | {"lemma": lemmatizer(**with_charlms, contextual=lambda: [transformer_lemma_classifier(bert)])}
            | pair({"bert": roberta}, **with_charlms, bert_hidden_layers=2),
            "adapters": tokens | by_dictionary | pair({"bert": bert, **ADAPTERS}, with_charlms),
            "ensemble": tokens | pair({}) | {"depparse": self._ensemble},
            "transition-bilinear": tokens | pair({}, transition="BILINEAR"),
            "transition-bilstm": tokens | pair({}, transition="BILSTM"),
        }
        with_charlm_names = ("default", "ewt", "roberta", "adapters")
        every = {
            ("en", name): _named(
                "en_combined" if name.startswith("default") else f"en_{name}",
                models,
                "_charlm" if name in with_charlm_names else "_nocharlm",
            )
            for name, models in english.items()
        }
        every["en", "default_accurate"] = {
            "en_combined_charlm_tokenizer.pt": partial(write_tokenizer, charlm=charlms[0]),
            "en_combined_electra-large_tagger.pt": accurate["pos"],
            "en_combined_electra-large_parser.pt": accurate["depparse"],
            "en_combined_charlm_lemmatizer.pt": lemmatizer(**with_charlms, contextual=classifiers),
        }
        swedish: Files = {"tokenize": partial(write_tokenizer, lang="sv"), "lemma": lemmatizer()} | seq2seq
        swedish |= pair({"shorthand": "sv_talbanken", "lang": "sv"})
        every["sv", "default"] = _named("sv_talbanken", swedish)
        chinese = partial(write_tokenizer, mwt=False, skip_newline=True, lang="zh-hans")
        every["zh-hans", "default"] = _named(
            "zh-hans_gsdsimp", {"tokenize": chinese} | by_dictionary | pair({})
        )
        bare = tokens | pair({"pretrain": None})
        every["cop", "default"] = _named("cop_scriptorium", bare, "_nopretrain")
        return every

    def _ensemble(self, path: Path) -> None:
        parts = [path.with_name(f"{path.stem}-{n}.part") for n in range(2)]
        for part in parts:
            write_parser(part, self.pretrain, None)
        write_ensemble(path, parts, self.pretrain)


_ENDINGS = {"tokenize": "tokenizer", "mwt": "mwt_expander", "pos": "tagger", "lemma": "lemmatizer"}
_ENDINGS["depparse"] = "parser"


def _named(name: str, models: Files, kind: str = "_nocharlm") -> Files:
    """Return the names that models of a treebank have."""
    kinds = {"tokenize": "", "mwt": "", "lemma": "_charlm" if kind == "_charlm" else "_nocharlm"}
    return {f"{name}{kinds.get(p, kind)}_{_ENDINGS[p]}.pt": write for p, write in models.items()}


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


@quiet_stanza()
def write_hub(folder: Path, transformers: Mapping[str, str] | None = None) -> None:
    """Write a hub: ``resources.json``, and ``LANG/models/PROCESSOR/PACKAGE.pt`` and ``LANG/models/default.zip``.

    Args:
        folder: Where it goes.
        transformers: Name or folder of each kind of transformer; without, only the English default and default_fast
            are there.
    """
    from stanza.resources import prepare_resources

    models = folder.with_name(folder.name + "-models")
    every = Builder(models / "all", transformers or {}).files()
    chosen = ARCHITECTURES if transformers else ARCHITECTURES[:2]
    packages = [*(every[one] for one in chosen), *(_others(lang) for lang in {one.lang for one in chosen})]
    for files in packages:
        for name, write in files.items():
            write(models / "all" / name)
    _write(models / "all" / "multilingual_ud_langid.pt", b"not for us")
    folder.mkdir()
    args = Namespace(input_dir=str(models), output_dir=str(folder), lang=None, packages_only=False)
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # Stanza's tool leaves files open
        for step in ("dirs", "packages", "default_zips", "lcode", "misc"):
            getattr(prepare_resources, f"process_{step}")(args)
    shutil.rmtree(models)


def install(hub: Path, folder: Path) -> None:
    """Lay a hub out as Stanza's own folder is after everything was downloaded."""
    resources: dict[str, Any] = json.loads((hub / "resources.json").read_text())
    folder.mkdir()
    shutil.copy(hub / "resources.json", folder)
    for lang, entry in resources.items():
        if isinstance(entry, dict) and "packages" in entry:
            shutil.copytree(hub / lang / "models", folder / lang)
