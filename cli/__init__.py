"""The command line: reads arguments, calls the API, prints. A module holds commands that belong together."""
