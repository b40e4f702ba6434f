"""Files of annotation tools and corpora: M2 to a tool's files and back, without loss.

``formats`` defines what a format is, finds formats by name and holds the code that all tools share; ``reading``
opens their files. ``marks`` holds the marks of annotators, and ``inline`` translates between tokens and marks in
running text. ``side_file`` keeps the content that no tool can hold, and ``collect`` turns the marks of annotators
into blocks. ``corpora`` has the formats that can only be read; every other module is one tool or one corpus
format.
"""
