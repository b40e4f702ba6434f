"""Writes a folder of models for Stanza and ``--models``: weights at half precision, and the files beside them."""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import torch

from jperrant.compact.tagger import Tagger
from jperrant.compact.weights import read_model
from jperrant.compact.words import relation_file
from jperrant.core.conllu import DEPREL, FORM, UPOS
from training.treebank import Treebank

# The tokenizer's longest sequence in training is also the length of the pieces into which it later cuts text.
_MAX_SEQLEN = 1000
_GZIP = b"\x1f\x8b"


def export_model(source: Path, target: Path) -> None:
    """Copy a trained model with its weights at half precision; they load into single precision.

    Equal models give equal files.

    Args:
        source: A file Stanza's trainer saved.
        target: Where to write; its folder is made.
    """
    state = torch.load(source, map_location="cpu", weights_only=True)
    config = state.get("config", {})
    if "feat_funcs" in config:
        config["max_seqlen"] = max(_MAX_SEQLEN, int(config["max_seqlen"]))
    for key, value in config.items():
        if key.endswith(("_file", "_dir")) and value is not None:
            config[key] = Path(value).name  # paths of the machine that trained the model
    target.parent.mkdir(parents=True)
    save_model(_halved(state), target)


def save_model(state: Any, path: Path) -> None:
    """Write a model; the archive inside the file is named after the file, as in all models so far."""
    beside = path.with_name(path.name + ".partial")
    torch.save(state, beside)
    beside.replace(path)


def _halved(state: Any) -> Any:
    if isinstance(state, torch.Tensor):
        return state.half() if state.dtype is torch.float32 else state
    if isinstance(state, Mapping):
        return {key: _halved(value) for key, value in state.items()}
    if isinstance(state, bytes) and state.startswith(_GZIP):
        return state[:4] + bytes(4) + state[8:]  # without the time at which it was packed
    return state


def write_resources(folder: Path, lang: str, package: str, processors: Iterable[str]) -> None:
    """Write ``resources.json`` for the models in a folder.

    Args:
        folder: The folder; the model of each processor lies at ``lang/processor/package.pt``.
        lang: Stanza's code of the language.
        package: Name of the package; ``default`` points to it too.
        processors: Which models are there.
    """
    names = dict.fromkeys(processors, package)
    entry: dict[str, Any] = {"lang_name": lang, "packages": {"default": names, package: names}}
    for processor in names:
        content = (folder / lang / processor / f"{package}.pt").read_bytes()
        entry[processor] = {package: {"md5": hashlib.md5(content, usedforsecurity=False).hexdigest()}}
    write_json(folder / "resources.json", {"url": "", lang: entry})


def write_json(path: Path, value: Any) -> None:
    """Write indented JSON."""
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


_ROOT = "root"
_OFTEN, _TAGGED_OFTEN = 1_000, 100
"""A relation counts if one in this many words of the class has it, or one in this many words so tagged."""


def write_relation_classes(model: Path, tagger: Path, train: Treebank, dev: Treebank) -> None:
    """Write beside a parser's model which relations the words of each class can have.

    Args:
        model: The parser's model.
        tagger: The tagger's.
        train: The parser's training data; sentences without trees are left out.
        dev: Sentences that the tagger has not seen.
    """
    others = _trees(dev)
    found = Tagger(read_model(tagger)).tag([[row[FORM] for row in words] for words in others])
    tags = [tag.upos for sentence in found for tag in sentence]
    tagged = zip(tags, (row[DEPREL] for words in others for row in words), strict=True)
    words = ((row[UPOS], row[DEPREL]) for words in _trees(train) for row in words)
    write_json(relation_file(model), relation_classes(words, tagged))


def _trees(bank: Treebank) -> list[list[tuple[str, ...]]]:
    return [s.words for s in bank.sentences if "head" not in s.lacks]


def relation_classes(
    words: Iterable[tuple[str, str]], tagged: Iterable[tuple[str, str]]
) -> dict[str, list[str]]:
    """Return the relations that the words of each class have.

    A relation counts if at least one in a thousand words of the class has it, or one in a hundred of the words that
    a tagger assigns to the class: a parser can be right where the tagger is wrong. Classes of fewer than a
    thousand words are left out.

    Args:
        words: UPOS tag and relation of every word of a treebank.
        tagged: The same of another treebank, with the tags of a tagger.
    """
    by_class, by_tag = _counts(words), _counts(tagged)
    return {
        upos: sorted({_ROOT, *_frequent(counts, _OFTEN), *_frequent(by_tag[upos], _TAGGED_OFTEN)})
        for upos, counts in sorted(by_class.items())
        if counts.total() >= _OFTEN
    }


def _counts(words: Iterable[tuple[str, str]]) -> dict[str, Counter[str]]:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for upos, relation in words:
        counts[upos][relation] += 1
    return counts


def _frequent(counts: Counter[str], one_in: int) -> list[str]:
    return [name for name, count in counts.items() if count * one_in >= counts.total()]
