"""What results depend on besides texts: settings, files, models, and the versions of what computes."""

from __future__ import annotations

import dataclasses
import hashlib
import platform
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from jperrant.annotation.fingerprint import fingerprint, packages
from jperrant.annotation.options import AnnotatorOptions
from jperrant.core.installed import checksum_of_code, checksum_of_package, versions_of
from jperrant.core.paths import is_folder
from jperrant.encoders.find import FILES, WEIGHTS
from jperrant.encoders.find import fingerprint as fingerprint_of_weights
from jperrant.evaluation.metrics.base import Scorer
from jperrant.evaluation.scoring import READING
from jperrant.evaluation.studies.files import input_of
from jperrant.evaluation.studies.records import packed

#: Rooms whose code changes results; reports and the command line only show them.
_ROOMS = ("alignment", "annotation", "core", "edits", "encoders", "evaluation", "io", "llm", "packs", "parse")
#: Options of metrics that may name the folder of a model.
_MODELS = ("encoder", "model", "tokenizer")
#: Packages whose versions may change figures.
_PACKAGES = ("jperrant", "numpy", "rapidfuzz", "stanza", "torch", "transformers")


def versions() -> dict[str, str]:
    """Return the versions of everything that computes: Python, packages, and a checksum of jperrant's code."""
    python = ".".join(platform.python_version_tuple()[:2])
    return {"python": python, **versions_of(_PACKAGES), "code": checksum_of_code(_ROOMS)[:16]}


def key_of(*parts: Any) -> str:
    """Return a key that stands for values."""
    return hashlib.sha256(packed(parts)).hexdigest()[:40]


def annotator_content(options: AnnotatorOptions) -> list[Any]:
    """Return what annotations depend on besides the texts: settings; packs, word lists and models by content."""
    settings = dataclasses.replace(options, pack=None)
    return [settings, fingerprint(options), versions_of(packages(options))]


def scorer_content(scorer: Scorer) -> list[Any]:
    """Return what a metric's figures depend on besides edits: options, models, files, code of other packages.

    Raises:
        InputError: A file that an option names cannot be read.
    """
    options: dict[str, Any] = {}
    if dataclasses.is_dataclass(scorer):
        # What a metric makes of its options adds nothing to them, and may have another text in each process.
        made = {field.name for field in dataclasses.fields(scorer) if not field.init}
        options = {name: value for name, value in dataclasses.asdict(scorer).items() if name not in made}
    files = {
        name: input_of(Path(options[name]), options[name]).checksum for name in READING if options.get(name)
    }
    kinds = [*type(scorer).__mro__, *type(getattr(scorer, "weighting", None)).__mro__]
    names = {kind.__module__.partition(".")[0] for kind in kinds} - {"jperrant"} - sys.stdlib_module_names
    code = {name: checksum_of_package(name) for name in sorted(names)}
    return [
        scorer.name,
        type(scorer).__module__,
        options | files,
        scorer.settings,
        [*model_content(options)],
        code,
    ]


def model_content(options: Mapping[str, Any]) -> Iterator[str]:
    """Yield what stands for the folders of models that options name: weights, settings and tokenizers.

    Raises:
        InputError: A file cannot be read.
    """
    for name, value in options.items():
        if isinstance(value, Mapping):
            yield from model_content(value)
        elif name in _MODELS and isinstance(value, str) and value and is_folder(value):
            folder = Path(value)
            yield fingerprint_of_weights(folder)
            files = {file for pattern in FILES if pattern not in WEIGHTS for file in folder.rglob(pattern)}
            for file in sorted(filter(Path.is_file, files)):
                yield f"{file.relative_to(folder).as_posix()} {input_of(file, str(file)).checksum}"
