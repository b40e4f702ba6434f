"""Alignment of sentences and of tokens: pure functions on values."""
