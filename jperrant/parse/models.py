"""Where Stanza's models lie: in a pack, in Stanza's own folder, or in a folder the user names."""

from __future__ import annotations

import json
import os
import re
import runpy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from jperrant.core.errors import CorruptModelError, MissingModelError, UsageError, nearest
from jperrant.core.extras import STANZA, import_extra
from jperrant.core.paths import is_file, is_folder

COMPACT, DEFAULT, NONE = "compact", "default", "none"
RESOURCES = "resources.json"
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
        foundations: Path of each model that several processors build on (word vectors, character language models),
            by its kind and name.
        identity: Whether every word is its own lemma, for which Stanza needs no file.
        published: Whether it is one of Stanza's own packages, of which users expect what Stanza finds.
    """

    folder: Path
    lang: str
    package: str
    files: Mapping[str, Path]
    foundations: Mapping[tuple[str, str], Path] = field(default_factory=dict)
    identity: bool = False
    published: bool = False

    @property
    def processors(self) -> tuple[str, ...]:
        """What the package does, in Stanza's words and order."""
        return tuple([p for p in PROCESSORS if p in self.files or (p == "lemma" and self.identity)])

    @property
    def every_file(self) -> tuple[Path, ...]:
        """All model files."""
        return (*self.files.values(), *self.foundations.values())


def stanza_folder() -> Path:
    """Return the folder Stanza keeps its downloads in.

    Raises:
        MissingExtraError: Stanza, which knows it, is not installed.
    """
    if folder := os.environ.get("STANZA_RESOURCES_DIR"):
        return Path(folder)
    return _default_folder() or Path(import_extra("stanza.resources.common", STANZA).DEFAULT_MODEL_DIR)


def _default_folder() -> Path | None:
    """Return what ``stanza.resources.common`` finds, without its import, which takes seconds as it imports torch.

    None where Stanza, or what it finds the folder with, is not there.
    """
    try:
        from platformdirs import user_cache_dir

        spec = find_spec("stanza")
        if spec is None or not spec.submodule_search_locations:
            return None
        [place] = spec.submodule_search_locations
        version = runpy.run_path(str(Path(place) / "_version.py"))["__resources_version__"]
    except (ImportError, OSError, ValueError, KeyError):
        return None
    return Path(user_cache_dir("stanza", "StanfordNLP", version)) / "resources"


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
        # "generic" is the pack of no language in particular.
        language = "the language with --lang, or " if code == "generic" else ""
        raise MissingModelError(
            f"Stanza has no models for language {code!r}; give {language}CoNLL-U, or --models=none"
        )
    if models == COMPACT:
        if compact is None:
            raise MissingModelError(
                f"language {code!r} has no compact models; get Stanza's with 'jperrant models get {code}' and "
                "use --models=default, or give a folder, or --models=none for text without analysis"
            )
        return _package(compact, lang, DEFAULT, f"pip install --force-reinstall jperrant (pack {code})")
    if compact is not None and is_own_package(models, lang, compact):
        return _package(compact, lang, models, f"pip install --force-reinstall jperrant (pack {code})")
    if is_file(Path(models) / RESOURCES):
        return _package(Path(models), lang, DEFAULT, f"put models for {lang!r} into {models}")
    if is_folder(models):
        raise MissingModelError(f"{models}: found no {RESOURCES}, expected a folder of Stanza models")
    if not _NAME.fullmatch(models):
        raise MissingModelError(
            f"{models}: found no such folder, and a package name contains only letters, digits, '.', '_', '+' "
            "and '-'"
        )
    if models == DEFAULT:
        command = f"jperrant models get {code}"
    else:
        command = f"jperrant models get {code} {models}{nearest(models, (COMPACT, DEFAULT, NONE), 0.75)}"
    return replace(_package(stanza_folder(), lang, models, command), published=True)


def is_own_package(models: str, lang: str, compact: Path | None) -> bool:
    """Whether a name is that of a package of the pack's own models.

    Args:
        models, lang, compact: As ``find_models`` takes them.
    """
    if models in (COMPACT, DEFAULT, NONE) or compact is None:
        return models == COMPACT
    return models in _packages(compact, lang)


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
            f"{folder / RESOURCES}: found {type(value).__name__} for {key!r}, expected a mapping; download it again"
        )
    return value


def _file_name(name: object, what: str, folder: Path) -> str:
    """Return a name that ``resources.json`` gives, if it is one of a file and leads to no other folder."""
    if not isinstance(name, str) or not _NAME.fullmatch(name) or ".." in name:
        raise CorruptModelError(
            f"{folder / RESOURCES}: {str(name)[:80]!r} is not a valid name of a {what}; expected letters, digits, "
            "'.', '_', '+' and '-'"
        )
    return name


def _package(folder: Path, lang: str, package: str, command: str) -> ModelFolder:
    models = expected_files(folder, lang, package, command)
    foundations = [(kind, file) for (kind, _), file in models.foundations.items()]
    for processor, file in [*models.files.items(), *foundations]:
        if not file.is_file():
            raise MissingModelError(f"the {processor} model {file} is missing; run: {command}")
    return models


