"""Scoring: from files or blocks to scores, and what can be asked about scores."""
