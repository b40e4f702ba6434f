"""Metrics against judgements of people."""
