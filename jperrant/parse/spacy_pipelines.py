"""Where spaCy's pipelines lie, packages or folders, and what their files say; loading them.

A pipeline is found without importing spaCy, so that naming one is cheap.
"""

from __future__ import annotations

import importlib.metadata
import json
import re
import warnings
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from jperrant.core.errors import CorruptModelError, MissingError, MissingExtraError, MissingModelError
from jperrant.core.extras import SPACY, check_extra, import_extra, install_command

_META, _CONFIG = "meta.json", "config.cfg"
_PACKAGE = re.compile(r"[A-Za-z_]\w*")
#: Factories of networks that give no tag, lemma or relation; ERRANT leaves out its pipeline's, too.
_APART = frozenset(
    ["beam_ner", "entity_linker", "ner", "span_finder", "spancat", "spancat_singlelabel", "textcat",
     "textcat_multilabel"]
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class PipelineFiles:
    """A spaCy pipeline on this machine, not loaded.

    Attributes:
        name: The name of its package, or its folder, as the user gave it.
        root: The folder with all that belongs to it.
        folder: The folder with its configuration.
        package: Whether it is an installed package.
        meta: What its ``meta.json`` says.
    """

    name: str
    root: Path
    folder: Path
    package: bool
    meta: Mapping[str, Any] = field(repr=False)

    @property
    def lang(self) -> str:
        """Code of the language as spaCy has it; ``xx`` for many languages."""
        return str(self.meta.get("lang", ""))

    @property
    def made_by(self) -> str:
        """The versions of spaCy that it was made for; empty where it does not say."""
        return str(self.meta.get("spacy_version", ""))

    def files(self) -> list[Path]:
        """Return all files of the pipeline but compiled Python."""
        return sorted(p for p in self.root.rglob("*") if p.is_file() and "__pycache__" not in p.parts)

    def missing_packages(self) -> list[str]:
        """Return the requirements that are not installed, as pip takes them."""
        return [need for need in self.meta.get("requirements") or [] if not _is_installed(str(need))]


def find_pipeline(name: str) -> PipelineFiles:
    """Return the pipeline of a package or a folder.

    Args:
        name: As ``spacy.load`` takes it.

    Raises:
        MissingExtraError: There is no such package, and spaCy is not installed, which would get it.
        MissingModelError: There is no such package or folder, or the folder is no pipeline.
        CorruptModelError: Its ``meta.json`` is damaged.
    """
    package = _package_folder(name)
    root = package or Path(name)
    if package is None and not root.is_dir():
        if _PACKAGE.fullmatch(name) and not root.exists():
            check_extra(["spacy"], SPACY)
        raise MissingModelError(_not_here(name, root))
    folder = _with_configuration(root)
    if folder is None:
        raise MissingModelError(
            f"{root}: found no {_META} and {_CONFIG}, expected a spaCy pipeline; give the folder that "
            "nlp.to_disk wrote, or the name of an installed one"
        )
    return PipelineFiles(name, root, folder, package is not None, _read_meta(folder / _META))


def _with_configuration(root: Path) -> Path | None:
    """Return a folder, or the one in it where it is a package, that holds a pipeline; None if neither does."""
    if not (root / _META).is_file():
        return None
    if (root / _CONFIG).is_file():
        return root
    meta = _read_meta(root / _META)
    inside = root / Path("{lang}_{name}-{version}".format_map(defaultdict(str, meta))).name
    return inside if all((inside / file).is_file() for file in (_META, _CONFIG)) else None


def _not_here(name: str, path: Path) -> str:
    if path.exists():
        return f"{name} is a file, expected a folder or the name of an installed spaCy pipeline"
    if _PACKAGE.fullmatch(name):
        return f"the spaCy pipeline {name!r} is not installed; run: python -m spacy download {name}"
    return f"{name}: no such folder; give the folder of a spaCy pipeline, or the name of an installed one"


def _package_folder(name: str) -> Path | None:
    """Return the folder of an installed package, or None; nothing of it is imported."""
    if not _PACKAGE.fullmatch(name):
        return None
    try:
        importlib.metadata.distribution(name)
        spec = find_spec(name)
    except (importlib.metadata.PackageNotFoundError, ImportError, ValueError):
        return None
    return Path(spec.origin).parent if spec is not None and spec.origin else None


def _read_meta(path: Path) -> Mapping[str, Any]:
    try:
        meta = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CorruptModelError(f"{path} cannot be read ({error}); install the pipeline again") from None
    if not isinstance(meta, dict):
        raise CorruptModelError(
            f"{path}: found {type(meta).__name__}, expected a mapping; install the pipeline again"
        )
    return meta


def _is_installed(requirement: str) -> bool:
    name = re.match(r"[\w.-]+", requirement.strip())
    try:
        return name is None or bool(importlib.metadata.version(name.group()))
    except importlib.metadata.PackageNotFoundError:
        return False


def load_pipeline(pipeline: PipelineFiles) -> Any:
    """Return a pipeline ready to run, without what gives no tag, lemma or relation; warns of another spaCy.

    Raises:
        MissingExtraError: SpaCy, or a package that the pipeline needs, is not installed.
        CorruptModelError: It cannot be loaded; the message names the spaCy it was made for if that is another.
    """
    spacy = import_extra("spacy", SPACY)
    if missing := pipeline.missing_packages():
        raise MissingExtraError(
            f"spacy:{pipeline.name} requires packages that are not installed; run: {install_command(missing)}"
        )
    other = _other_spacy(pipeline, spacy)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of versions, in several lines; we say it in one
            components = spacy.util.load_config(pipeline.folder / _CONFIG).get("components", {})
            apart = [name for name, component in components.items() if component.get("factory") in _APART]
            nlp = spacy.load(pipeline.name if pipeline.package else pipeline.folder, exclude=apart)
    except Exception as error:  # a pipeline runs code of any package, which may raise anything
        raise _unreadable(pipeline, other, error) from None
    if other:
        warnings.warn(f"spacy:{pipeline.name} {other}; its analyses may differ", stacklevel=2)
    return nlp


def _other_spacy(pipeline: PipelineFiles, spacy: Any) -> str:
    """Say for which spaCy a pipeline was made if it is not the one that is installed."""
    made_by, here = pipeline.made_by, spacy.__version__
    if not made_by or spacy.util.is_compatible_version(here, made_by) is not False:
        return ""
    return f"was made for spaCy {made_by}, but {here} is installed"


def _unreadable(pipeline: PipelineFiles, other: str, error: Exception) -> MissingError:
    reason = (" ".join(str(error).split()) or type(error).__name__)[:200]
    if other:
        command = install_command([f"spacy{pipeline.made_by}"])
        return MissingExtraError(
            f"spacy:{pipeline.name} cannot be loaded ({reason}); it {other}; "
            f"install a pipeline for this version, or run: {command}"
        )
    return CorruptModelError(f"spacy:{pipeline.name} cannot be loaded ({reason}); install it again")
