"""The functions of the array API standard, compared with NumPy, which follows the standard too."""

import inspect

import numpy as np
import pytest
from test_sparse_numpy import same, tensor

import crd2idx.array_api as xp
from crd2idx import Sparse

pytestmark = pytest.mark.skipif(not hasattr(np, "__array_api_version__"), reason="NumPy has no functions of the standard")

FUNCTIONS = {name: str(inspect.signature(getattr(xp, name))) for name in xp.__all__ if inspect.isfunction(getattr(xp, name))}
UNARY = [name for name, given in FUNCTIONS.items() if given == "(x: 'Array', /) -> 'Sparse'" and name not in ("matrix_transpose", "unique_values")]
BINARY = [name for name, given in FUNCTIONS.items() if "x1: 'Operand', x2" in given and name != "where"]


@pytest.fixture
def rng():
    return np.random.default_rng(7)


def both(rng, name, arrays, *args, **options):
    """Compares a function of the namespace with NumPy's. A result is a tensor, or a sequence of tensors."""
    with np.errstate(all="ignore"):
        try:
            want = getattr(np, name)(*(dense for _, dense in arrays), *args, **options)
        except TypeError:
            with pytest.raises(TypeError):
                getattr(xp, name)(*(a for a, _ in arrays), *args, **options)
            return 0
        got = getattr(xp, name)(*(a for a, _ in arrays), *args, **options)
    said = name, arrays, args, options
    if isinstance(want, (tuple, list)):
        assert len(got) == len(want)
        for one, other in zip(got, want):
            assert isinstance(one, Sparse), said
            same(one, other, said)
    else:
        assert isinstance(got, Sparse), said
        same(got, want, said)
    return 1


@pytest.mark.parametrize("name", UNARY)
def test_unary(rng, name):
    assert sum(both(rng, name, [tensor(rng)]) for _ in range(20)) > 3


@pytest.mark.parametrize("name", BINARY)
def test_binary(rng, name):
    # Powers of negative integers are no integers.
    types = ["f4", "f8", "c16"] if name == "pow" else ["?", "i4", "u1", "i8", "f8"]
    compared = 0
    for _ in range(20):
        a, b = (tensor(rng, dtype=rng.choice(types)) for _ in range(2))
        number = xp.asarray(b[1].reshape(-1)[0])
        compared += both(rng, name, [a, (number, b[1].reshape(-1)[0])])
        compared += both(rng, name, [a, tensor(rng, shape=a[1].shape, dtype=a[1].dtype)])
    assert compared > 5


@pytest.mark.parametrize("name", ["all", "any", "max", "mean", "min", "prod", "sum", "std", "var", "count_nonzero", "argmax", "argmin"])
def test_reductions(rng, name):
    for _ in range(30):
        a = tensor(rng, dtype=rng.choice(["i4", "u1", "f8", "f4"]))
        both(rng, name, [a])
        both(rng, name, [a], axis=int(rng.integers(-a[1].ndim, a[1].ndim)), keepdims=bool(rng.integers(2)))
        assert getattr(xp, name)(a[0]).shape == ()


def test_arrangements(rng):
    for _ in range(40):
        a = tensor(rng)
        axis = int(rng.integers(-a[1].ndim, a[1].ndim))
        other = tensor(rng, shape=a[1].shape, dtype=a[1].dtype, fill=a[0].fill_value.real.astype(int))
        extent = a[1].shape[axis]
        for name in ("sort", "cumulative_sum", "cumulative_prod", "unstack"):
            if name != "sort" or a[1].dtype.kind != "c":
                both(rng, name, [a], axis=axis)
        both(rng, "diff", [a], axis=axis, n=min(2, extent - 1))
        both(rng, "roll", [a], 2, axis=axis)
        both(rng, "roll", [a], -3)
        both(rng, "flip", [a], axis=axis)
        both(rng, "repeat", [a], 2, axis=axis)
        both(rng, "repeat", [a], rng.integers(0, 3, extent), axis=axis)
        both(rng, "tile", [a], (2, 1, 3))
        both(rng, "take", [a], rng.integers(-extent, extent, 4), axis=axis)
        both(rng, "expand_dims", [a], axis=axis)
        both(rng, "moveaxis", [a], axis, 0)
        both(rng, "permute_dims", [a], tuple(rng.permutation(a[1].ndim).tolist()))
        both(rng, "reshape", [a], (-1,))
        both(rng, "broadcast_to", [a], (2, *a[1].shape))
        for name in ("concat", "stack"):
            same(getattr(xp, name)([a[0], other[0]], axis=axis), getattr(np, name)([a[1], other[1]], axis=axis), name)
        order = np.argsort(a[1], axis=axis, kind="stable")
        same(xp.argsort(a[0], axis=axis), order, "argsort")
        same(xp.take_along_axis(a[0], order, axis=axis), np.take_along_axis(a[1], order, axis), "take_along_axis")
        if a[1].dtype.kind != "c":
            same(xp.sort(a[0], axis=axis, descending=True), np.flip(np.sort(a[1], axis=axis), axis), "descending")


