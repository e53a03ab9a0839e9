"""NumPy's functions that take tensors."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from . import _arrange
from ._einsum import einsum


def _method(name: str) -> Callable[..., Any]:
    return lambda a, *args, **options: getattr(a, name)(*args, **options)


# NumPy's functions that take tensors, by name. NumPy calls the others that exist as methods or ufuncs itself.
FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{name: _method(name) for name in ("sum", "prod", "min", "max", "any", "all", "mean", "var", "std", "argmin", "argmax")},
    **{name: _method(name) for name in ("count_nonzero", "transpose", "swapaxes", "squeeze", "ravel", "copy", "astype")},
    "amin": _method("min"),
    "amax": _method("max"),
    "permute_dims": _method("transpose"),
    "allclose": _arrange.allclose,
    "argwhere": _arrange.argwhere,
    "array_equal": _arrange.array_equal,
    "broadcast_to": _arrange.broadcast_to,
    "clip": _arrange.clip,
    "concatenate": _arrange.concatenate,
    "concat": _arrange.concatenate,
    "diagonal": _arrange.diagonal,
    "dot": lambda a, b: a @ b,
    "einsum": einsum,
    "expand_dims": _arrange.expand_dims,
    "flip": _arrange.flip,
    "imag": lambda a: a.imag,
    "kron": _arrange.kron,
    "matrix_transpose": lambda a: a.mT,
    "moveaxis": _arrange.moveaxis,
    "ndim": lambda a: a.ndim,
    "nonzero": _arrange.nonzero,
    "real": lambda a: a.real,
    "reshape": lambda a, shape: _arrange.reshape(a, (shape,) if not isinstance(shape, (tuple, list)) else tuple(shape)),
    "round": _method("round"),
    "shape": lambda a: a.shape,
    "size": lambda a: a.size,
    "stack": _arrange.stack,
    "tril": _arrange.tril,
    "triu": _arrange.triu,
    "vstack": lambda arrays: _arrange.concatenate([a if a.ndim > 1 else _arrange.reshape(a, (1, -1)) for a in _arrange._tensors(arrays)], 0),
    "hstack": lambda arrays: _arrange.concatenate(arrays, 0 if _arrange._tensors(arrays)[0].ndim == 1 else 1),
    "where": _arrange.where,
}


def array_function(function: Any, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """Calls the counterpart of a function of NumPy. Raises TypeError if there is none."""
    made = FUNCTIONS.get(function.__name__)
    if made is None:
        raise TypeError(f"`numpy.{function.__name__}` takes no sparse tensor; `a.to_numpy()` makes a dense array")
    return made(*args, **{name: value for name, value in options.items() if value is not np._NoValue})
