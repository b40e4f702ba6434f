"""Reports for people: pure functions from values to text."""
