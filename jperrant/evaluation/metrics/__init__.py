"""Metrics: annotations to rows of statistics, and rows to values."""
