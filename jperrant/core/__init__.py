"""Values, errors, texts and what applies edits to them: knows no language, no file and no metric."""
