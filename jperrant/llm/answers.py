"""Answers of language models kept on disk, so that nothing is asked, or paid for, twice."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from jperrant.core.errors import InputError
from jperrant.io.files import reason


class Answers:
    """A file of answers, one JSON object a line, by model and prompt; each is written as soon as it comes.

    Args:
        path: The file; None keeps answers in memory only.
        model: What answers depend on besides the prompt.

    Raises:
        InputError: The file cannot be used.
    """

    def __init__(self, path: Path | None, model: str) -> None:
        self._path, self._model = path, model
        self._known: dict[str, str] = {}
        self._unfinished = False
        if path is None:
            return
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            text = path.read_text(encoding="utf-8") if path.exists() else ""
        except (OSError, UnicodeDecodeError) as error:
            raise _unusable(path, error) from None
        lines = text.split("\n")  # an answer may hold other line ends
        for line in lines:
            self._read(line)
        if len(lines) > 1 and not self._known:  # answers would be added to a file of another kind
            raise InputError(f"cache {path}: found no answers in it; give another file with --llm-cache")
        self._unfinished = bool(lines[-1])  # the run before was stopped while it wrote

    def get(self, prompt: str) -> str | None:
        """Return the answer to a prompt, None if it was not asked."""
        return self._known.get(self._key(prompt))

    def put(self, prompt: str, answer: str) -> None:
        """Keep an answer.

        Raises:
            InputError: The file cannot be written.
        """
        key = self._key(prompt)
        self._known[key] = answer
        if self._path is None:
            return
        line = json.dumps({"key": key, "model": self._model, "answer": answer})
        try:
            with self._path.open("a", encoding="utf-8") as stream:
                stream.write("\n" * self._unfinished + line + "\n")
            self._unfinished = False
        except OSError as error:
            raise _unusable(self._path, error) from None

    def _read(self, line: str) -> None:
        try:
            found = json.loads(line)
            self._known[str(found["key"])] = str(found["answer"])
        except (ValueError, KeyError, TypeError, RecursionError):
            return  # a line cut short: the question is asked again

    def _key(self, prompt: str) -> str:
        return hashlib.sha256(json.dumps([self._model, prompt]).encode()).hexdigest()


def _unusable(path: Path, error: Exception) -> InputError:
    why = reason(error) if isinstance(error, OSError) else "not UTF-8"
    return InputError(f"cache {path}: cannot be used ({why}); give another file with --llm-cache")
