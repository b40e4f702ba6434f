import doctest

import pytest

from jperrant.core import errors, messages
from jperrant.core.errors import nearest
from jperrant.core.messages import agree, plural


@pytest.mark.parametrize(("count", "phrase"), [(0, "0 edits"), (1, "1 edit"), (2, "2 edits")])
def test_a_noun_agrees_with_its_count(count, phrase):
    assert plural(count, "edit") == phrase


def test_irregular_nouns_and_verbs():
    assert [f"{plural(n, 'entry', 'entries')} {agree(n, 'has', 'have')}" for n in (1, 3)] == [
        "1 entry has",
        "3 entries have",
    ]


@pytest.mark.parametrize(
    ("written", "known", "meant"),
    [
        ("GOOD", ["AUX:MOOD", "NOUN"], ""),
        ("errand", ["errant", "gleu"], "errant"),
        ("du", ["errant", "ud"], "ud"),
        ("nom", ["nominal-inflection", "verb"], "nominal-inflection"),
        ("no", ["nominal-inflection", "verb"], ""),
        ("", ["a", "b"], ""),
    ],
)
def test_only_near_names_are_suggested(written, known, meant):
    assert nearest(written, known) == (f" (did you mean {meant!r}?)" if meant else "")


@pytest.mark.parametrize("module", [messages, errors])
def test_the_examples_of_the_docstrings_run(module):
    attempted = doctest.testmod(module)
    assert attempted.attempted >= 1
    assert attempted.failed == 0
