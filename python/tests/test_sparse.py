"""Compares sparse tensors with SciPy and the package `sparse`."""

import numpy as np
import pytest

from crd2idx import Sparse

scipy_sparse = pytest.importorskip("scipy.sparse")


def random_coo(rng, shape, count, dtype):
    coordinates = [rng.integers(0, extent, count) for extent in shape]
    values = rng.integers(1, 50, count).astype(dtype)
    dense = np.zeros(shape, dtype)
    np.add.at(dense, tuple(coordinates), values)
    return coordinates, values, dense


DTYPES = [np.int8, np.uint16, np.int32, np.float32, np.float64, np.int64, np.complex64, np.complex128]


@pytest.mark.parametrize("dtype", DTYPES)
def test_formats_of_any_rank(dtype):
    rng = np.random.default_rng(7)
    for shape, formats in [
        ((9, 7), ["CSR", "CSC", "DCSR", "DCSC", "COO"]),
        ((5, 6, 4), ["COO", "CSF", "C-S-S-R", "DC-S-S-X[2,0,1]"]),
        ((3, 4, 2, 5), ["CSF", "COO", "S-C-S-S-R"]),
    ]:
        coordinates, values, dense = random_coo(rng, shape, 25, dtype)
        for format in formats:
            a = Sparse.from_coo(coordinates, values, shape, format)
            assert np.array_equal(a.to_numpy(), dense), format
            assert a.dtype == dtype
            for other in formats:
                b = a.to(other)
                assert np.array_equal(b.to_numpy(), dense), (format, other)
                again = Sparse.from_coo(b.coordinates(), b.values, shape, format, duplicates="refuse")
                assert np.array_equal(again.to_numpy(), dense)


def test_scipy_both_ways_without_a_copy():
    rng = np.random.default_rng(2)
    coordinates, values, dense = random_coo(rng, (40, 30), 200, np.float64)
    for kind in ("csr", "csc"):
        matrix = scipy_sparse.coo_matrix((values, coordinates), shape=dense.shape).asformat(kind)
        a = Sparse.from_scipy(matrix)
        assert np.shares_memory(a.values, matrix.data) and np.shares_memory(a.indices[1], matrix.indices)
        assert np.array_equal(a.to_numpy(), dense)
        back = a.to("CSC" if kind == "csr" else "CSR", index_bits=32).to_scipy()
        assert np.array_equal(back.toarray(), dense)
        back.check_format(full_check=True)
        one = a.to(a.format, index_bits=32)
        assert np.shares_memory(one.to_scipy().indices, one.indices[1])
    for kind in ("coo", "lil", "dok", "bsr", "dia"):
        matrix = scipy_sparse.csr_matrix(dense).asformat(kind)
        assert np.array_equal(Sparse.from_scipy(matrix).to_numpy(), dense)
    assert np.array_equal(Sparse.from_coo(coordinates, values, dense.shape, "COO").to_scipy().toarray(), dense)


def test_products():
    rng = np.random.default_rng(5)
    for dtype in (np.float32, np.float64, np.int32, np.int64):
        coordinates, values, dense = random_coo(rng, (20, 33), 150, dtype)
        for format in ("CSR", "CSC", "DCSR", "COO"):
            a = Sparse.from_coo(coordinates, values, dense.shape, format)
            x, b = rng.integers(0, 9, 33).astype(dtype), rng.integers(0, 9, (33, 5)).astype(dtype)
            assert np.array_equal(a @ x, dense @ x) and np.array_equal(a @ b, dense @ b)
    with pytest.raises(ValueError):
        a @ np.zeros(32, np.int64)


def test_package_sparse():
    sparse = pytest.importorskip("sparse")
    rng = np.random.default_rng(8)
    _, _, dense = random_coo(rng, (4, 5, 6), 30, np.float64)
    for array in (sparse.COO.from_numpy(dense), sparse.GCXS.from_numpy(dense)):
        a = Sparse.from_sparse(array)
        assert np.array_equal(a.to_numpy(), dense)
        assert np.array_equal(a.to("CSF").to_sparse().todense(), dense)


def test_what_is_wrong_is_said():
    with pytest.raises(ValueError, match="negative"):
        Sparse.from_coo([[0, -1], [0, 1]], [1.0, 2.0], (2, 2))
    with pytest.raises(ValueError):
        Sparse.from_coo([[0, 2], [0, 1]], [1.0, 2.0], (2, 2))
    with pytest.raises(ValueError):
        Sparse.from_coo([[0, 0], [1, 1]], [1.0, 2.0], (2, 2), duplicates="refuse")
    with pytest.raises(ValueError):
        Sparse("CSR", (2, 2), [np.array([0, 1, 9]), None], [None, np.array([0, 1])], [1.0, 2.0])
    with pytest.raises(ValueError):
        Sparse("CRS", (2, 2), [], [], [])
    with pytest.raises(TypeError):
        Sparse.from_coo([[0.5], [0.5]], [1.0], (2, 2))


def test_empty_and_strided():
    empty = Sparse.from_coo([[], []], np.empty(0), (3, 4))
    assert empty.stored == 0 and not empty.to("CSC").to_numpy().any()
    wide = np.arange(20)
    a = Sparse.from_coo([wide[:6:2], wide[6:12:2]], np.arange(6.0)[::2], (20, 20))
    assert a.stored == 3 and a.to_numpy()[2, 8] == 2.0


