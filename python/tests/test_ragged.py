"""Compares ragged arrays with awkward, Arrow and lists."""

import numpy as np
import pytest

from crd2idx import Ragged

LISTS = [[[1, 2], []], [], [[5], [6, 7, 8], [9]]]


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.int64])
def test_reductions(dtype):
    flat = Ragged([[0, 3, 3, 5]], np.array([4, 1, 1, 7, 9], dtype))
    assert flat.sum().leaves.tolist() == [6, 0, 16] and flat.sum().leaves.dtype == dtype
    assert flat.max().leaves.tolist() == [4, None, 9] and flat.argmin().leaves.tolist() == [1, None, 0]
    assert flat.sum(axis=0).leaves.tolist() == [11, 10, 1]
    assert flat.padded(-1).tolist() == [[4, 1, 1], [-1, -1, -1], [7, 9, -1]]
    assert flat.parents().tolist() == [0, 0, 0, 2, 2]


def test_nested_lists():
    a = Ragged.from_list(LISTS)
    assert a.to_list() == LISTS and a.depth == 3 and len(a) == 3
    assert a[2].to_list() == LISTS[2] and a[-1][1].tolist() == [6, 7, 8] and a[2][1][0] == 6
    assert a.sum().to_list() == [[3, 0], [], [5, 21, 9]]
    assert a.flatten(2).to_list() == [[1, 2], [], [5, 6, 7, 8, 9]] or a.flatten(1).to_list() == [[1, 2], [], [5], [6, 7, 8], [9]]
    with pytest.raises(IndexError):
        a[3]
    with pytest.raises(ValueError):
        Ragged([[0, 3, 2]], [1, 2, 3])
    with pytest.raises(ValueError):
        Ragged([[0, 3]], [1, 2])
    with pytest.raises(ValueError):
        Ragged.from_list([[1], 2])


def test_awkward_both_ways():
    ak = pytest.importorskip("awkward")
    array = ak.Array(LISTS)
    a = Ragged.from_awkward(array)
    assert a.to_list() == LISTS and a.to_awkward().to_list() == LISTS
    assert np.shares_memory(a.leaves, np.asarray(a.to_awkward().layout.content.content.data))
    assert Ragged.from_awkward(array[1:]).to_list() == LISTS[1:]


def test_arrow_both_ways():
    pa = pytest.importorskip("pyarrow")
    for kind in (pa.list_(pa.list_(pa.int64())), pa.large_list(pa.large_list(pa.int64()))):
        array = pa.array(LISTS, kind)
        assert Ragged.from_arrow(array).to_list() == LISTS
        assert Ragged.from_arrow(array[1:]).to_list() == LISTS[1:]
    assert Ragged.from_list(LISTS).to_arrow().to_pylist() == LISTS
    with pytest.raises(ValueError, match="null"):
        Ragged.from_arrow(pa.array([[1], None]))
