"""Compares operations on random sparse tensors with NumPy on the dense arrays of the same elements."""

import operator

import numpy as np
import pytest

import crd2idx
from crd2idx import Sparse

DTYPES = ["?", "i1", "i4", "i8", "u1", "u8", "f2", "f4", "f8", "c8", "c16"]
FORMATS = {1: ["COO"], 2: ["CSR", "CSC", "DCSR", "COO"], 3: ["COO", "CSF", "DC-S-S-X[2,0,1]", "C-S-S-R"]}


def tensor(rng, shape=None, dtype=None, fill=None):
    """Returns a random tensor and the dense array of its elements."""
    shape = tuple(rng.integers(1, 6, rng.integers(1, 4))) if shape is None else shape
    dtype = np.dtype(rng.choice(DTYPES) if dtype is None else dtype)
    fill = rng.choice([0, 0, 0, 1]) if fill is None else fill
    dense = np.full(shape, fill).astype(dtype)
    stored = rng.random(shape) < rng.choice([0.0, 0.3, 0.6, 1.0])
    numbers = rng.integers(-4 if dtype.kind in "ifc" else 0, 5, shape)
    numbers = numbers + 1j * rng.integers(-2, 3, shape) if dtype.kind == "c" else numbers
    dense[stored] = numbers[stored].astype(dtype)
    format = str(rng.choice(FORMATS[len(shape)]))
    coordinates = np.nonzero(stored)
    made = Sparse.from_coo(coordinates, dense[stored], shape, format, duplicates="refuse", fill_value=fill)
    assert made.dtype == dtype
    return made, dense


def same(got, want, said, exact=False):
    dense = got.to_numpy() if isinstance(got, Sparse) else np.asarray(got)
    want = np.asarray(want)
    assert dense.shape == want.shape, said
    assert dense.dtype == want.dtype, (said, dense.dtype, want.dtype)
    if exact or want.dtype.kind in "biu":
        assert np.array_equal(dense, want), (said, dense, want)
    else:
        tolerance = 2e-2 if want.dtype in (np.float16, np.float32, np.complex64) else 1e-9
        assert np.allclose(dense, want, rtol=tolerance, atol=tolerance, equal_nan=True), (said, dense, want)


def attempt(run):
    """Returns the result of `run`, or the exception that it raises."""
    with np.errstate(all="ignore"):
        try:
            return run()
        except Exception as error:  # noqa: BLE001
            return error


def compare(sparse, dense, said, exact=False):
    """Both succeed with one result, or both fail."""
    want = attempt(dense)
    got = attempt(sparse)
    if isinstance(want, Exception):
        assert isinstance(got, Exception), (said, got, want)
        return False
    if isinstance(got, Exception):
        raise AssertionError(said) from got
    same(got, want, said, exact)
    return True


BINARY = [
    *(operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod),
    *(operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge, operator.and_, operator.or_),
    *(np.maximum, np.minimum, np.hypot, np.arctan2, np.logical_and, np.logical_xor, np.copysign),
]


@pytest.mark.parametrize("seed", range(4))
def test_functions_of_two(seed):
    rng = np.random.default_rng(seed)
    compared = 0
    for _ in range(250):
        a, x = tensor(rng)
        f = BINARY[rng.integers(len(BINARY))]
        kind = rng.integers(5)
        if kind == 0:
            b, y = tensor(rng, x.shape)
        elif kind == 1:
            shape = tuple(extent if rng.random() < 0.5 else 1 for extent in x.shape)[rng.integers(x.ndim) :]
            b, y = tensor(rng, shape)
        elif kind == 2:
            b = y = tensor(rng, x.shape)[1]
        elif kind == 3:
            b = y = [2, -1, 0, 2.5, True, np.float32(1.5), np.int8(3)][rng.integers(7)]
        else:
            b = y = tensor(rng, x.shape[-1:])[1]
        said = (f, a, b)
        compared += compare(lambda: f(a, b), lambda: f(x, y), said)
        compared += compare(lambda: f(b, a), lambda: f(y, x), said)
    assert compared > 250


UNARY = [np.negative, np.abs, np.sqrt, np.exp, np.sin, np.sign, np.isnan, np.isfinite, np.floor, np.conjugate, np.invert, np.square, np.log1p, np.logical_not]


