"""The data sets of meta-evaluation by name, and any other one as a file."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from jperrant.core.errors import UsageError, nearest
from jperrant.core.paths import is_file
from jperrant.evaluation.meta import gjg15, gmeg, seeda
from jperrant.evaluation.meta.dataset import MetaDataset
from jperrant.evaluation.meta.gjg15 import read_gjg15
from jperrant.evaluation.meta.gmeg import read_gmeg
from jperrant.evaluation.meta.own_dataset import read_own
from jperrant.evaluation.meta.seeda import read_seeda

ReadFolder: TypeAlias = Callable[[str], MetaDataset]
#: Each data set that its authors distribute: what reads its folder, and where to get that.
DATASETS: dict[str, tuple[ReadFolder, str]] = {
    "seeda": (read_seeda, seeda.HOME),
    "seeda-e": (partial(read_seeda, sets=("edit",)), seeda.HOME),
    "seeda-s": (partial(read_seeda, sets=("sent",)), seeda.HOME),
    "seeda-whole": (partial(read_seeda, whole=True), seeda.HOME),
    "gjg15": (read_gjg15, gjg15.HOME),
    **{
        f"gmeg-{domain}" + ("" if split == "test" else f"-{split}"): (
            partial(read_gmeg, domain=domain, split=split),
            gmeg.HOME,
        )
        for split in gmeg.SPLITS
        for domain in gmeg.DOMAINS
    },
}


def load_dataset(name: str, folder: str | None = None) -> MetaDataset:
    """Return a data set.

    Args:
        name: One of ``DATASETS``, or the path of a JSON file that describes one (:func:`read_own`).
        folder: Where the files of its authors are; not for a data set of one's own.

    Raises:
        UsageError: The name is unknown, or the folder is missing or not wanted.
        InputError, FormatError: As what reads it.
    """
    if name in DATASETS:
        read, home = DATASETS[name]
        if folder is None:
            raise UsageError(
                f"data set {name!r} is read from its authors' folder; run 'git clone {home}' and give it "
                "with --data FOLDER"
            )
        return read(folder)
    if name.endswith(".json") or is_file(name):
        if folder is not None:
            raise UsageError(f"{name}: a data set of your own lists its files itself; remove --data")
        return read_own(name)
    known = ", ".join(DATASETS)
    raise UsageError(
        f"unknown data set {name!r}{nearest(name, DATASETS)}; expected one of {known}, or a FILE.json"
    )
