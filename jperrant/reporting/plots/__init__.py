"""Plots for papers, drawn with matplotlib (``jperrant[plots]``), as SVG, PNG or PDF files."""