def test_functions_of_one():
    rng = np.random.default_rng(5)
    for _ in range(300):
        a, x = tensor(rng)
        f = UNARY[rng.integers(len(UNARY))]
        compare(lambda: f(a), lambda: f(x), (f, a))
    a, x = tensor(rng, (3, 4), "f8")
    same(np.clip(a, -1, 2), np.clip(x, -1, 2), "clip")
    same(a**2, x**2, "square")
    same(a.round(1), x.round(1), "round")
    assert np.allclose(a, x) and np.array_equal(a, x) and not np.array_equal(a, x + 1)
    assert all(isinstance(part, Sparse) for part in np.modf(a))


REDUCTIONS = ["sum", "prod", "min", "max", "any", "all", "mean", "var", "std", "argmin", "argmax"]


@pytest.mark.parametrize("seed", range(4))
def test_reductions(seed):
    rng = np.random.default_rng(10 + seed)
    for _ in range(200):
        a, x = tensor(rng)
        name = REDUCTIONS[rng.integers(len(REDUCTIONS))]
        if name in ("argmin", "argmax"):
            axis = None if rng.random() < 0.4 else int(rng.integers(-x.ndim, x.ndim))
        else:
            axes = [int(k) for k in range(x.ndim) if rng.random() < 0.6]
            axis = [None, tuple(axes), axes[0] if axes else -1][rng.integers(3)]
        keepdims = bool(rng.random() < 0.4)
        said = (name, axis, keepdims, a)
        if a.dtype.kind == "c" and name in ("min", "max", "argmin", "argmax", "any", "all"):
            continue
        compare(lambda: getattr(a, name)(axis=axis, keepdims=keepdims), lambda: getattr(x, name)(axis=axis, keepdims=keepdims), said)
        compare(lambda: getattr(np, name)(a, axis=axis), lambda: getattr(np, name)(x, axis=axis), said)
    a, x = tensor(rng, (4, 5), "f8")
    assert np.count_nonzero(a) == np.count_nonzero(x)
    same(np.add.reduce(a, axis=1), np.add.reduce(x, axis=1), "reduce")


def key(rng, shape):
    """Returns a random index of an array of a shape."""
    keys, axis = [], 0
    arrays = rng.random() < 0.4
    length = int(rng.integers(1, 4))
    while axis < len(shape):
        extent = shape[axis]
        kind = rng.integers(7)
        if kind == 0:
            keys.append(int(rng.integers(-extent, extent)))
        elif kind == 1:
            step = int(rng.choice([1, 2, 3, -1, -2]))
            bounds = [None if rng.random() < 0.4 else int(rng.integers(-extent - 2, extent + 3)) for _ in range(2)]
            keys.append(slice(*bounds, step))
        elif kind == 2:
            keys.append(None)
            continue
        elif kind == 3 and Ellipsis not in [one for one in keys if not isinstance(one, np.ndarray)]:
            keys.append(Ellipsis)
            axis += int(rng.integers(0, len(shape) - axis + 1))
            continue
        elif kind == 4 and arrays:
            keys.append(rng.integers(-extent, extent, length))
        elif kind == 5 and arrays:
            mask = np.zeros(extent, bool)
            mask[rng.permutation(extent)[: min(length, extent)]] = True
            keys.append(mask)
        else:
            keys.append(slice(None))
        axis += 1
        if rng.random() < 0.1:
            break
    return tuple(keys) if rng.random() < 0.8 or len(keys) != 1 else keys[0]


@pytest.mark.parametrize("seed", range(4))
def test_indexing(seed):
    rng = np.random.default_rng(20 + seed)
    compared = 0
    for _ in range(300):
        a, x = tensor(rng)
        k = key(rng, x.shape)
        compared += compare(lambda: a[k], lambda: x[k], (k, a), exact=True)
    assert compared > 200
    a, x = tensor(rng, (4, 5, 3), "f8", 0)
    same(a[x > 0], x[x > 0], "mask")
    same(a[a > 0], x[x > 0], "sparse mask")
    same(a[:, [0, 2], ..., [1, 1]], x[:, [0, 2], ..., [1, 1]], "arrays parted by nothing")
    same(a[[0, 2], :, [1, 1]], x[[0, 2], :, [1, 1]], "arrays apart")
    for wrong in [7, (0, 0, 0, 0), (slice(None), 9), ([5],), np.zeros(3, bool), "x"]:
        with pytest.raises((IndexError, TypeError)):
            a[wrong]
    with pytest.raises(TypeError, match="does not change"):
        a[0] = 1


