"""I-measure: what a system improves on the untouched source, over alignments of three texts."""
