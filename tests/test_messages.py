import doctest

import pytest

from jperrant.core import messages
from jperrant.core.messages import agree, plural


@pytest.mark.parametrize(("count", "phrase"), [(0, "0 edits"), (1, "1 edit"), (2, "2 edits")])
def test_a_noun_agrees_with_its_count(count, phrase):
    assert plural(count, "edit") == phrase


def test_irregular_nouns_and_verbs():
    assert [f"{plural(n, 'entry', 'entries')} {agree(n, 'has', 'have')}" for n in (1, 3)] == [
        "1 entry has",
        "3 entries have",
    ]


def test_the_examples_of_the_docstrings_run():
    attempted = doctest.testmod(messages)
    assert attempted.attempted >= 2
    assert attempted.failed == 0
