"""Finding Stanza's models in a pack, Stanza's folder or the user's, and downloading them."""

from __future__ import annotations

import json
import os
import re
import runpy
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from jperrant.core.errors import CorruptModelError, MissingModelError, UsageError, nearest
from jperrant.core.packages import ENCODERS, STANZA, check_extra, import_extra, quiet_loading
from jperrant.core.paths import is_file, is_folder

COMPACT, DEFAULT, NONE = "compact", "default", "none"
RESOURCES = "resources.json"
PROCESSORS = ("tokenize", "mwt", "pos", "lemma", "depparse")
#: Processors whose models may build on a transformer.
_BUILT_ON = ("pos", "lemma", "depparse")
_NAME = re.compile(r"[\w+-][\w.+-]*")
_WITHOUT = "give CoNLL-U, models of your own (--models=FOLDER), or use --models=none"


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A package of models for one language.

    Attributes:
        folder: Folder in Stanza's layout: ``resources.json`` and one folder a language.
        lang: Stanza's code of the language.
        package: Name of the package in ``resources.json``.
        files: Path of each processor's model.
        foundations: Models that several processors build on (word vectors, character language models).
        identity: Whether each word is its own lemma; Stanza has no file for that.
    """

    folder: Path
    lang: str
    package: str
    files: Mapping[str, Path]
    foundations: tuple[Path, ...] = ()
    identity: bool = False

    @property
    def processors(self) -> tuple[str, ...]:
        """The processors of the package, in Stanza's words and order."""
        return tuple([p for p in PROCESSORS if p in self.files or (p == "lemma" and self.identity)])

    @property
    def every_file(self) -> tuple[Path, ...]:
        """All model files."""
        return (*self.files.values(), *self.foundations)


def stanza_folder() -> Path:
    """Return the folder Stanza keeps its downloads in.

    Raises:
        MissingExtraError: Stanza, which knows it, is not installed.
    """
    if folder := os.environ.get("STANZA_RESOURCES_DIR"):
        return Path(folder)
    return _default_folder() or Path(import_extra("stanza.resources.common", STANZA).DEFAULT_MODEL_DIR)


