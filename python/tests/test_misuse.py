"""Python code that changes its arrays or numbers during a call gets an exception, and reaches no other memory."""

import numpy as np
import pytest

from crd2idx import Layout, Ragged, Sparse, Transfer, _native


class Meanwhile:
    """A number that runs code when a call reads its value."""

    def __init__(self, value, run):
        self.value, self.run = value, run

    def __index__(self):
        self.run()
        return self.value

    def __float__(self):
        return float(self.__index__())


def grown(array):
    """Returns a function that moves the memory of `array`, as another owner of it may do."""
    return lambda: array.resize(1 << 20, refcheck=False)


def retyped(array):
    def run():
        array.dtype = np.int8

    return run


@pytest.mark.parametrize("number", [np.uint8(200), np.int64(2**63 - 1), np.int8(-1), 200, -1, 2**80])
def test_offsets_of_views_are_numbers_of_python(number):
    with pytest.raises(ValueError, match=r"has indices -?\d+ to -?\d+, but data has 256 elements"):
        Layout((100,)).view(np.zeros(256, np.int64), number)


def test_numbers_of_numpy_do_not_wrap():
    data = np.arange(256)
    assert Layout((100,)).view(data, np.uint8(156)).tolist() == list(range(156, 256))
    with pytest.raises(TypeError):
        Layout((100,)).view(data, 1.0)
    assert Layout((300,), (100,)).numpy_strides(np.uint8(8)) == (800,)
    a = Ragged([np.arange(301)], np.arange(300.0))
    assert a[np.uint8(255)].tolist() == [255.0] and a[np.int8(-1)].tolist() == [299.0]
    copy = Transfer("200:1", "200:1", target_base=np.uint8(100))
    assert copy(np.arange(200)).tolist() == [0] * 100 + list(range(200))
    with pytest.raises(TypeError):
        Sparse("CSR", (2.5, 2), [np.array([0, 0, 0]), None], [None, np.array([], np.int64)], [])


def test_views_ask_the_memory_and_no_subclass():
    class Long(np.ndarray):
        def __len__(self):
            return 1 << 40

        def __getitem__(self, _):
            return np.zeros(1)

    with pytest.raises(ValueError, match="data has 8 elements"):
        Layout((1 << 20,)).view(np.zeros(8).view(Long))


def test_views_of_repeated_elements_are_read_only():
    data = np.arange(64)
    for text, once in {
        "(2,2):(1,1)": False,
        "(4,4):(1,0)": False,
        "(3,4):(2,2)": False,
        "(4,4):(2,3)": False,
        "(3,4):(2,3)": True,
        "(3,3):(2,3)": True,
        "(4,4):(1,4)": True,
        "(1,4):(0,1)": True,
        "(2,2):(1,-1)": False,
    }.items():
        layout = Layout(text)
        brute = len(set(layout.indices())) == len(layout)
        assert layout.is_injective() is brute is once, text
        assert layout.view(data, 8).flags.writeable is once
        assert layout.view(data, 8, writeable=True).flags.writeable
    assert Layout("(4,4):(1@0,1@0)").is_injective() is not True


@pytest.mark.parametrize("harm", [grown, retyped])
@pytest.mark.parametrize("which", ["offsets", "leaves"])
@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.float32, np.float64])
def test_ragged_arrays_that_change_while_arguments_are_taken(harm, which, dtype):
    def call(function, value, *before):
        offsets, leaves = np.array([0, 3, 3, 5]), np.arange(5).astype(dtype)
        number = Meanwhile(value, harm(offsets if which == "offsets" else leaves))
        return function([offsets], leaves, *before, number)

    for run in (
        lambda: call(_native.ragged_pad, 7),
        lambda: call(_native.ragged_flatten, 1),
        lambda: call(_native.ragged_reduce, 1, "sum"),
        lambda: call(_native.ragged_reduce, 1, "argmax"),
    ):
        if (which, harm) == ("leaves", grown):
            # Leaves beyond the last offset are ignored.
            run()
            continue
        with pytest.raises((ValueError, TypeError)):
            run()


