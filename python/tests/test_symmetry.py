"""Compares the symmetry that tensors claim with their elements, after operations and in files."""

import itertools
import pickle

import numpy as np
import pytest

from crd2idx import Sparse

from test_sparse_numpy import FORMATS

SYMMETRIES = ("symmetric", "hermitian", "skew")


def matrix(rng, symmetry, size=7):
    upper = np.triu(rng.integers(-9, 10, (size, size)) * (rng.random((size, size)) < 0.4), 1).astype(float)
    if symmetry == "skew":
        return upper - upper.T
    diagonal = np.diag(rng.integers(0, 3, size).astype(float))
    return upper + upper.T + diagonal if symmetry == "symmetric" else upper * 1j + (upper * 1j).conj().T + diagonal


@pytest.mark.parametrize("symmetry", SYMMETRIES)
@pytest.mark.parametrize("format", FORMATS[2])
def test_operations_keep_what_they_claim(symmetry, format):
    dense = matrix(np.random.default_rng(3), symmetry)
    a = Sparse.from_numpy(dense, format).with_symmetry(symmetry)
    kept = [a.T, a.to("COO"), a + a, a - a.T, -a, 2 * a, a * 2.5, a.copy(), a.conj(), a.prune(), pickle.loads(pickle.dumps(a)), a.astype(np.complex64)]
    for made in kept:
        assert made.symmetry == symmetry and made.with_symmetry(symmetry).stored == made.stored
    for made in [a @ a, a[1:], a.astype(bool) if symmetry != "symmetric" else a[1:], a + np.arange(7), a + Sparse.from_numpy(dense), a.with_symmetry(None)]:
        assert getattr(made, "symmetry", None) is None
    if symmetry != "symmetric":
        with np.errstate(invalid="ignore"):
            assert (a * np.inf).symmetry is None
    for function in (np.sin, np.abs, np.sign, lambda a: a > 1, lambda a: a * a, lambda a: a * 1j, lambda a: a + 1):
        made = function(a)
        assert made.symmetry in (None, symmetry)
        assert (made.symmetry is None) == (symmetry != "symmetric")
        made.with_symmetry(made.symmetry)


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_symmetry_is_checked(symmetry):
    rng = np.random.default_rng(4)
    dense = matrix(rng, symmetry)
    for other in SYMMETRIES:
        a = Sparse.from_numpy(dense)
        if other == symmetry or {symmetry, other} == {"symmetric", "hermitian"} and not np.iscomplexobj(dense):
            assert a.with_symmetry(other).symmetry == other
        else:
            with pytest.raises(ValueError, match=f"not {other}: element"):
                a.with_symmetry(other)
    dense[2, 5] += 1
    with pytest.raises(ValueError, match=r"\[2, 5\] is .*mirror image \[5, 2\] is"):
        Sparse.from_numpy(dense).with_symmetry(symmetry)


def test_symmetry_of_other_ranks_and_types():
    rng = np.random.default_rng(5)
    x = rng.integers(0, 3, (4, 4, 4))
    total = sum(np.transpose(x, order) for order in itertools.permutations(range(3)))
    a = Sparse.from_numpy(total).with_symmetry("symmetric")
    assert a.transpose(1, 0, 2).symmetry == "symmetric" and np.divmod(a, 3)[1].symmetry == "symmetric"
    with pytest.raises(ValueError, match="not symmetric: element"):
        Sparse.from_numpy(x).with_symmetry("symmetric")
    with pytest.raises(ValueError, match="only matrices are"):
        a.with_symmetry("hermitian")
    with pytest.raises(ValueError, match="no negatives"):
        Sparse.from_numpy(np.zeros((2, 2), np.uint8)).with_symmetry("skew")
    with pytest.raises(ValueError, match="extents differ"):
        Sparse.from_numpy(np.zeros((2, 3))).with_symmetry("symmetric")
    with pytest.raises(ValueError, match="expected one of"):
        a.with_symmetry("lower")
    with pytest.raises(ValueError, match="fill value"):
        Sparse.from_numpy(np.full((2, 2), 3.0), fill_value=3).with_symmetry("skew")
    for diagonal in (1.0, np.nan):
        with pytest.raises(ValueError, match=r"not skew: element \[0, 0\]"):
            Sparse.from_numpy(np.diag([diagonal, 0.0])).with_symmetry("skew")
    nan = Sparse.from_numpy(np.array([[0, np.nan], [np.nan, 0]]))
    assert nan.with_symmetry("symmetric").stored == 2


@pytest.mark.parametrize("symmetry", SYMMETRIES)
@pytest.mark.parametrize("name", ["a.mtx", "a.npz", "a.hdf5", "a.zarr", "a.tns", "a.parquet", "a.arrow"])
def test_files_have_one_triangle(symmetry, name, tmp_path):
    dense = matrix(np.random.default_rng(6), symmetry)
    if name == "a.tns" and np.iscomplexobj(dense):
        pytest.skip("the text of FROSTT has real numbers")
    a = Sparse.from_numpy(dense, "CSC").with_symmetry(symmetry)
    a.write(tmp_path / name)
    made = Sparse.read(tmp_path / name, shape=dense.shape)
    assert np.array_equal(made.to_numpy(), dense)
    if name != "a.tns":
        assert made.symmetry == symmetry
        made.with_symmetry(symmetry)
    if name == "a.mtx":
        head, _, sizes, *_ = (tmp_path / name).read_text().replace("%%", "", 1).split("\n", 2) + [""]
        assert head.split()[-1] == {"skew": "skew-symmetric"}.get(symmetry, symmetry)
        entries = (tmp_path / name).read_text().splitlines()[1].split()[2]
        assert int(entries) == np.count_nonzero(np.tril(dense))
    # A slice of rows has no symmetry.
    assert Sparse.read(tmp_path / name, shape=dense.shape, rows=slice(1, 4)).symmetry is None


@pytest.mark.parametrize("dtype", [np.float64, np.int8])
def test_triangle(dtype):
    rng = np.random.default_rng(3)
    for _ in range(50):
        dense = (rng.integers(0, 3, (rng.integers(1, 6), 400)) * (rng.random(400) < 0.02)).astype(dtype)
        for part, name in ((np.tril(dense), "lower"), (np.triu(dense), "upper")):
            a = Sparse.from_numpy(part).to("CSR")
            both = np.array_equal(np.diag(np.diag(part)) if part.shape[0] == part.shape[1] else np.tril(np.triu(part)), part)
            assert a.triangle == ("diagonal" if both else name)
    assert Sparse.from_numpy(np.ones((2, 3), dtype)).triangle is None
    with pytest.raises(ValueError, match="3 axes"):
        Sparse.from_numpy(np.ones((2, 3, 4), dtype)).triangle
