"""Inter-annotator agreement: reading annotators, measuring how far they agree, and the human ceiling of metrics."""
