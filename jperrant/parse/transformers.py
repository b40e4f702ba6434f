"""The transformer encoders that some of Stanza's models build on: which, and whether they are on this machine."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from jperrant.compact.weights import OtherFormatError, read_model
from jperrant.core.errors import CorruptModelError, MissingModelError
from jperrant.core.extras import ENCODERS, check_extra, import_extra
from jperrant.core.paths import is_folder
from jperrant.core.quiet_loading import quiet_loading
from jperrant.parse.models import ModelFolder

_STAGES = ("pos", "lemma", "depparse")


def transformers_of(models: ModelFolder, stages: Iterable[str] = _STAGES) -> tuple[str, ...]:
    """Return the names of the transformers that models build on: those of Hugging Face's hub, or folders."""
    names: dict[str, None] = {}
    for stage in stages:
        if stage in _STAGES and stage in models.files:
            names |= dict.fromkeys(_names(models.files[stage]))
    return tuple(names)


def check_transformers(models: ModelFolder, stages: Iterable[str]) -> None:
    """Check that the transformers are on this machine, so that nothing looks for them elsewhere.

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
    """Keep the transformers library, where models build on one, from showing how it loads it."""
    if not transformers_of(models, stages):
        return nullcontext()
    return quiet_loading(import_extra("transformers", ENCODERS))


def _names(file: Path) -> list[str]:
    try:
        model = read_model(file)
    except (CorruptModelError, OtherFormatError):  # loading it says more
        return []
    parts = [model.get("config"), *(part.get("args") for part in model.get("contextual") or ())]
    return [name for part in parts if isinstance(part, dict) and (name := part.get("bert_model"))]


def _is_cached(name: str) -> bool:
    hub = import_extra("huggingface_hub", ENCODERS)
    try:
        folder = Path(hub.snapshot_download(name, local_files_only=True))
    except (OSError, ValueError):
        return False
    return (folder / "config.json").is_file()
