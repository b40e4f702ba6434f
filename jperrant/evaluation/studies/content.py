"""What a step depends on, as checksums: inputs, settings, and the versions of what computes it."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import platform
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jperrant.annotation.fingerprint import fingerprint, packages
from jperrant.annotation.options import AnnotatorOptions
from jperrant.core.errors import InputError
from jperrant.core.installed import checksum_of_code, checksum_of_package, versions_of
from jperrant.core.paths import is_folder
from jperrant.encoders.find import FILES, WEIGHTS
from jperrant.encoders.find import fingerprint as fingerprint_of_weights
from jperrant.evaluation.metrics.base import Scorer
from jperrant.evaluation.request import READING
from jperrant.io.files import reason

#: Rooms whose code changes results; reports and the command line only show them.
_ROOMS = ("alignment", "annotation", "core", "edits", "encoders", "evaluation", "io", "llm", "packs", "parse")
#: Options of metrics that may name the folder of a model.
_MODELS = ("encoder", "model", "tokenizer")
#: Packages whose versions may change figures.
_PACKAGES = ("jperrant", "numpy", "rapidfuzz", "POT", "stanza", "torch", "transformers")


def versions() -> dict[str, str]:
    """Return the versions of everything that computes: Python, packages, and a checksum of jperrant's code."""
    python = ".".join(platform.python_version_tuple()[:2])
    return {"python": python, **versions_of(_PACKAGES), "code": checksum_of_code(_ROOMS)[:16]}


def checksum_of_file(path: Path) -> str:
    """Return the SHA-256 checksum of a file.

    Raises:
        InputError: The file cannot be read.
    """
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({reason(error)})") from None


def key_of(*parts: Any) -> str:
    """Return a key that stands for values that JSON can hold, in letters that a file name can have."""
    text = json.dumps(parts, ensure_ascii=True, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:40]


def annotator_content(options: AnnotatorOptions) -> list[Any]:
    """Return what annotations depend on besides the texts.

    These are settings, packs, word lists and models by content, and the versions of packages that they need.
    """
    settings = dataclasses.asdict(dataclasses.replace(options, pack=None))
    return [settings, fingerprint(options), versions_of(packages(options))]


def scorer_content(scorer: Scorer) -> list[Any]:
    """Return what a metric's figures depend on besides edits.

    These are all its options, the models and files that they name, and code of other packages.

    Raises:
        InputError: A file that an option names cannot be read.
    """
    options: dict[str, Any] = {}
    if dataclasses.is_dataclass(scorer):
        options = dataclasses.asdict(scorer)
        # What a metric makes of its options adds nothing to them, and may have another text in each process.
        options = {field.name: options[field.name] for field in dataclasses.fields(scorer) if field.init}
    options |= {name: checksum_of_file(Path(options[name])) for name in READING if options.get(name)}
    models = model_content(options)
    return [scorer.name, type(scorer).__module__, options, scorer.settings, models, _code_of_others(scorer)]


def _code_of_others(scorer: Scorer) -> dict[str, str]:
    """Return checksums of the packages other than jperrant that bring the metric or its weighting, by name."""
    kinds = [*type(scorer).__mro__, *type(getattr(scorer, "weighting", None)).__mro__]
    names = {kind.__module__.partition(".")[0] for kind in kinds}
    others = names - {"jperrant"} - sys.stdlib_module_names
    return {name: checksum_of_package(name) for name in sorted(others)}


def model_content(options: Mapping[str, Any]) -> list[str]:
    """Return what stands for the folders of models that options name: weights, settings and tokenizers.

    Raises:
        InputError: A file cannot be read.
    """
    contents: list[str] = []
    for name, value in options.items():
        if isinstance(value, Mapping):
            contents += model_content(value)
        elif name in _MODELS and isinstance(value, str) and value and is_folder(value):
            folder = Path(value)
            files = {file for pattern in FILES if pattern not in WEIGHTS for file in folder.rglob(pattern)}
            contents.append(fingerprint_of_weights(folder))
            contents += [
                f"{file.relative_to(folder).as_posix()} {checksum_of_file(file)}"
                for file in sorted(files)
                if file.is_file()
            ]
    return contents
