"""The built-in language packs: one folder each, found by ``jperrant.packs``."""
