"""The fuzzing bench: random input for every area, and what must hold whatever comes; see ``run.py``."""
