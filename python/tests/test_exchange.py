"""Exchange with other packages: Binsparse, the formats of SciPy, PyData sparse."""

import json

import numpy as np
import pytest
import scipy.sparse
from test_sparse_numpy import DTYPES, tensor

import crd2idx.array_api as xp
from crd2idx import Sparse
from crd2idx.array_api import sparse as extension

FORMATS = {
    0: ["COO"],
    1: ["COO"],
    2: ["CSR", "CSC", "DCSR", "DCSC", "COO", "S-S-C"],
    3: ["COO", "CSF", "DC-S-S-X[2,0,1]", "C-S-S-R", "C-C-S-R", "C-DC-S-R", "S-DC-S-C"],
}


class Foreign:
    """An object of another package: it exports arrays, and knows nothing of tensors here."""

    def __init__(self, descriptor, parts):
        self.descriptor, self.parts = descriptor, parts

    def __binsparse_descriptor__(self):
        return {"binsparse": self.descriptor}

    def __binsparse__(self):
        return self.parts


def equal(a, b):
    assert a.dtype == b.dtype and a.shape == b.shape and np.array_equal(a.to_numpy(), b.to_numpy()) and a.fill_value == b.fill_value


def test_binsparse_round_trips():
    rng = np.random.default_rng(3)
    for dtype in DTYPES:
        for rank, formats in FORMATS.items():
            for format in formats:
                a = tensor(rng, tuple(rng.integers(1, 5, rank)), dtype)[0] if rank else Sparse.from_numpy(np.ones((), dtype))
                a = a.to(format)
                again = Sparse.from_binsparse(a)
                assert again.format == a.format
                equal(again, a)
                assert np.shares_memory(again.values, a.values) or not a.stored
                assert not np.shares_memory(Sparse.from_binsparse(a, copy=True).values, a.values)


def test_binsparse_is_what_files_have(tmp_path):
    a = Sparse.from_coo([[0, 1, 1], [2, 0, 2], [0, 1, 0]], [1, 2, 3], (2, 3, 2), fill_value=7)
    tensors = [a.to(format) for format in FORMATS[3]] + [Sparse.from_coo([[0, 1], [2, 0]], [1.0, 2.0], (2, 3), format, fill_value=1) for format in FORMATS[2]]
    for b in tensors:
        b.write(tmp_path / "a.npz", kind="npz")
        archive = np.load(tmp_path / "a.npz")
        want = json.loads(archive["binsparse"].item() if archive["binsparse"].dtype.kind == "U" else bytes(archive["binsparse"]))["binsparse"]
        got = b.__binsparse_descriptor__()["binsparse"]
        assert want.pop("version").startswith(got.pop("version")) and got == want
        parts = b.__binsparse__()
        assert set(parts) == set(archive.files) - {"binsparse"}
        assert all(np.array_equal(part, archive[name]) and part.dtype == archive[name].dtype and not part.flags.writeable for name, part in parts.items())
        json.dumps(b.__binsparse_descriptor__())


