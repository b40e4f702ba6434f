"""Runs the fuzzing: ``python -m fuzz.run --minutes 10``, or ``make fuzz`` with ``FUZZ_MINUTES=``.

A case that fails is written to ``tests/data/fuzz_cases``, where the ordinary tests replay it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import resource
import signal
import sys
import time
import traceback
import warnings
from collections import Counter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from fuzz.areas import AREAS

CASES = Path(__file__).parent.parent / "tests" / "data" / "fuzz_cases"
#: Seconds a case may take, and bytes the process may have.
SECONDS, MEMORY = 10, 4 << 30
#: Seconds for which an area runs before the next has its turn, so that each gets the same time.
TURN = 0.5


class TooSlow(BaseException):
    """Raised when a case takes too long; not an Exception, so that no code handles it as an error of the input."""


def main() -> int:
    """Run all areas in turn until the time is over; return 1 if a case failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    arguments = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGALRM, _too_slow)
    warnings.simplefilter("ignore")
    end, number, failures = time.monotonic() + 60 * arguments.minutes, 0, Counter[str]()
    counts: Counter[str] = Counter()
    memory = "/dev/shm"  # files of a case are small and many
    with TemporaryDirectory(dir=memory if Path(memory).is_dir() else None) as folder:
        while time.monotonic() < end:
            for name in AREAS:
                turn = time.monotonic() + TURN
                while time.monotonic() < turn:
                    counts[name] += 1
                    failures[name] += not run_case(name, f"{arguments.seed}-{number}", Path(folder))
                    number += 1
    for name, count in counts.items():
        print(f"{name:12} {count:9,} cases {failures[name]:5,} failures")
    print(f"{'all':12} {counts.total():9,} cases {failures.total():5,} failures, seed {arguments.seed}")
    return int(failures.total() > 0)


def run_case(area: str, seed: str, folder: Path) -> bool:
    """Make and check one case; keep it and return False if it fails."""
    case = AREAS[area].make(Random(seed))
    signal.alarm(SECONDS)
    try:
        AREAS[area].check(case, folder)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        signal.alarm(0)
        _keep(area, case, error)
        return False
    finally:
        signal.alarm(0)
    return True


def _keep(area: str, case: object, error: BaseException) -> None:
    content = json.dumps({"area": area, "case": case}, ensure_ascii=True)
    # One case for each place of failure is enough.
    place = traceback.extract_tb(error.__traceback__)[-1]
    name = hashlib.sha256(f"{type(error).__name__} {place.filename} {place.lineno}".encode()).hexdigest()[:10]
    path = CASES / f"{area}-{name}.json"
    if not path.exists():
        CASES.mkdir(parents=True, exist_ok=True)
        path.write_text(content + "\n", encoding="utf-8")
        print(f"{path.name}: {type(error).__name__}: {str(error)[:200]} ({place.filename}:{place.lineno})")


def _too_slow(_number: int, _frame: object) -> None:
    raise TooSlow(f"more than {SECONDS} s")


if __name__ == "__main__":
    sys.exit(main())
