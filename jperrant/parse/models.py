"""Where Stanza's models lie: in a pack, in Stanza's own folder, or in a folder the user names.

Nothing here downloads on its own; only ``get_models`` does, with Stanza's downloader, when it is called.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jperrant.core.errors import CorruptModelError, MissingModelError, UsageError, nearest
from jperrant.core.extras import STANZA, import_extra

COMPACT, DEFAULT, NONE = "compact", "default", "none"
_RESOURCES = "resources.json"
PROCESSORS = ("tokenize", "mwt", "pos", "lemma", "depparse")


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A package of models for one language.

    Attributes:
        folder: Folder in Stanza's layout: ``resources.json`` and one folder a language.
        lang: Stanza's code of the language.
        package: Name of the package in ``resources.json``.
        files: Path of each processor's model.
    """

    folder: Path
    lang: str
    package: str
    files: Mapping[str, Path]


def stanza_folder() -> Path:
    """Return the folder Stanza keeps its downloads in.

    Raises:
        MissingExtraError: Stanza, which knows it, is not installed.
    """
    if folder := os.environ.get("STANZA_RESOURCES_DIR"):
        return Path(folder)
    return Path(import_extra("stanza.resources.common", STANZA).DEFAULT_MODEL_DIR)


def find_models(models: str, lang: str, compact: Path | None, code: str) -> ModelFolder:
    """Find the models a user asked for.

    Args:
        models: ``compact``, ``default``, a folder, or a package of the pack's own models or of Stanza's.
        lang: Stanza's code of the language.
        compact: The pack's own models, or None.
        code: The pack's code, for messages.

    Raises:
        MissingModelError: They are not on this machine; the message holds the command that gets them.
        CorruptModelError: ``resources.json`` or a model file is damaged.
    """
    if not lang:
        raise MissingModelError(f"pack {code!r} names no Stanza language; give CoNLL-U, or --models none")
    if models == COMPACT:
        if compact is None:
            raise MissingModelError(
                f"pack {code!r} comes without compact models; get Stanza's with 'jperrant models get {code}' and "
                "use --models default, or give a folder, or --models none for text without analysis"
            )
        return _package(compact, lang, DEFAULT, f"pip install --force-reinstall jperrant (pack {code})")
    if compact is not None and models not in (DEFAULT, NONE) and models in _packages(compact, lang):
        return _package(compact, lang, models, f"pip install --force-reinstall jperrant (pack {code})")
    if (Path(models) / _RESOURCES).is_file():
        return _package(Path(models), lang, DEFAULT, f"put models for {lang!r} into {models}")
    if Path(models).is_dir():
        raise MissingModelError(f"{models}: no {_RESOURCES} there, so it is no folder of Stanza models")
    option = "" if models == DEFAULT else f" --package {models}"
    return _package(stanza_folder(), lang, models, f"jperrant models get {code}{option}")


def _packages(folder: Path, lang: str) -> Iterable[str]:
    packages: Mapping[str, object] = _resources(folder, "").get(lang, {}).get("packages", {})
    return packages


def _package(folder: Path, lang: str, package: str, command: str) -> ModelFolder:
    resources = _resources(folder, command)
    entry = resources.get(lang, {})
    if "alias" in entry:
        lang = str(entry["alias"])
        entry = resources.get(lang, {})
    packages: Mapping[str, Mapping[str, str]] = entry.get("packages", {})
    if package not in packages:
        hint = nearest(package, packages) if packages else ""
        raise MissingModelError(f"no models {package!r} for {lang!r} in {folder}{hint}; run: {command}")
    names = {p: n for p, n in packages[package].items() if p in PROCESSORS}
    files = {p: folder / lang / p / f"{name}.pt" for p, name in names.items()}
    # Stanza's identity lemmatizer and some character-level splitters have no file of their own.
    files = {p: f for p, f in files.items() if names[p] != "identity"}
    for processor, file in files.items():
        if not file.is_file():
            raise MissingModelError(f"the {processor} model {file} is missing; run: {command}")
    return ModelFolder(folder, lang, package, files)


def _resources(folder: Path, command: str) -> Mapping[str, Any]:
    path = folder / _RESOURCES
    if not path.is_file():
        raise MissingModelError(f"no Stanza models in {folder}; run: {command}")
    try:
        resources = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CorruptModelError(f"{path} cannot be read ({error}); run: {command}") from None
    if not isinstance(resources, dict):
        raise CorruptModelError(f"{path} is no mapping; run: {command}")
    return resources


def damaged_file(models: ModelFolder) -> Path | None:
    """Return the first model file whose checksum is not the one in ``resources.json``, or None."""
    entry = _resources(models.folder, "").get(models.lang, {})
    for processor, file in models.files.items():
        expected = entry.get(processor, {}).get(file.stem, {}).get("md5")
        if expected and hashlib.md5(file.read_bytes(), usedforsecurity=False).hexdigest() != expected:
            return file
    return None


def installed_packages(folder: Path, lang: str) -> Iterator[ModelFolder]:
    """Yield the packages of a language whose files are all in a folder of Stanza models."""
    if not (folder / _RESOURCES).is_file():
        return
    for package in sorted(_resources(folder, "").get(lang, {}).get("packages", {})):
        try:
            yield _package(folder, lang, package, "")
        except MissingModelError:
            continue


def get_models(lang: str, package: str = DEFAULT) -> None:
    """Download a package with Stanza's own downloader into Stanza's own folder.

    Raises:
        MissingModelError: Stanza's server cannot be reached, or does not have the package.
        UsageError: No language was named.
    """
    if not lang:
        raise UsageError("the generic pack has no models of its own; name a language")
    stanza = import_extra("stanza", STANZA)
    try:
        stanza.download(
            lang, model_dir=str(stanza_folder()), package=package,
            processors=dict.fromkeys(PROCESSORS, package) if package != DEFAULT else {},
        )  # fmt: skip
    except (OSError, ValueError) as error:
        reason = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
        raise MissingModelError(
            f"Stanza could not download {package!r} for {lang!r} ({type(error).__name__}: {reason}); check the "
            "connection and the name"
        ) from None
