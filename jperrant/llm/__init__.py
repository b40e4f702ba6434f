"""Questions to language models, over the network or on this machine; answers are kept."""
