"""From alignments to typed edits: merging, the rule language, applying edits."""
