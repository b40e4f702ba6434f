"""Check that the installed wheel put nothing but jperrant on the import path, and brought nothing heavy along."""

from importlib.metadata import distribution, distributions, packages_distributions
from pathlib import PurePosixPath

HEAVY = {"torch", "stanza", "transformers", "scikit-learn", "matplotlib", "opencc", "pypinyin"}

installed = distribution("jperrant")
importable = {name for name, owners in packages_distributions().items() if "jperrant" in owners}
folders = {PurePosixPath(str(file)).parts[0] for file in installed.files or []}
scripts = {".."}  # bin/jperrant, beside site-packages
unexpected = {f for f in folders if f not in {"jperrant"} | scripts and not f.endswith(".dist-info")}
heavy = HEAVY & {found.name.lower() for found in distributions()}
licences = set(installed.metadata.get_all("License-File") or [])
assert importable == {"jperrant"}, f"importable names of the wheel: {sorted(importable)}"
assert not unexpected, f"files of the wheel outside jperrant: {sorted(unexpected)}"
assert not heavy, f"the plain install brings {sorted(heavy)}"
assert "MIT AND CC-BY-SA-4.0" in installed.metadata["License-Expression"], installed.metadata[
    "License-Expression"
]
assert {"LICENSE", "LICENSES/CC-BY-SA-4.0.txt", "LICENSES/SCOWL.txt"} <= licences, sorted(licences)
print("wheel: puts only jperrant on the import path, and nothing heavy beside it")
