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


def test_layouts_of_tables_have_these_indices():
    rng = random.Random(7)
    texts = ["(4,8):(8,1)", "((2,3),(4,2)):((1,12),(3,-40))", "S<3,4,3> o 0 o (64,64):(64,1)", "S<2,3,3> o 5 o (24,16):(16,1)", "(8,8):(^9,^1)", "(3,0):(1,2)"]
    for text in texts:
        layout = Layout(text)
        found = Layout.from_table(layout.indices(), layout.shape)
        assert found.indices() == layout.indices() and found.size() == len(layout), (text, found)
    for _ in range(50):
        shape = tuple(rng.randint(1, 4) for _ in range(rng.randint(1, 3)))
        layout = Layout(shape, tuple(rng.randint(-9, 9) for _ in shape))
        found = Layout.from_function(lambda *c: layout[c], shape)
        assert found.equal_functions(layout) == 1
        assert Layout.from_table(np.array(layout.indices()).reshape(shape, order="F")).equal_functions(layout) == 1
    assert str(Layout.from_table(np.arange(12).reshape(3, 4))) == "(3,4):(4,1)"
    assert str(Layout.from_function(lambda i: i // 4 * 16 + i % 4, 16)) == "(4,4):(1,16)"
    assert str(Layout.from_function(lambda ij, k: ij[0] + 2 * ij[1] + 10 * k, ((2, 3), 4))) == "((2,3),4):((1,2),10)"
    assert str(Layout.from_function(lambda i, j: 8 * i + (i ^ j), (8, 8))) == "S<3,0,3> o 0 o (8,8):(8,1)"
    with pytest.raises(ValueError, match=r"coordinate 3 has index 99, .* give 11; no swizzle fits; coordinate 3 is \(1,1\)"):
        Layout.from_table([0, 1, 10, 99, 20, 21, 35, 36], (2, 4))
    with pytest.raises(ValueError, match="2 indices, but the shape has 3"):
        Layout.from_table([0, 1], 3)
    with pytest.raises(TypeError, match="float64"):
        Layout.from_table([0.5, 1])
    assert crd2idx.request("from_table", indices=[0, 4, 1, 5], shape="(2,2)") == "(2,2):(4,1)"
    with pytest.raises(crd2idx.Refused) as refused:
        crd2idx.request("from_table", indices=[0, 1, 10, 99, 20, 21, 35, 36], shape="(2,4)")
    assert refused.value.answer["coordinate"] == "(1,1)"


def test_analysis_agrees_with_brute_force():
    rng = random.Random(11)
    for _ in range(100):
        shape = tuple(rng.randint(1, 4) for _ in range(rng.randint(1, 3)))
        layout = Layout(shape, tuple(rng.randint(-4, 9) for _ in shape))
        indices, facts = layout.indices(), layout.analyze()
        image = sorted(set(indices))
        assert layout.image() == image and facts["distinct"] == len(image)
        assert facts["injective"] == (len(image) == len(indices)) == layout.is_injective()
        dense = image == list(range(image[0], image[-1] + 1))
        assert facts["surjective"] == dense == layout.is_surjective() and layout.is_surjective(len(image)) == (image == list(range(len(image))))
        assert facts["holes"] == image[-1] - image[0] + 1 - len(image)
        assert facts["fixed_points"] == sum(k == index for k, index in enumerate(indices))
        assert layout.is_bijective() == facts["bijective"] == (facts["permutation"] is not None)
        table = layout.coordinates_by_index()
        assert list(table) == image and all(layout(c) == index for index, of in table.items() for c in of)
        if layout.is_bijective():
            follow = {a: b for cycle in layout.cycles() for a, b in zip(cycle, cycle[1:] + cycle[:1])}
            assert follow == {k: index - image[0] for k, index in enumerate(indices)}
        else:
            with pytest.raises(ValueError, match="no permutation"):
                layout.cycles()
    facts = Layout("(3,2):(2,1)").analyze(cycles=True)
    assert facts["permutation"] == {"cycles": [[0], [1, 2, 4, 3], [5]], "cycles_by_length": [[1, 2], [4, 1]], "even": False, "order": 4}
    assert Layout("(2,2):(1,1)").analyze()["alias"] == {"index": 1, "coordinates": ["(1,0)", "(0,1)"], "most": 2}
    banks = Layout("(32,1):(32,1)").analyze(element_bits=32)
    assert banks["bank_conflicts"]["conflicts"] == 31 and banks["coalescing"]["lines"] == 32
    assert Layout("S<1,0,2> o 0 o (4,2):(1,4)").is_injective() is True
    assert crd2idx.command("analyze", "(4,2):(1,4)").splitlines()[1] == "size: 8"


def test_names_and_both_orders():
    assert crd2idx.evaluate("size((m,4):(1,ld))", m=8, ld=3) == 32 and crd2idx.evaluate("size((?,4):(1,?))") == "?{div=4}"
    assert crd2idx.command("eval", "coalesce((m,4):(1,m))", "--bind", "m=8") == "32:1"
    assert crd2idx.evaluate("idx2crd(11,(4,6))") == crd2idx.evaluate("idx2crd((4,6),11)") == (3, 2)
    assert crd2idx.evaluate("idx2crd(11,(4,8),(8,1))") == crd2idx.evaluate("idx2crd((4,8):(8,1),11)") == (1, 3)
    assert crd2idx.evaluate("crd2idx((1,2),(4,8),(8,1))") == Layout("(4,8):(8,1)")(1, 2) == 10
    assert crd2idx.evaluate("int_mod((5,8),(2,4))") == (1, 0) and crd2idx.evaluate("int_div((5,-8),(2,3))") == (2, -3)
    rows = Layout("((2,2),8):((8,16),1)")
    assert rows.get_flat_coord(25) == (3, 1) and rows.get_1d_coord(25) == 7 and rows.get_hier_coord(25) == ((1, 1), 1)
    assert str(Layout("(4,(2,3)):(6,(3,1))").sort()) == "(3,2,4):(1,3,6)"
    assert Layout("(4,2):(1,4)").equal_functions("8:1") == 1 and Layout("(4,2):(1,4)").equal_functions("8:2") == 0