def test_arrangements():
    rng = np.random.default_rng(30)
    for _ in range(100):
        a, x = tensor(rng)
        order = tuple(int(k) for k in rng.permutation(x.ndim))
        same(a.transpose(order), x.transpose(order), "transpose", True)
        same(a.T, x.T, "T", True)
        same(a.reshape(-1), x.reshape(-1), "reshape", True)
        same(a.reshape(x.shape[::-1]), x.reshape(x.shape[::-1]), "reshape", True)
        same(np.flip(a), np.flip(x), "flip", True)
        same(np.expand_dims(a, 1), np.expand_dims(x, 1), "expand_dims", True)
        same(np.broadcast_to(a, (2, *x.shape)), np.broadcast_to(x, (2, *x.shape)), "broadcast_to", True)
        b, y = tensor(rng, x.shape, x.dtype, a.fill_value)
        same(np.concatenate([a, b], -1), np.concatenate([x, y], -1), "concatenate", True)
        same(np.stack([a, b], 1), np.stack([x, y], 1), "stack", True)
        same(crd2idx.where(a > 0, a, b), np.where(x > 0, x, y), "where", True)
        if x.ndim > 1:
            same(a.diagonal(1), x.diagonal(1, -2, -1), "diagonal", True)
        if not a.fill_value:
            if x.ndim > 1:
                same(np.tril(a, -1), np.tril(x, -1), "tril", True)
                same(np.triu(a), np.triu(x), "triu", True)
            if x.dtype != np.float16:
                same(np.kron(a, a), np.kron(x, x), "kron")
    assert [row.to_numpy().tolist() for row in Sparse.from_numpy(np.eye(2))] == np.eye(2).tolist()


@pytest.mark.parametrize("seed", range(3))
def test_products(seed):
    rng = np.random.default_rng(40 + seed)
    for _ in range(200):
        a, x = tensor(rng, fill=0)
        inner = x.shape[-1]
        shape = [(inner,), (inner, 3), (2, inner, 2), (inner, 1)][rng.integers(4)]
        b, y = tensor(rng, shape, fill=0)
        want = attempt(lambda: np.matmul(x, y))
        if isinstance(want, Exception):
            # The stacks of the operands do not broadcast.
            with pytest.raises(ValueError):
                a @ b
            continue
        if want.dtype.kind in "iu":
            # Small integers are added in wide ones.
            wide = np.add.reduce(np.zeros(1, want.dtype)).dtype
            want = np.matmul(x.astype(wide), y.astype(wide))
        for got in (lambda: a @ b, lambda: a @ y, lambda: x @ b):
            result = got()
            same(result, want, (a, b))
    with pytest.raises(ValueError, match="4 and 3"):
        Sparse.from_numpy(np.eye(4)) @ np.ones(3)


def test_values_change_for_no_one():
    values, indices = np.array([1.0, 2.0]), np.array([0, 1])
    a = Sparse("CSR", (2, 2), [[0, 1, 2], None], [None, indices], values)
    for array in (values, indices, a.values, a.indices[1], a.pointers[0], (a + a).values, (a + a.T).indices[1]):
        with pytest.raises(ValueError):
            array[0] = 7
    for array in ((a + a.T).indices[1], a.to("CSC").values):
        with pytest.raises(ValueError):
            array.flags.writeable = True


def test_pickles_copies_and_dense_arrays():
    import copy
    import pickle

    rng = np.random.default_rng(50)
    a, x = tensor(rng, (4, 5), "f8", 1)
    for b in (pickle.loads(pickle.dumps(a)), copy.copy(a), copy.deepcopy(a), a.copy()):
        assert b.format == a.format and b.fill_value == 1 and np.array_equal(b.to_numpy(), x)
    assert np.array_equal(np.asarray(a), x) and a.density <= 1 and a.size == 20
    large = Sparse.from_coo([[5], [7]], [1.0], (1 << 20, 1 << 20))
    with pytest.raises(ValueError, match="to_numpy"):
        np.asarray(large)
    with pytest.raises(ValueError, match="ambiguous"):
        bool(a)
    assert repr(a).endswith("fill_value=1.0)")


