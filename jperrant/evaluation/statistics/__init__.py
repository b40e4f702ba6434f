"""Statistics for any metric: intervals, paired tests, rankings, correlations and Shapley values."""
