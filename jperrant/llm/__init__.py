"""Language models that are asked questions: over the network or on this machine, and their answers kept."""
