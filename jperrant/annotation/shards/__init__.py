"""Corpora in many files: each becomes an M2 file of its own, and what is done stays done."""
