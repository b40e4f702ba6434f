"""Packages of the packs' models: as numpy computes them, and as Stanza does."""

from __future__ import annotations

from functools import cache
from typing import Any

from jperrant.compact.pipeline import Networks
from jperrant.packs.pack import load_pack
from jperrant.parse.models import ModelFolder, find_models


def folder(lang: str, models: str = "compact") -> ModelFolder:
    """Return a package of a pack."""
    pack = load_pack(lang)
    return find_models(models, pack.stanza_lang, pack.compact, pack.code)


@cache
def networks(lang: str, models: str = "compact") -> Networks:
    """Return its networks here."""
    return Networks(folder(lang, models).files)


@cache
def plain(lang: str, models: str, *processors: str, **options: Any) -> Any:
    """Return a pipeline of Stanza with some of its networks."""
    import stanza

    found = folder(lang, models)
    return stanza.Pipeline(
        lang, dir=str(found.folder), package=found.package, download_method=None, use_gpu=False, verbose=False,
        processors=",".join(name for name in processors if name in found.files), **options,
    )  # fmt: skip
