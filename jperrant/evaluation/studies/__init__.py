"""Studies: whole experiments in one or more languages, described by one file."""
