"""Fuzzing: random input for every area, and the properties that must hold for any input; see ``run.py``."""
