"""The keys of a study file: what each means and what its value must look like."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from jperrant.evaluation.analysis import MOST_SAMPLES
from jperrant.evaluation.statistics.correlation import FEWEST
from jperrant.packs.labels import GROUPS

Json: TypeAlias = dict[str, Any]
Kind: TypeAlias = Literal["text", "names", "switch", "whole", "mapping", "list", "any"]

#: What messages expect of each kind, and its JSON Schema.
KINDS: Mapping[Kind, tuple[str, Json]] = {
    "text": ("text in one line", {"type": "string", "pattern": r"\S"}),
    "names": (
        "a name or a list of names",
        {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
    ),
    "switch": ("true or false", {"type": "boolean"}),
    "whole": ("a whole number", {"type": "integer"}),
    "mapping": ("a mapping", {"type": "object"}),
    "list": ("a list", {"type": "array"}),
    "any": ("a value", {}),
}


@dataclass(frozen=True, slots=True)
class Key:
    """A key of a study file.

    Attributes:
        kind: What its value must be.
        doc: What it means.
        choices: The values it can have, if they can be listed.
        required: Whether it must be there.
        schema: JSON Schema of the value, where the kind says too little.
        minimum, maximum: The range of a whole number.
    """

    kind: Kind
    doc: str
    choices: tuple[str, ...] = ()
    required: bool = False
    schema: Json | None = None
    minimum: int | None = None
    maximum: int | None = None

    def json(self) -> Json:
        """Return the JSON Schema of the value."""
        shape = dict(self.schema or KINDS[self.kind][1])
        if self.choices:
            one: Json = {"enum": list(self.choices)}
            listed: Json = {"type": "array", "items": one}
            shape = {"anyOf": [one, listed]} if self.kind == "names" else one
        bounds = {"minimum": self.minimum, "maximum": self.maximum}
        shape |= {name: bound for name, bound in bounds.items() if bound is not None}
        return {"description": self.doc, **shape}


TABLES = {
    "systems": "one for each dataset: the systems by all metrics",
    "languages": "one for each metric: the systems by dataset, with the macro average",
    "metrics": "the macro average of each system by all metrics",
    "groups": "for each system: error types in the groups that all languages share, by dataset",
    "types": "one for each dataset: the systems by error type",
    "human": "metrics against people: the tables of `jperrant meta`",
    "comparisons": "the differences between systems that are compared, with their tests",
}
PLOTS = {
    "heatmap": "systems by datasets, and groups of error types by datasets, shaded (SVG)",
    "systems": "for each dataset the plots of `jperrant score --plots` (SVG; needs jperrant[plots])",
    "human": "metrics against people: the plots of `jperrant meta` (SVG; needs jperrant[plots])",
}
#: The plots that are written where none are named: those that need no other package.
DEFAULT_PLOTS = ("heatmap",)
FORMATS = {
    "text": "txt",
    "md": "md",
    "latex": "tex",
    "tsv": "tsv",
    "tsv-safe": "safe.tsv",
    "csv": "csv",
    "html": "html",
}
TOKENS = ("given", "words", "characters")
TESTS = ("randomisation", "bootstrap")
CORRECTIONS = ("holm", "bh", "none")

_FILES = "a path is relative to the study file; `${NAME}` stands for a folder"

STUDY: Mapping[str, Key] = {
    "title": Key("text", "what the study is about"),
    "folders": Key(
        "mapping",
        "folders that paths name as `${NAME}`: a path, or null (or `about:`, where to get it) if it has to be "
        "given with `--set NAME=FOLDER`",
        schema={
            "type": "object",
            "additionalProperties": {
                "anyOf": [
                    {"type": ["string", "null"]},
                    {
                        "type": "object",
                        "properties": {"path": {"type": "string"}, "about": {"type": "string"}},
                        "additionalProperties": False,
                    },
                ]
            },
        },
    ),
    "datasets": Key(
        "mapping",
        "the texts with their references and systems, by name; may be left out where there is `human`",
        schema={"type": "object", "minProperties": 1, "additionalProperties": {"$ref": "#/$defs/dataset"}},
    ),
    "metrics": Key(
        "list",
        "the metrics: a name, a name with options as on the command line (`cleme2:level=sentence`), or a mapping",
        required=True,
        schema={
            "type": "array",
            "minItems": 1,
            "items": {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/metric"}]},
        },
    ),
    "human": Key(
        "mapping",
        "metrics against the judgements of people, by name, as `jperrant meta`",
        schema={"type": "object", "additionalProperties": {"$ref": "#/$defs/human"}},
    ),
    "comparisons": Key(
        "list",
        "systems that are compared: by error type, with a paired test",
        schema={"type": "array", "items": {"$ref": "#/$defs/comparison"}},
    ),
    "intervals": Key(
        "any",
        "bootstrap intervals (95 %) of every figure: true, or the number of samples",
        schema={"type": ["boolean", "integer"]},
    ),
    "seed": Key("whole", "of random numbers (12345)", minimum=0, maximum=2**32 - 1),
    "tables": Key("names", "the tables that are written; all that apply, if it is not there", tuple(TABLES)),
    "plots": Key("names", "the plots that are written (heatmap)", tuple(PLOTS)),
    "pages": Key(
        "switch", "write a page for each dataset, as `jperrant report` does, and an index of all (false)"
    ),
    "formats": Key("names", "the formats of tables (text, tsv)", tuple(FORMATS)),
    "layout": Key(
        "mapping",
        "how figures are shown in text, md and latex",
        schema={"$ref": "#/$defs/layout"},
    ),
}
DATASET: Mapping[str, Key] = {
    "lang": Key("text", "the language's code, as `--lang`; needed for texts"),
    "source": Key("text", f"the text that was corrected, a sentence a line; needed for texts; {_FILES}"),
    "references": Key("names", f"M2 files, or texts of one annotator each; {_FILES}"),
    "systems": Key(
        "any",
        "the output of each system, as text or M2: a mapping from names to files (or `{file:, annotator:}`, one "
        f"annotator of an M2 file), a list of files, or a pattern with `*`; {_FILES}",
        required=True,
        schema={
            "anyOf": [
                {
                    "type": "object",
                    "additionalProperties": {
                        "anyOf": [
                            {"type": "string"},
                            {"$ref": "#/$defs/system"},
                        ]
                    },
                },
                {"type": ["string", "array"]},
            ]
        },
    ),
    "raw": Key("switch", "texts are not tokenised: the models split them into sentences and tokens"),
    "tokens": Key("text", "what tokens are", TOKENS),
    "models": Key(
        "text", "the models that annotate texts: compact (if not given), default, a folder, spacy:NAME, none"
    ),
    "pack": Key("text", "the folder of a language pack of your own"),
    "annotators": Key(
        "list",
        "the annotators of M2 references that count, by number",
        schema={"type": "array", "items": {"type": "integer", "minimum": 0}},
    ),
    "groups": Key(
        "mapping",
        "the group of error types, by label, for tables of all languages, where no pack has the label",
        schema={"type": "object", "additionalProperties": {"enum": list(GROUPS)}},
    ),
    "strict": Key("switch", "every format deviation of an M2 file is an error"),
}
SYSTEM: Mapping[str, Key] = {
    "file": Key("text", "the file", required=True),
    "annotator": Key("whole", "the annotator of an M2 file whose edits are those of the system"),
}
METRIC: Mapping[str, Key] = {
    "metric": Key("text", "the metric's name", required=True),
    "label": Key("text", "what tables call it"),
    "datasets": Key("names", "the datasets it scores; all, if it is not there"),
}
COMPARISON: Mapping[str, Key] = {
    "systems": Key("names", "the first is compared with each of the others", required=True),
    "metric": Key("text", "the label of a metric; the first one, if it is not there"),
    "datasets": Key("names", "where they are compared; everywhere they all are, if it is not there"),
    "test": Key("text", "the paired test", TESTS),
    "samples": Key("whole", "samples of the test (10000)", minimum=1, maximum=MOST_SAMPLES),
    "correction": Key("text", "of p-values for many tests", CORRECTIONS),
}
HUMAN: Mapping[str, Key] = {
    "data": Key(
        "text",
        f"a data set that `jperrant meta` knows (seeda, gjg15 …), or a JSON file; {_FILES}",
        required=True,
    ),
    "folder": Key("text", "the folder that the authors of the data set distribute"),
    "references": Key("names", f"files of references, or folders of them; {_FILES}"),
    "sets": Key(
        "names", "the sets of references; metrics are computed over each; the first, if it is not there"
    ),
    "edits": Key(
        "names", f"M2 files named after systems, whose texts are then not annotated, or a pattern; {_FILES}"
    ),
    "metrics": Key(
        "names", "labels of metrics, and `length`, which counts characters; all metrics, if not there"
    ),
    "scores": Key("names", f"tables of scores of other metrics, or folders of them; {_FILES}"),
    "lower": Key("names", "the metrics of these tables of which a lower score is better"),
    "analyses": Key("names", "system and sentence, if it is not there; those of `jperrant meta --analysis`"),
    "lang": Key("text", "the language's code, if the data set names none"),
    "models": Key("text", "the models that annotate texts"),
    "human": Key("names", "the human scores, given or recomputed (`TS_edit`, `ew:edit`)"),
    "groups": Key("names", "the groups of systems"),
    "judgements": Key("names", "the sets of judgements"),
    "aggregation": Key("text", "how scores of systems come from sentences: corpus, mean, trueskill, ew"),
    "ties": Key("text", "what ties count: half, seeda, wrong, skip"),
    "samples": Key("whole", "bootstrap samples of intervals; 0 for none", minimum=0, maximum=MOST_SAMPLES),
    "tested": Key("switch", "each metric is tested against the first"),
    "exchanges": Key("whole", "exchanges of a permutation test", minimum=1, maximum=MOST_SAMPLES),
    "width": Key("whole", "systems in a window", minimum=FEWEST),
    "numbers": Key(
        "list", "numbers of references that are tried", schema={"type": "array", "items": {"type": "integer"}}
    ),
    "draws": Key("whole", "choices of so many references that are tried", minimum=1),
    "rounds": Key("whole", "how often a metric is timed", minimum=1),
}
LAYOUT: Mapping[str, Key] = {
    "percent": Key("switch", "figures are per cent"),
    "decimals": Key("whole", "how many", minimum=0, maximum=15),
    "intervals": Key("text", "how intervals are shown", ("pm", "brackets")),
    "bold_best": Key("switch", "the best figure of a column is bold (latex, md)"),
}
