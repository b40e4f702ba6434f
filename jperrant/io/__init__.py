"""Reading and writing: every file format, and nothing else."""
