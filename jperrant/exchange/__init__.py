"""Formats of annotation tools: M2 to a tool's files and back, without loss.

``base`` says what a format is and finds formats by name. ``offsets`` translates between tokens and text, ``inline``
between tokens and marks in running text. ``files`` and ``xml_tree`` read and write, ``side_file`` keeps what no
tool carries, and ``collect`` turns what annotators marked into blocks again. Every other module is one tool.
"""
