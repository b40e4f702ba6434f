"""CLEME and CLEME2.0: sentences cut into chunks, each labelled and weighted."""
