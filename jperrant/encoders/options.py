"""The options of encoders and other models, shared by every metric that uses one, and loading encoders by them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Literal

from jperrant.core.option import check_options, option
from jperrant.core.packages import ENCODERS, check_extra
from jperrant.core.store import Store
from jperrant.encoders.bertscore import default_layer
from jperrant.encoders.hugging_face import ENCODER, find_encoder, fingerprint, load_tokenizer, tokenizer_limit
from jperrant.encoders.vectors import Encoder, Transformer, tokens_of

#: BERT's limit, for models and tokenizers that name none.
DEFAULT_LIMIT = 512
#: The number of tokens that a CPU computes together; more do not fit in its cache and need more padding.
CPU_TOKENS = 768


@dataclass(frozen=True, slots=True)
class EncoderOptions:
    """The options of a metric's encoder.

    Attributes:
        encoder: ``minilm``, a folder in Hugging Face's layout, or a name on the Hugging Face hub.
        layer: The layer whose output is used. If None, it is the last one, or for BERTScore the one that
            ``bert_score`` uses.
        baseline: BERTScore of unrelated sentences, below 1, to rescale by.
        pooling: The vector of a sentence: the ``mean`` over all tokens, or ``cls``, the first token's.
        dtype: Precision of the computation.
        device: A device of torch; ``auto`` is a CUDA device if there is one, else the CPU.
        batch_size: Sentences encoded together.
        cache: Folder in which sentence vectors are kept between runs; empty for none.

    Raises:
        UsageError: An option is out of its range.
    """

    encoder: str = option("bert-base-uncased", "minilm, a folder, or a model of the Hugging Face hub.")
    layer: int | None = option(None, "Layer of the encoder; that of BERTScore if left out.", minimum=0)
    baseline: float = option(0.0, "Similarity of unrelated sentences, to rescale by.", below=1)
    pooling: Literal["mean", "cls"] = option(
        "mean", "A sentence's vector: the mean over its tokens, or the first one's."
    )
    dtype: Literal["float32", "bfloat16", "float16"] = option("float32", "Precision of the encoder.")
    device: str = option("auto", "Where the encoder runs: auto, cpu, cuda, cuda:1 …")
    batch_size: int = option(32, "Sentences encoded together; changes speed and memory only.", minimum=1)
    cache: str = option("", "Folder in which sentence vectors are kept from run to run.")

    def __post_init__(self) -> None:
        check_options(self)

    def load(self) -> Encoder:
        """Load the encoder from this machine; the encoders used last are kept in memory.

        Raises:
            MissingModelError: The model is not on this machine; the message has the command that downloads it.
            MissingExtraError: The transformers library, or the encoder's package, is not installed.
            CorruptModelError: Its files are damaged.
            InputError: The folder holds no model or no tokenizer.
            UsageError: There is no such layer or device.
        """
        return _loaded(self)

    def for_bertscore(self) -> EncoderOptions:
        """Return the options with the layer that ``bert_score`` uses for this model, if no layer is given."""
        return self if self.layer is not None else replace(self, layer=default_layer(self.encoder))

    @property
    def label(self) -> str:
        """The encoder for a signature: its name and the fingerprint of its weights."""
        return f"enc:{encoder_label(self.encoder)}"

    @property
    def bertscore_settings(self) -> tuple[str, ...]:
        """The settings of BERTScore for a signature: encoder, layer, options that differ from defaults."""
        layer = self.for_bertscore().layer
        parts = [self.label, f"layer:{'last' if layer is None else layer}"]
        if self.baseline:
            parts.append(f"base:{self.baseline:g}")
        if self.dtype != "float32":
            parts.append(f"dtype:{self.dtype}")
        return tuple(parts)


@lru_cache(maxsize=2)
def _loaded(options: EncoderOptions) -> Encoder:
    folder = find_encoder(options.encoder)
    tokenizer = load_tokenizer(folder, ENCODER)
    network = Transformer(folder, options.layer, options.dtype, options.device)
    limit = min([limit for limit in (tokenizer_limit(tokenizer), network.limit) if limit] or [DEFAULT_LIMIT])
    # The settings of the layers besides the weights: activations, heads, the constants of norms.
    settings = sha256((folder / "config.json").read_bytes()).hexdigest()[:8]
    layer = "last" if options.layer is None else options.layer
    which = f"{fingerprint(folder)}-{settings}-{options.pooling}-{layer}-{options.dtype}-{limit}"
    return Encoder(
        encoder_name(options.encoder),
        partial(tokens_of, tokenizer),
        network,
        limit=limit,
        pooling=options.pooling,
        batch_size=options.batch_size,
        batch_tokens=CPU_TOKENS if network.device == "cpu" else None,
        cache=Store(Path(options.cache) / "vectors.sqlite") if options.cache else None,
        identity=which,
    )


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """The options of a model of the transformers library that is not an encoder.

    Attributes:
        model: A folder, or a model of the Hugging Face hub that is in the local cache.
        device: A device of torch; ``auto`` is a CUDA device if there is one, else the CPU.
        batch_size: The number of texts computed together.

    Raises:
        UsageError: An option is out of its range.
    """

    model: str = option("", "The metric's model: a folder, or a model of the Hugging Face hub.")
    device: str = option("auto", "Where the model runs: auto, cpu, cuda, cuda:1 …")
    batch_size: int = option(32, "Texts computed together; changes speed and memory only.", minimum=1)

    def __post_init__(self) -> None:
        check_options(self)

    @property
    def label(self) -> str:
        """The model for a signature: its name and the fingerprint of its weights."""
        return f"model:{encoder_label(self.model, 'model')}"


def encoder_name(name: str) -> str:
    """Return the name of an encoder without the folders above it."""
    return name.rstrip("/").rsplit("/", 1)[-1]


def encoder_label(name: str, kind: str = ENCODER) -> str:
    """Return an encoder as signatures name it: its name and the fingerprint of its weights.

    Args:
        name: As for :class:`EncoderOptions`.
        kind: What messages call the model.

    Raises:
        MissingModelError, MissingExtraError, InputError: As for ``EncoderOptions.load``.
    """
    folder = find_encoder(name, kind)
    check_extra(("torch", "transformers"), ENCODERS)
    return f"{encoder_name(name)}@{fingerprint(folder)}"
