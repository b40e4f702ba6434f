"""A new study file to start from, with comments that say what goes where."""

from __future__ import annotations

from pathlib import Path

from jperrant.core.errors import UsageError
from jperrant.io.files import open_output

TEMPLATE = """\
# A study of jperrant: systems, languages and metrics in one file. docs/study.md explains every key.
#   jperrant study check {file}          what is wrong with it
#   jperrant study {file} -o results/    computes what is not there yet, and writes tables and plots
# Paths are relative to this file.

title: My systems in two languages

# Folders that paths name as ${{NAME}}; null has to be given with --set NAME=FOLDER.
folders:
  data: .

datasets:
  english:
    lang: en
    references: ${{data}}/english.gold.m2     # M2 with one annotator or more; or a list of files
    systems:                                # or a pattern: ${{data}}/english.*.out.m2
      first: ${{data}}/english.first.m2
      second: ${{data}}/english.second.m2

  # Texts, a sentence a line: the source is needed, and models of the language annotate them.
  # german:
  #   lang: de
  #   source: ${{data}}/german.source.txt
  #   references: [${{data}}/german.corrected1.txt, ${{data}}/german.corrected2.txt]
  #   systems: {{first: ${{data}}/german.first.txt, second: ${{data}}/german.second.txt}}
  #   raw: true            # texts that are not tokenised
  #   tokens: characters   # or words; as given, if it is not there
  #   models: default      # compact, if it is not there; none, or a folder
  #   groups: {{NOM:FORM: nominal-inflection}}   # labels that no language pack has

# Names as in `jperrant metrics`, with options as on the command line or as keys.
metrics:
  - errant
  - cleme2:level=sentence
  # - {{metric: errant, label: detection, mode: ds, datasets: [english]}}

# The first system against each of the others: by error type, with a paired test.
# comparisons:
#   - {{systems: [first, second], metric: errant, test: randomisation, samples: 10000, correction: holm}}

# Metrics against the judgements of people, as `jperrant meta`.
# human:
#   seeda-e:
#     data: seeda-e        # or a JSON file of your own
#     folder: ${{seeda}}     # what its authors distribute; under folders: `seeda: null`
#     metrics: [errant, length]
#     groups: [base]

# intervals: 1000      # samples of bootstrap intervals
# seed: 12345
# tables: [languages, metrics, groups, systems, types, comparisons]
# plots: [heatmap]     # also systems and human, which need jperrant[plots]
# pages: true          # a page for each dataset, and an index
formats: [text, tsv]   # also md, latex, tsv-safe, csv, html
# layout: {{percent: true, decimals: 2, intervals: pm, bold_best: true}}
"""


def new_study(file: str) -> str:
    """Write a new study file and return its path.

    Args:
        file: Where it goes; ``-`` is standard output.

    Raises:
        UsageError: There is a file already.
        InputError: It cannot be written.
    """
    if file != "-" and Path(file).exists():
        raise UsageError(f"{file} exists already; give another name, or remove it")
    with open_output(file) as stream:
        stream.write(TEMPLATE.format(file="FILE.yaml" if file == "-" else file))
    return file
