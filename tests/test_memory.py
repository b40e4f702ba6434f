"""What a process of jperrant's own does with memory."""

from __future__ import annotations

import os
import platform
import subprocess
import sys

import pytest

#: Prints how many pages the system provides for some arrays before and after, and for what comes between.
PAGES = """
import resource
from jperrant.core.memory import manage_memory

def pages(work):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    work()
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

def arrays():
    for _ in range(10):
        del [bytearray(2_000_000) for _ in range(10)][:]

first, between = pages(arrays), pages(manage_memory)
arrays()
print(first, between, pages(arrays))
"""

#: Ends with a cycle of objects, which only a search for cycles would finish.
CYCLE = """
import atexit
from jperrant.core.memory import skip_last_collection

class Cycle:
    def __init__(self):
        self.itself = self
    def __del__(self):
        print("found")

Cycle()
atexit.register(print, "registered")
"""


def printed(program: str) -> list[str]:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_a_program_ends_without_looking_for_cycles():
    assert printed(CYCLE) == ["registered", "found"]
    assert printed(f"{CYCLE}skip_last_collection()") == ["registered"]


@pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc", reason="only glibc hands back what is freed in this way"
)
def test_memory_that_is_freed_is_not_fetched_anew():
    # Dask sets a threshold for memory to be handed back, and whoever has set one has decided.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MALLOC_")}
    done = subprocess.run(
        [sys.executable, "-c", PAGES], capture_output=True, text=True, check=True, env=environment
    )
    before, between, after = map(int, done.stdout.split())
    assert between < 100  # nothing of what it takes and frees is touched
    assert after < before / 10
