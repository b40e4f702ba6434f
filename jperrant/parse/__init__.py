"""From text to analysed sentences: given analyses, Stanza, and where models live."""
