"""Encoders: transformers that give sentences and their tokens vectors, for the metrics that need them.

::

    encoder = load_encoder("minilm")
    encoder.embed(["She go home .", "She goes home ."])         # shape (2, 384)
    encoder.embed_tokens(["She goes home ."])[0].vectors        # shape (6, 384), [CLS] and [SEP] included
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from jperrant.core.packages import ENCODERS, check_extra
from jperrant.core.store import Store
from jperrant.encoders.models import ENCODER, find_encoder, fingerprint
from jperrant.encoders.vectors import Encoder

__all__ = ["Encoder", "encoder_label", "load_encoder"]

#: BERT's limit; for models and tokenizers that name none.
DEFAULT_LIMIT = 512
#: Tokens that a processor computes together: more do not fit in its cache, and pad more.
CPU_TOKENS = 768


@lru_cache(maxsize=2)
def load_encoder(
    name: str,
    *,
    pooling: str = "mean",
    layer: int | None = None,
    dtype: str = "float32",
    device: str = "auto",
    batch_size: int = 32,
    max_tokens: int | None = None,
    cache: str = "",
) -> Encoder:
    """Load an encoder from this machine; the ones used last are kept and given again.

    Args:
        name: ``minilm``, a folder in Hugging Face's layout, or a name on the Hugging Face hub.
        pooling: How a sentence's vector is made: ``mean`` over all tokens, special ones included, or ``cls``.
        layer: Whose output to take: 0 the embeddings, 1 the first layer; None the last one's.
        dtype: Precision of the computation: ``float32``, ``bfloat16`` or ``float16``.
        device: A device of torch, or ``auto`` for a CUDA one where there is one.
        batch_size: Texts encoded together; changes speed and memory only.
        max_tokens: Cut texts into windows of so many tokens, fewer than the model takes.
        cache: Folder in which sentence vectors are kept from run to run; empty for none.

    Raises:
        MissingModelError: It is not on this machine; the message holds the command that gets it.
        MissingExtraError: The transformers library, or the encoder's package, is not installed.
        CorruptModelError: Its files are damaged.
        InputError: The folder holds no model or no tokenizer.
        UsageError: An option is out of its range.
    """
    from jperrant.encoders.vectors import Tokenizer, Transformer

    folder = find_encoder(name)
    tokenizer = Tokenizer(folder)
    network = Transformer(folder, layer, dtype, device)
    limits = [limit for limit in (tokenizer.limit, network.limit) if limit] or [DEFAULT_LIMIT]
    limit = min(*limits, max_tokens or limits[0])
    # What the layers do with the weights: activations, heads, the constants of norms.
    settings = sha256((folder / "config.json").read_bytes()).hexdigest()[:8]
    which = f"{fingerprint(folder)}-{settings}-{pooling}-{'last' if layer is None else layer}-{dtype}-{limit}"
    return Encoder(
        encoder_name(name),
        tokenizer.tokenize,
        network,
        limit=limit,
        pooling=pooling,
        batch_size=batch_size,
        batch_tokens=CPU_TOKENS if network.device == "cpu" else None,
        cache=Store(Path(cache) / "vectors.sqlite") if cache else None,
        identity=which,
    )


def encoder_name(name: str) -> str:
    """Return the name of an encoder without the folders above it."""
    return name.rstrip("/").rsplit("/", 1)[-1]


def encoder_label(name: str, kind: str = ENCODER) -> str:
    """Return what stands for an encoder in a signature: its name and the fingerprint of its weights.

    Args:
        name: As for :func:`load_encoder`.
        kind: What messages call it.

    Raises:
        MissingModelError, MissingExtraError, InputError: As for :func:`load_encoder`.
    """
    folder = find_encoder(name, kind)
    check_extra(("torch", "transformers"), ENCODERS)
    return f"{encoder_name(name)}@{fingerprint(folder)}"
