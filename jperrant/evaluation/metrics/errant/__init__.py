"""ERRANT's scorer, and ChERRANT's."""
