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
from typing import Any, TypeAlias

from jperrant.parse.stanza_analyser import quiet_stanza

from .tiny_models import (
    ADAPTERS,
    lemma_classifier,
    write_charlm,
    write_ensemble,
    write_expander,
    write_lemmatizer,
    write_parser,
    write_pretrain,
    write_tagger,
    write_tokenizer,
)

#: From the end of a file's name to what writes it.
Files: TypeAlias = dict[str, Callable[[Path], None]]

#: The English packages, each with a tagger and a parser of another kind.
PACKAGES = (
    "default",  # word vectors and character models
    "default_fast",  # word vectors only
    "default_accurate",  # over a transformer; some lemmas by a classifier over it, too
    "ewt",  # character models through a layer, XPOS in parts, arc embedding
    "adapters",  # over a transformer with low-rank adapters (PEFT)
    "ensemble",  # two graph parsers; without lemmas
    "transition-bilinear",  # transition parsers, by how they combine subtrees
    "transition-bilstm",
)


def _packages(folder: Path, transformer: str) -> dict[str, Files]:
    """Write what models build on to a folder, and return the models of each package."""
    pretrain = folder / "en_conll17_pretrain.pt"
    forward, backward = (folder / f"en_1billion_{name}_charlm.pt" for name in ("forward", "backward"))
    write_pretrain(pretrain)
    write_charlm(forward, "forward")
    write_charlm(backward, "backward")
    words: dict[str, Any] = {"pretrain": pretrain, "charlms": None}
    characters = {**words, "charlms": (forward, backward)}
    tokens: Files = {"tokenizer": write_tokenizer}

    def pair(kind: str, both: Mapping[str, Any], tagger: Mapping[str, Any] = {}, **parser: Any) -> Files:
        """Return a tagger and a parser with some settings."""
        return {
            f"{kind}_tagger": partial(write_tagger, **both, **tagger),
            f"{kind}_parser": partial(write_parser, **both, **parser),
        }

    def ensemble(path: Path) -> None:
        parts = [path.with_name(f"{path.stem}-{n}.part") for n in range(2)]
        for part in parts:
            write_parser(part, **words)
        write_ensemble(path, parts, pretrain)

    electra = {**words, "bert": transformer}
    lemmas = {"mwt_expander": write_expander, "nocharlm_lemmatizer": partial(write_lemmatizer, charlms=None)}
    by_context = partial(
        write_lemmatizer, charlms=characters["charlms"], contextual=lambda: [lemma_classifier(transformer)]
    )
    parts = {**characters, "shorthand": "sv_talbanken"}
    return {
        "default": pair("charlm", characters),
        "default_fast": tokens | lemmas | pair("nocharlm", words),
        "default_accurate": {"charlm_lemmatizer": by_context}
        | pair("electra-large", {**electra, "charlms": characters["charlms"]}, {"bert_hidden_layers": 3}),
        "ewt": tokens | pair("charlm", parts, {"charlm_transform_dim": 4}, use_arc_embedding=True),
        "adapters": tokens | pair("nocharlm", electra | ADAPTERS),
        "ensemble": tokens | pair("nocharlm", words) | {"nocharlm_parser": ensemble},
        "transition-bilinear": tokens | pair("nocharlm", words, transition="BILINEAR"),
        "transition-bilstm": tokens | pair("nocharlm", words, transition="BILSTM"),
    }


@quiet_stanza()
def write_hub(folder: Path, transformer: str = "") -> None:
    """Write a hub: ``resources.json``, and ``LANG/models/PROCESSOR/PACKAGE.pt`` and ``LANG/models/default.zip``.

    Args:
        folder: Where it goes.
        transformer: Folder of one; without, only the packages default and default_fast are there.
    """
    from stanza.resources import prepare_resources as prepare

    models = folder.with_name(folder.name + "-models")
    files = models / "all"
    files.mkdir(parents=True)
    every = _packages(files, transformer)
    for package in PACKAGES if transformer else PACKAGES[:2]:
        treebank = "combined" if package.startswith("default") else package
        for ending, write in every[package].items():
            write(files / f"en_{treebank}_{ending}.pt")
    other = {
        "ner": prepare.default_ners, "sentiment": prepare.default_sentiment,
        "constituency": prepare.default_constituency,
    }  # fmt: skip
    names = [f"en_{named['en']}_{prepare.processor_to_ending[kind]}" for kind, named in other.items()]
    for name in (*names, "multilingual_ud_langid"):
        (files / f"{name}.pt").write_bytes(b"not for us")
    folder.mkdir()
    args = Namespace(input_dir=str(models), output_dir=str(folder), lang=None, packages_only=False)
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # Stanza's tool leaves files open
        for step in ("dirs", "packages", "default_zips", "lcode", "misc"):
            getattr(prepare, f"process_{step}")(args)
    shutil.rmtree(models)


def install(hub: Path, folder: Path) -> None:
    """Lay a hub out as Stanza's own folder is after everything was downloaded."""
    resources: dict[str, Any] = json.loads((hub / "resources.json").read_text())
    folder.mkdir()
    shutil.copy(hub / "resources.json", folder)
    for lang, entry in resources.items():
        if isinstance(entry, dict) and "packages" in entry:
            shutil.copytree(hub / lang / "models", folder / lang)
