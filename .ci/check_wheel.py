"""Check that the installed wheel put nothing but jperrant on the import path."""

from importlib.metadata import distribution, packages_distributions
from pathlib import PurePosixPath

found = {name for name, owners in packages_distributions().items() if "jperrant" in owners}
folders = {PurePosixPath(str(file)).parts[0] for file in distribution("jperrant").files or []}
scripts = {".."}  # bin/jperrant, beside site-packages
unexpected = {f for f in folders if f not in {"jperrant"} | scripts and not f.endswith(".dist-info")}
assert found == {"jperrant"}, f"importable names of the wheel: {sorted(found)}"
assert not unexpected, f"files of the wheel outside jperrant: {sorted(unexpected)}"
print("wheel: puts only jperrant on the import path")
