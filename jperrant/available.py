"""Which models the installed packs find on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from jperrant.packs import iter_packs, load_pack, stanza_code
from jperrant.parse.models import COMPACT, installed_packages, stanza_folder
from jperrant.training.scores import About, read_about


@dataclass(frozen=True, slots=True)
class AvailableModels:
    """A package of models that is on this machine.

    Attributes:
        code: Code of the language, as in ``--lang``.
        models: What to give to ``--models``.
        processors: What the models can do, in Stanza's words.
        size: Bytes on disk.
        folder: Where they lie.
        about: Licence, sources and scores, where the folder names them.
    """

    code: str
    models: str
    processors: tuple[str, ...]
    size: int
    folder: Path
    about: About


def available_models(lang: str | None = None) -> Iterator[AvailableModels]:
    """Yield the models of every pack, or of one language: those of the pack, then those in Stanza's folder.

    Raises:
        PackError: There is no such language.
    """
    codes = [load_pack(lang).code] if lang else [code for code, _, _ in iter_packs()]
    for code in codes:
        stanza, compact = stanza_code(code)
        for name, folder in ((COMPACT, compact), ("", stanza_folder())):
            if folder is None or not stanza:
                continue
            for found in installed_packages(folder, stanza):
                if name == COMPACT and found.package != "default":
                    continue  # one package under two names
                size = sum(file.stat().st_size for file in found.files.values())
                yield AvailableModels(
                    code, name or found.package, tuple(found.files), size, folder, read_about(folder)
                )
