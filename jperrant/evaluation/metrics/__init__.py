"""Metrics: from annotations to rows of statistics, and from rows to values."""