def expected_files(folder: Path, lang: str, package: str, command: str) -> ModelFolder:
    """Return a package as ``resources.json`` describes it, whether or not its files are there.

    Args:
        folder: Where ``resources.json`` is.
        lang: Stanza's code of the language, or another name of it.
        package: Name of the package.
        command: What to run if there is no such package, for the message.

    Raises:
        MissingModelError: There is no such package.
        CorruptModelError: ``resources.json`` is damaged.
    """
    check_language(lang)
    asked = lang
    lang, entry = _entry(_resources(folder, command), lang, folder)
    packages = _mapping(entry, "packages", folder)
    if package not in packages:
        _check_version(entry, folder, command)
        hint = nearest(package, packages) if packages else ""
        raise MissingModelError(
            f"found no package {package!r} for {asked!r} in {folder}{hint}; run: {command}"
        )
    names = {p: n for p, n in _mapping(packages, package, folder).items() if p in PROCESSORS}
    # Stanza's identity lemmatizer has no file of its own.
    identity = names.get("lemma") == "identity"
    if identity:
        del names["lemma"]
    files: dict[str, Path] = {}
    foundations: dict[tuple[str, str], Path] = {}
    for processor, name in names.items():
        files[processor] = _file(folder, lang, processor, name)
        for kind, other in _dependencies(entry, processor, str(name), folder):
            foundations[kind, other] = _file(folder, lang, kind, other)
    return ModelFolder(folder, lang, package, files, foundations, identity)


def check_language(lang: str) -> None:
    """Refuse what is not a language code, as it names a folder of models.

    Raises:
        UsageError: It is none.
    """
    if not lang:
        raise UsageError("the generic pack has no models of its own; give a language")
    if not _NAME.fullmatch(lang):
        raise UsageError(f"{lang[:80]!r} is not a language code; expected one such as en")


def _file(folder: Path, lang: str, kind: str, name: object) -> Path:
    if isinstance(name, list) and len(name) > 1:
        raise CorruptModelError(
            f"{folder / RESOURCES}: found {len(name)} {kind} models in one package, expected one: Stanza takes "
            "several only for named entities"
        )
    return folder / lang / kind / f"{_file_name(name, 'model', folder)}.pt"


def _dependencies(
    entry: Mapping[str, Any], processor: str, name: str, folder: Path
) -> Iterator[tuple[str, str]]:
    """Yield kind and name of each model that a model builds on."""
    listed = _mapping(_mapping(entry, processor, folder), name, folder).get("dependencies", [])
    for one in listed if isinstance(listed, list) else [listed]:
        if not isinstance(one, dict) or {"model", "package"} - one.keys():
            raise CorruptModelError(
                f"{folder / RESOURCES}: found {str(one)[:80]!r} among the dependencies of {processor} {name!r}, "
                "expected model and package; download it again"
            )
        kind, other = (_file_name(one[key], "model", folder) for key in ("model", "package"))
        yield kind, other


def _check_version(entry: Mapping[str, Any], folder: Path, command: str) -> None:
    """Refuse what Stanza before 1.5.1 wrote, which names no packages."""
    if "packages" not in entry and "default_processors" in entry:
        raise MissingModelError(
            f"{folder / RESOURCES} was written by a version of Stanza before 1.5.1, whose models later "
            f"versions do not load; run: {command}"
        )


def _resources(folder: Path, command: str) -> Mapping[str, Any]:
    path = folder / RESOURCES
    # Where models are only listed there is no command that would bring the right ones.
    remedy = f"run: {command}" if command else "get its models again, or remove it"
    if not path.is_file():
        raise MissingModelError(f"found no Stanza models in {folder}; {remedy}")
    try:
        resources = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CorruptModelError(f"{path} cannot be read ({error}); {remedy}") from None
    if not isinstance(resources, dict):
        raise CorruptModelError(f"{path}: expected a mapping; {remedy}")
    return resources


def damaged_file(models: ModelFolder) -> Path | None:
    """Return the first model file whose checksum is not the one in ``resources.json``, or None."""
    entry = _mapping(_resources(models.folder, ""), models.lang, models.folder)
    kinds = [*models.files.items(), *((kind, file) for (kind, _), file in models.foundations.items())]
    for kind, file in kinds:
        of_kind = _mapping(entry, kind, models.folder)
        known = _mapping(of_kind, file.name.removesuffix(".pt"), models.folder)
        expected = {known.get("md5"), known.get("alternate_md5")} - {None, ""}
        if expected and checksum(file) not in expected:
            return file
    return None


def checksum(file: Path) -> str:
    """Return the MD5 of a file, as ``resources.json`` gives it."""
    import hashlib  # with OpenSSL, a tenth of the start of a command that needs no models

    with file.open("rb") as stream:
        return hashlib.file_digest(stream, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()


def installed_packages(folder: Path, lang: str) -> Iterator[ModelFolder]:
    """Yield the packages of a language whose files are all in a folder of Stanza models."""
    if not (folder / RESOURCES).is_file():
        return
    for package in sorted(_packages(folder, lang)):
        try:
            yield _package(folder, lang, package, "")
        except (MissingModelError, CorruptModelError):
            continue
