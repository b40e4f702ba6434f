"""Alignment of sentences and of tokens: pure functions on values. As a function: ``documents.align``."""

import sys

from jperrant.callable_package import CallablePackage

FUNCTION = ("jperrant.align.documents", "align")
sys.modules[__name__].__class__ = CallablePackage
