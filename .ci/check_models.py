#!/usr/bin/env python3
"""Refuse a model file that changes more than once between two releases.

    .ci/check_models.py [--staged]

Models are binary: every version stays in the history for good, and everybody who clones the repository downloads
it. So a model is trained elsewhere until it is right, and is committed once a release. Commits are counted since
the last release, merges left out; with ``--staged`` what is about to be committed counts as one more (pre-commit).
"""

from __future__ import annotations

import subprocess
import sys
from collections import Counter

#: What counts as a model file, as git takes it.
MODELS = ":(glob)langpacks/*/models/**/*.pt"
#: The rule holds from here on, until a version is released. Moved once, from b7ce85e: the first English tagger and
#: parser after it (542d16a) were followed by better ones before a release.
FIRST = "f6fa066"
#: How CHANGELOG.md heads a version that was released.
RELEASED = r"^## \[[0-9].*[0-9]{4}-[0-9]{2}-[0-9]{2}"


def git(*arguments: str) -> list[str]:
    """Return the lines that a git command prints; none where it fails."""
    done = subprocess.run(["git", *arguments], capture_output=True, text=True, encoding="utf-8")
    return done.stdout.splitlines() if done.returncode == 0 else []


def base() -> str | None:
    """Return the commit to count from, or None where the history does not reach back to it.

    It is the commit that dated the newest version in CHANGELOG.md.
    """
    released = git("log", "--no-merges", "--format=%H", "--max-count=1", "-G", RELEASED, "--", "CHANGELOG.md")
    for commit in [*released, FIRST]:
        if git("rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}"):
            return commit
    return None


def changes(since: str, staged: bool) -> Counter[str]:
    """Return how often each model file changed."""
    log = git(
        "log", "--no-merges", "--format=", "--name-only", "--diff-filter=AMR", f"{since}..HEAD", "--", MODELS
    )
    index = git("diff", "--cached", "--name-only", "--diff-filter=AMR", "--", MODELS) if staged else []
    return Counter([*log, *index])


def main() -> int:
    """Print the files that changed more than once; return 1 if there are any."""
    since = base()
    if since is None:
        print("models: not checked, the history is too short (git fetch --unshallow)")
        return 0
    often = {file: count for file, count in changes(since, "--staged" in sys.argv[1:]).items() if count > 1}
    for file, count in sorted(often.items()):
        print(
            f"{file}: changed by {count} commits since {since}, expected 1 at most; "
            "make them one commit before you push (CONTRIBUTING.md, Models)",
            file=sys.stderr,
        )
    if not often:
        print(f"models: no file changed more than once since {since}")
    return 1 if often else 0


if __name__ == "__main__":
    sys.exit(main())
