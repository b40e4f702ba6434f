"""From pairs of texts to blocks of typed edits: one pair, a stream, files, or several processes."""
