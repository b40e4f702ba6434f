"""Tasks for several processes or machines; what the tasks do is not known here."""
