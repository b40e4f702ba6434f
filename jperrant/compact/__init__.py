"""The networks of the packs' models in numpy: no torch is needed, and results do not depend on the batch."""
