"""Tasks shared among processes or machines, whatever the tasks do."""
