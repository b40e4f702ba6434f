"""From results to output: tables, listings, plots, HTML pages, and the files of studies."""
