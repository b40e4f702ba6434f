"""An annotator in several processes: each loads its own, as docs/python.md says."""

from __future__ import annotations

import pickle

import pytest

import jperrant


def test_an_annotator_that_is_sent_to_a_process_says_what_to_do() -> None:
    annotator = jperrant.load("en", models="none")
    for sent in (annotator, annotator.annotate):  # itself, or what a pool is to call
        with pytest.raises(TypeError, match=r"jperrant\.load.* initializer of a pool"):
            pickle.dumps(sent)
