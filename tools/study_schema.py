"""Write the JSON Schema of study files: ``python tools/study_schema.py`` after a change of their keys."""

from jperrant.evaluation.studies.json_schema import FILE, schema_text

if __name__ == "__main__":
    FILE.write_text(schema_text(), encoding="utf-8")
