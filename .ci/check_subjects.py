#!/usr/bin/env python3
"""Refuse commits whose subjects are longer than 72 characters, since the rule holds (CONTRIBUTING.md)."""

from __future__ import annotations

import subprocess
import sys

#: The rule holds for commits after this one.
FIRST = "4ec0a82"
LONGEST = 72


def main() -> int:
    """Print the subjects that are too long; return 1 if there are any."""
    command = ["git", "log", "--no-merges", "--format=%h %s", f"{FIRST}..HEAD"]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    if done.returncode:
        print("subjects: not checked, the history is too short (git fetch --unshallow)")
        return 0
    found = [line.split(" ", 1) for line in done.stdout.splitlines()]
    long = [(commit, subject) for commit, subject in found if len(subject) > LONGEST]
    for commit, subject in long:
        print(
            f"{commit}: found {len(subject)} characters, expected {LONGEST} at most: {subject}",
            file=sys.stderr,
        )
    return 1 if long else 0


if __name__ == "__main__":
    sys.exit(main())
