"""Study files as JSON Schema, for editors: made of the same keys that they are read with.

``study.schema.json`` beside this file is what :func:`study_schema` returns; ``tools/study_schema.py`` writes it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from jperrant.evaluation.studies.keys import (
    COMPARISON,
    DATASET,
    HUMAN,
    LAYOUT,
    METRIC,
    STUDY,
    SYSTEM,
    Json,
    Key,
)

#: The schema as it is shipped.
FILE = Path(__file__).with_name("study.schema.json")


def schema_text() -> str:
    """Return the schema as the text of ``study.schema.json``."""
    return json.dumps(study_schema(), ensure_ascii=False, indent=2) + "\n"


def study_schema() -> Json:
    """Return the JSON Schema (draft 2020-12) of a study file."""
    parts = {"dataset": DATASET, "system": SYSTEM, "human": HUMAN, "comparison": COMPARISON, "layout": LAYOUT}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "a study file of jperrant",
        **_object(STUDY),
        # The options of a metric stand beside its name.
        "$defs": {
            **{name: _object(keys) for name, keys in parts.items()},
            "metric": {**_object(METRIC), "additionalProperties": True},
        },
    }


def _object(keys: Mapping[str, Key]) -> Json:
    return {
        "type": "object",
        "properties": {name: key.json() for name, key in keys.items()},
        "required": [name for name, key in keys.items() if key.required],
        "additionalProperties": False,
    }
