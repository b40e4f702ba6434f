"""Evaluation: from files, blocks or texts to scores, and the analyses of scores."""
