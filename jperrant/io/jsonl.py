"""JSON Lines in: one record a line, with as much analysis as there is.

``{"source": SENTENCE, "targets": [SENTENCE, …]}`` or ``{"source": SENTENCE, "target": SENTENCE}``, with an
optional ``"id"``. A SENTENCE is a string (tokens separated by white space, or raw text), a list of strings, or a
list of objects with ``form`` and any of ``lemma upos xpos feats head deprel``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from jperrant.core.display import shorten
from jperrant.core.errors import FormatError, nearest
from jperrant.core.m2_format import SEPARATOR
from jperrant.core.text import sentence_of
from jperrant.core.values import Parallel, Sentence, Token, on_cycle
from jperrant.io.files import ended, read_decodable
from jperrant.io.record_check import RecordCheck, whole

# JSON can write half a pair; UTF-8, and so M2, cannot.
_SURROGATE = re.compile("[\\ud800-\\udfff]")
_KEYS = ("id", "source", "target", "targets")
_TOKEN_KEYS = ("form", "lemma", "upos", "xpos", "feats", "head", "deprel")


def read_jsonl(path: str, check: RecordCheck | None = None) -> Iterator[Parallel]:
    """Yield the records of a JSON Lines file, ``-`` meaning standard input.

    Raises:
        FormatError: A line is not JSON or not such a record; names file and line.
    """
    check = check or RecordCheck()
    for number, line in enumerate(ended(read_decodable(path)), start=1):
        try:
            record = check.accept(_record(whole(line), path, number), lambda _: (path, number))  # noqa: B023
        except FormatError as error:
            check.refuse(error, line)
        else:
            yield record


def _record(line: str, path: str, number: int) -> Parallel:
    if not line.strip():
        raise FormatError(path, number, "found an empty line, expected one JSON object per line")
    try:
        record = json.loads(line)
    except json.JSONDecodeError as error:
        raise FormatError(path, number, f"not JSON ({error})") from None
    except (ValueError, RecursionError):
        what = "not JSON that can be read: a number is too long, or it is nested too deeply"
        raise FormatError(path, number, what) from None
    return _Record(path, number).parallel(record)


class _Record:
    """Reads one record, knowing where it stands."""

    def __init__(self, file: str, line: int) -> None:
        self.file, self.line = file, line

    def parallel(self, record: object) -> Parallel:
        if not isinstance(record, Mapping):
            raise self._error(f"found {shorten(repr(record))}, expected an object with {', '.join(_KEYS)}")
        for key in record:
            if key not in _KEYS:
                raise self._error(
                    f"unknown key {key!r}{nearest(key, _KEYS)}; expected one of {', '.join(_KEYS)}"
                )
        if "source" not in record or ("target" in record) == ("targets" in record):
            raise self._error("expected the key source and either target or targets")
        targets = record["targets"] if "targets" in record else [record["target"]]
        if not isinstance(targets, list):
            raise self._error("targets: expected a list of sentences")
        source = self._sentence(record["source"], "source", str(record.get("id", "")))
        return Parallel(source, tuple(self._sentence(t, f"targets[{n}]") for n, t in enumerate(targets)))

    def _sentence(self, value: object, where: str, id: str = "") -> Sentence:
        if isinstance(value, str):
            sentence = sentence_of(value, id)
        elif isinstance(value, list):
            tokens: list[Token] = []
            offset = 0
            for n, item in enumerate(value):
                token = self._token(item, len(value), offset, f"{where}[{n}]")
                tokens.append(token)
                offset = token.end + 1
            if (word := on_cycle([token.head for token in tokens])) is not None:
                raise self._error(f"{where}: found a cycle of heads through word {word + 1}, expected a tree")
            sentence = Sentence(tuple(tokens), " ".join(t.form for t in tokens), id)
        else:
            raise self._error(f"{where}: found {shorten(repr(value))}, expected a string or a list of tokens")
        if _SURROGATE.search(sentence.text):
            raise self._error(f"{where}: found half of a surrogate pair, expected a whole character")
        if SEPARATOR in sentence.text:
            raise self._error(
                f"{where}: a token contains '|||', which separates the fields of M2; replace it in the text"
            )
        return sentence

    def _token(self, item: object, count: int, offset: int, where: str) -> Token:
        fields: Mapping[str, object] = {"form": item} if isinstance(item, str) else item  # type: ignore[assignment]
        if not isinstance(fields, Mapping):
            raise self._error(
                f"{where}: found {shorten(repr(item))}, expected a string or an object with a form"
            )
        for key in fields:
            if key not in _TOKEN_KEYS:
                raise self._error(f"{where}: unknown key {key!r}{nearest(key, _TOKEN_KEYS)}")
        text = {key: fields.get(key) or "" for key in _TOKEN_KEYS if key != "head"}
        form = text["form"]
        if not isinstance(form, str) or len(form.split()) != 1 or form.strip() != form:
            raise self._error(f"{where}: found the form {form!r}, expected text without white space")
        if not all(isinstance(value, str) for value in text.values()):
            raise self._error(
                f"{where}: {', '.join(k for k in text if not isinstance(text[k], str))}: expected text"
            )
        head = fields.get("head")
        if head is not None and (type(head) is not int or not 0 <= head <= count):
            raise self._error(f"{where}: found head {head!r}, expected a number from 0 to {count}")
        lemma, upos, xpos, feats, deprel = (
            str(text[key]) for key in _TOKEN_KEYS if key not in ("form", "head")
        )
        return Token(form, lemma, upos, xpos, feats, head, deprel, offset, offset + len(form))

    def _error(self, problem: str) -> FormatError:
        return FormatError(self.file, self.line, problem)