def test_infinities_meet_what_is_not_stored():
    a = Sparse.from_numpy(np.array([[np.inf, 0.0], [1.0, np.nan]]))
    b = Sparse.from_numpy(np.array([[0.0, 2.0], [3.0, 0.0]]))
    with np.errstate(invalid="ignore"):
        want = a.to_numpy() * b.to_numpy()
        assert np.array_equal((a * b).to_numpy(), want, equal_nan=True)


def test_products_after_a_fork():
    import os
    import time

    a = Sparse.from_coo(np.divmod(np.arange(0, 4_000_000, 40), 2000), np.ones(100_000), (2000, 2000))
    x = np.ones(2000)
    a @ x
    child = os.fork()
    if child == 0:
        a @ x
        os._exit(0)
    end = time.time() + 30
    while time.time() < end and not os.waitpid(child, os.WNOHANG)[0]:
        time.sleep(0.01)
    assert time.time() < end


def test_threads():
    before = crd2idx.get_threads()
    with crd2idx.set_threads(2):
        assert crd2idx.get_threads() == 2
    assert crd2idx.get_threads() == before
    with pytest.raises(ValueError):
        crd2idx.set_threads(0)


def test_functions_of_many_operands():
    rng = np.random.default_rng(29)
    for _ in range(300):
        shape = tuple(rng.integers(1, 5, rng.integers(1, 4)))
        operands, arrays = [], []
        for _ in range(rng.integers(1, 5)):
            own = tuple(int(extent) if rng.random() < 0.7 else 1 for extent in shape[rng.integers(0, len(shape)) :])
            a, x = tensor(rng, own)
            kind = rng.random()
            operands.append(2 if kind < 0.1 and operands else x if kind < 0.2 else a)
            arrays.append(2 if kind < 0.1 and len(operands) > 1 else x)
        if not any(isinstance(operand, Sparse) for operand in operands):
            continue

        def function(*every):
            return sum((k + 1) * one for k, one in enumerate(every))

        same(crd2idx.elementwise(function, *operands), function(*arrays), operands)
    a = Sparse.from_numpy(np.array([1.0, 0, 2]))
    assert crd2idx.elementwise(lambda x, y: x + y, a, Sparse.from_numpy(np.array([0, 0, 5.0])), intersection=True).stored == 1
    with pytest.raises(ValueError, match="function returned the shape"):
        crd2idx.elementwise(lambda x: x.sum(), a)
    with pytest.raises(TypeError, match="needs a tensor or an array"):
        crd2idx.elementwise(np.sqrt, 2)


def test_arithmetic_of_one_type():
    # Rust computes these while it merges: with other fill values, and where a product of elements that are not stored is not 0.
    rng = np.random.default_rng(31)
    for dtype in ("f8", "f4", "i8"):
        for _ in range(80):
            shape = tuple(rng.integers(1, 6, rng.integers(1, 4)))
            (a, x), (b, y) = tensor(rng, shape, dtype), tensor(rng, shape, dtype)
            if dtype != "i8" and a.stored and rng.random() < 0.5:
                special = rng.choice([np.inf, -np.inf, np.nan])
                values = a.values.copy()
                values[0] = special
                at = tuple(column[0] for column in a.coordinates())
                a = Sparse(a._pattern.levels, a.shape, a.pointers, a.indices, values, fill_value=a.fill_value)
                x[at] = special
            for function in (operator.add, operator.sub, operator.mul):
                with np.errstate(all="ignore"):
                    same(function(a, b), function(x, y), (function, a, b), exact=False)
    most = Sparse.from_numpy(np.array([np.iinfo(np.int64).max, 0]))
    assert (most + most.astype(np.int64)).to_numpy().tolist() == [-2, 0]


def test_sums_of_negative_zeros():
    """A sum with an element that is not stored is no negative zero, as in NumPy."""
    for name in ("CSR", "CSC", "COO"):
        a = Sparse.from_coo([[0, 2], [1, 1]], [-0.0, 5.0], (4, 3)).to(name)
        for axis in (0, 1):
            assert not np.signbit(a.sum(axis).to_numpy()).any(), (name, axis)
