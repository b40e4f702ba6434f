"""Where Stanza's models lie: in a pack, in Stanza's own folder, or in a folder the user names.

Nothing here downloads on its own; only ``get_models`` does, with Stanza's downloader, when it is called.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jperrant.core.errors import CorruptModelError, MissingModelError, UsageError, nearest
from jperrant.core.extras import STANZA, import_extra

COMPACT, DEFAULT, NONE = "compact", "default", "none"
_RESOURCES = "resources.json"
_NAME = re.compile(r"[\w+-][\w.+-]*")
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
        raise MissingModelError(f"language {code!r} has no name in Stanza; give CoNLL-U, or --models none")
    if models == COMPACT:
        if compact is None:
            raise MissingModelError(
                f"language {code!r} has no compact models; get Stanza's with 'jperrant models get {code}' and "
                "use --models default, or give a folder, or --models none for text without analysis"
            )
        return _package(compact, lang, DEFAULT, f"pip install --force-reinstall jperrant (pack {code})")
    if compact is not None and models not in (DEFAULT, NONE) and models in _packages(compact, lang):
        return _package(compact, lang, models, f"pip install --force-reinstall jperrant (pack {code})")
    if (Path(models) / _RESOURCES).is_file():
        return _package(Path(models), lang, DEFAULT, f"put models for {lang!r} into {models}")
    if Path(models).is_dir():
        raise MissingModelError(f"{models}: no {_RESOURCES} there, so it is not a folder of Stanza models")
    option = "" if models == DEFAULT else f" --package {models}"
    return _package(stanza_folder(), lang, models, f"jperrant models get {code}{option}")


def _packages(folder: Path, lang: str) -> Mapping[str, Any]:
    """Return the packages of a language, or of the language it is another name of."""
    resources = _resources(folder, "")
    return _mapping(_entry(resources, lang, folder)[1], "packages", folder)


def _entry(resources: Mapping[str, Any], lang: str, folder: Path) -> tuple[str, Mapping[str, Any]]:
    """Return a language's code and what is there for it; the code is another one where the language is an alias."""
    entry = _mapping(resources, lang, folder)
    if "alias" in entry:
        lang = _file_name(entry["alias"], "language", folder)
        entry = _mapping(resources, lang, folder)
    return lang, entry


def _mapping(values: Mapping[str, Any], key: str, folder: Path) -> Mapping[str, Any]:
    value = values.get(key, {})
    if not isinstance(value, dict):
        raise CorruptModelError(
            f"{folder / _RESOURCES}: found {type(value).__name__} for {key!r}, expected a mapping; get it again"
        )
    return value


def _file_name(name: object, what: str, folder: Path) -> str:
    """Return a name that ``resources.json`` gives, if it is one of a file and leads to no other folder."""
    if not isinstance(name, str) or not _NAME.fullmatch(name) or ".." in name:
        raise CorruptModelError(
            f"{folder / _RESOURCES}: {str(name)[:80]!r} is not a name of a {what}; expected letters, digits, "
            "'.', '_', '+' and '-'"
        )
    return name


def _package(folder: Path, lang: str, package: str, command: str) -> ModelFolder:
    if not _NAME.fullmatch(lang):
        raise UsageError(f"{lang[:80]!r} is not a code of a language")
    lang, entry = _entry(_resources(folder, command), lang, folder)
    packages = _mapping(entry, "packages", folder)
    if package not in packages:
        hint = nearest(package, packages) if packages else ""
        raise MissingModelError(f"no models {package!r} for {lang!r} in {folder}{hint}; run: {command}")
    names = {p: n for p, n in _mapping(packages, package, folder).items() if p in PROCESSORS}
    # Stanza's identity lemmatizer and some character-level splitters have no file of their own.
    files = {
        p: folder / lang / p / f"{_file_name(name, 'model', folder)}.pt"
        for p, name in names.items()
        if name != "identity"
    }
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
        raise CorruptModelError(f"{path} is not a mapping; run: {command}")
    return resources


def damaged_file(models: ModelFolder) -> Path | None:
    """Return the first model file whose checksum is not the one in ``resources.json``, or None."""
    entry = _mapping(_resources(models.folder, ""), models.lang, models.folder)
    for processor, file in models.files.items():
        of_processor = _mapping(entry, processor, models.folder)
        expected = _mapping(of_processor, file.name.removesuffix(".pt"), models.folder).get("md5")
        if expected and hashlib.md5(file.read_bytes(), usedforsecurity=False).hexdigest() != expected:
            return file
    return None


def installed_packages(folder: Path, lang: str) -> Iterator[ModelFolder]:
    """Yield the packages of a language whose files are all in a folder of Stanza models."""
    if not (folder / _RESOURCES).is_file():
        return
    for package in sorted(_packages(folder, lang)):
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
