"""From texts to vectors: tokens, the windows of long texts, batches, and the transformer that computes them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import CorruptModelError, InputError, UsageError
from jperrant.core.messages import CountedNote, plural
from jperrant.core.packages import ENCODERS, import_extra
from jperrant.core.progress import track
from jperrant.encoders.hugging_face import computing, load_model, longest_input, move_to, pick_device

if TYPE_CHECKING:
    from jperrant.core.store import Store


R = TypeVar("R")
#: The ids of a text's tokens, or one sequence of numbers for each input of a model.
Ids: TypeAlias = tuple[int, ...]
#: Vectors from models, one in each row.
Vectors: TypeAlias = npt.NDArray[np.float32]


class TokenVectors(NamedTuple):
    """The vectors of the tokens of a text.

    Attributes:
        vectors: Shape ``(tokens, dim)``, special tokens included.
        special: Shape ``(tokens,)``; True for the special tokens that the tokenizer added.
    """

    vectors: Vectors
    special: npt.NDArray[np.bool_]


class Tokens(NamedTuple):
    """A text as its encoder's tokenizer sees it.

    Attributes:
        ids: The ids of the tokens, special ones included.
        prefix, suffix: The numbers of special tokens before and after the text's own.
    """

    ids: tuple[int, ...]
    prefix: int
    suffix: int

    @property
    def special(self) -> tuple[bool, ...]:
        """Whether each token is a special one that the tokenizer added."""
        size = len(self.ids) - self.prefix - self.suffix
        return (True,) * self.prefix + (False,) * size + (True,) * self.suffix

    @property
    def parts(self) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        """The special tokens before the text, the text's own tokens, and the special tokens after it."""
        end = len(self.ids) - self.suffix
        return self.ids[: self.prefix], self.ids[self.prefix : end], self.ids[end:]


def cut(tokens: Tokens, limit: int) -> list[tuple[int, ...]]:
    """Return the windows of a text, each of at most ``limit`` tokens with special tokens around it.

    Neighbouring windows share half of their tokens.

    >>> cut(Tokens((101, 1, 2, 3, 4, 5, 102), 1, 1), 6)
    [(101, 1, 2, 3, 4, 102), (101, 2, 3, 4, 5, 102)]
    """
    if len(tokens.ids) <= limit:
        return [tokens.ids]
    before, inner, after = tokens.parts
    size = limit - len(before) - len(after)
    return [before + inner[start : start + size] + after for start in _starts(len(inner), size)]


