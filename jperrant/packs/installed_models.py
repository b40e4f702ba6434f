"""Which models the installed packs find on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from jperrant.core.extras import STANZA, missing_modules
from jperrant.packs import iter_packs, known_packs, pack_keys, stanza_code
from jperrant.parse.models import COMPACT, DEFAULT, installed_packages, stanza_folder
from jperrant.parse.scores import About, read_about


@dataclass(frozen=True, slots=True)
class InstalledModels:
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


def installed_models(lang: str | None = None) -> Iterator[InstalledModels]:
    """Yield the models of every pack, or of one language: those of the pack, then those in Stanza's folder.

    Without Stanza its folder is not known, and only those of packs are found.

    Raises:
        PackError: There is no such language.
    """
    codes = [pack_keys(lang, None)[0]["code"]] if lang else [code for code, _, _ in iter_packs()]
    packs = known_packs()
    downloads = None if missing_modules([STANZA]) else stanza_folder()
    for code in codes:
        stanza, compact = stanza_code(code, packs)
        for name, folder in ((COMPACT, compact), ("", downloads)):
            if folder is None or not stanza:
                continue
            packages = list(installed_packages(folder, stanza))
            default = next((p.files for p in packages if p.package == DEFAULT), None)
            for candidate in packages:
                if name == COMPACT and candidate.package != DEFAULT and candidate.files == default:
                    continue  # one package under two names
                size = sum(file.stat().st_size for file in candidate.every_file)
                models = COMPACT if name == COMPACT and candidate.package == DEFAULT else candidate.package
                yield InstalledModels(
                    code, models, candidate.processors, size, folder, _about(folder, candidate.package)
                )


def _about(folder: Path, package: str) -> About:
    """Return what a folder says of one of its packages."""
    about = read_about(folder)
    return replace(about, evaluations=tuple(e for e in about.evaluations if e.package == package))