def _default_folder() -> Path | None:
    """Return the folder that ``stanza.resources.common`` would name, without importing it: torch takes seconds.

    None if Stanza, or the package that it finds the folder with, is not installed.
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
    if models == COMPACT and compact is None:
        raise MissingModelError(
            f"language {code!r} has no compact models; get Stanza's with 'jperrant models get {code}' and "
            "use --models=default, or give a folder, or --models=none for text without analysis"
        )
    if compact is not None and is_own_package(models, lang, compact):
        package = DEFAULT if models == COMPACT else models
        return _package(compact, lang, package, f"run: pip install --force-reinstall jperrant (pack {code})")
    if is_file(Path(models) / RESOURCES):
        return _package(Path(models), lang, DEFAULT, f"put models for {lang!r} into {models}")
    if is_folder(models):
        raise MissingModelError(f"{models}: found no {RESOURCES}, expected a folder of Stanza models")
    if not _NAME.fullmatch(models):
        raise MissingModelError(
            f"{models}: found no such folder, and a package name contains only letters, digits, '.', '_', '+' "
            "and '-'"
        )
    name = "" if models == DEFAULT else f" {models}{nearest(models, (COMPACT, DEFAULT, NONE), 0.75)}"
    remedy = f"run: jperrant models get {code}{name}"
    return _package(stanza_folder(), lang, models, remedy)


def is_own_package(models: str, lang: str, compact: Path | None) -> bool:
    """Whether a name is that of a package of the pack's own models.

    Args:
        models, lang, compact: As ``find_models`` takes them.
    """
    if models in (COMPACT, DEFAULT, NONE) or compact is None:
        return models == COMPACT
    return models in _packages(compact, lang)


def installed_packages(folder: Path, lang: str) -> Iterator[ModelFolder]:
    """Yield the packages of a language whose files are all in a folder of Stanza models."""
    if not (folder / RESOURCES).is_file():
        return
    for package in sorted(_packages(folder, lang)):
        try:
            yield _package(folder, lang, package, "")
        except (MissingModelError, CorruptModelError):
            continue


def get_models(lang: str, package: str = DEFAULT) -> ModelFolder:
    """Download the processors that jperrant uses of a package of Stanza's official models into Stanza's folder.

    ``stanza.download`` knows the hub's address, checks downloads, and fetches only missing files.

    Args:
        lang: Stanza's code of the language.
        package: Name of the package.

    Returns:
        The package with the paths of its files.

    Raises:
        MissingModelError: The hub cannot be reached or has no such language or package, a checksum does not
            fit, or the folder cannot be written.
        CorruptModelError: The hub's list of packages cannot be read.
        UsageError: No language was named.
    """
    check_language(lang)
    stanza, folder = import_extra("stanza", STANZA), stanza_folder()
    remedy = f"try 'jperrant models get {lang}', or {_WITHOUT}"
    with stanza.resources.common.logging_level_context("CRITICAL", None):
        _fetched(folder, stanza.resources.common.download_resources_json, str(folder))
        models = _described(folder, lang, package, remedy)
        names = {kind: file.stem for kind, file in models.files.items()}
        try:
            _fetched(folder, stanza.download, models.lang, str(folder), None, names, download_json=False)
        finally:
            if damaged := damaged_file(models):  # Stanza leaves files whose checksum does not fit
                damaged.unlink()
    # If the list names a model without describing it, Stanza only writes that to its log.
    return _package(folder, lang, package, remedy)


def _fetched(folder: Path, download: Callable[..., object], *arguments: object, **options: object) -> None:
    try:
        download(*arguments, **options)
    except Exception as error:  # of Stanza, requests, httpx or Hugging Face's hub, or of this machine's files
        reason = f"{type(error).__name__}: {' '.join(str(error).split())}"[:300]
        raise MissingModelError(
            f"could not get the models ({reason}); check the connection, and that {folder} can be written "
            "(STANZA_RESOURCES_DIR names another folder), and run the command again; finished downloads are kept"
        ) from None


# What resources.json says


def check_language(lang: str) -> None:
    """Refuse anything but a language code, as it becomes part of a path."""
    if not lang:
        raise UsageError("the generic pack has no models of its own; give a language")
    if not _NAME.fullmatch(lang):
        raise UsageError(f"{lang[:80]!r} is not a language code; expected one such as en")


def _package(folder: Path, lang: str, package: str, remedy: str) -> ModelFolder:
    """Return a package, all files of which exist."""
    models = _described(folder, lang, package, remedy)
    for file in models.every_file:
        if not file.is_file():
            raise MissingModelError(f"the {file.parent.name} model {file} is missing; {remedy}")
    return models


def _described(folder: Path, lang: str, package: str, remedy: str) -> ModelFolder:
    """Return a package as ``resources.json`` describes it; its files need not exist."""
    check_language(lang)
    resources = _resources(folder, remedy)
    code, entry = _language(folder, resources, lang)
    packages = _mapping(folder, entry, "packages")
    if package not in packages:
        known = packages if entry else [name for name, value in resources.items() if isinstance(value, dict)]
        hint = nearest(package, known) if entry else nearest(lang, known)
        raise MissingModelError(f"found no package {package!r} for {lang!r} in {folder}{hint}; {remedy}")
    names = {p: n for p, n in _mapping(folder, packages, package).items() if p in PROCESSORS}
    identity = names.get("lemma") == "identity"
    if identity:
        del names["lemma"]
    files = {processor: _file(folder, code, processor, name) for processor, name in names.items()}
    described = [_mapping(folder, _mapping(folder, entry, p), name) for p, name in names.items()]
    try:
        needed = [(d["model"], d["package"]) for model in described for d in model.get("dependencies", ())]
    except (TypeError, KeyError):
        raise _malformed(folder, "the dependencies of a model", "a list of models and packages") from None
    foundations = dict.fromkeys(_file(folder, code, kind, name) for kind, name in needed)
    return ModelFolder(folder, code, package, files, tuple(foundations), identity)


def _packages(folder: Path, lang: str) -> Mapping[str, Any]:
    resources = _resources(folder, "get its models again, or remove it")
    return _mapping(folder, _language(folder, resources, lang)[1], "packages")


def _resources(folder: Path, remedy: str) -> Mapping[str, Any]:
    path = folder / RESOURCES
    if not path.is_file():
        raise MissingModelError(f"found no Stanza models in {folder}; {remedy}")
    return read_json(path, remedy)


def read_json(path: Path, remedy: str) -> dict[str, Any]:
    """Return the mapping in a JSON file that comes with models.

    Raises:
        CorruptModelError: The file holds no mapping; the message names the remedy.
    """
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise CorruptModelError(f"{path} cannot be read ({error}); {remedy}") from None
    if not isinstance(value, dict):
        raise CorruptModelError(f"{path}: found {type(value).__name__}, expected a mapping; {remedy}")
    return value


def _language(folder: Path, resources: Mapping[str, Any], lang: str) -> tuple[str, Mapping[str, Any]]:
    """Return the entry of a language and its code, which differs from the given one if that is an alias."""
    entry = _mapping(folder, resources, lang)
    if "alias" not in entry:
        return lang, entry
    alias = _file_name(folder, "language", entry["alias"])
    return alias, _mapping(folder, resources, alias)


def _mapping(folder: Path, values: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = values.get(key, {})
    if not isinstance(value, dict):
        raise _malformed(folder, f"{key!r}", "a mapping")
    return value


def _file(folder: Path, lang: str, kind: object, name: object) -> Path:
    return folder / lang / _file_name(folder, "model", kind) / f"{_file_name(folder, 'model', name)}.pt"


def _file_name(folder: Path, what: str, name: object) -> str:
    """Return a name from ``resources.json`` if it is a plain file name, which leads to no other folder."""
    if not isinstance(name, str) or not _NAME.fullmatch(name) or ".." in name:
        raise _malformed(folder, f"{str(name)[:80]!r} as the name of a {what}", "letters, digits and ._+-")
    return name


def _malformed(folder: Path, found: str, expected: str) -> CorruptModelError:
    return CorruptModelError(
        f"{folder / RESOURCES}: found {found}, expected {expected}; get its models again"
    )


def damaged_file(models: ModelFolder) -> Path | None:
    """Return the first model file whose checksum is not the one in ``resources.json``, or None."""
    folder = models.folder
    entry = _mapping(folder, _resources(folder, "get its models again"), models.lang)
    for file in models.every_file:
        known = _mapping(folder, _mapping(folder, entry, file.parent.name), file.stem)
        expected = {known.get("md5"), known.get("alternate_md5")} - {None, ""}
        if expected and file.is_file() and checksum(file) not in expected:
            return file
    return None


def checksum(file: Path) -> str:
    """Return the MD5 of a file, as ``resources.json`` gives it."""
    import hashlib  # with OpenSSL, a tenth of the start of a command that needs no models

    with file.open("rb") as stream:
        return hashlib.file_digest(stream, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()


# Transformer encoders that some models build on


def transformers_of(models: ModelFolder, stages: Iterable[str] = _BUILT_ON) -> tuple[str, ...]:
    """Return the names of the transformers that models build on: those of Hugging Face's hub, or folders."""
    names: dict[str, None] = {}
    for stage in stages:
        if stage in _BUILT_ON and stage in models.files:
            names |= dict.fromkeys(_names(models.files[stage]))
    return tuple(names)


