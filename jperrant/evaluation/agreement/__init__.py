"""Agreement of annotators: reading them, comparing them, and the human ceiling of metrics."""
