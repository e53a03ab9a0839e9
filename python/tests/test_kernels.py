"""Compares the products that have names of their own with NumPy on dense arrays, at any rank, mode and format."""

import numpy as np
import pytest

from crd2idx import Sparse, mttkrp, sddmm, spgemm, ttm, ttv

from test_sparse_numpy import tensor


def dense(made):
    return made.to_numpy() if isinstance(made, Sparse) else np.asarray(made)


@pytest.mark.parametrize("rank", [1, 2, 3, 4])
@pytest.mark.parametrize("dtype", ["f8", "i4"])
def test_products_of_tensors(rank, dtype):
    rng = np.random.default_rng(rank)
    shape = tuple(int(extent) for extent in rng.integers(1, 6, rank))
    if rank < 4:
        a, x = tensor(rng, shape, dtype, 0)
    else:
        x = (rng.random(shape) < 0.3) * rng.integers(-4, 5, shape).astype(dtype)
        a = Sparse.from_numpy(x)
    letters = "abcd"[:rank]
    factors = [rng.integers(-3, 4, (extent, 3)).astype(dtype) for extent in shape]
    for mode in range(-rank, rank):
        axis = mode % rank
        others = [k for k in range(rank) if k != axis]
        left = "".join(letters[k] for k in others)
        assert np.allclose(dense(ttv(a, factors[axis][:, 0], mode)), np.einsum(f"{letters},{letters[axis]}->{left}", x, factors[axis][:, 0]))
        made = letters.replace(letters[axis], "z")
        product = ttm(a, factors[axis].T, mode)
        assert product.format == a.format
        assert np.allclose(dense(product), np.einsum(f"{letters},{letters[axis]}z->{made}", x, factors[axis]))
        if rank > 1:
            terms = ",".join([letters, *(letters[k] + "z" for k in others)])
            expected = np.einsum(f"{terms}->{letters[axis]}z", x, *(factors[k] for k in others))
            given = [None if k == axis else factor for k, factor in enumerate(factors)]
            assert np.allclose(mttkrp(a, given, mode), expected)


@pytest.mark.parametrize("format", ["CSR", "CSC", "COO"])
def test_products_of_matrices(format):
    rng = np.random.default_rng(5)
    a, x = tensor(rng, (5, 4), "f8", 0)
    a = a.to(format)
    left, right = rng.random((5, 3)), rng.random((4, 3))
    made = sddmm(a, left, right)
    assert made.format == a.format and made.stored == a.stored
    assert np.allclose(made.to_numpy(), x * (left @ right.T))
    assert np.allclose(spgemm(a, a.T).to_numpy(), x @ x.T)
    assert spgemm(a, a.T, format=format).format == a.format


def test_refusals():
    a = Sparse.from_numpy(np.eye(3))
    with pytest.raises(np.exceptions.AxisError):
        ttv(a, np.ones(3), 2)
    with pytest.raises(ValueError, match="found 2 axes and 1 factors"):
        mttkrp(a, [np.ones((3, 2))], 0)
    with pytest.raises(ValueError, match="found 1 axes and 1 factors"):
        mttkrp(Sparse.from_numpy(np.ones(3)), [None], 0)
    with pytest.raises(ValueError):
        ttm(a, np.ones((2, 4)), 0)
    with pytest.raises(TypeError):
        ttv(a, np.ones(3), 1.5)


@pytest.mark.parametrize("dtype", ["f8", "i2", "u8", "c8", "?"])
def test_unsorted_products(dtype):
    rng = np.random.default_rng(5)
    for trial in range(20):
        shape = rng.integers(1, 9, 3)
        (a, x), (b, y) = (tensor(rng, tuple(map(int, extents)), dtype, 0) for extents in (shape[:2], shape[1:]))
        made = spgemm(a, b, sorted=False)
        assert "unsorted(1)" in made.format and made.dtype == (a @ b).dtype
        assert np.array_equal(made.to_numpy(), (a @ b).to_numpy())
        assert np.array_equal((made + made).to_numpy(), (a @ b + a @ b).to_numpy())
    assert np.array_equal(spgemm(a, y, sorted=False), a @ y)
    with pytest.raises(ValueError, match=r"shape \(2,\)"):
        spgemm(a, np.ones(2))
