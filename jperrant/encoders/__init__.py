"""Encoders: transformers that represent sentences and their tokens by vectors, for the metrics that need them.

::

    encoder = EncoderOptions("minilm").load()
    encoder.embed(["She go home .", "She goes home ."])         # shape (2, 384)
    encoder.embed_tokens(["She goes home ."])[0].vectors        # shape (6, 384), [CLS] and [SEP] included
"""
