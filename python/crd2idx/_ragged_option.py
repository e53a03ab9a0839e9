"""Missing lists of ragged arrays.

`a.missing` has an array of bools for each level, true for missing lists, or `None` for a level without them. A missing list has no elements. Operations on an
axis choose among the numbers of its elements; `below` brings their lists and leaves.
"""

from __future__ import annotations

from typing import Any, Callable, Sequence

import numpy as np

from . import _native
from ._ragged_leaves import asked, moved

Missing = list["np.ndarray | None"]


def has_missing(a: Any) -> bool:
    """Tests whether a list is missing."""
    return any(lists is not None for lists in a.missing)


def marks(lists: Any) -> np.ndarray | None:
    """Returns bools for the lists of a level, or `None` if none of them is true."""
    lists = None if lists is None else np.ascontiguousarray(lists, dtype=bool)
    return lists if lists is not None and lists.any() else None


def checked(missing: Sequence[Any], levels: Sequence[np.ndarray]) -> Missing:
    """Returns the marks of each level. Raises ValueError unless each list has one."""
    if len(missing) != len(levels):
        raise ValueError(f"there are marks of {len(missing)} levels, but the array has {len(levels)} levels of lists")
    for q, (lists, level) in enumerate(zip(missing, levels)):
        if lists is not None and np.shape(lists) != (max(len(level) - 1, 0),):
            raise ValueError(f"level {q} has {max(len(level) - 1, 0)} lists, but marks of the shape {np.shape(lists)}")
    return [marks(lists) for lists in missing]


def refuse(a: Any, what: str, least: int = 0) -> None:
    """Raises ValueError if a list of level `least` or below is missing. `what` names the operation."""
    for axis, lists in enumerate(a.missing[least:], least):
        if lists is not None:
            element = int(np.flatnonzero(lists)[0])
            raise ValueError(f"axis {axis}: element {element} is a missing list, which `{what}` cannot move: call `drop_none` or `fill_none([])` with this axis before")


def elements(a: Any, axis: int, numbers: np.ndarray) -> tuple[list[np.ndarray], np.ndarray, Missing]:
    """Returns the offsets, the numbers of leaves, and the marks below the elements of `axis` with these numbers; -1 is a missing element."""
    if axis == a.depth - 1:
        return [], numbers, []
    none = np.zeros(0, bool)
    marked = [none if lists is None else lists for lists in a.missing]
    parts, missing = _native.ragged_elements(a.offsets, marked, len(a.leaves), axis, np.ascontiguousarray(numbers, np.int64))
    return parts[0], parts[1], [marks(lists) for lists in missing]


def below(a: Any, axis: int, offsets: Sequence[np.ndarray], numbers: np.ndarray, missing: Missing) -> Any:
    """Returns the array of the elements of `axis` with these numbers, in lists of these offsets and marks."""
    under, leaves, gone = elements(a, axis, numbers)
    return type(a)._made([*offsets, *under], moved(a.leaves, leaves), [*missing, *gone])


def count(a: Any, axis: int) -> int:
    """Returns the number of elements of an axis."""
    return len(a.leaves) if axis == a.depth - 1 else len(a.offsets[axis]) - 1


def along(a: Any, axis: int, added: int, work: Callable[..., Any], *arguments: Any) -> Any:
    """Returns the elements that a native function chooses along an axis. Lists of this axis that are missing stay missing. The result has `added` more axes."""
    offsets, numbers = work(a.offsets[:axis], count(a, axis), *arguments)
    found = below(a, axis, offsets, numbers, [*a.missing[: max(axis - 1, 0)], *[None] * (added + min(axis, 1))])
    return without(found, axis - 1, a.missing[axis - 1]) if axis else found


def without(a: Any, q: int, gone: np.ndarray | None) -> Any:
    """Returns the array in which these lists of level `q` are missing, too."""
    own = a.missing[q]
    if gone is None or own is not None and not (gone & ~own).any():
        return a
    return below(a, q, a.offsets[:q], np.where(gone, -1, np.arange(len(gone))), a.missing[:q])


def met(operands: Sequence[Any], levels: int) -> list[Any]:
    """Returns the ragged arrays with the same missing lists in the first levels: those that are missing in any. Other operands stay as they are."""
    from .ragged import Ragged

    found = list(operands)
    for q in range(levels):
        each = [k for k, one in enumerate(found) if isinstance(one, Ragged) and q < one.depth - 1]
        lists = [found[k].missing[q] for k in each]
        known = [one for one in lists if one is not None]
        if not known or len({len(found[k].offsets[q]) for k in each}) > 1:
            # Different numbers of lists are refused when the arrays are aligned.
            continue
        gone = np.logical_or.reduce(known)
        for k in each:
            found[k] = without(found[k], q, gone)
    return found


