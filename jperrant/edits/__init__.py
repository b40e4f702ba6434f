"""From alignments to typed edits: merging operations into edits, and the rule language that types them."""
