"""Files of annotation tools and corpora: M2 to a tool's files and back, without loss.

``base`` says what a format is and finds formats by name; ``tool`` does what all tools have in common, ``reading``
opens their files. ``inline`` translates between tokens and marks in running text. ``side_file`` keeps what no tool
carries, and ``collect`` turns what annotators marked into blocks again. ``corpora`` has the formats that are only
read; every other module is one tool.
"""
