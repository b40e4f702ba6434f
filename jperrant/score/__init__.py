"""Scoring: from hypothesis and reference annotations to rows of statistics, and from rows to values."""
