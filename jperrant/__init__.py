"""jperrant: grammatical error annotation and evaluation for any language."""