@pytest.mark.parametrize("harm", [grown, retyped])
def test_offsets_that_change_while_arguments_are_taken(harm):
    for function, arguments in [(_native.ragged_check, lambda run: (Meanwhile(5, run),)), (_native.ragged_parents, lambda run: (5, Meanwhile(0, run)))]:
        offsets = np.array([0, 3, 3, 5])
        with pytest.raises((ValueError, TypeError)):
            function([offsets], *arguments(harm(offsets)))


@pytest.mark.parametrize("harm", [grown, retyped])
@pytest.mark.parametrize("which", ["pointers", "indices", "values"])
def test_tensors_that_change_while_arguments_are_taken(harm, which):
    arrays = {"pointers": np.array([0, 1, 2], np.uint64), "indices": np.array([0, 1], np.uint64), "values": np.array([1.0, 2.0])}
    pattern = _native.Pattern("CSR", (2, 2), [arrays["pointers"], None], [None, arrays["indices"]])
    with pytest.raises((ValueError, TypeError)):
        pattern.converted(arrays["values"], np.zeros(1), "CSC", "sum", Meanwhile(32, harm(arrays[which])))
    columns, values = [np.array([0, 1], np.uint64), np.array([0, 1], np.uint64)], np.array([1.0, 2.0])
    harmed = {"pointers": columns[0], "indices": columns[1], "values": values}[which]
    with pytest.raises((ValueError, TypeError)):
        _native.build("CSR", (2, 2), columns, values, "sum", Meanwhile(32, harm(harmed)))


@pytest.mark.parametrize("harm", [grown, retyped])
@pytest.mark.parametrize("which", [0, 1])
def test_arrays_of_tensors_that_change_later(harm, which):
    """The tensor shares these arrays, which their owner changes by force."""
    arrays = [np.array([0, 1, 2], np.uint64), np.array([0, 1], np.uint64)]
    a = Sparse("CSR", (2, 2), [arrays[0], None], [None, arrays[1]], [1.0, 2.0])
    harm(arrays[which])()
    for run in (lambda: a @ np.ones(2), lambda: a @ a, lambda: a + a.T, lambda: a[0], lambda: a.to("CSC"), lambda: a.coordinates(), lambda: a.reshape(4)):
        with pytest.raises((ValueError, TypeError)):
            run()


def test_contents_of_tensors_that_change_later():
    """Answers may be wrong or refused, but reach no other memory."""
    for which, number in [(0, 1 << 60), (0, 0), (1, 1 << 60), (1, 1)]:
        arrays = [np.array([0, 1, 2], np.uint64), np.array([0, 1], np.uint64)]
        a = Sparse("CSR", (2, 2), [arrays[0], None], [None, arrays[1]], [1.0, 2.0])
        arrays[which].flags.writeable = True
        arrays[which][1] = number
        for run in (lambda: a @ np.ones(2), lambda: a @ a, lambda: a + a.T, lambda: a[0], lambda: a[0, 1], lambda: a.to("CSC"), lambda: a.to_numpy()):
            try:
                run()
            except BaseException as error:
                assert isinstance(error, (ValueError, IndexError, OverflowError)) or type(error).__name__ == "PanicException", error


@pytest.mark.parametrize("package, convert", [("pyarrow", Ragged.to_arrow), ("awkward", Ragged.to_awkward)])
def test_offsets_that_changed_go_to_no_other_package(package, convert):
    pytest.importorskip(package)
    a = Ragged([[0, 3, 3, 5]], np.arange(5.0))
    a.offsets[0][1] = 1 << 40
    with pytest.raises(ValueError, match=str(1 << 40)):
        convert(a)


def test_methods_of_subclasses_are_not_asked():
    class Itself(np.ndarray):
        def view(self, *_):
            return self

    pointers, indices, values = (np.array(numbers).view(Itself) for numbers in ([0, 1, 2], [0, 1], [1.0, 2.0]))
    a = Sparse("CSR", (2, 2), [pointers, None], [None, indices], values)
    assert a.to("CSC").to_numpy().tolist() == [[1.0, 0.0], [0.0, 2.0]] and (a @ np.ones(2)).tolist() == [1.0, 2.0]


