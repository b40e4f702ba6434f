"""Learner text and file names in tables, pictures and other formats: nothing is lost, nothing is obeyed."""

from __future__ import annotations

import io
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jperrant.core.errors import FormatError
from jperrant.core.values import Annotation, Block, Edit
from jperrant.evaluation.explain import SentencePlan
from jperrant.io.conllu_files import parse_conllu
from jperrant.io.dialects import read_cherrant, write_cherrant
from jperrant.reporting.explanations import format_plans
from tests.strategies import CORRECTED

CORRECTIONS = st.lists(CORRECTED | st.sampled_from(["|", "|a", "a|"]), min_size=1, max_size=3).map(tuple)


@given(correction=CORRECTIONS | st.just(()))
def test_cherrant_comes_back(tmp_path_factory: pytest.TempPathFactory, correction: tuple[str, ...]) -> None:
    path, stream = tmp_path_factory.mktemp("c") / "x.m2", io.StringIO()
    block = Block(("a",), (Annotation(0, (Edit(0, 1, correction, "R:NOUN"),)),))
    write_cherrant([block], stream)
    path.write_text(stream.getvalue(), encoding="utf-8", newline="")
    assert list(read_cherrant(str(path))) == [block]


@pytest.mark.parametrize(
    ("row", "found"),
    [
        *[(f"{id}\tb\t_\t_\t_\t_\t1\tdep", "ID") for id in ("-", "x.y", "1-", "a-b", "٣", "9" * 5000)],
        *[(f"2\tb\t_\t_\t_\t_\t{head}\tdep", "head") for head in ("9" * 5000, "²")],
    ],
)  # fmt: skip
def test_words_of_conllu_are_never_skipped(row: str, found: str) -> None:
    with pytest.raises(FormatError, match=f"^f:2: found {found}"):
        list(parse_conllu(["1\ta\t_\t_\t_\t_\t0\troot\t_\t_", f"{row}\t_\t_"], "f"))


@given(st.text(st.characters(exclude_categories=[]), max_size=40))
def test_pictures_are_well_formed_xml(text: str) -> None:
    edit, mass = Edit(0, 1, (text,), text), np.ones(1)
    one = np.ones((1, 1))
    plan = SentencePlan(text, 0, (text,), 0, 0, (edit,), (edit,), mass, mass, one, one, {}, {}, {})
    ElementTree.fromstring(format_plans([plan], "svg").encode("utf-8"))
    format_plans([plan], "html", text).encode("utf-8")
