"""Which language model a metric uses for a language: its pack's, where the user names none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jperrant.core.option import options_of
from jperrant.evaluation.metrics.registry import factory_of


def with_encoder(metric: str, lang: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a metric with the encoder of a language's pack.

    Nothing is changed where an encoder is given, where the metric uses none, and where the pack has none of its
    own, as that of English, for which every metric brings the one its paper used.

    Raises:
        PackError: The language is unknown.
    """
    from jperrant.packs import load_pack  # with the rule language

    encoder = load_pack(lang).encoder
    if not encoder or "encoder" in options:
        return dict(options)
    if not any(option.name == "encoder" for option in options_of(factory_of(metric))):
        return dict(options)
    return {**options, "encoder": encoder}
