"""Formats of annotation tools: M2 to a tool's files and back, without loss.

``base`` says what a format is, ``registry`` finds formats by name, ``offsets`` and ``corrections`` translate
between tokens and text, ``original`` and ``side_file`` keep what no tool carries, and ``collect`` turns what
annotators marked into blocks again. Every other module is one tool.
"""
