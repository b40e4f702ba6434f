"""Training and measuring Stanza models: from treebanks to a folder of models, and to its scores."""
