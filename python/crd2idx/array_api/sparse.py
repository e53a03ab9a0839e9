"""The extension `sparse` that is proposed for the standard: the exchange of sparse arrays by the Binsparse protocol."""

from __future__ import annotations

import builtins
from typing import Any

from ..sparse import Sparse
from ._common import on_cpu

__all__ = ["from_binsparse"]


def from_binsparse(
    x: Any, /, *, descriptor: dict[str, Any] | None = None, device: str | None = None, copy: builtins.bool | None = None
) -> Sparse:
    """Converts any object with the methods `__binsparse_descriptor__` and `__binsparse__`, as `Sparse.from_binsparse` does."""
    on_cpu(device)
    return Sparse.from_binsparse(x, descriptor=descriptor, copy=copy)
