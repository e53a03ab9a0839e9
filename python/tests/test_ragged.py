"""Compares ragged arrays with awkward, Arrow and lists."""

import numpy as np
import pytest

from crd2idx import Ragged

LISTS = [[[1, 2], []], [], [[5], [6, 7, 8], [9]]]


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.int64])
def test_reductions(dtype):
    flat = Ragged([[0, 3, 3, 5]], np.array([4, 1, 1, 7, 9], dtype))
    assert flat.sum().leaves.tolist() == [6, 0, 16] and flat.sum().leaves.dtype == np.add.reduce(np.zeros(1, dtype)).dtype
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
        Ragged.from_arrow(pa.array([[1], None]), missing_lists="refuse")
    assert Ragged.from_arrow(pa.array([[1], None])).to_list() == [[1], None]
    for kind in (pa.list_view(pa.int64()), pa.large_list_view(pa.int32()), pa.list_(pa.bool_()), pa.list_(pa.int8(), 2)):
        array = pa.array([[1, 0], [0, 1]], pa.list_(pa.int64())).to_pylist()
        array = pa.array([[bool(leaf) for leaf in row] if kind == pa.list_(pa.bool_()) else row for row in array], kind)
        assert Ragged.from_arrow(array).to_list() == array.to_pylist()
        assert Ragged.from_arrow(array[1:]).to_list() == array[1:].to_pylist()
        assert Ragged.from_arrow(pa.chunked_array([array, array])).to_list() == array.to_pylist() * 2
    missing = pa.array([[1, None], [], [3]])
    assert Ragged.from_arrow(missing).to_list() == missing.to_pylist() == Ragged.from_arrow(missing).to_arrow().to_pylist()
    with pytest.raises(TypeError, match="string"):
        Ragged.from_arrow(pa.array([["a"]]))


def test_types_of_reductions():
    for dtype in ("?", "i1", "u1", "i4", "u8", "f2", "f4", "f8"):
        leaves = np.array([3, 1, 2, 0, 1]).astype(dtype)
        a = Ragged([[0, 3, 5]], leaves)
        for how in ("sum", "prod", "mean", "min", "max", "argmin", "argmax"):
            found = getattr(a, how)().leaves
            want = np.array([getattr(leaves[:3], how)(), getattr(leaves[3:], how)()])
            assert np.array_equal(found, want) and found.dtype == want.dtype, (dtype, how)
    assert Ragged([[0, 2]], np.array([2**31 - 1, 1], np.int32)).sum().leaves.tolist() == [2**31]
    assert Ragged([[0, 2]], np.array([2**63, 1], np.uint64)).max().leaves.tolist() == [2**63]


def test_missing_leaves_stay_missing():
    ak = pytest.importorskip("awkward")
    rng = np.random.default_rng(3)
    for _ in range(200):
        lists = [[[None if rng.random() < 0.3 else int(rng.integers(-5, 5)) for _ in range(rng.integers(4))] for _ in range(rng.integers(4))] for _ in range(3)]
        theirs = ak.values_astype(ak.Array(lists + [[[0, None]]]), "int64")
        a = Ragged.from_awkward(theirs)
        assert a.to_list() == theirs.to_list() == a.to_awkward().to_list() == a.to_arrow().to_pylist()
        for how in ("sum", "prod", "mean", "min", "max", "argmin", "argmax"):
            for axis in (2, 1, 0) if how not in ("argmin", "argmax") else (2,):
                with np.errstate(all="ignore"):
                    want = getattr(ak, how)(theirs, axis=axis)
                got = getattr(a, how)(axis)
                assert np.array_equal(flat(got.to_list()), flat(want.to_list()), equal_nan=True), (how, axis, lists)
        assert a.flatten(1).to_list() == ak.flatten(theirs, 1).to_list()
        assert a.max().max().to_list() == ak.max(ak.max(theirs, axis=-1), axis=-1).to_list()
        assert a.padded(99).reshape(-1).tolist().count(None) == 0


def flat(lists):
    """Returns all leaves of nested lists, and a mark at each end of a list. `None` is far from all leaves."""
    if not isinstance(lists, list):
        return [1e99 if lists is None else lists]
    return [mark for part in lists for mark in flat(part)] + [1e100]


def test_axes_and_offsets_that_are_wrong():
    a = Ragged([[0, 2]], [1, 2])
    for run in (lambda: a.parents(5), lambda: a.sum(2), lambda: a.max(-3), lambda: a.flatten(7)):
        with pytest.raises((ValueError, IndexError)):
            run()
    with pytest.raises(TypeError, match="float64"):
        Ragged([[0, 1.9, 3]], [1, 2, 3])


def test_awkward_arrays_of_other_kinds():
    ak = pytest.importorskip("awkward")
    assert Ragged.from_awkward(ak.Array([[], []])).to_list() == [[], []]
    for wrong in (["ab", "c"], [{"x": 1}], [b"ab"]):
        with pytest.raises(TypeError):
            Ragged.from_awkward(ak.Array(wrong))
    with pytest.raises(ValueError, match="missing"):
        Ragged.from_awkward(ak.Array([[1], None]), missing_lists="refuse")
    assert Ragged.from_awkward(ak.Array([[1], None])).to_list() == [[1], None]
    assert Ragged.from_awkward(ak.Array([[1, 2], [3]])[[1, 0, 1]]).to_list() == [[3], [1, 2], [3]]
