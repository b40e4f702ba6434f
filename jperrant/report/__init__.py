<<<<<<< HEAD
"""Reports for people: pure functions from values to text."""
=======
"""From results to text: pure functions, nothing is computed or read here."""
>>>>>>> score
