"""Self-contained HTML pages: one file each, without network access; no text of a user can become markup or code."""