def join(tokens: Tokens, windows: Sequence[Vectors], limit: int) -> Vectors:
    """Return the vectors of a text from those of its windows, shape ``(tokens, dim)``.

    Each token gets its vector from the window in which it is farther from the ends. Special tokens get the mean
    over all windows, so that they represent the whole text.
    """
    if len(windows) == 1:
        return windows[0]
    prefix, suffix = tokens.prefix, tokens.suffix
    length = len(tokens.ids) - prefix - suffix
    size = limit - prefix - suffix
    starts = _starts(length, size)
    middles = [(right + left + size) // 2 for left, right in pairwise(starts)]
    inner = [
        window[prefix + begin - start : prefix + end - start]
        for window, start, begin, end in zip(windows, starts, [0, *middles], [*middles, length], strict=True)
    ]
    before = np.mean([window[:prefix] for window in windows], axis=0)
    after = np.mean([window[len(window) - suffix :] for window in windows], axis=0)
    return np.concatenate([before, *inner, after]).astype(np.float32)


def _starts(length: int, size: int) -> list[int]:
    """Return the beginnings of the windows; the last window ends with the text."""
    step = max(1, size // 2)
    return [*range(0, length - size, step), length - size]


class Batches(Generic[R]):
    """Runs sequences through a model.

    Args:
        run: Computes a batch; returns a value for each sequence.
        size: The most sequences in a batch; halved when memory runs out.
        tokens: The most tokens in a batch, unless one sequence has more; the sequences of a batch then have the
            same length. None for no limit and mixed lengths.

    Attributes:
        notes: One line for each time that memory ran out and the batch was halved.
    """

    def __init__(
        self, run: Callable[[Sequence[Ids]], Sequence[R]], size: int, tokens: int | None = None
    ) -> None:
        self._run, self.size, self.tokens = run, size, tokens
        self.notes: list[str] = []

    def run(self, sequences: Sequence[Ids]) -> list[R]:
        """Return the model's result for each sequence; equal sequences are run once.

        Sequences are sorted by length, so that batches need little padding; the longest come first, so that
        memory runs out at once or never.

        Raises:
            InputError: Memory does not suffice for one sequence alone.
        """
        ordered = sorted(dict.fromkeys(sequences), key=len, reverse=True)
        found: dict[Ids, R] = {}
        while len(found) < len(ordered):
            chosen = ordered[len(found) : len(found) + self.size]
            longest = len(chosen[0])
            if self.tokens is not None:  # padding would change the last digits and save nothing
                together = chosen[: max(1, self.tokens // max(longest, 1))]
                chosen = [sequence for sequence in together if len(sequence) == longest]
            try:
                found |= zip(chosen, self._run(chosen), strict=True)
            except MemoryError as error:
                self._halve(len(chosen), longest, error)
        return [found[sequence] for sequence in sequences]

    def _halve(self, used: int, tokens: int, error: MemoryError) -> None:
        if used == 1:
            raise InputError(
                f"out of memory with one text of {plural(tokens, 'token')}; use a smaller model, dtype=bfloat16 "
                f"if the metric has it, or device=cpu ({error})"
            ) from error
        self.size = used // 2
        self.notes.append(
            f"out of memory with {used} texts of up to {plural(tokens, 'token')} at a time; continued with "
            f"{self.size}"
        )


#: Weights on which no token vector depends.
_UNUSED = ("pooler", "position_ids")


class Transformer:
    """A transformer that gives each token a vector.

    Args:
        folder: The folder of the model, in Hugging Face's layout.
        layer: The layer whose output is used: 0 for the embeddings, 1 for the first layer, None for the last.
        dtype: Precision of the computation, by torch's name; the vectors are always in single precision.
        device: A device of torch; ``auto`` is a CUDA device if there is one, else the CPU.

    Attributes:
        device: The device on which it computes.

    Raises:
        CorruptModelError: The model cannot be loaded.
        UsageError: There is no such layer or device.
    """

    def __init__(self, folder: Path, layer: int | None, dtype: str, device: str) -> None:
        torch = import_extra("torch", ENCODERS)

        self._name = folder.name
        model = load_encoder_model(folder)
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
        """Return the vectors of each sequence of token ids, shape ``(tokens, dim)``.

        Raises:
            MemoryError: The batch is too large for the device.
            InputError: The model does not fit the tokenizer, or the device cannot do what it asks for.
        """
        lengths = [len(ids) for ids in batch]
        if max(lengths) == 0:
            return [np.zeros((0, self.dimension), dtype=np.float32) for _ in batch]
        torch = import_extra("torch", ENCODERS)
        # Padding is masked, so its number does not matter.
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


def tokens_of(tokenizer: Any, texts: Sequence[str]) -> list[Tokens]:
    """Return the tokens of texts, special ones included; nothing is cut off.

    Args:
        tokenizer: One of the transformers library.
        texts: The texts.
    """
    if not texts:
        return []
    found = tokenizer(list(texts), truncation=False, return_special_tokens_mask=True, verbose=False)
    tokens = []
    for ids, mask in zip(found["input_ids"], found["special_tokens_mask"], strict=True):
        prefix = next((index for index, special in enumerate(mask) if not special), len(mask))
        suffix = next((index for index, special in enumerate(reversed(mask[prefix:])) if not special), 0)
        tokens.append(Tokens(tuple(ids), prefix, suffix))
    return tokens


def load_encoder_model(folder: Path, **chosen: Any) -> Any:
    """Return the encoder in a folder as a module of torch, without its decoder.

    Args:
        folder: The folder of the model, in Hugging Face's layout.
        chosen: As for :func:`jperrant.encoders.hugging_face.load_model`.

    Raises:
        CorruptModelError: It cannot be loaded, or its file lacks weights.
    """
    model, lacking = load_model(folder, "AutoModel", "encoder", **chosen)
    if lacking := [key for key in lacking if not any(word in key for word in _UNUSED)]:
        raise CorruptModelError(
            f"encoder {folder}: its file lacks {len(lacking)} weights of the model (first {lacking[0]}); "
            "download it again"
        )
    return model.get_encoder() if model.config.is_encoder_decoder else model


def _drop_layers(model: Any, layer: int) -> bool:
    """Remove the layers above the given one if they form a list; return whether it is now the last."""
    layers = getattr(getattr(model, "encoder", None), "layer", None)
    if layers is not None:
        del layers[layer:]
    return layers is not None or layer == model.config.num_hidden_layers


#: The number of texts encoded between two writes to the cache; an interruption may lose their vectors.
_TOGETHER = 1000
#: The most letters of a text in a message.
_SHOWN = 80


@dataclass(frozen=True, slots=True, eq=False)
class Encoder:
    """Gives texts and their tokens vectors.

    Texts with the same token ids get the same vector, to the last bit. Texts with more tokens than the model
    reads are encoded in overlapping windows.

    Args:
        name: The name of the encoder in messages.
        tokenize: A function from texts to tokens.
        network: The model, from token ids to vectors.
        limit: The most tokens that the network reads, with special ones.
        pooling: The vector of a text: ``mean`` over all tokens, special ones included, or ``cls``, the first
            token's.
        batch_size: The number of texts encoded together; it changes speed and memory only.
        batch_tokens: The most tokens that are encoded together; None for no limit.
        cache: A store that keeps sentence vectors between runs.
        identity: Everything besides the tokens that vectors depend on, for the cache.
    """

    name: str
    tokenize: Callable[[Sequence[str]], list[Tokens]] = field(repr=False)
    network: Transformer = field(repr=False)
    limit: int
    pooling: str = "mean"
    batch_size: int = 32
    batch_tokens: int | None = None
    cache: Store | None = None
    identity: str = ""

    def embed(self, texts: Sequence[str], notes: list[str] | None = None) -> FloatArray:
        """Return one vector a text, shape ``(texts, dim)``.

        Args:
            texts: The texts.
            notes: A list that collects notes for users, one line each.

        Raises:
            InputError: The model gives numbers that are not finite; names the text.
        """
        tokens = self.tokenize(texts)
        distinct = {t.ids: (t, text) for t, text in zip(tokens, texts, strict=True)}
        known = self._kept(list(distinct))
        new: dict[Ids, Vectors] = {}
        missing = [both for ids, both in distinct.items() if ids not in known]
        for one, vectors in self._encoded(missing, notes):
            new[one.ids] = self._pooled(vectors)
            if len(new) >= _TOGETHER:
                self._keep(new)
                known |= new
                new = {}
        self._keep(new)
        known |= new
        vectors_of_texts = [known[t.ids] for t in tokens]
        return np.array(vectors_of_texts, dtype=np.float64).reshape(len(tokens), self.network.dimension)

    def embed_tokens(self, texts: Sequence[str], notes: list[str] | None = None) -> list[TokenVectors]:
        """Return the vectors of the tokens of each text; equal texts share one object.

        Args:
            texts: The texts.
            notes: A list that collects notes for users, one line each.

        Raises:
            InputError: The model gives numbers that are not finite; names the text.
        """
        tokens = self.tokenize(texts)
        distinct = dict(zip(tokens, texts, strict=True))
        embedded = {
            one: TokenVectors(vectors, np.array(one.special, dtype=np.bool_))
            for one, vectors in self._encoded(list(distinct.items()), notes)
        }
        return [embedded[t] for t in tokens]

    def _encoded(
        self, texts: Sequence[tuple[Tokens, str]], notes: list[str] | None
    ) -> Iterator[tuple[Tokens, Vectors]]:
        """Yield the token vectors of each text."""
        windows = [cut(tokens, self.limit) for tokens, _ in texts]
        batches = Batches(self.network.run, self.batch_size, self.batch_tokens)
        # The total is announced first, as sentences with hundreds of edits are encoded hundreds of times.
        what = f"encoding {plural(len(texts), 'text')}"
        in_windows = track(_in_windows(windows, batches), what, len(texts))
        for (tokens, text), found in zip(texts, in_windows, strict=True):
            vectors = join(tokens, found, self.limit)
            if not np.isfinite(vectors).all():
                shown = text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
                raise InputError(
                    f"encoder {self.name} gives NaN or infinite numbers for the sentence {shown!r}"
                )
            yield tokens, vectors
        if notes is not None:
            if long := sum(len(own) > 1 for own in windows):
                than = f"longer than the {self.limit} tokens of encoder {self.name}; encoded in overlapping windows"
                notes.append(CountedNote(long, f"{{count}} text is {than}", f"{{count}} texts are {than}"))
            notes += [f"{self.name}: {note}" for note in batches.notes]

    def _kept(self, sequences: Sequence[Ids]) -> dict[Ids, Vectors]:
        """Return the vectors in the cache by token numbers."""
        keys = {_key(sequence): sequence for sequence in sequences} if self.cache else {}
        found = self.cache.get_many(self.identity, list(keys)) if self.cache else {}
        return {keys[key]: np.frombuffer(value, dtype="<f4") for key, value in found.items()}

    def _keep(self, new: Mapping[Ids, Vectors]) -> None:
        if self.cache and new:
            self.cache.put(self.identity, {_key(s): v.astype("<f4").tobytes() for s, v in new.items()})

    def _pooled(self, vectors: Vectors) -> Vectors:
        if not len(vectors):  # an empty text, without special tokens
            return np.zeros(self.network.dimension, dtype=np.float32)
        vector: Vectors = vectors[0].copy()  # a view would keep the vectors of the whole batch
        if self.pooling == "mean":
            vector = vectors.mean(axis=0, dtype=np.float64).astype(np.float32)
        return vector


def _in_windows(texts: Sequence[Sequence[Ids]], batches: Batches[Vectors]) -> Iterator[list[Vectors]]:
    """Yield the vectors of the windows of each text."""
    for start in range(0, len(texts), _TOGETHER):
        some = texts[start : start + _TOGETHER]
        found = iter(batches.run([window for windows in some for window in windows]))
        yield from ([next(found) for _ in windows] for windows in some)


def _key(sequence: Ids) -> str:
    return hashlib.sha256(np.array(sequence, dtype="<i8").tobytes()).hexdigest()
