"""A folder of models as Stanza and ``--models`` take it: half the weights' bits, and ``resources.json``."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

# The tokenizer's longest sequence in training is also what it cuts text into later.
_MAX_SEQLEN = 1000
_GZIP = b"\x1f\x8b"


def export_model(source: Path, target: Path) -> None:
    """Copy a trained model with its weights at half precision, which loads into single precision.

    Equal models make equal files.

    Args:
        source: A file Stanza's trainer saved.
        target: Where to write; its folder is made.
    """
    import torch

    state = torch.load(source, map_location="cpu", weights_only=True)
    config = state.get("config", {})
    if "feat_funcs" in config:
        config["max_seqlen"] = max(_MAX_SEQLEN, int(config["max_seqlen"]))
    for key in [k for k in config if k.endswith("_file") or k.endswith("_dir")]:
        if config[key] is not None:
            config[key] = Path(str(config[key])).name  # whose machine it was trained on is nobody's business
    target.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(target) as beside:
        torch.save(_halved(state), beside)  # the older format holds addresses of memory


def _halved(state: Any) -> Any:
    import torch

    if isinstance(state, torch.Tensor):
        return state.half() if state.dtype is torch.float32 else state
    if isinstance(state, Mapping):
        return {key: _halved(value) for key, value in state.items()}
    if isinstance(state, bytes) and state.startswith(_GZIP):
        return state[:4] + bytes(4) + state[8:]  # without the time at which it was packed
    return state


def write_resources(folder: Path, lang: str, package: str, processors: Iterable[str], identity: bool) -> None:
    """Write ``resources.json`` for the models in a folder.

    Args:
        folder: The folder; the model of each processor lies at ``lang/processor/package.pt``.
        lang: Stanza's code of the language.
        package: Name of the package; ``default`` points to it too.
        processors: Which models are there.
        identity: Whether every word is its own lemma, for which Stanza needs no file.
    """
    names = dict.fromkeys(processors, package)
    entry: dict[str, Any] = {"lang_name": lang, "packages": {}}
    for processor in names:
        content = (folder / lang / processor / f"{package}.pt").read_bytes()
        entry[processor] = {package: {"md5": hashlib.md5(content, usedforsecurity=False).hexdigest()}}
    if identity:
        names["lemma"] = "identity"
        entry["lemma"] = {"identity": {"model_path": "identity"}}
    entry["packages"] = {"default": names, package: names}
    write_json(folder / "resources.json", {"url": "", lang: entry})


def write_json(path: Path, value: Any) -> None:
    """Write JSON for people to read, whole or not at all."""
    with whole_file(path) as beside:
        beside.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Yield a path beside another, which takes its place when all went well."""
    beside = path.with_name(path.name + ".partial")
    yield beside
    beside.replace(path)
