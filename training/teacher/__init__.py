"""A teacher: an encoder fine-tuned on treebanks, which labels plain text for taggers and parsers to learn from."""
