"""What a process of jperrant's own does with memory."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

#: Prints how many pages the system provides for the same arrays before and after.
PAGES = """
import resource
from jperrant.core.memory import manage_memory

def pages():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(10):
        del [bytearray(2_000_000) for _ in range(10)][:]
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

first = pages()
manage_memory()
pages()
print(first, pages(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc", reason="only glibc hands back what is freed in this way"
)
def test_memory_that_is_freed_is_not_fetched_anew():
    done = subprocess.run([sys.executable, "-c", PAGES], capture_output=True, text=True, check=True)
    before, after, kilobytes = map(int, done.stdout.split())
    assert after < before / 10
    assert kilobytes < 60_000  # the arrays take 20 MB, and nothing is added to them
