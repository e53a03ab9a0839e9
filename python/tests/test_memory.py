"""Conversions share memory where they promise to, and other threads run during long calls."""

import threading
import time
import tracemalloc

import numpy as np
import pytest

from crd2idx import Layout, Ragged, Sparse

scipy_sparse = pytest.importorskip("scipy.sparse")


def address(array):
    return np.asarray(array).__array_interface__["data"][0]


class OnlyDlpack:
    """An array that supports DLPack and nothing else."""

    def __init__(self, array):
        self.__dlpack__, self.__dlpack_device__ = array.__dlpack__, array.__dlpack_device__


def taken(run):
    """Returns the result of `run`, and the peak of the bytes that NumPy and Python allocated meanwhile."""
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()
        result = run()
        return result, tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()


def matrix(kind, count=200_000, extent=5_000, index=np.int32, dtype=np.float64):
    rng = np.random.default_rng(1)
    coords = tuple(rng.integers(0, extent, count).astype(index) for _ in range(2))
    made = scipy_sparse.coo_array((rng.random(count).astype(dtype), coords), shape=(extent, extent))
    return made if kind == "coo" else made.asformat(kind)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex128, np.int8])
@pytest.mark.parametrize("kind", ["csr", "csc", "coo"])
def test_scipy_shares(kind, dtype):
    theirs = matrix(kind, dtype=dtype)
    if kind != "coo":
        theirs.sum_duplicates()
    a, bytes_ = taken(lambda: Sparse.from_scipy(theirs))
    assert bytes_ < 20_000
    back, bytes_ = taken(a.to_scipy)
    # SciPy reads the indices of a list to find the width that they need.
    assert bytes_ < 20_000
    assert address(a.values) == address(theirs.data) == address(back.data)
    if kind == "coo":
        for level in range(2):
            assert address(a.indices[level]) == address(theirs.coords[level]) == address(back.coords[level])
    else:
        assert a.format == kind.upper()
        assert address(a.indices[1]) == address(theirs.indices) == address(back.indices)
        assert address(a.pointers[0]) == address(theirs.indptr) == address(back.indptr)
    assert back.format == kind


@pytest.mark.parametrize("kind", ["csr", "csc"])
@pytest.mark.parametrize("repeats", [False, True])
def test_unsorted_indices_are_shared(kind, repeats):
    theirs = matrix(kind, count=3_000, extent=60)
    if not repeats:
        theirs.sum_duplicates()
    for begin, end in zip(theirs.indptr[:-1], theirs.indptr[1:]):
        theirs.indices[begin:end] = theirs.indices[begin:end][::-1].copy()
        theirs.data[begin:end] = theirs.data[begin:end][::-1].copy()
    theirs = getattr(scipy_sparse, f"{kind}_array")((theirs.data, theirs.indices, theirs.indptr), shape=theirs.shape)
    assert not theirs.has_canonical_format
    a = Sparse.from_scipy(theirs)
    assert address(a.indices[1]) == address(theirs.indices) and address(a.values) == address(theirs.data)
    dense = theirs.toarray()
    x = np.arange(60.0)
    assert np.allclose(a.to_numpy(), dense) and np.allclose(a @ x, dense @ x)
    assert np.allclose(a @ np.outer(x, [1.0, 2.0]), dense @ np.outer(x, [1.0, 2.0]))
    assert np.allclose(a.to(kind.upper()).to_numpy(), dense) and a.to(kind.upper()).format == kind.upper()
    back = a.to_scipy()
    assert back.format == kind and address(back.indices) == address(theirs.indices)


def test_package_sparse_shares():
    sparse = pytest.importorskip("sparse")
    dense = np.random.default_rng(3).integers(0, 3, (40, 50)).astype(float)
    for axes in ([0], [1]):
        theirs = sparse.GCXS.from_numpy(dense, compressed_axes=axes)
        a = Sparse.from_sparse(theirs)
        back = a.to_sparse()
        assert address(a.values) == address(theirs.data) == address(back.data)
        assert address(a.indices[1]) == address(theirs.indices) == address(back.indices)
        assert address(a.pointers[0]) == address(theirs.indptr) == address(back.indptr)
        assert np.array_equal(back.todense(), dense) and np.array_equal(a.to_numpy(), dense)
    for shape in ((40, 50), (10, 20, 10), (4, 5, 10, 10)):
        theirs = sparse.COO.from_numpy(dense.reshape(shape))
        a = Sparse.from_sparse(theirs)
        assert address(a.values) == address(theirs.data) == address(a.to_sparse().data)
        assert all(address(level) == address(coords) for level, coords in zip(a.indices, theirs.coords))
        assert np.array_equal(a.to_numpy(), dense.reshape(shape))


def test_layouts_are_views():
    data = np.arange(512)
    tiles = Layout((32, 16)).zipped_divide((8, 4))
    for source in (data, OnlyDlpack(data)):
        assert address(tiles.view(source)) == address(data)
    view = tiles.view(data)
    assert address(np.from_dlpack(view)) == address(data) and np.array_equal(np.from_dlpack(view), view)
    assert Layout.from_numpy(OnlyDlpack(view)) == Layout.from_numpy(view)
    large = np.zeros(1 << 20)
    assert taken(lambda: Layout((1 << 10, 1 << 10), (1 << 10, 1)).view(large))[1] < 20_000


def test_ragged_arrays_share():
    offsets, leaves = np.array([0, 3, 3, 5]), np.arange(5.0)
    a = Ragged([offsets], leaves)
    assert address(a.offsets[0]) == address(offsets) and address(a.leaves) == address(leaves)
    ak = pytest.importorskip("awkward")
    layout = a.to_awkward().layout
    assert address(layout.offsets.data) == address(offsets) and address(layout.content.data) == address(leaves)
    again = Ragged.from_awkward(ak.Array(layout))
    assert address(again.offsets[0]) == address(offsets) and address(again.leaves) == address(leaves)


def test_ragged_arrays_share_with_arrow():
    pytest.importorskip("pyarrow")
    offsets, leaves = np.array([0, 3, 3, 5]), np.arange(5.0)
    array = Ragged([offsets], leaves).to_arrow()
    assert array.buffers()[1].address == address(offsets) and array.values.buffers()[1].address == address(leaves)
    again = Ragged.from_arrow(array)
    assert address(again.offsets[0]) == address(offsets) and address(again.leaves) == address(leaves)


def test_other_threads_run_meanwhile(tmp_path):
    rng = np.random.default_rng(2)
    columns, values = [rng.integers(0, 100_000, 2_000_000) for _ in range(2)], np.ones(2_000_000)
    a = Sparse.from_coo(columns, values, (100_000, 100_000))
    for run in (
        lambda: Sparse.from_coo(columns, values, (100_000, 100_000)),
        lambda: a.to("CSC"),
        lambda: a.write(tmp_path / "a.mtx"),
        lambda: Sparse.read(tmp_path / "a.mtx"),
    ):
        beats, done = 0, threading.Event()
        worker = threading.Thread(target=lambda: (run(), done.set()))
        worker.start()
        while not done.is_set():
            # A thread that sleeps needs the interpreter lock to go on.
            time.sleep(1e-4)
            beats += 1
        worker.join()
        assert beats > 20
