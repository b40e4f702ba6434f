"""Self-contained HTML pages: one file each, no network, text shown as text and never obeyed."""
