"""What is told of texts that most likely are not meant to be scored as they are."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from os import PathLike, fspath
from typing import Any, TypeAlias

from jperrant.core.messages import agree, plural
from jperrant.core.paths import is_folder
from jperrant.core.raw_text import RunningText
from jperrant.core.splitting import Splitting
from jperrant.core.token_mode import TokenMode
from jperrant.evaluation.inputs import Input, Inputs
from jperrant.evaluation.text_parts import SourceLines
from jperrant.io.files import is_read_once, read_lines

Given: TypeAlias = str | PathLike[str] | Sequence[str]
#: Lines of a text that are looked at.
_LINES_CHECKED = 100_000
#: How to have texts tokenised.
_TOKENISED = (
    "give --raw (raw=True in Python, raw: true in a study) to have texts tokenised, "
    "or for Chinese --tokens=characters"
)


def doubts(inputs: Inputs) -> list[str]:
    """Return what to say of texts, a line each: of their language if it was not given, of their tokens where they
    are taken as given, of blank lines, and of characters that are encoded otherwise than those of the source.

    Those are looked at that can be read again.
    """
    systems = {
        inputs.hypothesis_name(n): one for n, one in enumerate(inputs.hypotheses) if _is_text(inputs, one)
    }
    others = {
        inputs.reference_name(n): one for n, one in enumerate(inputs.references) if _is_text(inputs, one)
    }
    if not systems and not others:
        return []
    running = [] if inputs.texts.raw else _running_text(inputs, {**systems, **others})
    recoded = _recoded({**systems, **others}, _source(inputs))
    unsaid = inputs.texts.annotator.unsaid
    return [
        *([unsaid] if unsaid else []),
        *running,
        *_blank_lines(_by_line(inputs, systems), inputs.source),
        *recoded,
    ]


def _source(inputs: Inputs) -> Iterable[str]:
    """Return the lines of the source, or else the sentences of the first M2 file; none if it is read only once."""
    if inputs.source is not None:
        return _lines(inputs.source)
    paths = [one for one in (*inputs.hypotheses, *inputs.references) if isinstance(one, str | PathLike)]
    files = [str(one) for one in paths if not is_folder(fspath(one)) and not inputs.is_text(one)]
    return islice(SourceLines(files[0]), _LINES_CHECKED) if files and not is_read_once(files[0]) else ()


def _by_line(inputs: Inputs, systems: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return those systems of which each line corrects the same line of the source."""
    if not inputs.texts.raw:
        return systems
    if Splitting.from_name(inputs.texts.annotator.split_on).joins_lines or inputs.source is None:
        return {}
    source = sum(1 for _ in _lines(inputs.source))
    return {name: given for name, given in systems.items() if sum(1 for _ in _lines(given)) == source}


def _running_text(inputs: Inputs, texts: Mapping[str, Any]) -> list[str]:
    """Return which texts look like running text: the source or, where it has tokens, what corrects it."""
    if TokenMode.from_name(inputs.texts.annotator.tokens).segments:
        return []
    if inputs.source is not None and (finding := _finding(inputs.source)):
        return [f"source: {finding}; {_TOKENISED}"]
    found = [(name, _finding(given)) for name, given in texts.items()]
    return [f"{name}: {finding}; {_TOKENISED}" for name, finding in found if finding]


def _finding(given: Given) -> str:
    running = RunningText()
    for line in _lines(given):
        running.add(line.split())
    return running.finding


def _blank_lines(systems: Mapping[str, Any], source: Given | None) -> Iterator[str]:
    """Yield which systems have blank lines where the source has a sentence."""
    for name, given in systems.items():
        lines = [not line.strip() for line in _lines(given)]
        if any(lines) and source is not None:
            lines = [blank and bool(s.strip()) for blank, s in zip(lines, _lines(source), strict=False)]
        if count := sum(lines):
            yield (
                f"{name}: {plural(count, 'line')} {agree(count, 'is', 'are')} blank, so that all words of "
                f"{agree(count, 'its sentence', 'their sentences')} count as deleted; where a system gave nothing, "
                "put the source there"
            )


def _recoded(texts: Mapping[str, Any], source: Iterable[str]) -> Iterator[str]:
    """Yield which texts have words of the source in another normal form of Unicode, which count as changed."""
    words = {word for line in source if not line.isascii() for word in line.split()}
    composed = {unicodedata.normalize("NFC", word) for word in words if not word.isascii()}
    if not composed:
        return
    for name, given in texts.items():
        found = [line.split() for line in _lines(given) if not line.isascii()]
        new = [[word for word in line if not (word.isascii() or word in words)] for line in found]
        if count := sum(any(unicodedata.normalize("NFC", w) in composed for w in line) for line in new):
            yield (
                f"{name}: {plural(count, 'line')} {agree(count, 'has', 'have')} words of the source with "
                "characters encoded otherwise (é as one character or two), which count as changed; bring all texts "
                "to one normal form of Unicode first, such as NFC"
            )


def _lines(given: Given) -> Iterator[str]:
    """Return the lines of a text; none of what can be read only once."""
    if not isinstance(given, str | PathLike):
        return islice(given, _LINES_CHECKED)
    path = fspath(given)
    return iter(()) if is_read_once(path) else islice(read_lines(path), _LINES_CHECKED)


def _is_text(inputs: Inputs, given: Input) -> bool:
    """Whether what is given is a text; folders hold M2."""
    return not (isinstance(given, str | PathLike) and is_folder(fspath(given))) and inputs.is_text(given)
