"""How sure scores are, how systems rank, and how rankings agree: for any metric."""