@pytest.mark.parametrize("ending", ["mtx", "mtx.gz", "mtx.bz2", "tns", "tns.xz", "tns.zst", "npz", "h5", "zarr", "zarr.zip", "arrow", "parquet"])
def test_files_both_ways(tmp_path, ending):
    rng = np.random.default_rng(4)
    coordinates, values, dense = random_coo(rng, (6, 9), 20, np.float64)
    dense[-1, -1] = 3.0
    a = Sparse.from_numpy(dense)
    path = tmp_path / f"a.{ending}"
    a.write(path)
    assert np.array_equal(Sparse.read(path).to_numpy(), dense)
    if ending.startswith("mtx"):
        assert np.array_equal(scipy_io().mmread(path).toarray(), dense)


def test_frostt_from_0_and_with_a_header(tmp_path):
    path = tmp_path / "a.tns"
    path.write_text("# extended FROSTT format\n2 2\n3 4\n0 1 0.5\n2 3 -1\n")
    with pytest.raises(ValueError, match="use `base` 0"):
        Sparse.read(path)
    a = Sparse.read(path, base=0)
    assert a.shape == (3, 4) and a.to_numpy()[0, 1] == 0.5 and a.to_numpy()[2, 3] == -1.0
    with pytest.raises(OverflowError):
        Sparse.read(path, base=-1)


@pytest.mark.parametrize("ending", ["h5", "zarr", "zarr.zip"])
def test_groups_are_added(tmp_path, ending):
    first, second = (Sparse.from_numpy(np.diag(values)) for values in ([1.0, 2.0], [3.0, 4.0]))
    path = tmp_path / f"a.{ending}"
    first.write(path, group="x")
    second.write(path, group="y")
    for name, tensor in [("x", first), ("y", second)]:
        assert np.array_equal(Sparse.read(path, group=name).to_numpy(), tensor.to_numpy())
    with pytest.raises(ValueError, match="`x`, `y` would be lost"):
        first.write(path)
    first.write(path, force=True)
    assert np.array_equal(Sparse.read(path).to_numpy(), first.to_numpy())


@pytest.mark.parametrize("dtype", DTYPES)
def test_tables_of_pyarrow(tmp_path, dtype):
    feather, parquet = (pytest.importorskip(f"pyarrow.{name}") for name in ("feather", "parquet"))
    rng = np.random.default_rng(6)
    coordinates, values, dense = random_coo(rng, (6, 9, 4), 40, dtype)
    a = Sparse.from_coo(coordinates, values, dense.shape, "COO")
    for ending, read, write in [
        ("feather", feather.read_table, feather.write_feather),
        ("parquet", parquet.read_table, parquet.write_table),
    ]:
        path = tmp_path / f"a.{ending}"
        a.write(path, compressed=ending == "feather")
        table = read(path)
        again = np.zeros_like(dense)
        stored = table["values"].to_pylist()
        if np.dtype(dtype).kind == "c":
            stored = [complex(value["re"], value["im"]) for value in stored]
        again[tuple(table[f"indices_{axis}"].to_numpy() for axis in range(3))] = stored
        assert np.array_equal(again, dense)
        assert np.array_equal(Sparse.read(path).to_numpy(), dense)
        # Other writers keep the metadata that they are given.
        write(table, path)
        assert np.array_equal(Sparse.read(path).to_numpy(), dense)


def scipy_io():
    return pytest.importorskip("scipy.io")


def test_archives_of_others(tmp_path):
    sparse = pytest.importorskip("sparse")
    dense = np.arange(12.0).reshape(3, 4) % 5
    a = Sparse.from_numpy(dense)
    a.write(tmp_path / "scipy.npz", kind="scipy")
    assert np.array_equal(scipy_sparse.load_npz(tmp_path / "scipy.npz").toarray(), dense)
    a.write(tmp_path / "pydata.npz", kind="pydata", compressed=True)
    assert np.array_equal(sparse.load_npz(tmp_path / "pydata.npz").todense(), dense)
    scipy_sparse.save_npz(tmp_path / "b.npz", scipy_sparse.csc_matrix(dense))
    assert Sparse.read(tmp_path / "b.npz").format == "CSC"
    (tmp_path / "broken.mtx").write_text("%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 5\n")
    with pytest.raises(ValueError, match="broken.mtx"):
        Sparse.read(tmp_path / "broken.mtx")
    with pytest.raises(FileNotFoundError):
        Sparse.read(tmp_path / "missing.mtx")


def test_read_expands_triangles_and_keeps_fill_values(tmp_path):
    (tmp_path / "a.mtx").write_text("%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 5\n3 3 7\n")
    assert Sparse.read(tmp_path / "a.mtx").to_numpy().tolist() == [[0, 5, 0], [5, 0, 0], [0, 0, 7]]
    (tmp_path / "b.mtx").write_text("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 5\n")
    assert Sparse.read(tmp_path / "b.mtx").to_numpy().tolist() == [[0, -5], [5, 0]]
    sparse = pytest.importorskip("sparse")
    array = sparse.COO([[0, 1], [1, 0]], [1.0, 2.0], shape=(2, 2), fill_value=np.nan)
    sparse.save_npz(tmp_path / "c.npz", array)
    read = Sparse.read(tmp_path / "c.npz")
    assert np.array_equal(read.to_numpy(), array.todense(), equal_nan=True)
    assert np.array_equal(Sparse.from_sparse(array).to_sparse().todense(), array.todense(), equal_nan=True)
    read.write(tmp_path / "d.npz", kind="pydata")
    assert np.array_equal(sparse.load_npz(tmp_path / "d.npz").todense(), array.todense(), equal_nan=True)
    with pytest.raises(ValueError, match="nan"):
        read.to_scipy()