def chosen(a: Any, key: Any, work: Callable[..., Any], leaves: np.ndarray, missing: np.ndarray | None) -> Any:
    """Returns the elements that a ragged array of indices or bools chooses, if lists or its leaves may be missing. Such an element is missing."""
    axis = key.depth - 1
    if axis >= a.depth:
        raise IndexError(f"too many indices: the array has {a.depth} axes, but {key.depth} are indexed")
    key = type(a)._made(key.offsets, leaves if missing is None else np.ma.masked_array(leaves, missing), key.missing)
    a, key = met((a, key), axis)
    mask = np.ascontiguousarray(np.ma.getmaskarray(key.leaves)) if np.ma.isMaskedArray(key.leaves) else None
    offsets, numbers = asked(work, a.offsets[:axis], count(a, axis), key.offsets, np.ascontiguousarray(np.ma.getdata(key.leaves)), mask)
    return below(a, axis, offsets, numbers, a.missing[:axis])


def gone(a: Any, axis: int) -> np.ndarray:
    """Returns whether each element of an axis is missing."""
    if axis == a.depth - 1:
        return np.ma.getmaskarray(a.leaves).copy()
    lists = a.missing[axis]
    return np.zeros(count(a, axis), bool) if lists is None else lists.copy()


def is_none(a: Any, axis: int) -> Any:
    """Returns whether each element of an axis is missing."""
    return type(a)._made(a.offsets[:axis], gone(a, axis), a.missing[:axis])


def drop_none(a: Any, axis: int) -> Any:
    """Removes the missing elements of an axis from their lists."""
    lost = gone(a, axis)
    if not lost.any():
        return a
    offsets, numbers = _native.ragged_filter(a.offsets[:axis], len(lost), a.offsets[:axis], ~lost, None)
    found = below(a, axis, offsets, numbers, a.missing[:axis])
    if axis == a.depth - 1:
        found.leaves = np.ma.getdata(found.leaves)
    return found


def fill_none(a: Any, value: Any, axis: int) -> Any:
    """Replaces the missing elements of an axis: leaves by a number, and lists by the elements of one list."""
    lost = gone(a, axis)
    if not lost.any():
        return a
    if axis < a.depth - 1:
        return _filled(a, value, axis, lost)
    kind = np.result_type(a.leaves.dtype, value)
    return type(a)._made(a.offsets, np.where(lost, np.asarray(value).astype(kind), np.ma.getdata(a.leaves)), a.missing)


def _filled(a: Any, value: Any, axis: int, lost: np.ndarray) -> Any:
    """Replaces missing lists of an axis by one list. Raises ValueError if it has another depth."""
    from .ragged import Ragged

    if not isinstance(value, (Ragged, list, tuple, np.ndarray)):
        raise ValueError(f"axis {axis} has lists, which only a list can replace, such as []; {value!r} is none")
    own = Ragged.from_list([value.to_list() if isinstance(value, Ragged) else list(value)])
    if own.depth <= a.depth - axis and not len(own.leaves):
        # A list without leaves has lists of any depth and leaves of any type.
        own = Ragged._made([*own.offsets, *[np.zeros(1, np.int64)] * (a.depth - axis - own.depth)], own.leaves.astype(a.leaves.dtype))
    if own.depth != a.depth - axis:
        raise ValueError(f"axis {axis}: lists with {a.depth - axis - 1} axes cannot be replaced by one with {own.depth - 1}")
    lists = Ragged._made(a.offsets[axis:], a.leaves, a.missing[axis:])
    joined = Ragged.concatenate([lists, own])
    return below(joined, 0, a.offsets[:axis], np.where(lost, len(lost), np.arange(len(lost))), a.missing[:axis])


def folded(a: Any, axis: int, found: Any) -> Any:
    """Marks the missing lists and leaves of a reduction over an axis: those of missing lists of the last axis, and lists above the axis."""
    levels = len(found.offsets)
    if axis and axis == a.depth - 1 and a.missing[axis - 1] is not None:
        mask = a.missing[axis - 1] | np.ma.getmaskarray(found.leaves)
        return type(a)._made(found.offsets, np.ma.masked_array(np.ma.getdata(found.leaves), mask), a.missing[: axis - 1])
    above = a.missing[:axis][:levels]
    return type(a)._made(found.offsets, found.leaves, [*above, *[None] * (levels - len(above))])
