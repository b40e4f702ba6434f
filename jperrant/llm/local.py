"""Asking a language model on this machine, through the transformers library."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from jperrant.encoders.models import computing, find_encoder, load_tokenizer, load_with_head, pick_device
from jperrant.llm.questions import MAX_TOKENS, THINKING_TOKENS, is_thought

BATCH = 16
KIND = "language model"


class LocalModel:
    """A causal language model in a folder, or in the local cache of the Hugging Face hub.

    It answers greedily, not at temperature 0.1 as in the paper, so that the same question has the same answer. A
    model that was thinking when there was no room left answers again with more.

    Args:
        model: The folder, or the name on the hub; nothing is downloaded.
        max_tokens: Tokens an answer may have, without thoughts.
    """

    #: The same question has the same answer.
    again = 0

    def __init__(self, model: str, max_tokens: int = MAX_TOKENS) -> None:
        self.model, self._max_tokens = model, max_tokens
        self._loaded: tuple[Any, Any] | None = None

    def answer(self, prompts: Sequence[str]) -> Iterator[tuple[int, str]]:
        """Yield the index and the answer of each prompt, short prompts first.

        Raises:
            MissingModelError: The model is not on this machine.
            MissingExtraError: The transformers library is not installed.
            InputError: Its files cannot be used, or a question is longer than it takes.
        """
        tokenizer, _ = self._load()
        texts = [_with_template(tokenizer, prompt) for prompt in prompts]
        order = sorted(range(len(texts)), key=lambda at: (len(texts[at]), at))
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            found = self._generate([texts[at] for at in batch], self._max_tokens)
            answers = dict(zip(batch, found, strict=True))
            thoughts = [at for at in batch if is_thought(answers[at], prompt=texts[at])]
            if thoughts:
                longer = self._generate([texts[at] for at in thoughts], THINKING_TOKENS)
                answers |= zip(thoughts, longer, strict=True)
            yield from answers.items()

    def _generate(self, texts: Sequence[str], max_tokens: int) -> list[str]:
        """Return the answers to some questions at once."""
        tokenizer, network = self._load()
        # What a chat template begins with is in the text.
        tokens = tokenizer(
            texts, return_tensors="pt", padding=True, add_special_tokens=not tokenizer.chat_template
        )
        inputs = {name: tokens[name].to(network.device) for name in ("input_ids", "attention_mask")}
        greedy = {"do_sample": False, "temperature": None, "top_p": None, "top_k": None}
        length = inputs["input_ids"].shape[1]
        with computing(f"language model {self.model!r} with a question of {length} tokens"):
            found = network.generate(
                **inputs, **greedy, max_new_tokens=max_tokens, pad_token_id=tokenizer.pad_token_id
            )
        return [str(answer) for answer in tokenizer.batch_decode(found[:, length:], skip_special_tokens=True)]

    def _load(self) -> tuple[Any, Any]:
        if self._loaded is None:
            folder = find_encoder(self.model, KIND)
            tokenizer = load_tokenizer(folder, KIND)
            network = load_with_head(folder, "AutoModelForCausalLM", KIND)
            tokenizer.padding_side = "left"
            if tokenizer.pad_token_id is None:
                tokenizer.pad_token = tokenizer.eos_token
            self._loaded = tokenizer, network.to(pick_device("auto"))
        return self._loaded


def _with_template(tokenizer: Any, prompt: str) -> str:
    if not tokenizer.chat_template:
        return prompt
    turns = [{"role": "user", "content": prompt}]
    return str(tokenizer.apply_chat_template(turns, tokenize=False, add_generation_prompt=True))