class Interface:
    """The memory of an array, which NumPy knows only by its address."""

    def __init__(self, array):
        self.array, self.__array_interface__ = array, array.__array_interface__


@pytest.mark.parametrize("owner", [lambda array: array, np.from_dlpack, lambda array: np.asarray(Interface(array))])
@pytest.mark.parametrize("parallel", [False, True])
def test_transfers_between_arrays_that_overlap(owner, parallel):
    memory = np.arange(60_100)
    copy = Transfer("(300,200):(1,300)", "(300,200):(200,1)")
    for begin in (0, 1, 100):
        with pytest.raises(ValueError, match="bytes overlap of the 480000"):
            copy(owner(memory)[:60_000], out=owner(memory)[begin : begin + 60_000], parallel=parallel)
    assert memory.tolist() == list(range(60_100))
    beside = np.arange(120_000)
    copy(owner(beside)[:60_000], out=owner(beside)[60_000:], parallel=parallel)
    assert np.array_equal(beside[60_000:].reshape(300, 200), beside[:60_000].reshape(200, 300).T)


def nest(depth, make):
    value = 1
    for _ in range(depth):
        value = make(value)
    return value


@pytest.mark.parametrize("make", [lambda value: (value,), lambda value: [value], lambda value: (2, value)])
def test_tuples_that_nest_too_deep(make):
    deep, layout = nest(5_000, make), Layout((4, 8))
    for run in (
        lambda: Layout(deep),
        lambda: Layout((4, 8), deep),
        lambda: layout(deep),
        lambda: layout[deep],
        lambda: layout.slice(deep),
        lambda: layout.zipped_divide(deep),
    ):
        with pytest.raises(ValueError, match="nest more than 64 deep"):
            run()


def test_tuples_without_end():
    itself = []
    itself.append(itself)
    with pytest.raises(ValueError, match="nest more than 64 deep"):
        Layout(itself)
    # A few objects stand for more entries than memory can hold.
    with pytest.raises(ValueError, match="more than 4096 entries"):
        Layout(nest(60, lambda value: (value, value)))
    assert str(Layout(nest(60, lambda value: (value,)))).count("(") == 120
    with pytest.raises(ValueError):
        Layout(tuple([1] * 65))


def test_more_indices_than_memory():
    with pytest.raises(MemoryError, match=str(1 << 60)):
        Layout((1 << 60,)).indices()


def test_what_is_wrong_with_an_argument_is_said():
    good = {"shape": (2, 2), "pointers": [[0, 1, 2], None], "indices": [None, [0, 1]], "values": np.ones(2)}
    for changes, message in [
        ({"values": np.ones(2, np.longdouble)}, "values have the type .*, which sparse tensors do not support"),
        ({"values": np.ones(2, "datetime64[s]")}, "values have the type .*, which sparse tensors do not support"),
        ({"values": np.ones((2, 2))}, "values have 2 dimensions, but one is needed"),
        ({"values": np.ones(3)}, "there are 3 values, but the arrays of the levels have 2 elements"),
        ({"shape": ("x", 2)}, "str"),
        ({"pointers": [np.ones(3), None]}, "indices have the type float64, but must be integers"),
        ({"pointers": [np.ones((3, 1), int), None]}, "pointers: indices has the type i8 and 2 dimensions; it must be integers"),
        ({"indices": 5}, "int"),
        ({"indices": [None, [0, 2]]}, "indices_1"),
    ]:
        with pytest.raises((TypeError, ValueError), match=message):
            Sparse("CSR", **{**good, **changes})
    a = Sparse("CSR", **good)
    for name in ("format", "shape", "pointers", "indices", "values", "fill_value"):
        with pytest.raises(AttributeError):
            setattr(a, name, getattr(a, name))
