"""A data set of the user's own: a JSON file that holds its parts or names the files that do, or a table of scores.

::

    {
      "name": "essays", "lang": "en",
      "source": "source.txt",
      "systems": {"baseline": "baseline.txt", "large": "large.txt", "edited": "edited.txt"},
      "references": {"gold": ["annotator1.txt", "annotator2.m2"]},
      "human": "human.tsv",
      "judgements": {"fluency": "judgements.tsv"},
      "groups": {"machines": ["baseline", "large"]}
    }

Paths are relative to the JSON file. ``human.tsv`` has a column ``system`` and one for each score;
``judgements.tsv`` has the columns ``sentence`` (from 1), ``judge``, ``system`` and ``rank`` (1 is best) or
``rating`` (more is better). A text may be a list of sentences, scores an object of objects, and judgements a
list of objects with ``sentence``, ``judge`` and ``ranks`` or ``ratings``.

A table such as ``human.tsv`` is a data set by itself where the systems are M2 files (:func:`read_judged_m2`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, ValidationInfo, WrapValidator

from jperrant.core.errors import FormatError, InputError, JperrantError, UsageError, nearest
from jperrant.evaluation.meta.dataset import Judgement, JudgementSet, MetaDataset
from jperrant.evaluation.meta.references import corrected_text, matching_files, read_reference, systems_of
from jperrant.evaluation.meta.tables import read_human, read_judgements
from jperrant.evaluation.texts import read_text
from jperrant.io.files import BOM, open_input
from jperrant.io.m2 import read_m2

T = TypeVar("T")


def read_judged_m2(path: str, files: Sequence[str]) -> MetaDataset:
    """Return the data set of a table of human scores and the M2 files of the systems that it names.

    Args:
        path: A table with a column ``system`` and one for each human score; systems without a file are left out.
        files: M2 files named after the systems, or patterns of them.

    Raises:
        UsageError: There are no files.
        InputError: A file fits no system of the table, or is about other sentences than the first.
        FormatError: A file is not as it should be.
    """
    if not files:
        raise UsageError(f"{path}: human scores need systems; give their M2 files with --edits")
    human = read_human(path)
    judged = systems_of(matching_files(files), dict.fromkeys(s for scores in human.values() for s in scores))
    systems: dict[str, tuple[str, ...]] = {}
    sources: tuple[str, ...] = ()
    for system, file in judged.items():
        blocks = list(read_m2(file))
        own = tuple([" ".join(block.source) for block in blocks])
        if own != (sources := sources or own):
            raise InputError(f"{file}: its sentences are not those of {next(iter(judged.values()))}")
        systems[system] = tuple([corrected_text(file, n, block) for n, block in enumerate(blocks, start=1)])
    return MetaDataset(
        Path(path).stem,
        sources,
        systems,
        human={name: {s: own[s] for s in systems if s in own} for name, own in human.items()},
        files=(path, *judged.values()),
    )


class _Files:
    """The files that a data set names, beside its own.

    Args:
        path: The data set.
    """

    def __init__(self, path: str) -> None:
        self.path, self.read = path, [path]

    def beside(self, name: str) -> str:
        """Return the path of a file.

        Raises:
            InputError: It is not there.
        """
        path = Path(self.path).parent / name
        if not path.is_file():
            raise InputError(f"{self.path}: found no file {path} ({name})")
        self.read.append(str(path))
        return str(path)


def _or_file(read: Callable[[str], T], make: Callable[[Any], T]) -> WrapValidator:
    """Return what makes a value of a file that is named, or of what is given instead."""

    def made(given: Any, check: Callable[[Any], Any], info: ValidationInfo) -> T:
        files: Any = info.context
        return read(files.beside(given)) if isinstance(given, str) else make(check(given))

    return WrapValidator(made)


def _judgement_set(given: Sequence[_Judged]) -> JudgementSet:
    kinds = {kind for one in given for kind in ("ranks", "ratings") if getattr(one, kind) is not None}
    if len(kinds) != 1 or any(one.ranks is one.ratings for one in given):
        raise ValueError("expected either 'ranks' or 'ratings' in each of them")
    marked = [(one, one.ratings if one.ranks is None else one.ranks) for one in given]
    judgements = tuple(Judgement(one.sentence - 1, str(one.judge), marks or {}) for one, marks in marked)
    return JudgementSet("", judgements, "ratings" in kinds)


_Number = Annotated[float, Field(allow_inf_nan=False)]
_Text = Annotated[list[str], _or_file(lambda path: read_text(path).lines, tuple)]
_Reference = Annotated[list[str], _or_file(read_reference, tuple)]
_References = Annotated[
    list[_Reference],
    Field(min_length=1),
    WrapValidator(lambda given, check: check([given] if isinstance(given, str) else given)),
]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Judged(_Strict):
    sentence: Annotated[int, Field(ge=1, le=10**9)]
    judge: str | int = ""
    ranks: dict[str, _Number] | None = None
    ratings: dict[str, _Number] | None = None


class _Own(_Strict):
    """What a JSON file holds; files that it names are read as they are met."""

    name: str = ""
    lang: str = ""
    source: _Text
    systems: dict[str, _Text]
    references: dict[str, _References] = {}
    human: Annotated[dict[str, dict[str, _Number]], _or_file(read_human, dict)] = {}
    judgements: dict[
        str, Annotated[list[_Judged], _or_file(lambda path: read_judgements(path, ""), _judgement_set)]
    ] = {}
    groups: dict[str, list[str]] = {}


#: What is expected where pydantic finds another thing.
_EXPECTED = {
    "model_type": "an object",
    "dict_type": "an object",
    "list_type": "a list, or a file",
    "too_short": "one or more",
    "string_type": "text",
    "float_type": "a number",
    "finite_number": "a number",
    "int_type": "a number from 1",
    "greater_than_equal": "a number from 1",
    "less_than_equal": "a number from 1",
}


def read_own(path: str) -> MetaDataset:
    """Return the data set that a JSON file describes.

    Raises:
        FormatError: It is not such a file, or one that it names is not as it should be.
        InputError: A file cannot be read, or parts do not fit each other.
    """
    files = _Files(path)
    try:
        own: Any = _Own.model_validate(_json(path), context=files)
    except ValidationError as error:
        raise _wrong(path, error) from None
    return MetaDataset(
        own.name or Path(path).stem,
        own.source,
        own.systems,
        {name: tuple(members) for name, members in own.references.items()},
        own.human,
        {name: replace(judged, name=name) for name, judged in own.judgements.items()},
        {name: tuple(members) for name, members in own.groups.items()},
        lang=own.lang,
        files=tuple(files.read),
    )


def _json(path: str) -> Any:
    with open_input(path) as stream:
        try:
            return json.loads(stream.read().removeprefix(BOM).decode("utf-8"))
        except json.JSONDecodeError as error:
            raise FormatError(path, error.lineno, f"not JSON ({error.msg})") from None
        except UnicodeDecodeError as error:
            raise FormatError(path, None, f"not UTF-8 at byte {error.start}") from None
        except (ValueError, RecursionError):  # a number of thousands of digits, or thousands of brackets
            problem = "cannot be read as JSON: a number is too long, or it is nested too deeply"
            raise FormatError(path, None, problem) from None


def _wrong(path: str, error: ValidationError) -> JperrantError:
    """Return the first thing that is wrong."""
    [first, *_] = error.errors()
    cause, where = first.get("ctx", {}).get("error"), ".".join(map(str, first["loc"]))
    if isinstance(cause, JperrantError):
        return cause
    if first["type"] == "missing":
        return FormatError(path, None, f"the key {where!r} is missing")
    if first["type"] == "extra_forbidden":
        key, keys = str(first["loc"][-1]), (_Own if len(first["loc"]) == 1 else _Judged).model_fields
        return FormatError(
            path, None, f"unknown key {where!r}{nearest(key, keys)}; expected one of {', '.join(keys)}"
        )
    found = json.dumps(first["input"], ensure_ascii=False)
    found = found if len(found) <= 40 else found[:40] + "…"
    expected = _EXPECTED.get(first["type"], str(cause or first["msg"]))
    problem = expected if cause else f"found {found}, expected {expected}"
    return FormatError(path, None, f"{where or 'the file'}: {problem}")
