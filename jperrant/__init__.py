"""jperrant: grammatical error annotation and evaluation for any language."""

from jperrant.annotator import Annotator, load

__all__ = ["Annotator", "load"]
