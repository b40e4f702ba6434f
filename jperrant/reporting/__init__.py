"""From values and results to text: pure functions; nothing is computed or read here."""
