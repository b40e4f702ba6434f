"""A data set of the user's own: a JSON file that holds its parts or names the files that do.

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
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jperrant.core.errors import FormatError, InputError, nearest
from jperrant.core.m2_format import shorten
from jperrant.evaluation.meta.dataset import Judgement, JudgementSet, MetaDataset, Reference
from jperrant.evaluation.meta.figures import figure_of
from jperrant.evaluation.meta.reference_files import read_references
from jperrant.evaluation.text_input import read_text
from jperrant.io.files import BOM, open_input, read_lines
from jperrant.io.m2_lines import number_of

KEYS = ("name", "lang", "source", "systems", "references", "human", "judgements", "groups")
MARKS = {"rank": False, "rating": True}
_MAX = sys.float_info.max


def read_own(path: str) -> MetaDataset:
    """Return the data set that a JSON file describes.

    Raises:
        FormatError: It is not such a file, or one that it names is not as it should be.
        InputError: A file cannot be read, or parts do not fit each other.
    """
    return _Reader(path).dataset()


class _Reader:
    """Reads the parts of one file."""

    def __init__(self, path: str) -> None:
        self.path, self._read = path, [path]
        with open_input(path) as stream:
            try:
                self.fields = json.loads(stream.read().removeprefix(BOM).decode("utf-8"))
            except json.JSONDecodeError as error:
                raise FormatError(path, error.lineno, f"not JSON ({error.msg})") from None
            except UnicodeDecodeError as error:
                raise FormatError(path, None, f"not UTF-8 at byte {error.start}") from None
            except (ValueError, RecursionError):  # a number of thousands of digits, or thousands of brackets
                raise FormatError(
                    path, None, "cannot be read as JSON: a number is too long, or it is nested too deeply"
                ) from None
        self._object("the file", self.fields)
        for key in self.fields:
            if key not in KEYS:
                raise self._wrong(
                    f"unknown key {key!r}{nearest(key, KEYS)}; expected one of {', '.join(KEYS)}"
                )
        for key in ("source", "systems"):
            if key not in self.fields:
                raise self._wrong(f"the key {key!r} is missing")

    def dataset(self) -> MetaDataset:
        """Return the data set."""
        systems = self._object("systems", self.fields["systems"])
        references = self._object("references", self.fields.get("references", {}))
        judgements = self._object("judgements", self.fields.get("judgements", {}))
        groups = self._object("groups", self.fields.get("groups", {}))
        return MetaDataset(
            str(self.fields.get("name", Path(self.path).stem)),
            self._text("source", self.fields["source"]),
            {name: self._text(f"systems.{name}", given) for name, given in systems.items()},
            {name: self._references(name, given) for name, given in references.items()},
            self._human(self.fields.get("human", {})),
            {name: self._judgements(name, given) for name, given in judgements.items()},
            {name: self._strings(f"groups.{name}", given) for name, given in groups.items()},
            lang=str(self.fields.get("lang", "")),
            files=tuple(self._read),
        )

    def _text(self, key: str, given: Any) -> tuple[str, ...]:
        return read_text(self._beside(given)).lines if isinstance(given, str) else self._strings(key, given)

    def _references(self, name: str, given: Any) -> tuple[Reference, ...]:
        members = [given] if isinstance(given, str) else given
        if not isinstance(members, list) or not members:
            raise self._wrong(f"references.{name}: found {_shown(given)}, expected a list of files or texts")
        return tuple(
            reference
            for one in members
            for reference in (
                read_references([self._beside(one)]).sets["references"]
                if isinstance(one, str)
                else (self._strings(f"references.{name}", one),)
            )
        )

    def _human(self, given: Any) -> dict[str, dict[str, float]]:
        if isinstance(given, str):
            return _human_table(self._beside(given))
        return {
            column: {
                system: self._number(f"human.{column}.{system}", score)
                for system, score in self._object(f"human.{column}", scores).items()
            }
            for column, scores in self._object("human", given).items()
        }

    def _judgements(self, name: str, given: Any) -> JudgementSet:
        if isinstance(given, str):
            return _judgement_table(self._beside(given), name)
        if not isinstance(given, list) or not given:
            raise self._wrong(f"judgements.{name}: found {_shown(given)}, expected a file or a list")
        kinds = {key for one in given if isinstance(one, dict) for key in ("ranks", "ratings") if key in one}
        if len(kinds) != 1:
            raise self._wrong(f"judgements.{name}: expected either 'ranks' or 'ratings' in each of them")
        [kind] = kinds
        return JudgementSet(
            name,
            tuple(self._judgement(f"judgements.{name}[{n}]", one, kind) for n, one in enumerate(given)),
            kind == "ratings",
        )

    def _judgement(self, key: str, given: Any, kind: str) -> Judgement:
        fields = self._object(key, given)
        sentence = fields.get("sentence")
        if not isinstance(sentence, int) or sentence < 1:
            raise self._wrong(f"{key}: found sentence {_shown(sentence)}, expected a number from 1")
        marks = self._object(f"{key}.{kind}", fields.get(kind))
        return Judgement(
            sentence - 1,
            str(fields.get("judge", "")),
            {system: self._number(f"{key}.{kind}.{system}", mark) for system, mark in marks.items()},
        )

    def _object(self, key: str, given: Any) -> Mapping[str, Any]:
        if not isinstance(given, dict):
            raise self._wrong(f"{key}: found {_shown(given)}, expected an object")
        return given

    def _strings(self, key: str, given: Any) -> tuple[str, ...]:
        if not isinstance(given, list) or not all(isinstance(one, str) for one in given):
            raise self._wrong(f"{key}: found {_shown(given)}, expected a list of strings, or a file")
        return tuple(given)

    def _number(self, key: str, given: Any) -> float:
        # A whole number of more than 308 digits is no float.
        if isinstance(given, bool) or not isinstance(given, int | float) or not -_MAX <= given <= _MAX:
            raise self._wrong(f"{key}: found {_shown(given)}, expected a number")
        return float(given)

    def _beside(self, name: str) -> str:
        path = Path(self.path).parent / name
        if not path.is_file():
            raise InputError(f"{self.path}: found no file {path} ({name})")
        self._read.append(str(path))
        return str(path)

    def _wrong(self, message: str) -> FormatError:
        return FormatError(self.path, None, message)


def _human_table(path: str) -> dict[str, dict[str, float]]:
    """Return every column of scores of a table.

    Raises:
        FormatError: A line is not as the first one says, or a system is there twice.
    """
    rows = _rows(path, ("system",))
    columns = [name for name in rows[0][1] if name != "system"] if rows else []
    human: dict[str, dict[str, float]] = {column: {} for column in columns}
    for number, cells in rows:
        for column in columns:
            if cells["system"] in human[column]:
                raise FormatError(path, number, f"system {cells['system']!r} is given twice; remove one")
            human[column][cells["system"]] = figure_of(path, number, cells[column])
    return human


def _judgement_table(path: str, name: str) -> JudgementSet:
    """Return the judgements of a table; lines of one sentence and judge are one judgement.

    Raises:
        FormatError: A line is not as the first one says, or a judge marks a system twice.
    """
    rows = _rows(path, ("sentence", "judge", "system"))
    kinds = [kind for kind in MARKS if rows and kind in rows[0][1]]
    if len(kinds) != 1:
        raise FormatError(path, 1, "expected columns sentence, judge, system, and either rank or rating")
    marks: dict[tuple[int, str], dict[str, float]] = {}
    for number, cells in rows:
        sentence = number_of(cells["sentence"])
        if sentence is None or sentence < 1:
            raise FormatError(
                path, number, f"found sentence {shorten(cells['sentence'])}, expected a number from 1"
            )
        judged = marks.setdefault((sentence - 1, cells["judge"]), {})
        if cells["system"] in judged:
            raise FormatError(
                path,
                number,
                f"judge {cells['judge']!r} marks system {cells['system']!r} of sentence {sentence} twice",
            )
        judged[cells["system"]] = figure_of(path, number, cells[kinds[0]])
    judgements = tuple(Judgement(sentence, judge, given) for (sentence, judge), given in marks.items())
    return JudgementSet(name, judgements, MARKS[kinds[0]])


def _rows(path: str, needed: tuple[str, ...]) -> list[tuple[int, dict[str, str]]]:
    """Return the lines of a tab-separated file by column, each with its number."""
    lines = enumerate(read_lines(path), start=1)
    header = next(lines, (1, ""))[1].split("\t")
    if missing := [name for name in needed if name not in header]:
        raise FormatError(
            path,
            1,
            f"found columns {', '.join(map(repr, header))}, expected also {missing[0]!r}, separated by tabs",
        )
    rows = []
    for number, line in lines:
        if line.strip():
            cells = line.split("\t")
            if len(cells) != len(header):
                raise FormatError(path, number, f"found {len(cells)} columns, expected {len(header)}")
            rows.append((number, dict(zip(header, cells, strict=True))))
    if not rows:
        raise FormatError(path, None, "found no rows below the header")
    return rows


def _shown(given: Any) -> str:
    """Return what was found, cut to a few characters."""
    text = json.dumps(given, ensure_ascii=False)
    return text if len(text) <= 40 else text[:40] + "…"
