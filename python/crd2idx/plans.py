"""Plans of copies from one layout to another, also between ranks, pages and regions, and transfers in memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import prod
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


def placement(*, mesh: Mapping[str, int], shape: Sequence[int], **words: Any) -> list[list[list[tuple[int, int]]]]:
    """Returns the part of a tensor that each device of a mesh has: for each device and each axis, the ranges `(start, stop)` of its indices.

    Parameters
    ----------
    mesh
        The extents of the mesh axes by name, the slowest first. Devices are numbered row by row.
    shape
        The extents of the tensor.
    words
        `splits` (a list of `{"dim": 0, "axis": "tp", "rule": "chunk"}`), `spec` (a PartitionSpec: None, a name or a list of names for each axis),
        `dtensor` or `hpf` (a text), and `partial` (a reduction by mesh axis).

    Examples
    --------
    >>> placement(mesh={"tp": 2}, shape=(5,), dtensor="[Shard(0)]")
    [[[(0, 3)]], [[(3, 5)]]]
    """
    answer = request("placement", mesh=_axes(mesh), shape=[index(extent) for extent in shape], **words)
    return [[[(start, stop) for start, stop in axis] for axis in device] for device in answer["pieces"]]


# A contiguous run of elements that goes from one device to another. Offsets count elements of the parts, which are stored in C order.
RUN = np.dtype([(name, np.int64) for name in ("source", "target", "summand", "source_offset", "target_offset", "length")])

# The greatest number of runs of an array.
MOST_RUNS = 1 << 24


def reshard(
    shape: Sequence[int], source: Mapping[str, Any], target: Mapping[str, Any], *, runs: bool = False, relabel: bool = False
) -> dict[str, Any]:
    """Plans the move of a tensor from one placement to another, which combines partial results on the way.

    Parameters
    ----------
    shape
        The extents of the tensor.
    source, target
        Placements: dictionaries with the arguments of `placement` except `shape`. The devices of both meshes are the same, numbered from 0.
    runs
        If True, the result lists all contiguous runs.
    relabel
        If True, devices take other parts of the target, such that the fewest elements move.

    Returns
    -------
    dict
        `local` and `moved`: the numbers of elements that stay on their device and that move. With `relabel`, also `takers`: the device that takes each
        part of the target. With `runs`, also the array `runs` with the fields `source`, `target` (devices), `summand`, `source_offset`, `target_offset`
        and `length`. A target stores summand 0 and then combines the others with it, in ascending order.

    Examples
    --------
    >>> two, one = dict(mesh={"x": 2}, dtensor="[Partial()]"), dict(mesh={"x": 2}, dtensor="[Shard(0)]")
    >>> plan = reshard((4,), two, one, runs=True)
    >>> plan["local"], plan["moved"]
    (4, 4)
    >>> plan["runs"][["source", "target", "summand", "source_offset", "target_offset", "length"]].tolist()
    [(0, 0, 0, 0, 0, 2), (0, 1, 0, 2, 0, 2), (1, 0, 1, 0, 0, 2), (1, 1, 1, 2, 0, 2)]
    """
    if not runs:
        counts: dict[str, Any] = _reshard("reshard", shape, source, target, relabel)
        return counts
    answer = _reshard("reshard.plan", shape, source, target, relabel)
    kept = {key: answer[key] for key in ("local", "moved", "takers") if key in answer}
    return {**kept, "runs": _of_summands(enumerate(answer["summands"]))}


# A contiguous run of elements of a cache of keys and values. Offsets count elements of a page; `value` is 0 for keys and 1 for values.
KV_RUN = np.dtype(
    [(f"{side}_{name}", np.int64) for side in ("source", "target") for name in ("rank", "layer", "value", "page", "offset")] + [("length", np.int64)]
)


def reshard_kv_cache(
    source: Mapping[str, Any], target: Mapping[str, Any], *, layers: int, tokens: int, heads: int, head_dim: int
) -> np.ndarray:
    """Plans the move of the cache of one sequence from the pages of one engine to those of another, as vLLM has them.

    Parameters
    ----------
    source, target
        Dictionaries of the numbers of an engine: `block` (the slots of a page), and optionally `order` (`NHD`, which is `[slot, head, head_dim]` in a
        page, or `HND`), `tensor_parallel`, `pipeline_parallel`, `decode_context_parallel`, and `interleave` (`cp_kv_cache_interleave_size`).
    layers, tokens, heads, head_dim
        The shape of the cache. `heads` counts the heads of keys and values of the model, not of a rank.

    Returns
    -------
    numpy.ndarray
        The contiguous runs, with the fields `source_rank`, `source_layer`, `source_value`, `source_page`, `source_offset`, the same five of the target,
        and `length`. Layers are those of the model, and pages are those of the sequence on the rank, which a block table maps to pages of the pool.
        Every rank of the target gets its whole cache, replicas too; `source_rank` is one of the ranks that have the elements.

    Examples
    --------
    >>> prefill, decode = dict(block=4), dict(block=2, tensor_parallel=2, order="HND")
    >>> runs = reshard_kv_cache(prefill, decode, layers=1, tokens=5, heads=2, head_dim=64)
    >>> int(runs["length"].sum()), 2 * 5 * 2 * 64
    (1280, 1280)
    >>> runs[["target_rank", "target_page", "target_offset"]][-1].tolist()
    (1, 2, 0)
    """
    shape = {"layers": index(layers), "tokens": index(tokens), "heads": index(heads), "head_dim": index(head_dim)}
    ends = [{key: value if isinstance(value, str) else index(value) for key, value in end.items()} for end in (source, target)]
    copies = request("kv_cache.plan", **{"from": ends[0], "to": ends[1]}, **shape)["copies"]
    names = ("rank", "layer", "value", "page")
    places = [{f"{side}_{name}": number for side, end in (("source", "from"), ("target", "to")) for name, number in zip(names, copy[end])} for copy in copies]
    runs = _runs(zip(copies, places), KV_RUN)
    return np.sort(runs, order=["target_rank", "target_layer", "target_value", "target_page", "target_offset"])


def _reshard(op: Literal["reshard", "reshard.plan"], shape: Sequence[int], source: Mapping[str, Any], target: Mapping[str, Any], relabel: bool) -> Any:
    """Returns the answer to a request about the move between two placements."""
    ends: dict[str, Any] = {"relabel": True} if relabel else {}
    for name, end in (("from", source), ("to", target)):
        if "mesh" not in end:
            raise ValueError(f"the placement {name} has no `mesh`; its keys are {', '.join(end)}")
        ends[name] = {**end, "mesh": _axes(end["mesh"])}
    return request(op, shape=[index(extent) for extent in shape], **ends)


def _axes(mesh: Mapping[str, int] | Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
    """Returns the names and extents of a mesh, which is a dictionary or a list of pairs."""
    return [(name, index(extent)) for name, extent in (mesh.items() if isinstance(mesh, Mapping) else mesh)]


def _of_summands(summands: Iterable[tuple[int, list[dict[str, Any]]]]) -> np.ndarray:
    """Returns the runs of lists of copies, each with the number of its summand. Raises ValueError for too many runs."""
    pairs = ((summand, copy) for summand, copies in summands for copy in copies)
    return _runs(((copy, {"source": copy["from"], "target": copy["to"], "summand": summand}) for summand, copy in pairs), RUN)


def _runs(copies: Iterable[tuple[dict[str, Any], dict[str, int]]], fields: np.dtype[Any]) -> np.ndarray:
    """Returns the runs of copies, each with the numbers that all its runs have. Raises ValueError for too many runs."""
    listed = list(copies)
    count = sum(prod(loop[0] for loop in copy.get("loops", [])) for copy, _ in listed)
    if count > MOST_RUNS:
        raise ValueError(f"the move has {count} runs, and an array holds at most {MOST_RUNS}; `request` of a plan returns them as loops")
    return np.concatenate([np.empty(0, fields), *(_turns(copy, numbers, fields) for copy, numbers in listed)])


def _turns(copy: dict[str, Any], numbers: dict[str, int], fields: np.dtype[Any]) -> np.ndarray:
    """Returns the runs of a copy: one for each turn of its loops."""
    loops = copy.get("loops", [])
    made = np.empty([count for count, _, _ in reversed(loops)], fields)
    for field, side in (("source_offset", 1), ("target_offset", 2)):
        offsets: Any = copy["src" if side == 1 else "dst"]
        # The first loop is the innermost one.
        for k, loop in enumerate(loops):
            offsets = offsets + (np.arange(loop[0]) * loop[side]).reshape([-1] + [1] * k)
        made[field] = offsets
    for field, number in {**numbers, "length": copy["count"]}.items():
        made[field] = number
    return made.reshape(-1)


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
