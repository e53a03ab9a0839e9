"""Functions of elements, by the names that NumPy has for them."""

from __future__ import annotations

from typing import Any, Callable, Protocol

import numpy as np

from .. import _arrange
from ..sparse import Sparse
from ._common import Array, Operand, operand, tensor


class _Unary(Protocol):
    def __call__(self, x: Array, /) -> Sparse: ...


class _Binary(Protocol):
    def __call__(self, x1: Operand, x2: Operand, /) -> Sparse: ...


def _named(function: Callable[..., Any], name: str, ufunc: Any) -> Any:
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Computes `numpy.{ufunc.__name__}` of each element, the fill value too."
    return function


def _unary(name: str, numpy: str | None = None) -> _Unary:
    """Returns the function of the standard that calls a function of NumPy with one operand."""
    ufunc = getattr(np, numpy or name)

    def function(x: Array, /) -> Sparse:
        return tensor(ufunc(tensor(x)))

    made: _Unary = _named(function, name, ufunc)
    return made


def _binary(name: str, numpy: str | None = None) -> _Binary:
    """Returns the function of the standard that calls a function of NumPy with two operands."""
    ufunc = getattr(np, numpy or name)

    def function(x1: Operand, x2: Operand, /) -> Sparse:
        return tensor(ufunc(operand(x1), operand(x2)))

    made: _Binary = _named(function, name, ufunc)
    return made


acos = _unary("acos", "arccos")
acosh = _unary("acosh", "arccosh")
asin = _unary("asin", "arcsin")
asinh = _unary("asinh", "arcsinh")
atan = _unary("atan", "arctan")
atanh = _unary("atanh", "arctanh")
bitwise_invert = _unary("bitwise_invert", "invert")
abs = _unary("abs", "absolute")
ceil = _unary("ceil")
conj = _unary("conj", "conjugate")
cos = _unary("cos")
cosh = _unary("cosh")
exp = _unary("exp")
expm1 = _unary("expm1")
floor = _unary("floor")
imag = _unary("imag")
isfinite = _unary("isfinite")
isinf = _unary("isinf")
isnan = _unary("isnan")
log = _unary("log")
log1p = _unary("log1p")
log2 = _unary("log2")
log10 = _unary("log10")
logical_not = _unary("logical_not")
negative = _unary("negative")
positive = _unary("positive")
real = _unary("real")
reciprocal = _unary("reciprocal")
round = _unary("round")
sign = _unary("sign")
signbit = _unary("signbit")
sin = _unary("sin")
sinh = _unary("sinh")
sqrt = _unary("sqrt")
square = _unary("square")
tan = _unary("tan")
tanh = _unary("tanh")
trunc = _unary("trunc")

add = _binary("add")
atan2 = _binary("atan2", "arctan2")
bitwise_and = _binary("bitwise_and")
bitwise_left_shift = _binary("bitwise_left_shift", "left_shift")
bitwise_or = _binary("bitwise_or")
bitwise_right_shift = _binary("bitwise_right_shift", "right_shift")
bitwise_xor = _binary("bitwise_xor")
copysign = _binary("copysign")
divide = _binary("divide")
equal = _binary("equal")
floor_divide = _binary("floor_divide")
greater = _binary("greater")
greater_equal = _binary("greater_equal")
hypot = _binary("hypot")
less = _binary("less")
less_equal = _binary("less_equal")
logaddexp = _binary("logaddexp")
logical_and = _binary("logical_and")
logical_or = _binary("logical_or")
logical_xor = _binary("logical_xor")
maximum = _binary("maximum")
minimum = _binary("minimum")
multiply = _binary("multiply")
nextafter = _binary("nextafter")
not_equal = _binary("not_equal")
pow = _binary("pow", "power")
remainder = _binary("remainder")
subtract = _binary("subtract")


def clip(x: Array, /, min: Operand | None = None, max: Operand | None = None) -> Sparse:
    """Returns the elements, but `min` for smaller ones and `max` for greater ones."""
    a = tensor(x)
    made = a
    for bound, function in ((min, maximum), (max, minimum)):
        if bound is not None:
            made = function(made, bound)
    return made.astype(a.dtype, copy=False)


def where(condition: Array, x1: Operand, x2: Operand, /) -> Sparse:
    """Returns the elements of `x1` where the condition is true and of `x2` elsewhere."""
    return tensor(_arrange.where(tensor(condition), operand(x1), operand(x2)))
