"""The networks of the packs' models in numpy: read without torch, the same bits whatever a row is computed with."""