def test_sets(rng):
    for _ in range(60):
        a, dense = tensor(rng, dtype=rng.choice(["?", "i4", "f8", "c16"]))
        if dense.dtype == np.float64 and rng.integers(2):
            with np.errstate(all="ignore"):
                a, dense = xp.divide(a, 0.0), np.divide(dense, 0.0)
        for name in ("unique_all", "unique_counts", "unique_inverse"):
            for got, want in zip(getattr(xp, name)(a), getattr(np, name)(dense)):
                if not np.isnan(dense).any():
                    same(got, want, (name, dense))
        same(xp.unique_values(a), np.unique(dense, equal_nan=False), dense)
    assert xp.unique_values(xp.full((2, 2), xp.nan)).shape == (4,)


def test_products(rng):
    for _ in range(30):
        p, q, r = (int(n) for n in rng.integers(1, 5, 3))
        dtype = rng.choice(["i1", "i4", "f8", "c16"])
        a, b = tensor(rng, (p, q), dtype, 0), tensor(rng, (q, r), dtype, 0)
        both(rng, "matmul", [a, b])
        both(rng, "matrix_transpose", [a])
        both(rng, "tensordot", [a, b], axes=int(rng.integers(2)))
        both(rng, "tensordot", [a, b], axes=([1], [0]))
        c = tensor(rng, (p, q), dtype)
        both(rng, "vecdot", [a, c])
        for name in ("vector_norm", "matrix_norm", "trace", "diagonal"):
            if dtype != "i4" and dtype != "i1":
                same(getattr(xp.linalg, name)(a[0]), getattr(np.linalg, name)(a[1]), name)
        square = tensor(rng, (q, q), "f8", 0)
        for n in range(4):
            same(xp.linalg.matrix_power(square[0], n), np.linalg.matrix_power(square[1], n), n)
    assert xp.matmul(xp.zeros((2, 0)), xp.zeros((0, 3))).shape == (2, 3)
    assert xp.matmul(xp.zeros((0, 2, 2)), xp.zeros((2, 3))).shape == (0, 2, 3)


def test_creation():
    for got, want in [
        (xp.eye(3, 4, k=1), np.eye(3, 4, k=1)),
        (xp.eye(4, 3, k=-2), np.eye(4, 3, k=-2)),
        (xp.eye(2, k=1 << 70), np.zeros((2, 2))),
        (xp.eye(2, k=-(1 << 70)), np.zeros((2, 2))),
        (xp.arange(3, 9, 2), np.arange(3, 9, 2)),
        (xp.arange(3.0), np.arange(3.0)),
        (xp.linspace(0, 1, 5), np.linspace(0, 1, 5)),
        (xp.full((2, 3), 7), np.full((2, 3), 7)),
        (xp.ones((), dtype=xp.int8), np.ones((), np.int8)),
        (xp.tril(xp.asarray([[1, 2], [3, 4]])), np.tril([[1, 2], [3, 4]])),
        (xp.asarray([[1.5, 0.0]], dtype=xp.float32), np.asarray([[1.5, 0.0]], np.float32)),
        (xp.from_dlpack(np.arange(4)), np.arange(4)),
        *zip(xp.meshgrid(xp.arange(2), xp.arange(3)), np.meshgrid(np.arange(2), np.arange(3))),
    ]:
        same(got, want, want, exact=True)
    assert xp.ones((1 << 40, 3, 1 << 20)).stored == 0


