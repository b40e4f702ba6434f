"""Values, errors and texts, and functions on edits; nothing here depends on a language, a file or a metric."""
