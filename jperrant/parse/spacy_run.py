"""A spaCy pipeline that is loaded: what it gives, and running it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, TypeVar

from jperrant.core.errors import CorruptModelError, JperrantError
from jperrant.parse.analyser import Scheme
from jperrant.parse.spacy_batches import batches_are_exact
from jperrant.parse.spacy_pipelines import PipelineFiles, load_pipeline

_BATCH = 64
#: What a token can have, by spaCy's name of it.
ATTRIBUTES = ("tag", "pos", "lemma", "dep")
#: Relations that only one scheme has.
_ONLY = {
    Scheme.UD: frozenset(
        ["obj", "obl", "cop", "flat", "nsubj:pass", "aux:pass", "nmod:poss", "compound:prt"]
    ),
    Scheme.CLEAR: frozenset(["dobj", "pobj", "prep", "attr", "acomp", "nsubjpass", "auxpass", "poss", "prt"]),
}
_PROBE = ("This", "is", "a", "test", ".")

#: A text, or its tokens.
Given = TypeVar("Given", str, tuple[str, ...])
_Read = TypeVar("_Read")


class SpacyRun:
    """Runs a pipeline, in batches where that changes nothing; threads may share it.

    Args:
        pipeline: The pipeline.

    Attributes:
        nlp: spaCy's object.
        gives: Which of ``tag``, ``pos``, ``lemma`` and ``dep`` tokens get.
        scheme: The scheme of the names of its relations, or None if there are none or they are of another.
        in_batches: Whether documents are run in batches.

    Raises:
        MissingExtraError: spaCy, or what the pipeline needs, is not installed.
        CorruptModelError: It cannot be loaded or run.
    """

    def __init__(self, pipeline: PipelineFiles) -> None:
        self.pipeline, self._lock = pipeline, threading.Lock()
        self.nlp = load_pipeline(pipeline)
        self.in_batches = batches_are_exact(self.nlp)
        (probed,) = self.run(
            [_PROBE], lambda _, doc: {a for a in ATTRIBUTES for t in doc if getattr(t, f"{a}_")}
        )
        self.gives = frozenset([a for a in ATTRIBUTES if a in probed or f"token.{a}" in self._assigned()])
        self.scheme = _scheme(self._relations())

    def run(self, given: Sequence[Given], read: Callable[[Given, Any], _Read]) -> list[_Read]:
        """Return what is read from the document of each text.

        Args:
            given: Texts, to be tokenised; or the tokens of each.
            read: Takes what was given and its document, which does not outlive the call.
        """
        with self._lock, self._memory():
            try:
                return [read(text, doc) for text, doc in zip(given, self._documents(given), strict=True)]
            except JperrantError:
                raise
            except Exception as error:  # components of any package, which may raise anything
                reason = (" ".join(str(error).split()) or type(error).__name__)[:200]
                raise CorruptModelError(f"spacy:{self.pipeline.name} cannot be run ({reason})") from error

    def _documents(self, given: Iterable[Given]) -> Iterator[Any]:
        from spacy.tokens import Doc

        made = (
            self.nlp.make_doc(g) if isinstance(g, str) else Doc(self.nlp.vocab, words=list(g)) for g in given
        )
        yield from self.nlp.pipe(made, batch_size=_BATCH) if self.in_batches else map(self.nlp, made)

    def _memory(self) -> AbstractContextManager[object]:
        """Return a context after which spaCy forgets the words it has seen; before 3.8 it keeps them all."""
        return self.nlp.memory_zone() if hasattr(self.nlp, "memory_zone") else nullcontext()

    def _assigned(self) -> set[str]:
        """Return what the components say that they set."""
        return {
            name for component in self.nlp.pipe_names for name in self.nlp.get_pipe_meta(component).assigns
        }

    def _relations(self) -> frozenset[str]:
        names = [name for name in self.nlp.pipe_names if "token.dep" in self.nlp.get_pipe_meta(name).assigns]
        return frozenset().union(*[getattr(self.nlp.get_pipe(name), "labels", ()) for name in names])


def _scheme(relations: frozenset[str]) -> Scheme | None:
    """Return the scheme of which there are most relations that the other lacks."""
    ud, clear = (len(relations & _ONLY[scheme]) for scheme in (Scheme.UD, Scheme.CLEAR))
    return None if ud == clear else Scheme.UD if ud > clear else Scheme.CLEAR