def test_tensors_without_axes():
    a = xp.asarray(3.5)
    assert a.shape == () and float(a) == 3.5 and int(a) == 3 and complex(a) == 3.5 and bool(a) and a.to_numpy() == 3.5
    assert range(5)[xp.asarray(2)] == 2
    for wrong in (lambda: float(xp.ones(1)), lambda: range(5)[a], lambda: float(xp.asarray(1j))):
        with pytest.raises(TypeError):
            wrong()
    b = xp.asarray([[1.0, 0.0]])
    assert (a + b).to_numpy().tolist() == [[4.5, 3.5]] and (b * a).to_numpy().tolist() == [[3.5, 0.0]]
    assert b[0, 0] == 1.0 and xp.reshape(b[:, :1], ()).shape == () and a[None].shape == (1,)
    assert a[xp.asarray(True)].shape == (1,) and a[xp.asarray(False)].shape == (0,)
    assert b[xp.asarray(True)].shape == (1, 1, 2) and b[xp.asarray(False)].shape == (0, 1, 2)
    assert b[xp.zeros((1, 0), dtype=xp.bool)].shape == (0,) and b[xp.zeros((0,), dtype=xp.bool)].shape == (0, 2)
    with pytest.raises(IndexError):
        b[xp.zeros((2,), dtype=xp.bool)]
    assert xp.sum(b) == 1.0 and xp.sum(b).shape == ()


def test_types():
    assert xp.result_type(xp.ones(2, dtype=xp.float32), 1.0) == xp.float32 and xp.result_type(xp.int8, xp.uint8) == xp.int16
    assert xp.can_cast(xp.int8, xp.int16) and not xp.can_cast(xp.ones(1), xp.int8)
    assert xp.isdtype(xp.int8, "signed integer") and xp.isdtype(xp.bool, ("integral", xp.bool)) and not xp.isdtype(xp.bool, "numeric")
    assert xp.finfo(xp.complex64).bits == 32 and type(xp.finfo(xp.float32).eps) is float and xp.iinfo(xp.ones(1, dtype=xp.uint8)).max == 255
    info = xp.__array_namespace_info__()
    assert info.devices() == [info.default_device()] and set(info.dtypes(kind="complex floating")) == {"complex64", "complex128"}
    with pytest.raises(ValueError, match="kinds are"):
        xp.isdtype(xp.bool, "number")
    with pytest.raises(TypeError, match="real"):
        xp.astype(xp.asarray([1j]), xp.float64)


def test_where_keeps_the_sign_of_zero():
    zero = xp.where(xp.asarray([True, False]), xp.asarray([-0.0, -0.0]), xp.asarray([1.0, -0.0]))
    assert np.signbit(zero.to_numpy()).all()


def test_in_place_operators_compute_another_tensor():
    a = b = xp.asarray([1.0, 0.0])
    a += 1
    a *= xp.asarray([2.0, 3.0])
    a @= xp.asarray([1.0, 0.0])
    assert a == 4.0 and b.to_numpy().tolist() == [1.0, 0.0]


def test_namespace():
    a = Sparse.from_coo([[0]], [1.0], (2,))
    assert a.__array_namespace__() is xp and a.__array_namespace__(api_version="2023.12") is xp
    assert a.to_device("cpu") is a and a.device == "cpu"
    with pytest.raises(ValueError, match="2019.01"):
        a.__array_namespace__(api_version="2019.01")
    for wrong in (lambda: xp.ones(2, device="gpu"), lambda: a.to_device("gpu")):
        with pytest.raises(ValueError, match="gpu"):
            wrong()


def test_what_has_no_sparse_form():
    for run in (lambda: xp.linalg.inv, lambda: xp.fft):
        with pytest.raises(AttributeError, match="no sparse form"):
            run()
    large = xp.zeros((1 << 40,))
    for run in (lambda: xp.cumulative_sum(large), lambda: xp.argsort(large)):
        with pytest.raises(ValueError, match="bytes"):
            run()
    assert xp.sort(large).shape == large.shape and xp.unique_counts(large).counts[0] == 1 << 40
    with pytest.raises(ValueError, match="inverse"):
        xp.linalg.matrix_power(xp.eye(2), -1)
    with pytest.raises(ValueError, match="fill value 0"):
        xp.matmul(xp.ones((2, 2)), xp.eye(2))


def test_dlpack():
    a = xp.asarray([[1.0, 0.0], [2.0, 3.0]])
    parts = [part for part in (a.values, *a.pointers, *a.indices) if part is not None]
    assert len(parts) == 3
    for part in parts:
        # Older readers cannot know that an array is read-only, so NumPy gives them copies only.
        made = np.from_dlpack(part.copy())
        assert np.array_equal(made, part)
        if np.lib.NumpyVersion(np.__version__) >= "2.1.0":
            view = np.from_dlpack(part)
            assert np.shares_memory(view, part) and not view.flags.writeable
    with pytest.raises(BufferError, match="a.values"):
        np.from_dlpack(a)
