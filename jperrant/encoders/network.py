"""A transformer of the Hugging Face library and its tokenizer, loaded from a folder without network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from jperrant.core.errors import CorruptModelError, UsageError
from jperrant.core.packages import ENCODERS, import_extra, quiet_loading
from jperrant.encoders.find import first_line
from jperrant.encoders.pretrained import (
    computing,
    load_tokenizer,
    longest_input,
    move_to,
    pick_device,
    tokenizer_limit,
)
from jperrant.encoders.sequences import Tokens, Vectors

DTYPES = ("float32", "bfloat16", "float16")
#: Weights that no token vector depends on.
_UNUSED = ("pooler", "position_ids")


class Transformer:
    """A transformer that gives each token a vector; a ``Network``.

    Args:
        folder: Where it lies, in Hugging Face's layout.
        layer: Whose output to take: 0 the embeddings, 1 the first layer; None the last one's.
        dtype: Precision of the computation; the vectors are single precision in any case.
        device: A device of torch, or ``auto`` for a CUDA one where there is one.

    Attributes:
        device: Where it computes.

    Raises:
        CorruptModelError: The model cannot be loaded.
        UsageError: There is no such layer, dtype or device.
    """

    def __init__(self, folder: Path, layer: int | None, dtype: str, device: str) -> None:
        torch = import_extra("torch", ENCODERS)

        if dtype not in DTYPES:
            raise UsageError(f"unknown dtype {dtype!r}; expected one of {', '.join(DTYPES)}")
        self._name = folder.name
        model = load_model(folder)
        layers = model.config.num_hidden_layers
        if layer is not None and not 0 <= layer <= layers:
            raise UsageError(
                f"found layer {layer}, expected 0 (embeddings) to {layers} for encoder {folder.name}"
            )
        self.limit = longest_input(model)
        self.dimension: int = model.config.hidden_size
        self._layer = layers if layer is None else layer
        self.device = pick_device(device)
        self._last = _drop_layers(model, self._layer)
        self._model = move_to(model, self.device, getattr(torch, dtype))

    def run(self, batch: Sequence[Sequence[int]]) -> list[Vectors]:
        """Return for each sequence of token numbers its vectors, shape ``(tokens, dim)``.

        Raises:
            MemoryError: The batch is too large for the device.
            InputError: The model does not fit the tokenizer, or the device cannot do what it asks for.
        """
        lengths = [len(ids) for ids in batch]
        if max(lengths) == 0:
            return [np.zeros((0, self.dimension), dtype=np.float32) for _ in batch]
        torch = import_extra("torch", ENCODERS)
        # What pads is masked, so its number does not matter.
        ids = np.zeros((len(batch), max(lengths)), dtype=np.int64)
        mask = np.arange(max(lengths)) < np.array(lengths)[:, None]
        ids[mask] = [number for sequence in batch for number in sequence]
        with computing(f"encoder {self._name}"):
            tokens, there = (torch.from_numpy(array).to(self.device) for array in (ids, mask))
            padded = {} if mask.all() else {"attention_mask": there.long()}
            out = self._model(input_ids=tokens, output_hidden_states=not self._last, **padded)
            hidden = out.last_hidden_state if self._last else out.hidden_states[self._layer]
            vectors: Vectors = hidden[there].float().cpu().numpy()
        return np.split(vectors, np.cumsum(lengths)[:-1])


class Tokenizer:
    """The tokenizer of an encoder.

    Args:
        folder: Where the encoder lies.

    Raises:
        InputError: There is no tokenizer.
    """

    def __init__(self, folder: Path) -> None:
        self._tokenizer = load_tokenizer(folder, "encoder")
        self.limit = tokenizer_limit(self._tokenizer)

    def tokenize(self, texts: Sequence[str]) -> list[Tokens]:
        """Return the tokens of texts, special ones included; nothing is cut off."""
        if not texts:
            return []
        tokenized = self._tokenizer(
            list(texts),
            add_special_tokens=True,
            truncation=False,
            return_attention_mask=False,
            return_token_type_ids=False,
            return_special_tokens_mask=True,
            verbose=False,
        )
        return [
            _tokens(ids, mask)
            for ids, mask in zip(tokenized["input_ids"], tokenized["special_tokens_mask"], strict=True)
        ]

    @property
    def unknown(self) -> int:
        """Number of the token for what the encoder does not know; of its first token where it has none."""
        return self._tokenizer.unk_token_id or 0


def _tokens(ids: Sequence[int], mask: Sequence[int]) -> Tokens:
    prefix = next((index for index, special in enumerate(mask) if not special), len(mask))
    suffix = next((index for index, special in enumerate(reversed(mask[prefix:])) if not special), 0)
    return Tokens(tuple(ids), prefix, suffix)


def load_model(folder: Path, attention: str | None = None, settings: Mapping[str, Any] | None = None) -> Any:
    """Return the encoder in a folder as a module of torch, without what is for decoding.

    Args:
        folder: Where it lies, in Hugging Face's layout.
        attention: The library's name of a way to compute attention; None for its own choice.
        settings: Replace those of the encoder's configuration that it has.

    Raises:
        CorruptModelError: It cannot be loaded, or its file lacks weights.
    """
    transformers = import_extra("transformers", ENCODERS)
    safe: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
    try:
        with quiet_loading(transformers):
            config = transformers.AutoConfig.from_pretrained(str(folder), **safe)
            for name, value in (settings or {}).items():
                if hasattr(config, name):
                    setattr(config, name, value)
            chosen = {"attn_implementation": attention} if attention else {}
            model, told = transformers.AutoModel.from_pretrained(
                str(folder), config=config, output_loading_info=True, **safe, **chosen
            )
    except Exception as error:  # the library raises whatever its parts raise
        raise CorruptModelError(f"encoder {folder}: cannot be loaded: {first_line(error)}") from error
    lacking = sorted(key for key in told["missing_keys"] if not any(word in key for word in _UNUSED))
    if lacking:  # the library would fill them with random numbers
        raise CorruptModelError(
            f"encoder {folder}: its file lacks {len(lacking)} weights of the model (first {lacking[0]}); "
            "download it again"
        )
    if model.config.is_encoder_decoder:
        model = model.get_encoder()
    return model.eval()


def _drop_layers(model: Any, layer: int) -> bool:
    """Leave out the layers above one where they are a list; return whether the one is the last then."""
    layers = getattr(getattr(model, "encoder", None), "layer", None)
    if layers is not None:
        del layers[layer:]
    return layers is not None or layer == model.config.num_hidden_layers
