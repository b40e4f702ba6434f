"""Write the JSON Schema of study files: ``python tools/study_schema.py`` after a change of their keys."""

from jperrant.evaluation.studies.study_file import SCHEMA, study_schema

if __name__ == "__main__":
    SCHEMA.write_text(study_schema(), encoding="utf-8")
