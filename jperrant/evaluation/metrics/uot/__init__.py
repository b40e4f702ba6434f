"""UOT-ERRANT: edits as vectors, and optimal transport between them."""
