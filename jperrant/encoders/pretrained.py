"""Loading models and tokenizers of the Hugging Face library, without network and without foreign code."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from jperrant.core.errors import CorruptModelError, InputError, UsageError
from jperrant.core.packages import ENCODERS, import_extra, quiet_loading
from jperrant.encoders.find import first_line

#: Tokenizers that know no limit give a number near this one.
_NO_LIMIT = 10**9
#: Files of which a tokenizer has one at least.
_TOKENIZER_FILES = ("tokenizer.json", "vocab.txt", "vocab.json", "*.model")


def load_tokenizer(folder: Path, kind: str) -> Any:
    """Return the tokenizer of a model.

    Args:
        folder: Where the model lies.
        kind: What messages call the model.

    Raises:
        InputError: There is no tokenizer.
    """
    transformers = import_extra("transformers", ENCODERS)
    problem = f"{kind} {folder}: found no tokenizer that the transformers library can read"
    try:
        with quiet_loading(transformers):
            tokenizer = transformers.AutoTokenizer.from_pretrained(
                str(folder), local_files_only=True, trust_remote_code=False
            )
    except Exception as error:  # the library raises whatever its parts raise
        raise InputError(f"{problem} ({first_line(error)})") from error
    # Without files it may invent a tokenizer that knows special tokens and nothing else.
    if len(tokenizer) <= len(set(tokenizer.all_special_ids)):
        raise InputError(f"{problem} (no vocabulary)")
    return tokenizer


def has_tokenizer(folder: Path) -> bool:
    """Return whether a folder holds the files of a tokenizer."""
    return any(any(folder.glob(pattern)) for pattern in _TOKENIZER_FILES)


def tokenizer_limit(tokenizer: Any) -> int | None:
    """Return how many tokens a tokenizer says that its model takes; None if it does not say."""
    limit = tokenizer.model_max_length
    return int(limit) if limit and limit < _NO_LIMIT else None


def load_with_head(folder: Path, loader: str, kind: str) -> Any:
    """Return a model with the head for its task, ready to compute.

    Args:
        folder: Where it lies, in Hugging Face's layout.
        loader: The class of the transformers library that loads it, such as ``AutoModelForCausalLM``.
        kind: What it must be, for messages.

    Raises:
        InputError: It is a model of another kind.
        CorruptModelError: Its files cannot be loaded.
    """
    transformers = import_extra("transformers", ENCODERS)
    try:
        with quiet_loading(transformers):
            model, told = getattr(transformers, loader).from_pretrained(
                str(folder), local_files_only=True, trust_remote_code=False, output_loading_info=True
            )
    except Exception as error:  # the library raises whatever its parts raise
        if "Unrecognized configuration class" in str(error):
            raise InputError(f"{folder}: found a model of another kind, expected a {kind}") from error
        raise CorruptModelError(f"{kind} {folder}: cannot be loaded: {first_line(error)}") from error
    if lacking := sorted(told["missing_keys"]):  # the library has filled them with random numbers
        raise InputError(
            f"{folder}: expected a {kind}, but {len(lacking)} of its weights are missing (first {lacking[0]}); "
            "give one with a head for the task"
        )
    return model.eval()


def longest_input(model: Any) -> int | None:
    """Return how many tokens have a position in the model, or None if it knows no limit."""
    positions = getattr(model.config, "max_position_embeddings", None)
    if not positions or positions < 0:
        return None
    # RoBERTa and its kin count positions from the padding token's number on.
    padding = getattr(getattr(model, "embeddings", None), "padding_idx", None)
    return int(positions) - (0 if padding is None else int(padding) + 1)


def pick_device(device: str) -> str:
    """Return a device of torch; of ``auto`` a CUDA one where there is one."""
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
    """Let a model compute, without gradients.

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
        if is_out_of_memory(error):
            raise MemoryError(first_line(error)) from error
        raise InputError(f"{what} cannot be run: {first_line(error)}") from error


def is_out_of_memory(error: Exception) -> bool:
    """Return whether torch ran out of memory; on a CPU it says so in words only."""
    return type(error).__name__ == "OutOfMemoryError" or "allocate memory" in str(error)
