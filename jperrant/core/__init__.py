"""Values, errors and texts, and functions on edits; this room knows no language, file or metric."""
