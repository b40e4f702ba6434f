"""The name of the labels that are a pack's own, which options name without the rules behind it."""

#: The labels a pack gives where no other set of them is asked for.
DEFAULT_LABELS = "pack"