def test_binsparse_of_other_packages():
    counts = np.array([1.0, 2.0, 3.0])
    sparse_rows = {"level_desc": "sparse", "rank": 1, "level": {"level_desc": "element"}}
    for form in ({"format": "CSR"}, {"format": "custom", "custom": {"level": {"level_desc": "dense", "rank": 1, "level": sparse_rows}}}):
        descriptor = {"version": "0.1", **form, "shape": [2, 3], "number_of_stored_values": 3}
        descriptor["data_types"] = {"pointers_to_1": "int64", "indices_1": "int32", "values": "float64"}
        parts = {"pointers_to_1": np.array([0, 1, 3]), "indices_1": np.array([2, 0, 2], np.int32), "values": counts}
        a = extension.from_binsparse(Foreign(descriptor, parts))
        assert a.format == "CSR" and a.to_numpy().tolist() == [[0, 0, 1], [2, 0, 3]] and np.shares_memory(a.values, counts)
        assert xp.asarray(Foreign(descriptor, parts), dtype=xp.float32).to_numpy().dtype == np.float32
    for name, order, shape in (("DMATC", "F", (2, 3)), ("DMATR", "C", (2, 3)), ("DVEC", "C", (6,))):
        dense = np.arange(6.0).reshape(shape)
        descriptor = {"version": "0.1", "format": name, "shape": list(shape), "number_of_stored_values": 6, "data_types": {"values": "float64"}}
        assert np.array_equal(Sparse.from_binsparse(Foreign(descriptor, {"values": dense.reshape(-1, order=order)})).to_numpy(), dense)
    descriptor = {"version": "0.1", "format": "CVEC", "shape": [5], "number_of_stored_values": 2}
    where = {"indices_0": np.array([1, 3])}
    for kind, values, want in (
        ("iso[bint8]", np.array([1], np.uint8), [False, True, False, True, False]),
        ("bint8", np.array([1, 0], np.int8), [False, True, False, False, False]),
        ("complex[float32]", np.array([1, 2, 3, 4], np.float32), [0, 1 + 2j, 0, 3 + 4j, 0]),
    ):
        types = {"indices_0": "int64", "values": kind}
        assert Sparse.from_binsparse(Foreign({**descriptor, "data_types": types}, {**where, "values": values})).to_numpy().tolist() == want


def test_binsparse_in_another_format():
    a = Sparse.from_coo([[0, 1, 1], [2, 0, 2]], [1.0, 2.0, 3.0], (2, 3))
    for name in ("CSR", "CSC", "DCSR", "DCSC", "COOR", "COOC", "COO"):
        parts = a.__binsparse__(descriptor={"binsparse": {"format": name, "data_types": {"indices_1": "uint64"}}})
        assert parts["indices_1"].dtype == np.uint64
        equal(Sparse.from_binsparse(a, descriptor={"format": name}), a)
    duplicated = Sparse.from_scipy(scipy.sparse.coo_array((np.ones(2), ([0, 0], [1, 1])), shape=(2, 2)))
    assert duplicated.__binsparse_descriptor__()["binsparse"]["number_of_stored_values"] == 1
    assert Sparse.from_binsparse(duplicated)[0, 1] == 2.0


def test_binsparse_refusals():
    a = Sparse.from_coo([[0, 1, 1], [2, 0, 2]], [1.0, 2.0, 3.0], (2, 3))
    descriptor, parts = a.__binsparse_descriptor__()["binsparse"], a.__binsparse__()
    for error, match, change, other in [
        (TypeError, "unknown", {"format": "CSRX"}, {}),
        (TypeError, "unknown", {"version": "7.0"}, {}),
        (TypeError, "structure", {"structure": "triangular_lower"}, {}),
        (ValueError, "square", {"structure": "symmetric_lower"}, {}),
        (ValueError, r"\[0, 2\] is outside the lower triangle", {"shape": [3, 3], "structure": "symmetric_lower"}, {"pointers_to_1": np.array([0, 1, 3, 3], np.uint8)}),
        (TypeError, "2 axes", {"format": "custom", "custom": {"level": {"level_desc": "sparse", "rank": 3, "level": {"level_desc": "element"}}}}, {}),
        (TypeError, "run", {"format": "custom", "custom": {"level": {"level_desc": "run", "rank": 2, "level": {"level_desc": "element"}}}}, {}),
        (TypeError, "int7", {"data_types": {"values": "int7"}}, {}),
        (BufferError, "descriptor says", {"data_types": {"values": "float32"}}, {}),
        (ValueError, "3", {}, {"indices_1": np.array([2, 0, 3], np.uint8)}),
        (ValueError, "values", {}, {"values": np.ones(2)}),
    ]:
        with pytest.raises(error, match=match):
            Sparse.from_binsparse(Foreign({**descriptor, **change}, {**parts, **other}))
    with pytest.raises(AttributeError):
        Sparse.from_binsparse(np.ones(3))
    with pytest.raises(TypeError, match="dense"):
        a.__binsparse__(descriptor={"format": "DMATR"})


