"""Studies: a whole experiment from one file, for one language or many."""
