"""A transformer of the Hugging Face library and its tokenizer, loaded from a folder without network."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from jperrant.core.errors import CorruptModelError, InputError, UsageError
from jperrant.core.extras import ENCODERS, import_extra
from jperrant.encoders.find import first_line
from jperrant.encoders.pretrained import (
    is_out_of_memory,
    load_tokenizer,
    longest_input,
    move_to,
    pick_device,
    quiet,
    tokenizer_limit,
)
from jperrant.encoders.types import Vectors
from jperrant.encoders.windows import Tokens

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
            raise UsageError(f"unknown dtype {dtype!r}; choose {', '.join(DTYPES)}")
        self._name = folder.name
        model = _load_model(folder)
        layers = model.config.num_hidden_layers
        if layer is not None and not 0 <= layer <= layers:
            raise UsageError(
                f"layer {layer} of encoder {folder.name}: it has layers 0 (embeddings) to {layers}"
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
        torch = import_extra("torch", ENCODERS)

        lengths = [len(ids) for ids in batch]
        if max(lengths) == 0:
            return [np.zeros((0, self.dimension), dtype=np.float32) for _ in batch]
        # What pads is masked, so its number does not matter.
        ids = torch.zeros((len(batch), max(lengths)), dtype=torch.long)
        mask = torch.zeros_like(ids)
        for row, sequence in enumerate(batch):
            ids[row, : len(sequence)] = torch.tensor(sequence, dtype=torch.long)
            mask[row, : len(sequence)] = 1
        try:
            with torch.inference_mode():
                out = self._model(
                    input_ids=ids.to(self.device),
                    attention_mask=mask.to(self.device),
                    output_hidden_states=not self._last,
                )
                hidden = out.last_hidden_state if self._last else out.hidden_states[self._layer]
                vectors: Vectors = hidden.float().cpu().numpy()
        except (RuntimeError, IndexError) as error:
            if is_out_of_memory(error):
                raise MemoryError(first_line(error)) from error
            raise InputError(f"encoder {self._name} cannot be run: {first_line(error)}") from error
        return [vectors[row, :length].copy() for row, length in enumerate(lengths)]


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


def _tokens(ids: Sequence[int], mask: Sequence[int]) -> Tokens:
    prefix = next((index for index, special in enumerate(mask) if not special), len(mask))
    suffix = next((index for index, special in enumerate(reversed(mask[prefix:])) if not special), 0)
    return Tokens(tuple(ids), prefix, suffix)


def _load_model(folder: Path) -> Any:
    transformers = import_extra("transformers", ENCODERS)
    try:
        with quiet(transformers):
            model, told = transformers.AutoModel.from_pretrained(
                str(folder), local_files_only=True, trust_remote_code=False, output_loading_info=True
            )
    except Exception as error:  # the library raises whatever its parts raise
        raise CorruptModelError(f"encoder {folder}: cannot be loaded: {first_line(error)}") from error
    lacking = sorted(key for key in told["missing_keys"] if not any(word in key for word in _UNUSED))
    if lacking:  # the library would fill them with random numbers
        raise CorruptModelError(
            f"encoder {folder}: its file lacks {len(lacking)} weights of the model, first {lacking[0]}"
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
