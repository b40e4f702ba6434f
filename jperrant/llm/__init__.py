"""Asking language models, over the network or on this machine, and keeping their answers."""
