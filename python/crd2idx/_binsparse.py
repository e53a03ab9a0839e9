"""The Binsparse protocol: a descriptor, and arrays by name. The levels here and the levels of the specification have the same arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import _elementwise, _symmetry

if TYPE_CHECKING:
    from .sparse import Sparse

# The formats with a name in the specification, by their levels here.
_NAMES = {
    "S-R": "CVEC",
    "C-S-R": "CSR",
    "C-S-C": "CSC",
    "DC-S-R": "DCSR",
    "DC-S-C": "DCSC",
    "S-S-R": "COOR",
    "S-S-C": "COOC",
}
_LEVELS = {**{name: levels for levels, name in _NAMES.items()}, "COO": "S-S-R"}
# Dense formats, by the order of their axes.
_DENSE = {"DVEC": "R", "DMATR": "R", "DMAT": "R", "DMATC": "C"}


def _parts(levels: str) -> tuple[list[str], list[int]]:
    """Returns the kind of each level, and the axis of each level."""
    *kinds, order = levels.split("+")[0].split("-")
    rank = len(kinds)
    if order.startswith("X"):
        return kinds, [int(axis) for axis in order[2:-1].split(",")]
    return kinds, list(range(rank)) if order == "R" else list(range(rank))[::-1]


def _custom(levels: str) -> dict[str, Any]:
    """Returns the levels as the specification nests them."""
    kinds, axes = _parts(levels)
    runs: list[dict[str, Any]] = []
    joined = False
    for kind in kinds:
        # A level with indices but without pointers and the next one are a single level of the specification.
        if joined:
            runs[-1]["rank"] += 1
        else:
            runs.append({"level_desc": "sparse" if "S" in kind or kind == "DC" else "dense", "rank": 1})
        joined = kind == "S"
    nested: dict[str, Any] = {"level_desc": "element"}
    for run in reversed(runs):
        nested = {**run, "level": nested}
    made: dict[str, Any] = {"level": nested}
    return made if axes == sorted(axes) else {"transpose": axes, **made}


def _levels(descriptor: dict[str, Any], rank: int) -> str | None:
    """Returns the levels of a descriptor, or None for dense elements. Raises TypeError if there is no such format here."""
    name = descriptor.get("format")
    custom = descriptor.get("custom") if name == "custom" else name.get("custom") if isinstance(name, dict) else None
    if custom is None:
        if name in _DENSE:
            return None
        if name not in _LEVELS:
            raise TypeError(f"format {name!r} of Binsparse is unknown; the named formats are {', '.join([*_LEVELS, *_DENSE])}")
        return _LEVELS[name]
    kinds: list[str] = []
    level, seen = custom["level"], False
    while level["level_desc"] != "element":
        inner, count = level["level"], int(level.get("rank", 1))
        if level["level_desc"] == "sparse":
            kinds += ["S"] * (count - 1) + ["DC" if inner["level_desc"] == "sparse" else "S"]
            seen = True
        elif level["level_desc"] == "dense":
            deeper = inner
            while deeper["level_desc"] == "dense":
                deeper = deeper["level"]
            if seen and deeper["level_desc"] == "element":
                raise TypeError("dense levels after sparse ones are not supported")
            kinds += ["C"] * count
        else:
            raise TypeError(f"level {level['level_desc']!r} of Binsparse is unknown; the levels are dense, sparse and element")
        level = inner
    axes = [int(axis) for axis in custom.get("transpose", range(rank))]
    if len(kinds) != rank or sorted(axes) != list(range(rank)):
        raise TypeError(f"a tensor of {rank} axes does not have {len(kinds)} levels of the axes {axes}")
    if not seen and rank:
        return None
    order = "R" if axes == sorted(axes) else "C" if axes == sorted(axes)[::-1] else f"X[{','.join(map(str, axes))}]"
    return "-".join([*kinds, order])


def _type_name(array: np.ndarray) -> str:
    dtype = array.dtype
    return "bint8" if dtype == bool else f"complex[float{dtype.itemsize * 4}]" if dtype.kind == "c" else str(dtype)


def _prepared(a: Sparse) -> Sparse:
    """Returns the tensor with sorted and distinct elements, as the specification wants them, and without dense axes."""
    if a._pattern.dense_axes:
        raise BufferError("a format with dense axes is not exported; convert it with `a.to` first")
    return a._canonical()


def descriptor(a: Sparse) -> dict[str, Any]:
    """Returns the descriptor of a tensor."""
    a = _prepared(a)
    levels = a._pattern.levels
    made: dict[str, Any] = {"version": "0.1", "format": _NAMES.get(levels, "custom")}
    if made["format"] == "custom":
        made["custom"] = _custom(levels)
    stored = _arrays(a)
    made |= {"shape": list(a.shape), "number_of_stored_values": a.stored}
    made["data_types"] = {name: _type_name(array) for name, array in stored.items()}
    if "fill_value" in stored:
        made["fill"] = True
    return {"binsparse": made, "original_source": "crd2idx"}


def _arrays(a: Sparse) -> dict[str, np.ndarray]:
    made: dict[str, np.ndarray] = {}
    for k, (pointers, indices) in enumerate(zip(a.pointers, a.indices)):
        if indices is not None:
            made[f"indices_{k}"] = indices
        if pointers is not None:
            made[f"pointers_to_{k + 1}"] = pointers
    made["values"] = a.values
    # Readers of version 0.1 know no fill value, so that 0 is not written.
    if _elementwise.differs(a._fill, 0):
        made["fill_value"] = np.asarray(a._fill).reshape(1)
        made["fill_value"].flags.writeable = False
    return made


def arrays(a: Sparse, wanted: dict[str, Any] | None) -> dict[str, np.ndarray]:
    """Returns the arrays of a tensor by name, in the format and with the types of a descriptor if there is one."""
    if wanted is None:
        return _arrays(_prepared(a))
    inside = wanted.get("binsparse", wanted)
    levels = _levels(inside, a.ndim)
    if levels is None:
        raise TypeError("dense elements are exported by `a.to_numpy()`")
    a = _prepared(a)
    made = _arrays(a if a._pattern.levels == levels else a.to(levels))
    for name, kind in inside.get("data_types", {}).items():
        if name in made:
            made[name] = made[name].astype(_dtype(kind), copy=False)
    return made


def _dtype(name: str) -> np.dtype:
    """Returns the type of an array in memory. A `bint8` is a byte of which 0 is false."""
    if name.startswith("complex[float") and name.endswith("]"):
        return np.dtype(f"c{int(name[13:-1]) // 4}")
    if name == "bint8":
        return np.dtype(bool)
    try:
        return np.dtype(name)
    except TypeError:
        raise TypeError(f"type {name!r} of Binsparse is unknown") from None


def read(x: Any, wanted: dict[str, Any] | None, copy: bool | None) -> Sparse:
    """Converts any object with the two methods of the protocol."""
    from .sparse import Sparse

    if wanted is None:
        given, parts = x.__binsparse_descriptor__(), x.__binsparse__()
    else:
        own = x.__binsparse_descriptor__()
        given = {"binsparse": {**own["binsparse"], "data_types": {}, **wanted.get("binsparse", wanted)}}
        parts = x.__binsparse__(descriptor=wanted)
    inside = given["binsparse"]
    version = str(inside.get("version", "0.1"))
    if not version.startswith(("0.", "1.")):
        raise TypeError(f"version {version} of Binsparse is unknown; the versions are 0.1 and 1.0")
    structure = inside.get("structure") or "general"
    shape = tuple(int(extent) for extent in inside["shape"])
    levels = _levels(inside, len(shape))
    types = dict(inside.get("data_types", {}))
    made = {name: _array(name, part, types.get(name), copy) for name, part in parts.items()}
    values, count = made["values"], int(inside["number_of_stored_values"])
    if str(types.get("values", "")).startswith("iso["):
        values = np.repeat(values[:1], count)
    fill = made["fill_value"][0] if "fill_value" in made else 0
    if levels is None:
        if structure != "general":
            raise TypeError(f"dense elements with the structure {structure!r} are not supported; export all elements")
        return Sparse.from_numpy(_dense(inside, values, shape), fill_value=fill)
    rank = len(shape)
    pointers = [made.get(f"pointers_to_{k + 1}") for k in range(rank)]
    a = Sparse(levels, shape, pointers, [made.get(f"indices_{k}") for k in range(rank)], values, fill_value=fill)
    return a if structure == "general" else _symmetry.with_both_triangles(a, str(structure))


def _array(name: str, part: Any, kind: str | None, copy: bool | None) -> np.ndarray:
    """Returns an array of NumPy, which shares the memory of the part."""
    array = part if isinstance(part, np.ndarray) else np.from_dlpack(part) if hasattr(part, "__dlpack__") else np.asarray(part)
    if kind is not None:
        dtype = _dtype(kind[4:-1] if kind.startswith("iso[") else kind)
        if dtype == bool and array.dtype.itemsize == 1:
            array = array != 0 if array.dtype != bool else array
        elif dtype.kind == "c" and array.dtype.kind == "f":
            # The real and the imaginary part of each number, one after the other.
            array = np.ascontiguousarray(array).view(dtype)
        if array.dtype != dtype:
            raise BufferError(f"array {name!r} has the type {array.dtype}, but the descriptor says {kind!r}")
    return array.copy() if copy else array


def _dense(inside: dict[str, Any], values: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """Returns dense elements in the order of the axes."""
    name, rank = inside["format"], len(shape)
    custom = name.get("custom") if isinstance(name, dict) else inside.get("custom")
    axes = list(custom.get("transpose", range(rank))) if custom else list(range(rank))[:: 1 if _DENSE[str(name)] == "R" else -1]
    return values.reshape([shape[axis] for axis in axes]).transpose(np.argsort(axes))
