"""Plans of copies from one layout to another, between ranks, pages and regions."""

from __future__ import annotations

from operator import index
from typing import Any, Literal

import numpy as np

from . import _native
from .batch import request


def plan(source: Any, target: Any, *, statistics: bool = False, **options: Any) -> dict[str, Any]:
    """The copies that bring every element from `source` to `target`.

    Each is a layout, its text, or a dictionary with `layout`, `base`, `replicas` or `pieces`; options are `extent`, `max_loops`, `limit` and
    `element_bytes`. With `statistics`, what moves instead.

    >>> plan("(4,4):(1@0,1@1)", "(4,4):(1@1,1@0)", statistics=True)["pairs"]
    16
    """

    def side(value: Any) -> Any:
        return value if isinstance(value, dict) else str(value)

    op: Literal["plan", "plan.stats"] = "plan.stats" if statistics else "plan"
    return request(op, **{"from": side(source), "to": side(target)}, **options)


class Transfer:
    """Moves the elements of arrays from one layout to another in memory: made once, run often.

    Any permutation, slice, flip, broadcast or tiling is one. `source` and `target` are layouts or their texts, with as many coordinates; elements of two
    layouts correspond by coordinate. Negative strides need `source_base` or `target_base`, the index of coordinate 0.

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
        """The elements of `source`, in memory order, in `out` where the target has them; elements that no coordinate names stay, or are 0 in a new array.

        Raises ValueError where `out` and `source` share memory. No thread may write to `source`, or use `out`, meanwhile.
        """
        flat = np.ascontiguousarray(source).reshape(-1)
        if out is None:
            out = np.zeros(self._size, dtype=flat.dtype)
        elif out.dtype != flat.dtype or not out.flags.c_contiguous:
            raise ValueError(f"a contiguous array of {flat.dtype} is needed, not one of {out.dtype}")
        bits = np.dtype(f"u{flat.itemsize}") if flat.itemsize in (1, 2, 4, 8) else flat.dtype
        self._transfer.run(flat.view(bits), out.reshape(-1).view(bits), parallel)
        return out
