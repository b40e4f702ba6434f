"""Networks made of model files: those of a kind that is known here, and of sound files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol, TypeVar

from jperrant.core.errors import CorruptModelError
from jperrant.parse.networks.weights import DAMAGE, OtherFormatError, read_model

_Network = TypeVar("_Network", covariant=True)


class Kind(Protocol[_Network]):
    """A class of networks."""

    def __call__(self, model: Mapping[str, Any], /) -> _Network:
        """Make a network of what ``read_model`` returns."""
        ...

    def fits(self, model: Mapping[str, Any]) -> bool:
        """Whether a model is of this kind."""
        ...


def load_network(kind: Kind[_Network], path: Path) -> _Network | None:
    """Return the network of a model file; None where it is of another kind, which Stanza may know.

    Raises:
        CorruptModelError: The file is damaged.
    """
    try:
        model = read_model(path)
        return kind(model) if kind.fits(model) else None
    except OtherFormatError:
        return None
    except DAMAGE as error:
        reason = (str(error).splitlines() or [""])[0][:200]
        raise CorruptModelError(
            f"model file {path} cannot be loaded ({type(error).__name__}: {reason}); get it again"
        ) from None