def check_transformers(models: ModelFolder, stages: Iterable[str]) -> None:
    """Check that the transformers are on this machine, so that no library tries to download them.

    Raises:
        MissingModelError: One is not there; the message holds the command that gets it.
        MissingExtraError: The transformers library is not installed.
    """
    for name in transformers_of(models, stages):
        check_extra(("transformers",), ENCODERS)
        if not is_folder(name) and not _is_cached(name):
            raise MissingModelError(
                f"models {models.package!r} for {models.lang!r} are built on the transformer {name!r}, which is "
                "not on "
                f"this machine; run: jperrant models get --encoder {name}"
            )


def quiet_transformers(models: ModelFolder, stages: Iterable[str]) -> AbstractContextManager[None]:
    """Keep the transformers library from printing progress and reports while it loads a model."""
    if not transformers_of(models, stages):
        return nullcontext()
    return quiet_loading(import_extra("transformers", ENCODERS))


def _names(file: Path) -> list[str]:
    try:
        model = import_extra("torch", STANZA).load(file, map_location="cpu", weights_only=True)
        parts = [model.get("config"), *(part.get("args") for part in model.get("contextual") or ())]
    except Exception:  # a damaged file may raise anything; loading it with Stanza gives a clear error
        return []
    return [name for part in parts if isinstance(part, dict) and (name := part.get("bert_model"))]


def _is_cached(name: str) -> bool:
    hub = import_extra("huggingface_hub", ENCODERS)
    try:
        folder = Path(hub.snapshot_download(name, local_files_only=True))
    except (OSError, ValueError):
        return False
    return (folder / "config.json").is_file()
