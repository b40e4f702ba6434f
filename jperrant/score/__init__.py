"""Scoring: annotations to rows of statistics, and rows to values. As a function: ``run.score``."""

import sys

from jperrant.callable_package import CallablePackage

FUNCTION = ("jperrant.score.run", "score")
sys.modules[__name__].__class__ = CallablePackage
