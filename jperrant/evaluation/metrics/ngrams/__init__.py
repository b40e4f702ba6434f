"""Metrics over n-grams of source, hypothesis and reference texts: GLEU and GREEN."""
