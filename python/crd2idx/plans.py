"""Plans of copies from one layout to another, also between ranks, pages and regions, and transfers in memory."""

from __future__ import annotations

from operator import index
from typing import Any, Literal

import numpy as np

from . import _native
from .batch import request


def plan(source: Any, target: Any, *, statistics: bool = False, **options: Any) -> dict[str, Any]:
    """Returns the copies that bring every element from `source` to `target`.

    Parameters
    ----------
    source, target
        A layout, its text, or a dictionary with `layout` or `pieces`, and optionally `base` and `replicas`.
    statistics
        If True, the result counts the elements that move, and has no list of copies.
    options
        `extent`, `max_loops`, `limit` and `element_bytes`.

    Examples
    --------
    >>> plan("(4,4):(1@0,1@1)", "(4,4):(1@1,1@0)", statistics=True)["pairs"]
    16
    """

    def side(value: Any) -> Any:
        return value if isinstance(value, dict) else str(value)

    op: Literal["plan", "plan.stats"] = "plan.stats" if statistics else "plan"
    planned: dict[str, Any] = request(op, **{"from": side(source), "to": side(target)}, **options)
    return planned


class Transfer:
    """Copies the elements of arrays from one layout to another in memory. Plans once, runs any number of times.

    Permutations, slices, flips, broadcasts and tilings are transfers. An element goes to the same coordinate in the target.

    Parameters
    ----------
    source, target
        Layouts or their texts, of the same size.
    source_base, target_base
        The index of coordinate 0, for layouts with negative strides.

    Examples
    --------
    >>> import numpy as np
    >>> transpose = Transfer("(3,2):(2,1)", "(3,2):(1,3)")
    >>> transpose(np.arange(6))
    array([0, 2, 4, 1, 3, 5])
    """

    __slots__ = ("_transfer", "_size")

    def __init__(self, source: Any, target: Any, *, source_base: int = 0, target_base: int = 0):
        target_base = index(target_base)
        self._transfer = _native.Transfer(str(source), str(target), source_base, target_base)
        self._size = target_base + int(_native.apply("cosize", str(target)))

    def __call__(self, source: np.ndarray, out: np.ndarray | None = None, *, parallel: bool = True) -> np.ndarray:
        """Copies the elements of `source` to `out`, or to a new array, and returns it.

        Both count as flat arrays in C order. Elements of `out` without a coordinate in the target stay as they are; in a new array they are 0.
        Raises ValueError if `out` has another type, is not contiguous, or shares memory with `source`. During the call, no other thread may write to
        `source` or use `out`.
        """
        flat = np.ascontiguousarray(source).reshape(-1)
        if out is None:
            out = np.zeros(self._size, dtype=flat.dtype)
        elif out.dtype != flat.dtype or not out.flags.c_contiguous:
            raise ValueError(f"out must be a contiguous array of {flat.dtype}; it has the type {out.dtype} and the strides {out.strides}")
        bits = np.dtype(f"u{flat.itemsize}") if flat.itemsize in (1, 2, 4, 8) else flat.dtype
        self._transfer.run(flat.view(bits), out.reshape(-1).view(bits), parallel)
        return out
