"""From results to text: pure functions that compute no figures and read no files."""
