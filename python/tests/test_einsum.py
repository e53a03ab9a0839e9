"""Compares contractions with `numpy.einsum` on dense arrays."""

import numpy as np
import pytest

from crd2idx import Sparse, einsum, explain_einsum

from test_sparse_numpy import DTYPES, same, tensor

SUBSCRIPTS = [
    *("i,i->", "i,i->i", "i,j->ij", "ij->ji", "ij->", "ij->j", "ii->i", "ii", "ij,j", "ij,jk", "ij,jk->ki", "ij,ij->ij", "ij,ij,ij->i"),
    *("ijk,jk->i", "ijk,kr->ijr", "ijk,jr,kr->ir", "ij,jk,ki->", "ij,jk,kl->il", "ij,jk,kl,lm->im", "ijk,jl,km->ilm", "...j,j->...", "ij,...j->...i"),
    *("iij,j->i", "ij,->ij", "i,i,i,i->i"),
]


@pytest.mark.parametrize("subscripts", SUBSCRIPTS)
def test_subscripts(subscripts):
    rng = np.random.default_rng(60)
    extents = {letter: int(rng.integers(1, 6)) for letter in "abcdefghijklmnopqrstuvwxyz"}
    for round in range(12):
        operands, arrays = [], []
        for letters in subscripts.split("->")[0].split(","):
            shape = tuple(extents[letter] for letter in letters.replace("...", "z"))
            dtype = DTYPES[rng.integers(len(DTYPES))] if round else "f8"
            a, x = tensor(rng, shape, dtype, 0) if shape else (3, np.asarray(3))
            operands.append(a if rng.random() < 0.7 else x)
            arrays.append(x)
        dtype = np.result_type(*(x.dtype for x in arrays))
        wide = dtype if dtype.kind in "fcb" else np.add.reduce(np.zeros(1, dtype)).dtype
        want = np.einsum(subscripts, *(x.astype(wide if dtype != np.float16 else np.float32) for x in arrays)).astype(wide)
        same(einsum(subscripts, *operands), want, (subscripts, operands))
        assert "step" in explain_einsum(subscripts, *operands)
        if want.ndim:
            same(einsum(subscripts, *operands, format="dense"), want, subscripts)
            coo = einsum(subscripts, *operands, format="COO")
            assert isinstance(coo, Sparse)
            same(coo, want, subscripts)


def test_arithmetics():
    far = np.full((3, 3), np.inf)
    far[[0, 1], [1, 2]] = [2.0, 3.0]
    roads = Sparse.from_numpy(far, fill_value=np.inf)
    two = einsum("ij,jk->ik", roads, roads, semiring="min-plus")
    dense = two if isinstance(two, np.ndarray) else two.to_numpy()
    assert dense[0, 2] == 5.0 and np.isinf(dense[0, 1])
    # Integers are exact up to 2^53, and the greatest of 64 bits is infinite.
    far = np.full((3, 3), np.iinfo(np.int64).max)
    far[[0, 1], [1, 2]] = [2, 3]
    steps = Sparse.from_numpy(far, fill_value=far[0, 0])
    two = np.asarray(einsum("ij,jk->ik", steps, steps, semiring="min-plus", format="dense"))
    assert two.dtype == np.int64 and two[0, 2] == 5 and two[0, 1] == far[0, 0]
    assert einsum("i,i->", np.array([255, 7], np.uint8), np.array([1, 250], np.uint8), semiring="min-plus") == 256
    with pytest.raises(OverflowError, match="may reach 9007199254740994"):
        einsum("i,i->", np.array([2**52 + 1]), np.array([2**52 + 1]), semiring="min-plus")
    likely = Sparse.from_numpy(np.array([[0.5, 0.0], [0.2, 0.9]]))
    assert np.allclose(np.asarray(einsum("ij,jk->ik", likely, likely, semiring="max-times")), [[0.25, 0], [0.18, 0.81]])
    # Every arithmetic takes every type of real numbers. Fractions are true.
    for dtype in (bool, np.int8, np.uint16, np.int64, np.float16, np.float32, np.float64):
        x = (np.arange(12).reshape(3, 4) % 5 / (2 if np.dtype(dtype).kind == "f" else 1)).astype(dtype)
        a = Sparse.from_numpy(x)
        true = np.asarray(einsum("ij,kj->ik", a, a, format="dense", semiring="or-and"))
        assert np.array_equal(true, (x != 0).astype(int) @ (x != 0).astype(int).T > 0), dtype
        greatest = np.asarray(einsum("ij->i", a, format="dense", semiring="max-times"))
        assert np.array_equal(greatest, x.max(axis=1)) and greatest.dtype == (dtype if np.dtype(dtype).kind in "fb" else np.add.reduce(x).dtype)


def test_what_is_wrong_is_said():
    a = Sparse.from_numpy(np.eye(3))
    for subscripts, operands, message in [
        ("ij,jk->ik", (a, np.ones((4, 2))), "j is 3 in operand 0 and 4 in operand 1"),
        ("ij->k", (a,), "letter k of the result is in no operand"),
        ("ij,jk", (a,), "name 2 operands, but 1 are given"),
        ("ijk->", (a,), "3 letters, but 2 axes"),
        ("ij->ij", (a + 1,), "not stored are 1.0"),
    ]:
        with pytest.raises(ValueError, match=message):
            einsum(subscripts, *operands)
    with pytest.raises(ValueError, match="min-plus"):
        einsum("ij->", a, semiring="plus-min")
    with pytest.raises(TypeError):
        einsum("ij->", a * 1j, semiring="max-times")
