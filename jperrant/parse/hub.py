"""Getting Stanza's official models from its hub into its own folder; nothing else in this package goes online.

Stanza's own code says where the hub is (``STANZA_RESOURCES_URL``, ``STANZA_MODEL_URL``, ``HF_ENDPOINT``), where the
models go (``STANZA_RESOURCES_DIR``) and how a file is fetched. Only the order is ours: a file takes its place when
its checksum is right, and ``resources.json`` when all files are there, so that what is in the folder stays usable
whatever happens on the way, and another call fetches only what is missing. Of a package only what jperrant uses is
fetched: no models of names, coreference or sentiment.
"""

from __future__ import annotations

import contextlib
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jperrant.core.errors import JperrantError, MissingModelError, UsageError, nearest
from jperrant.core.extras import STANZA, import_extra
from jperrant.core.progress import track
from jperrant.parse.models import DEFAULT, RESOURCES, ModelFolder, checksum, expected_files, stanza_folder
from jperrant.parse.quiet import quiet_stanza


@dataclass(frozen=True, slots=True)
class _File:
    """A model of the hub: its place in a folder, and the checksums that it may have."""

    kind: str
    name: str
    place: Path
    checksums: frozenset[str]

    @property
    def is_there(self) -> bool:
        return self.place.is_file() and (not self.checksums or checksum(self.place) in self.checksums)


def get_models(lang: str, package: str = DEFAULT) -> ModelFolder:
    """Download a package of Stanza's official models into Stanza's own folder.

    Args:
        lang: Stanza's code of the language.
        package: Name of the package.

    Returns:
        Where everything is.

    Raises:
        MissingModelError: The hub cannot be reached or has no such language or package, a file is not what
            its checksum says, or the folder cannot be written.
        CorruptModelError: What the hub says of its packages cannot be understood.
        UsageError: No language was named.
    """
    if not lang:
        raise UsageError("the generic pack has no models of its own; give a language")
    common = import_extra("stanza.resources.common", STANZA)
    folder = stanza_folder()
    with _scratch() as scratch, quiet_stanza():
        with _explained(f"the list of models ({common.DEFAULT_RESOURCES_URL})", folder):
            common.download_resources_json(
                str(scratch), common.DEFAULT_RESOURCES_URL, resources_version=common.DEFAULT_RESOURCES_VERSION
            )
        resources = _read(scratch / RESOURCES, lang)
        models = expected_files(scratch, lang, package, _known_as(lang))
        missing = [file for file in _files(resources, models, folder) if not file.is_there]
        for file in track(missing, f"getting models of {lang}", len(missing)):
            _get(common, resources, models.lang, file)
        with _explained(f"{folder / RESOURCES}", folder):
            _put((scratch / RESOURCES).read_bytes(), folder / RESOURCES)
    return ModelFolder(
        folder, models.lang, package, _moved(models.files, scratch, folder),
        _moved(models.foundations, scratch, folder), models.identity, published=True,
    )  # fmt: skip


def _known_as(lang: str) -> str:
    return f"jperrant models get {lang}"


def _read(path: Path, lang: str) -> Mapping[str, Any]:
    """Return what the hub has; it has the language."""
    try:
        resources = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise MissingModelError(
            f"the hub's list of models is not JSON ({error}); check the address (STANZA_RESOURCES_URL)"
        ) from None
    languages = (
        {name for name, entry in resources.items() if isinstance(entry, dict)}
        if isinstance(resources, dict)
        else set()
    )
    if lang not in languages:
        raise MissingModelError(
            f"Stanza's hub has no models for {lang!r}{nearest(lang, languages)}; give CoNLL-U, models of your own "
            "(--models=FOLDER), or use --models=none"
        )
    found: Mapping[str, Any] = resources
    return found


def _files(resources: Mapping[str, Any], models: ModelFolder, folder: Path) -> Iterator[_File]:
    """Yield the files of a package with their places in a folder."""
    entry = resources[models.lang]
    kinds = [(kind, file.stem) for kind, file in models.files.items()] + list(models.foundations)
    for kind, name in kinds:
        known = entry.get(kind, {}).get(name)
        if not known:
            raise MissingModelError(
                f"the hub lists a {kind} model {name!r} for {models.lang!r} but does not hold it; try another "
                f"package, or 'pip install -U stanza'"
            )
        sums = frozenset(value for key in ("md5", "alternate_md5") if (value := known.get(key)))
        yield _File(kind, name, folder / models.lang / kind / f"{name}.pt", sums)


def _get(common: Any, resources: Mapping[str, Any], lang: str, file: _File) -> None:
    """Fetch a model with Stanza's function; it takes its place when its checksum is right."""
    with _explained(f"the {file.kind} model {file.name!r} of {lang!r}", file.place.parent):
        address = common.expand_model_url(resources, common.DEFAULT_MODEL_URL).format(
            resources_version=common.DEFAULT_RESOURCES_VERSION,
            lang=lang,
            filename=f"{file.kind}/{file.name}.pt",
        )
        file.place.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=file.place.parent, prefix=".getting-") as beside:
            fetched = Path(beside) / file.place.name
            common.download_file(address, str(fetched), None, raise_for_status=True)
            if file.checksums and (found := checksum(fetched)) not in file.checksums:
                raise MissingModelError(
                    f"the {file.kind} model {file.name!r} from {address} has the checksum {found}, expected "
                    f"{min(file.checksums)}; it was not installed; try again later, or check STANZA_MODEL_URL"
                )
            fetched.replace(file.place)


def _put(content: bytes, place: Path) -> None:
    """Write a file whole or not at all, if it is not the same already."""
    if place.is_file() and place.read_bytes() == content:
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place.parent, prefix=".getting-") as beside:
        (Path(beside) / place.name).write_bytes(content)
        (Path(beside) / place.name).replace(place)


def _moved(files: Mapping[Any, Path], old: Path, new: Path) -> dict[Any, Path]:
    return {key: new / file.relative_to(old) for key, file in files.items()}


@contextlib.contextmanager
def _scratch() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="jperrant-") as folder:
        yield Path(folder)


@contextlib.contextmanager
def _explained(what: str, folder: Path) -> Iterator[None]:
    """Say in one line what could not be fetched or written, and why."""
    try:
        yield
    except JperrantError:
        raise
    except Exception as error:
        if _not_ours(error):
            raise
        if _is_local(error):
            raise MissingModelError(
                f"{folder} cannot be written ({_reason(error)}); set STANZA_RESOURCES_DIR to a writable folder, or "
                "ask its owner to get the models"
            ) from None
        raise MissingModelError(
            f"could not get {what}: {_reason(error)}; check the connection and run the command again; finished "
            "downloads "
            "are kept"
        ) from None


def _not_ours(error: Exception) -> bool:
    """Whether an error has nothing to do with files and servers.

    Errors of Hugging Face's hub that say a file is not there are neither ``OSError`` nor ``ValueError``.
    """
    return not isinstance(error, OSError | ValueError) and not type(error).__module__.startswith(
        ("huggingface_hub", "requests", "httpx", "urllib3")
    )


def _is_local(error: Exception) -> bool:
    """Whether an error is of this machine's files: it has a file name, and errors of connections have none."""
    return isinstance(error, OSError) and error.errno is not None and error.filename is not None


def _reason(error: Exception) -> str:
    lines: Sequence[str] = [line.strip() for line in str(error).splitlines() if line.strip()]
    text = error.strerror if isinstance(error, OSError) and error.strerror else (lines or [""])[0]
    return f"{type(error).__name__}: {text}"[:300]
