"""Compares layouts with NumPy and with brute force."""

import pickle
import random

import numpy as np
import pytest

import crd2idx
from crd2idx import OPERATIONS, Layout


def test_index_of_any_coordinate():
    layout = Layout("((2,4),(3,5)):((3,6),(1,24))")
    assert layout[11 % 8, 12] == layout((3, 12)) == layout(((1, 1), (0, 4)))
    assert layout((11, 12)) == 129
    assert len(layout) == 120 and layout.shape == ((2, 4), (3, 5)) and layout.stride == ((3, 6), (1, 24))
    assert layout.indices() == [layout(k) for k in range(120)]
    with pytest.raises(IndexError, match="outside the shape"):
        layout[8, 0]
    assert [layout[k] for k in range(120)] == layout.indices() and layout(120) == layout((0, 15))
    for outside in [(-1, 0), 120, ((1, 1), (3, 0)), ((1, 4), 0), (0, 15)]:
        with pytest.raises(IndexError):
            layout[outside]
    for no_coordinate in [(1, 2, 3), ((1, 2, 3), 0), ((0, (0, 0)), 0)]:
        with pytest.raises(ValueError):
            layout[no_coordinate]
    assert Layout("8:3")[5] == 15 and Layout("(8):(3)")[(5,)] == 15
    with pytest.raises(IndexError):
        Layout((4, 0, 2))[0, 0, 0]
    with pytest.raises(TypeError, match="slice"):
        layout[:, 2]


def test_numpy_has_the_same_strides():
    rng = random.Random(1)
    for _ in range(200):
        rank = rng.randint(1, 4)
        extents = [rng.randint(1, 5) for _ in range(rank)]
        array = np.arange(np.prod(extents)).reshape(extents).transpose(rng.sample(range(rank), rank))
        layout = Layout.from_numpy(array)
        assert layout.numpy_strides(array.itemsize) == array.strides
        assert np.array_equal(layout.view(np.arange(array.size)), array)
        at = tuple(rng.randrange(extent) for extent in array.shape)
        assert layout[at] == array[at]
    reversed_ = Layout("(4):(-1)").view(np.arange(4), 3)
    assert reversed_.tolist() == [3, 2, 1, 0]
    with pytest.raises(ValueError, match="indices 0 to 12"):
        Layout("(4,4):(1,3)").view(np.arange(12))
    assert not Layout("(4,4):(1,0)").view(np.arange(4)).flags.writeable


def test_every_operation_is_a_method():
    assert len(OPERATIONS) > 60
    a = Layout((32, 16))
    assert a.zipped_divide((8, 4)) == Layout("((8,4),(4,4)):((1,32),(8,128))")
    assert a.logical_divide((Layout("4:2"), None)).shape == ((4, (2, 4)), 16)
    assert a.composition(Layout("(4,4):(2,64)")).indices() == [a(2 * i + 64 * j) for j in range(4) for i in range(4)]
    assert a.size() == 512 and a.cosize() == 512
    assert "complement" in dir(a) and "completes" in a.complement.__doc__
    assert Layout("S<3,0,3> o 0 o (8,8):(8,1)")[1, 0] == 9
    layout, offset = Layout((4, 8)).slice((2, None))
    assert (str(layout), offset) == ("8:4", 2) or (str(layout), offset) == ("(8):(4)", 2)


def test_errors_say_the_numbers():
    with pytest.raises(ValueError, match="tile 8 does not divide the extent 30 of mode 0"):
        Layout((30, 16)).zipped_divide((8, 4))
    with pytest.raises(ValueError, match="not a layout"):
        Layout("(4,8)")
    with pytest.raises(TypeError, match="is not an operand"):
        Layout((4, 8)).zipped_divide(3.5)


def test_layouts_are_values():
    a = Layout((4, 8), (8, 1))
    assert pickle.loads(pickle.dumps(a)) == a and hash(a) == hash(Layout("(4,8):(8,1)")) and a != Layout((4, 8))
    assert repr(a) == "Layout('(4,8):(8,1)')" and eval(repr(a)) == a


def test_texts_and_pictures():
    a = Layout("(4,8):(8,1)")
    assert a._repr_svg_().startswith("<svg")
    assert "21" in a.explain((2, 5))
    assert "size_t" in crd2idx.emit(a, "c") or "int" in crd2idx.emit(a, "c")
    assert crd2idx.request("coalesce", args=["(2,4):(1,2)"]) == "8:1"
    with pytest.raises(crd2idx.Refused):
        crd2idx.request("coalesce", args=["(2,4"])
    with pytest.raises(ValueError, match="refused|tile|divide"):
        crd2idx.command("eval", "zipped_divide((30):(1), 8)")
    assert crd2idx.plan("(4,4):(1@0,1@1)", "(8,2):(1@0,1@1)")["copies"]


def test_transfers_are_numpys_transpositions():
    rng = np.random.default_rng(3)
    for dtype in (np.uint8, np.int16, np.float32, np.complex64, np.float64):
        array = rng.integers(0, 100, (7, 33, 18)).astype(dtype)
        for axes in ((2, 1, 0), (1, 0, 2), (0, 2, 1), (1, 2, 0)):
            expected = np.ascontiguousarray(array.transpose(axes))
            source = Layout.from_numpy(array.transpose(axes))
            got = crd2idx.Transfer(source, Layout.from_numpy(expected))(array)
            assert np.array_equal(got.reshape(expected.shape), expected)
    with pytest.raises(ValueError):
        crd2idx.Transfer("(8,8):(1,8)", "(8,8):(8,1)")(np.arange(63))
    with pytest.raises(ValueError, match="both at offset"):
        crd2idx.Transfer("(4,3):(1,4)", "(4,3):(1,2)")
