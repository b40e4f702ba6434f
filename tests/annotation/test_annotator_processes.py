"""An annotator in several processes: each loads its own, as docs/python.md says."""

from __future__ import annotations

import pickle

import pytest

import jperrant
from jperrant.annotation.annotator import Annotator
from jperrant.core.errors import UsageError


def test_an_annotator_that_is_sent_to_a_process_says_what_to_do() -> None:
    annotator = jperrant.load("en", models="none")
    for sent in (annotator, annotator.annotate):  # itself, or what a pool is to call
        with pytest.raises(TypeError, match=r"jperrant\.load.* initializer of a pool"):
            pickle.dumps(sent)


def test_an_annotator_of_parts_is_not_loaded_by_other_processes() -> None:
    loaded = jperrant.load("generic", models="none")
    records = [("a b", "a c")] * 3
    assert [*loaded.annotate_many(records, jobs=2, batch=1)] == [*loaded.annotate_many(records)]
    with pytest.raises(UsageError, match="found 2 jobs, expected 1"):
        next(Annotator(loaded.pack, loaded.parser).annotate_many(records, jobs=2))
