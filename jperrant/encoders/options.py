"""The options of an encoder, shared by every metric that uses one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from jperrant.core.option import check_options, option

if TYPE_CHECKING:
    from jperrant.encoders import Encoder


@dataclass(frozen=True, slots=True)
class EncoderOptions:
    """Which encoder a metric uses, and how.

    Attributes:
        encoder: ``minilm``, a folder in Hugging Face's layout, or a name on the Hugging Face hub.
        layer: Whose output is taken; the last one's if None, or the one ``bert_score`` takes of this model where
            a metric compares by BERTScore.
        baseline: BERTScore of unrelated sentences, below 1, to rescale by.
        pooling: How a sentence's vector is made: ``mean`` over all tokens, or ``cls``, the first token's.
        dtype: Precision of the computation.
        device: A device of torch, or ``auto`` for a CUDA one where there is one.
        batch_size: Sentences encoded together.
        cache: Folder in which sentence vectors are kept from run to run; empty for none.

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
        """Return the encoder; loaded once.

        Raises:
            JperrantError: As ``load_encoder``.
        """
        from jperrant.encoders import load_encoder

        return load_encoder(
            self.encoder,
            pooling=self.pooling,
            layer=self.layer,
            dtype=self.dtype,
            device=self.device,
            batch_size=self.batch_size,
            cache=self.cache,
        )

    def for_bertscore(self) -> EncoderOptions:
        """Return the options with the layer that ``bert_score`` takes of this model, if none is given."""
        from jperrant.encoders.bertscore import default_layer

        return self if self.layer is not None else replace(self, layer=default_layer(self.encoder))

    @property
    def label(self) -> str:
        """The encoder for a signature: its name and the fingerprint of its weights."""
        from jperrant.encoders import encoder_label

        return f"enc:{encoder_label(self.encoder)}"

    @property
    def bertscore_settings(self) -> tuple[str, ...]:
        """What BERTScore depends on, for a signature: encoder, layer, and what is not at its default."""
        layer = self.for_bertscore().layer
        parts = [self.label, f"layer:{'last' if layer is None else layer}"]
        if self.baseline:
            parts.append(f"base:{self.baseline:g}")
        if self.dtype != "float32":
            parts.append(f"dtype:{self.dtype}")
        return tuple(parts)


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """Which model of the transformers library a metric runs besides an encoder, and how.

    Attributes:
        model: A folder, or a model of the Hugging Face hub that is in the local cache.
        device: A device of torch, or ``auto`` for a CUDA one where there is one.
        batch_size: Texts computed together.

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
        from jperrant.encoders import encoder_label

        return f"model:{encoder_label(self.model, 'model')}"
