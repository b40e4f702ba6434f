"""What is told of texts that most likely are not meant to be scored as they are."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, TypeAlias

from jperrant.core.messages import agree, plural
from jperrant.core.paths import is_folder
from jperrant.core.text import RunningText, TokenMode
from jperrant.core.values import Block
from jperrant.evaluation.inputs import Input, Inputs
from jperrant.evaluation.texts import SourceLines
from jperrant.io.files import is_read_once, read_lines

if TYPE_CHECKING:
    from jperrant.io.answers import Review

Given: TypeAlias = str | PathLike[str] | Sequence[str]
#: Lines of a text that are looked at.
_LINES_CHECKED = 100_000
#: How to have texts tokenised.
_TOKENISED = "give --raw (raw: true in a study) to have texts tokenised, or for Chinese --tokens=characters"


def doubts(inputs: Inputs) -> list[str]:
    """Return what to say of texts, a line each: of their language if it was not given, of their tokens where they
    are taken as given, of what language models wrote besides answers, and of characters that are encoded otherwise
    than those of the source.

    Those are looked at that can be read again.
    """
    systems: dict[str, Any] = {
        inputs.hypothesis_name(n): one for n, one in enumerate(inputs.hypotheses) if _is_text(inputs, one)
    }
    others = {
        inputs.reference_name(n): one for n, one in enumerate(inputs.references) if _is_text(inputs, one)
    }
    if not systems and not others:
        return []
    read = dict(systems)
    told: list[str] = []
    if inputs.texts.answers:
        from jperrant.io.answers import AnswerFormat

        answers, source = AnswerFormat.of(inputs.texts.answers), list(_source(inputs, None))
        for name, given in systems.items():
            read[name], notes = answers.read(name, list(_lines(given, None)), source)
            told += notes
    added = {name: _reviewed(inputs, given).notes(name) for name, given in read.items()}
    plain = {name: given for name, given in read.items() if not added[name]}
    running = [] if inputs.texts.raw else _running_text(inputs, {**plain, **others})
    recoded = _recoded({**read, **others}, _source(inputs))
    unsaid = inputs.texts.annotator.unsaid
    return [*([unsaid] if unsaid else []), *told, *chain(*added.values()), *running, *recoded]


def _source(inputs: Inputs, most: int | None = _LINES_CHECKED) -> Iterable[str]:
    """Return the lines of the source, or else the sentences of the first M2 file; none if it is read only once."""
    if inputs.source is not None:
        return _lines(inputs.source, most)
    for one in (*inputs.references, *inputs.hypotheses):
        if isinstance(one, str | PathLike):
            path = fspath(one)
            if not is_folder(path) and not is_read_once(path) and not inputs.is_text(one):
                return islice(SourceLines(path), most)
        elif not inputs.is_text(one):
            return (" ".join(block.source) for block in one if isinstance(block, Block))
    return ()


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


def _reviewed(inputs: Inputs, given: Given) -> Review:
    """Return what a system has besides answers, and which sentences have none."""
    from jperrant.io.answers import Reviewer, review  # which M2 files need not

    if inputs.texts.raw:  # lines need not correspond
        source = list(_source(inputs, None))
        return review(source, list(_lines(given, None))) if source else review([], [])
    reviewer = Reviewer()
    for sentence, line in zip(_source(inputs, None), _lines(given, None), strict=False):
        reviewer.add(sentence, line)
    return reviewer.result()


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


def _lines(given: Given, most: int | None = _LINES_CHECKED) -> Iterator[str]:
    """Return the lines of a text; none of what can be read only once."""
    if not isinstance(given, str | PathLike):
        return (line.rstrip("\n") for line in islice(given, most))
    path = fspath(given)
    return iter(()) if is_read_once(path) else islice(read_lines(path), most)


def _is_text(inputs: Inputs, given: Input) -> bool:
    """Whether what is given is a text; folders hold M2."""
    return not (isinstance(given, str | PathLike) and is_folder(fspath(given))) and inputs.is_text(given)
