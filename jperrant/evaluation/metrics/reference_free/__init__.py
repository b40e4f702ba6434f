"""Metrics that compare a corrected text with its source alone: learned estimators, language models as judges."""
