"""Trains and measures Stanza models: from treebanks to a folder of models and its scores."""
