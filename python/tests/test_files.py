"""Reads files: ranges of rows, shapes, file objects and progress, compared with SciPy."""

import io
import sys

import numpy as np
import pytest
import scipy.sparse

from crd2idx import Sparse

MATRIX = scipy.sparse.random(103, 53, 0.1, format="csr", random_state=5)
ENDINGS = [".mtx", ".tns", ".npz", ".h5", ".zarr", ".arrow", ".parquet"]


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("format", ["CSR", "CSC", "COO"])
def test_rows_are_those_of_the_matrix(tmp_path, ending, format):
    path = tmp_path / f"a{ending}"
    Sparse.from_scipy(MATRIX).to(format).write(path)
    shape = MATRIX.shape if ending == ".tns" else None
    for rows in [slice(10, 20), slice(None), slice(-5, None), slice(None, -90), slice(50, 40), slice(100, 1000), slice(0, np.int64(1))]:
        got = Sparse.read(path, rows=rows, shape=shape)
        want = MATRIX.toarray()[rows]
        assert got.shape == want.shape and np.array_equal(got.to_numpy(), want)


def test_rows_of_arrays(tmp_path):
    path = tmp_path / "a.npy"
    array = np.arange(60.0).reshape(5, 4, 3)
    np.save(path, array)
    assert np.array_equal(Sparse.read(path, rows=slice(1, 3)).to_numpy(), array[1:3])


def test_rows_are_a_slice(tmp_path):
    path = tmp_path / "a.h5"
    Sparse.from_scipy(MATRIX).write(path)
    with pytest.raises(ValueError, match="step"):
        Sparse.read(path, rows=slice(0, 10, 2))
    with pytest.raises(TypeError, match="must be a slice"):
        Sparse.read(path, rows=3)
    with pytest.raises(TypeError, match="integer"):
        Sparse.read(path, rows=slice(0.5, 2))


def test_shapes_of_files_without_one(tmp_path):
    path = tmp_path / "a.tns"
    path.write_text("1 2 5\n3 1 7\n")
    assert Sparse.read(path).shape == (3, 2)
    a = Sparse.read(path, shape=(4, 6))
    assert a.shape == (4, 6) and a[2, 0] == 7
    with pytest.raises(ValueError):
        Sparse.read(path, shape=(2, 2))
    with pytest.raises(ValueError, match="negative dimensions"):
        Sparse.read(path, shape=(-1, 2))
    with pytest.raises(TypeError):
        Sparse.read(path, shape=(2.5, 2))
    known = tmp_path / "a.mtx"
    Sparse.from_scipy(MATRIX).write(known)
    assert Sparse.read(known, shape=MATRIX.shape).shape == MATRIX.shape
    with pytest.raises(ValueError, match=r"shape \(103, 53\), not \(104, 53\)"):
        Sparse.read(known, shape=(104, 53))


def test_file_objects_and_bytes(tmp_path):
    for ending in [".mtx", ".npz", ".h5", ".arrow", ".parquet"]:
        path = tmp_path / f"a{ending}"
        Sparse.from_scipy(MATRIX).write(path)
        data = path.read_bytes()
        with open(path, "rb") as file:
            for source in [file, io.BytesIO(data), data, bytearray(data), memoryview(data)]:
                assert np.array_equal(Sparse.read(source).to_numpy(), MATRIX.toarray())
        assert np.array_equal(Sparse.read(data, rows=slice(3, 7)).to_numpy(), MATRIX.toarray()[3:7])
    assert Sparse.read(io.StringIO("1 2 5\n"), kind="tns").shape == (1, 2)
    with pytest.raises(ValueError, match="kind"):
        Sparse.read(io.BytesIO(b"1 2 5\n"))

    class Numbers:
        def read(self):
            return 5

    with pytest.raises(TypeError, match="int, not bytes"):
        Sparse.read(Numbers())
    with pytest.raises(FileNotFoundError):
        Sparse.read(tmp_path / "none.mtx")


def test_progress(tmp_path, capsys, monkeypatch):
    path = tmp_path / "a.mtx"
    told = []
    Sparse.from_scipy(MATRIX).write(path, progress=lambda done, total: told.append((done, total)))
    assert told and told[-1][0] >= path.stat().st_size
    size = len(path.read_bytes().split(b"\n", 2)[2])
    told.clear()
    Sparse.read(path, progress=lambda done, total: told.append((done, total)))
    assert told[-1][0] == told[-1][1] >= size
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    monkeypatch.setitem(sys.modules, "tqdm", None)
    Sparse.read(path, progress=True)
    assert "reading: " in capsys.readouterr().err
    Sparse.read(path, progress=False)
    assert capsys.readouterr().err == ""
    with pytest.raises(TypeError, match="progress"):
        Sparse.read(path, progress=3)

    def stop(done, total):
        raise KeyError("stop")

    with pytest.raises(KeyError):
        Sparse.read(path, progress=stop)

    class Bar:
        """What tqdm does with a bar."""

        made: list = []

        def __init__(self, **options):
            self.n, self.total = 0, None
            Bar.made.append(self)

        def __enter__(self):
            return self

        def __exit__(self, *error):
            return None

        def update(self, n):
            self.n += n

    import types

    monkeypatch.setitem(sys.modules, "tqdm", types.ModuleType("tqdm"))
    auto = types.ModuleType("tqdm.auto")
    auto.tqdm = Bar
    monkeypatch.setitem(sys.modules, "tqdm.auto", auto)
    Sparse.read(path, progress=True)
    assert Bar.made[0].n == Bar.made[0].total >= size