def test_binsparse_of_one_triangle():
    where = {"pointers_to_1": np.array([0, 1, 3]), "indices_1": np.array([0, 0, 1])}
    for structure, values, want in [
        ("symmetric_lower", [1.0, 2.0, 3.0], [[1, 2], [2, 3]]),
        ("skew_symmetric_lower", [0.0, 2.0, 0.0], [[0, -2], [2, 0]]),
        ("hermitian_lower", [1.0, 2j, 3.0], [[1, -2j], [2j, 3]]),
    ]:
        descriptor = {"version": "0.1", "format": "CSR", "shape": [2, 2], "number_of_stored_values": 3, "structure": structure}
        made = Sparse.from_binsparse(Foreign(descriptor, {**where, "values": np.array(values)}))
        assert made.to_numpy().tolist() == want and structure.startswith(made.symmetry)
        # A diagonal is its own mirror image.
        if structure != "symmetric_lower":
            with pytest.raises(ValueError, match=r"element \[1, 1\] is"):
                Sparse.from_binsparse(Foreign(descriptor, {**where, "values": np.array([0.0, 2.0, 3j])}))
        upper = {"format": "CSC", "structure": structure.replace("lower", "upper")}
        turned = Sparse.from_binsparse(Foreign({**descriptor, **upper}, {**where, "values": np.array(values)}))
        assert turned.to_numpy().tolist() == np.transpose(want).tolist()


def test_scipy_formats():
    rng = np.random.default_rng(5)
    for trial in range(20):
        matrix = scipy.sparse.random_array((6, 4), density=0.4, rng=rng, dtype=rng.choice(["f4", "f8"]))
        a = Sparse.from_scipy(matrix).to(str(rng.choice(FORMATS[2])))
        for format in ("bsr", "coo", "csc", "csr", "dia", "dok", "lil"):
            made = a.to_scipy(format)
            assert made.format == format and made.dtype == a.dtype and np.array_equal(made.toarray(), a.to_numpy())
            assert isinstance(made, scipy.sparse.sparray)
            assert np.array_equal(Sparse.from_scipy(made).to_numpy(), a.to_numpy())
    assert a.to_scipy("bsr", blocksize=(3, 2)).blocksize == (3, 2)
    b = a.to("CSR", index_bits=32)
    assert np.shares_memory(b.to_scipy("csr").data, b.values) and np.shares_memory(b.to_scipy("csr").indices, b.indices[1])
    for wrong in (lambda: a.to_scipy("xyz"), lambda: a.to_scipy("csr", blocksize=(1, 1)), lambda: (a + 1).to_scipy("csr")):
        with pytest.raises(ValueError):
            wrong()
    cube = Sparse.from_coo([[0], [1], [2]], [1.0], (3, 3, 3))
    assert cube.to_scipy("coo").shape == (3, 3, 3)
    with pytest.raises((ValueError, TypeError)):
        cube.to_scipy("csr")


def test_pydata_formats():
    sparse = pytest.importorskip("sparse")
    rng = np.random.default_rng(6)
    dense = rng.integers(0, 3, (4, 3, 5)) * 1.0
    for array in (sparse.COO.from_numpy(dense), sparse.GCXS.from_numpy(dense), sparse.DOK.from_numpy(dense), sparse.GCXS.from_numpy(dense[0])):
        a = Sparse.from_sparse(array)
        assert np.array_equal(a.to_numpy(), array.todense()) and np.array_equal(a.to_sparse().todense(), array.todense())
    if hasattr(sparse.COO, "__binsparse__"):
        assert np.array_equal(Sparse.from_binsparse(sparse.COO.from_numpy(dense[0])).to_numpy(), dense[0])
