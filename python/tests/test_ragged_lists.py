"""Compares the list algebra of ragged arrays with Awkward Array on random arrays.

Where the two differ on purpose, the case says so:

* Awkward stretches an array of one row to the rows of another, and answers some calls for arrays of 0 and of other numbers of rows. Here different
  numbers of rows raise ValueError.
* Awkward numbers the leaves of an axis before the last among those that are there, if some are not, in arrays of more than two axes. Here `argsort`
  returns coordinates.
* Awkward refuses slices like `[4:-3:2]` of some arrays with "negative dimensions are not allowed". Nested lists are the reference there.
* Awkward puts NaN first in an ascending order, here it comes last, as in NumPy.
* Combinations and products are records there. Here a combination is a list on a new axis, and a product is an array for each operand.
"""

import json
import os
import pathlib

import numpy as np
import pytest

import crd2idx
from crd2idx import Ragged
from crd2idx.ragged import segment_max, segment_mean, segment_min, segment_sum

ak = pytest.importorskip("awkward")

CASES = int(os.environ.get("CRD2IDX_RAGGED_CASES", 1000))


def random_lists(rng, depth, missing=0.0, most=4, least=-4):
    """Returns nested lists, some of them empty."""
    if depth == 0:
        return None if rng.random() < missing else int(rng.integers(least, 5))
    return [random_lists(rng, depth - 1, missing, most, least) for _ in range(rng.integers(most + 1) if rng.random() < 0.85 else 0)]


def theirs_of(a):
    return a.to_awkward()


def random_array(rng, depth=None, missing=0.0, dtype=np.int64):
    """Returns an array of nested lists, sometimes a slice of a larger one."""
    depth = depth or int(rng.integers(1, 5))
    lists = random_lists(rng, depth, missing)
    offsets, level = [], lists
    for _ in range(depth - 1):
        offsets.append(np.concatenate([[0], np.cumsum([len(part) for part in level])]).astype(np.int64))
        level = [entry for part in level for entry in part]
    data = np.array([0 if leaf is None else leaf for leaf in level], np.int64).astype(dtype)
    mask = np.array([leaf is None for leaf in level], bool)
    if offsets and rng.random() < 0.3:
        # Leaves before the first list and after the last one.
        offsets[-1] = offsets[-1] + 2
        data, mask = (np.concatenate([np.zeros(2, part.dtype), part, np.zeros(1, part.dtype)]) for part in (data, mask))
    return Ragged(offsets, np.ma.masked_array(data, mask) if mask.any() else data)


def plain(value):
    """Returns lists and numbers, with `None` for missing ones."""
    if isinstance(value, (Ragged, ak.Array)):
        return value.to_list()
    if isinstance(value, tuple):
        return [plain(one) for one in value]
    if isinstance(value, np.ma.core.MaskedConstant):
        return None
    return value.tolist() if hasattr(value, "tolist") else value


def close(a, b):
    """Tests equality; floating-point numbers may differ in the last bits, and NaN equals NaN."""
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(close, a, b))
    if isinstance(a, float) and isinstance(b, (int, float)):
        return bool(np.isclose(a, b, rtol=1e-12, atol=0, equal_nan=True))
    return a == b and isinstance(a, list) == isinstance(b, list)


def same(ours, theirs):
    """Calls both functions. Either both fail, or the results are equal."""
    try:
        want = plain(theirs())
    except (ValueError, IndexError, TypeError):
        with pytest.raises((ValueError, IndexError, TypeError)):
            ours()
        return False
    got = plain(ours())
    assert close(got, want), (got, want)
    return True


def random_end(rng):
    return None if rng.random() < 0.3 else int(rng.integers(-5, 6))


def random_key(rng, axes):
    """Returns integers, slices, `None` and `...` for at most these axes."""
    keys = []
    for _ in range(rng.integers(1, axes + 1)):
        kind = rng.random()
        if kind < 0.3:
            keys.append(int(rng.integers(-2, 2)))
        else:
            keys.append(slice(random_end(rng), random_end(rng), int(rng.choice([1, 1, 2, -1, -2]))))
    if rng.random() < 0.3:
        keys.insert(rng.integers(len(keys) + 1), Ellipsis)
    if rng.random() < 0.2:
        keys.insert(rng.integers(len(keys) + 1), None)
    return tuple(keys)


def case_basic_index(rng):
    a = random_array(rng, missing=rng.choice([0, 0.3]))
    b, key = theirs_of(a), random_key(rng, a.depth)

    def theirs():
        try:
            return plain(b[key])
        except ValueError as error:
            if "negative dimensions" not in str(error):
                raise
            named = sum(one is not None and one is not Ellipsis for one in key)
            at = key.index(Ellipsis) if Ellipsis in key else len(key)
            return nested_index(a.to_list(), [*key[:at], *[slice(None)] * (a.depth - named), *key[at + 1 :]])

    return same(lambda: a[key], theirs)


def nested_index(part, keys):
    """Applies integers, slices and `None` to nested lists."""
    if not keys:
        return part
    if keys[0] is None:
        return [nested_index(part, keys[1:])]
    if isinstance(keys[0], slice):
        return [nested_index(one, keys[1:]) for one in part[keys[0]]]
    return nested_index(part[keys[0]], keys[1:])


def case_arrays_as_index(rng):
    a = random_array(rng)
    b, axis = theirs_of(a), int(rng.integers(a.depth))
    shape = (int(rng.integers(1, 4)),) if rng.random() < 0.7 else (2, int(rng.integers(1, 3)))
    keys = [rng.integers(-1, 2, shape)] + [rng.integers(-1, 2, shape) for _ in range(int(rng.integers(a.depth - axis)))]
    if rng.random() < 0.3:
        keys = [np.array(rng.random(len(a)) < 0.5)] if axis == 0 else keys
    key = tuple([slice(None)] * axis + keys)
    if axis and len(keys) > 1:
        # Arrays after a slice: Awkward pairs them as NumPy does only for regular arrays, so NumPy's meaning is computed here.
        return nested_pairs(a, keys, key, axis)
    return same(lambda: a[key], lambda: b[key])


def nested_pairs(a, keys, key, axis):
    def pairs(part, at):
        if at:
            return [pairs(one, at - 1) for one in part]
        found = np.empty(keys[0].shape, object)
        for place in np.ndindex(*keys[0].shape):
            one = part
            for indices in keys:
                one = one[indices[place]]
            found[place] = one
        return found.tolist()

    return same(lambda: a[key], lambda: pairs(a.to_list(), axis))


def ragged_above(rng, a, depth, leaves):
    """Returns an array with the lists of `a` above axis `depth - 1`, whose lists have lengths up to 3 and leaves by `leaves`."""
    lists = a.to_list()

    def build(part, at):
        return leaves(len(part)) if at == 1 else [build(one, at - 1) for one in part]

    return build(lists, depth)


def as_array(lists, depth, dtype):
    """Converts nested lists, whose depth empty ones do not show."""
    offsets, level = [], lists
    for _ in range(depth - 1):
        offsets.append(np.concatenate([[0], np.cumsum([len(part) for part in level])]).astype(np.int64))
        level = [entry for part in level for entry in part]
    mask = np.array([leaf is None for leaf in level], bool)
    data = np.array([0 if leaf is None else leaf for leaf in level], dtype)
    return Ragged(offsets, np.ma.masked_array(data, mask) if mask.any() else data)


def case_ragged_indices(rng):
    a = random_array(rng, missing=rng.choice([0, 0.2]))
    depth = int(rng.integers(1, a.depth + 1))
    gap = 0.2 if rng.random() < 0.3 else 0

    def leaves(length):
        high = length if rng.random() < 0.97 else length + 1
        return [None if rng.random() < gap else int(rng.integers(-length, high)) for _ in range(rng.integers(4))] if high else []

    key = as_array(ragged_above(rng, a, depth, leaves), depth, np.int64)
    return chosen(a, key, depth)


def case_ragged_masks(rng):
    a = random_array(rng, missing=rng.choice([0, 0.2]))
    depth = int(rng.integers(1, a.depth + 1))
    gap = 0.2 if rng.random() < 0.3 else 0
    key = as_array(ragged_above(rng, a, depth, lambda n: [None if rng.random() < gap else bool(rng.random() < 0.5) for _ in range(n)]), depth, bool)
    return chosen(a, key, depth)


def chosen(a, key, depth):
    b, other = theirs_of(a), theirs_of(key)
    return same(lambda: a[key], lambda: b[other])


def case_sort(rng):
    a = random_array(rng, missing=rng.choice([0, 0.3]), dtype=rng.choice([np.int64, np.float32, np.uint8, np.int16]))
    axis, descending = int(rng.integers(-a.depth, a.depth)), bool(rng.random() < 0.5)
    b = theirs_of(a)
    if np.ma.isMaskedArray(a.leaves) and axis % a.depth != a.depth - 1:
        # Awkward moves leaves to other lists if some are missing. Here every list keeps its length.
        assert a.sort(axis).num(-1).to_list() == a.num(-1).to_list()
        return True
    return same(lambda: a.sort(axis, descending), lambda: ak.sort(b, axis=axis, ascending=not descending))


def case_argsort(rng):
    a = random_array(rng)
    axis, descending = int(rng.integers(-a.depth, a.depth)), bool(rng.random() < 0.5)
    b = theirs_of(a)
    if a.depth > 2 and axis % a.depth < a.depth - 1:
        return sorted_by(a, axis % a.depth, descending)
    return same(lambda: a.argsort(axis, descending), lambda: ak.argsort(b, axis=axis, ascending=not descending))


def sorted_by(a, axis, descending):
    """Tests that the leaves at the coordinates of `argsort` are the sorted ones, and that equal leaves keep their order."""
    lists, order, coordinates = a.to_list(), a.argsort(axis, descending), [a.local_index(k) for k in range(a.depth)]
    paths = [coordinates[k].leaves for k in range(a.depth)]
    rows = [np.arange(len(paths[-1]))]
    for level in reversed(a[:].offsets):
        rows.insert(0, np.searchsorted(level, rows[0], "right") - 1)
    fibers = {}
    for leaf, place in enumerate(order.leaves.tolist()):
        path = [int(paths[k][rows[k][leaf]]) for k in range(a.depth)]
        fibers.setdefault(tuple(path[:axis] + path[axis + 1 :]), []).append(place)
    for path, places in fibers.items():

        def value(place):
            one = lists
            for index in (*path[:axis], place, *path[axis:]):
                one = one[index]
            return one

        keys = [(-value(place) if descending else value(place), place) for place in places]
        assert keys == sorted(keys), (path, places)
    return True


def case_pad(rng):
    a = random_array(rng, missing=rng.choice([0, 0.2]))
    axis, n, clip = int(rng.integers(a.depth)), int(rng.integers(5)), bool(rng.random() < 0.5)
    b = theirs_of(a)

    def theirs():
        return ak.pad_none(b, n, axis=axis, clip=clip)

    if axis == a.depth - 1 and not np.ma.isMaskedArray(a.leaves):
        assert a.pad_to(n, axis, clip, 9).to_list() == ak.fill_none(ak.pad_none(b, n, axis=axis, clip=clip), 9, axis=-1).to_list()
    return same(lambda: a.pad_to(n, axis, clip), theirs)


def case_concatenate(rng):
    a = random_array(rng)
    axis = int(rng.integers(a.depth))
    others = [a if rng.random() < 0.3 else random_array(rng, a.depth, dtype=rng.choice([np.int64, np.float32])) for _ in range(2)]
    if axis and rng.random() < 0.7:
        shape = ragged_above(rng, a, axis + 1, lambda n: random_lists(rng, a.depth - axis, rng.choice([0, 0.2])))
        others = [as_array(shape, a.depth, np.int64)]
    both = [a, *others]
    if axis and len({len(one) for one in both}) > 1:
        with pytest.raises(ValueError, match="list"):
            Ragged.concatenate(both, axis)
        return True
    return same(lambda: Ragged.concatenate(both, axis), lambda: ak.concatenate([theirs_of(one) for one in both], axis=axis))


def case_flatten(rng):
    a = random_array(rng, int(rng.integers(2, 5)), missing=rng.choice([0, 0.2]))
    axis = int(rng.integers(1, a.depth))
    b = theirs_of(a)
    assert a.flatten(None).leaves.tolist() == a.flatten(None).to_list() == [one for one in ak.to_list(ak.ravel(b))] or np.ma.isMaskedArray(a.leaves)
    return same(lambda: a.flatten(axis), lambda: ak.flatten(b, axis=axis))


def case_unflatten(rng):
    a = random_array(rng)
    axis = int(rng.integers(min(a.depth, 2)))
    lengths = [len(a)] if axis == 0 else a.num(1).leaves.tolist()
    sizes = []
    for length in lengths:
        while length:
            sizes.append(int(rng.integers(1, length + 1)))
            length -= sizes[-1]
    if rng.random() < 0.2:
        sizes.append(1)
    b, sizes = theirs_of(a), np.array(sizes, np.int64)
    return same(lambda: a.unflatten(sizes, axis), lambda: ak.unflatten(b, sizes, axis=axis))


def case_combinations(rng):
    a = random_array(rng)
    axis, n, replacement = int(rng.integers(a.depth)), int(rng.integers(1, 4)), bool(rng.random() < 0.5)
    b = theirs_of(a)

    def theirs():
        found = ak.combinations(b, n, axis=axis, replacement=replacement)
        return tuples(found.to_list(), axis)

    return same(lambda: a.combinations(n, axis, replacement), theirs)


def tuples(part, axis):
    """Returns lists for the tuples on an axis."""
    return [list(one) for one in part] if axis == 0 else [tuples(one, axis - 1) for one in part]


def case_cartesian(rng):
    a = random_array(rng, int(rng.integers(1, 4)))
    axis = int(rng.integers(a.depth))
    others = [as_array(ragged_above(rng, a, axis + 1, lambda n: random_lists(rng, a.depth - axis)), a.depth, np.int64) for _ in range(rng.integers(1, 3))]
    both = [a, *others]

    def theirs():
        found = ak.cartesian([theirs_of(one) for one in both], axis=axis)
        return [found[str(k)] for k in range(len(both))]

    return same(lambda: Ragged.cartesian(both, axis), lambda: tuple(theirs()))


def case_runs(rng):
    a = random_array(rng)
    a = Ragged(a.offsets, np.clip(a.leaves, 0, 1))
    distinct = [sorted(set(row)) for row in (a.flatten(1) if a.depth == 3 else a).to_list()] if a.depth in (2, 3) else None
    if distinct is not None:
        assert (a.flatten(1) if a.depth == 3 else a).unique().to_list() == distinct
    b = theirs_of(a)
    return same(a.run_lengths, lambda: ak.run_lengths(b))


def case_elementwise(rng):
    a = random_array(rng, missing=rng.choice([0, 0.3]), dtype=rng.choice([np.int64, np.float32, np.int16]))
    depth = int(rng.integers(1, a.depth + 1))
    other = as_array(ragged_above(rng, a, depth, lambda n: [int(rng.integers(-3, 4)) for _ in range(n)]), depth, np.int64)
    if rng.random() < 0.1:
        other = random_array(rng, depth)
    function = [np.add, np.subtract, np.multiply, np.less, np.equal, np.maximum, np.arctan2, np.power][rng.integers(7)]
    if len(a) != len(other):
        with pytest.raises(ValueError, match="lists"):
            function(a, other)
        return True
    left, right = (a, other) if rng.random() < 0.5 else (other, a)
    if depth == 1 and rng.random() < 0.3:
        return same(lambda: function(a, other.leaves), lambda: function(theirs_of(a), other.leaves))
    return same(lambda: function(left, right), lambda: function(theirs_of(left), theirs_of(right)))


def case_operators(rng):
    a = random_array(rng, missing=rng.choice([0, 0.3]))
    b, k = theirs_of(a), int(rng.integers(1, 4))
    which = [lambda x: x * k - 1, lambda x: -x, lambda x: k > x, lambda x: np.sqrt(abs(x)), lambda x: x // k, lambda x: divmod(x, k), lambda x: (x > 0) & (x < k)]
    function = which[rng.integers(len(which))]
    return same(lambda: function(a), lambda: function(b))


def case_where(rng):
    a = random_array(rng, missing=rng.choice([0, 0.3]))
    b, k = theirs_of(a), int(rng.integers(-3, 4))
    if rng.random() < 0.5:
        return same(lambda: np.where(a > k, a, 0), lambda: ak.where(b > k, b, 0))
    per_row = np.arange(len(a))
    return same(lambda: Ragged.where(a > k, -a, per_row), lambda: ak.where(b > k, -b, per_row))


def case_reductions(rng):
    a = random_array(rng, missing=rng.choice([0, 0.3]))
    how, axis = rng.choice(["any", "all", "count", "count_nonzero"]), int(rng.integers(-a.depth, a.depth))
    b = theirs_of(a)
    return same(lambda: getattr(a, how)(axis) if a.depth > 1 else getattr(a, how)(axis).leaves[0], lambda: getattr(ak, how)(b, axis=axis))


def case_structure(rng):
    a = random_array(rng)
    b, axis = theirs_of(a), int(rng.integers(a.depth))
    assert same(lambda: a.local_index(axis), lambda: ak.local_index(b, axis=axis))
    return same(lambda: a.num(axis) if axis else a.num(0).leaves[0], lambda: ak.num(b, axis=axis))


def case_missing(rng):
    a = random_array(rng, missing=0.4)
    b = theirs_of(a)
    assert same(a.drop_none, lambda: ak.drop_none(b, axis=-1))
    assert same(lambda: a.fill_none(7), lambda: ak.fill_none(b, 7, axis=-1))
    return same(a.is_none, lambda: ak.is_none(b, axis=-1))


def case_softmax(rng):
    a = random_array(rng, int(rng.integers(2, 5)))
    b = theirs_of(Ragged(a.offsets, a.leaves.astype(float)))
    return same(a.softmax, lambda: ak.softmax(b, axis=-1))


OPERATIONS = {name[5:]: case for name, case in list(globals().items()) if name.startswith("case_")}


@pytest.mark.parametrize("name", OPERATIONS)
def test_random_cases_agree_with_awkward(name):
    rng = np.random.default_rng(sorted(OPERATIONS).index(name))
    count = CASES // len(OPERATIONS)
    answered = 0
    for k in range(count):
        state = rng.bit_generator.state
        try:
            answered += bool(OPERATIONS[name](rng))
        except Exception as error:
            raise AssertionError(f"{name}, case {k}, generator {state}") from error
    # Most cases have an answer, so that the comparison is not one of errors.
    assert answered > count // 4, (answered, count)


def test_errors_name_the_list_and_its_length():
    a = Ragged.from_list([[1, 2], [3], [4, 5, 6]])
    with pytest.raises(IndexError, match="axis 1: index 1 is out of range for list 1, which has 1 elements"):
        a[:, 1]
    with pytest.raises(IndexError, match="index -2 is out of range for list 1"):
        a[..., -2]
    with pytest.raises(IndexError, match="a mask of 2 rows does not fit an array of 3 rows"):
        a[np.array([True, False])]
    with pytest.raises(IndexError, match="list 1 has 1 elements in one array, but 2 in the other"):
        a[Ragged.from_list([[True, True], [True, False], [True, False, True]])]
    with pytest.raises(IndexError, match="the array has 2 axes, but 3 are indexed"):
        a[0, 0, 0]
    for wrong in (1.5, "x", {}, [0.5], True, (slice(None), a), (0, Ellipsis, Ellipsis)):
        with pytest.raises(IndexError):
            a[wrong]
    with pytest.raises(ValueError, match="axis 1: list 0 has 2 elements in one array, but 3 in the other"):
        a + Ragged.from_list([[1, 2, 3], [3], [4, 5, 6]])
    with pytest.raises(ValueError, match="one array has 3 lists, but the other has 2"):
        a + Ragged([], [1, 2])
    with pytest.raises(ValueError, match="axis 0: list 0 has 3 elements, but the array of NumPy has 2"):
        a + np.array([1, 2])
    with pytest.raises(ValueError, match="too large"):
        Ragged([[0, 200]], np.zeros(200)).combinations(100)
    with pytest.raises((ValueError, OverflowError)):
        a.pad_to(-1)
    with pytest.raises(TypeError):
        np.add(a, 1, out=a)
    with pytest.raises(TypeError):
        a @ a


def test_what_numpy_calls():
    a = Ragged.from_list([[3, 1], [], [2]])
    assert np.sum(a) == 6 and np.max(a, axis=-1).to_list() == [3, None, 2] and np.mean(a) == 2
    assert np.concatenate([a, a], axis=1).to_list() == [[3, 1, 3, 1], [], [2, 2]]
    assert np.where(a > 1, a, [10, 20, 30]).to_list() == [[3, 10], [], [2]]
    assert np.sort(a).to_list() == [[1, 3], [], [2]] and np.clip(a, 2, None).to_list() == [[3, 2], [], [2]]
    assert (np.array([10, 20, 30]) - a).to_list() == [[7, 9], [], [28]]
    assert (a + np.array([[1], [2], [3]])).to_list() == [[4, 2], [], [5]]
    assert np.any(a) and not np.all(a - 1) and np.count_nonzero(a, axis=-1).to_list() == [2, 0, 1]
    with pytest.raises(TypeError):
        np.fft.fft(a)


def test_integers_give_leaves_and_arrays_of_numpy():
    a = Ragged.from_list([[[1, 2], [3]], [[4, None, 6]]])
    assert a[0, 1, 0] == 3 and a[1, 0, 1] is np.ma.masked and a[:, 0, 0].tolist() == [1, 4]
    assert a[..., None].to_list() == [[[[1], [2]], [[3]]], [[[4], [None], [6]]]] and a[None].depth == 4
    assert a[[[0, 1], [1, 0]]].depth == 4 and a[:, [[0]]].to_list() == [[[[1, 2]]], [[[4, None, 6]]]]
    assert a[[[0], [0, 0]]].to_list() == [[[1, 2]], [[4, None, 6], [4, None, 6]]]
    assert Ragged([], [1, 2, 3])[np.ma.masked_array([2, 0], [False, True])].tolist() == [3, None]
    assert Ragged([], [1, 2, 3])[[2, None]].tolist() == [3, None]
    assert Ragged.from_list([[1], [np.ma.masked]]).to_list() == [[1], [None]]
    some = Ragged.from_list([[False, None], [None, None, True]])
    assert some.max(0).to_list() == [False, None, True] and some.any(0).to_list() == [False, False, True] and some.all(0).to_list() == [False, True, True]
    assert [row.to_list() for row in a] == [[[1, 2], [3]], [[4, None, 6]]]


def test_order_of_nan_of_missing_and_of_all_types():
    nan = Ragged.from_list([[np.nan, 1.0, 2.0], [3.0]])
    assert np.array_equal(nan.sort().leaves, [1, 2, np.nan, 3], equal_nan=True)
    assert np.array_equal(nan.sort(descending=True).leaves, [np.nan, 2, 1, 3], equal_nan=True)
    assert len(Ragged.from_list([[np.nan, np.nan, 0.0]]).unique().leaves) == 2
    some = Ragged.from_list([[3, None, 1, None], [None]])
    assert some.sort().to_list() == [[1, 3, None, None], [None]] and some.sort(descending=True).to_list() == [[3, 1, None, None], [None]]
    assert some.unique().to_list() == [[1, 3, None], [None]] and some.run_lengths().to_list() == [[1, 1, 1, 1], [1]]
    for dtype in ("?", "i1", "u2", "u8", "f2", "f4", "f8", "c16"):
        leaves = np.array([1, 0, 1, 0, 0]).astype(dtype)
        a = Ragged([[0, 3, 5]], leaves)
        assert a.sort().leaves.tolist() == [0, 1, 1, 0, 0] and a.sort().leaves.dtype == dtype
        assert a.argsort(descending=True).leaves.tolist() == [0, 2, 1, 0, 1] and a.unique().to_list() == [[0, 1], [0]]
    assert Ragged([[0, 2]], np.array([2**63, 1], np.uint64)).sort().leaves.tolist() == [1, 2**63]


def test_segments():
    ids, values = np.array([2, 0, 2, 0]), np.array([5.0, 1.0, 7.0, 2.0])
    assert segment_sum(values, ids).tolist() == [3, 0, 12] and segment_sum(values, ids, 4).tolist() == [3, 0, 12, 0]
    assert segment_min(values, ids).tolist() == [1, None, 5] and segment_max(values, ids).tolist() == [2, None, 7]
    assert np.array_equal(segment_mean(values, ids), [1.5, np.nan, 6], equal_nan=True)
    assert Ragged.from_ids(ids, values).to_list() == [[1, 2], [], [5, 7]] and len(Ragged.from_ids([], [])) == 0
    for wrong in ([0, -1, 0, 0], [0, 1]):
        with pytest.raises(ValueError):
            Ragged.from_ids(wrong, values)
    with pytest.raises(ValueError, match="row 2"):
        Ragged.from_ids(ids, values, 2)


def test_softmax_of_large_and_missing_leaves():
    a = Ragged.from_list([[1000.0, 1000.0], [], [None, 0.0]])
    assert a.softmax().to_list() == [[0.5, 0.5], [], [None, 1.0]]
    assert Ragged([], [1, 1]).softmax().leaves.tolist() == [0.5, 0.5] and len(Ragged([], []).softmax()) == 0
    assert Ragged([[0, 2]], np.array([1, 1], np.float32)).softmax().leaves.dtype == np.float32


def test_views_and_missing_lists():
    assert Ragged.from_views([2, 0, 1], [2, 0, 2], [1, 2, 3, 4]).to_list() == [[3, 4], [], [2, 3]]
    with pytest.raises(ValueError):
        Ragged.from_views([3], [2], [1, 2, 3, 4])
    array = ak.Array([[[1], None], None, [[2, None]]])
    with pytest.raises(ValueError, match="missing_lists"):
        Ragged.from_awkward(array, missing_lists="refuse")
    assert Ragged.from_awkward(array, missing_lists="empty").to_list() == [[[1], []], [], [[2, None]]]
    pa = pytest.importorskip("pyarrow")
    lists = pa.array([[[1], None], None, [[2, None]]])
    assert Ragged.from_arrow(lists, missing_lists="empty").to_list() == [[[1], []], [], [[2, None]]]
    assert Ragged.from_arrow(lists[1:], missing_lists="empty").to_list() == [[], [[2, None]]]
    fixed = pa.array([[1, 2], None], pa.list_(pa.int64(), 2))
    assert Ragged.from_arrow(fixed, missing_lists="empty").to_list() == [[1, 2], []]
    with pytest.raises(ValueError, match="refuse"):
        Ragged.from_arrow(lists, missing_lists="skip")


def test_padding_with_values_keeps_missing_leaves():
    a = Ragged.from_list([[1, None], []])
    assert a.pad_to(3, value=0).to_list() == [[1, None, 0], [0, 0, 0]] and a.pad_to(1, clip=True, value=0.5).to_list() == [[1], [0.5]]
    assert a.pad_to(3, axis=0).to_list() == [[1, None], [], None]
    assert a.fill_none(-1).to_list() == [[1, -1], []] and a.drop_none().to_list() == [[1], []] and a.is_none().to_list() == [[False, True], []]


def test_requests_of_lists():
    rows = {"offsets": [[0, 2, 2, 5]], "data": [4, 1, 7, 7, 2]}
    ask = crd2idx.request
    assert ask("ragged.slice", **rows, axis=1, step=-1) == {"offsets": [[0, 2, 2, 5]], "data": [1, 4, 2, 7, 7]}
    assert ask("ragged.take", **rows, rows=[2, -3]) == {"offsets": [[0, 3, 5]], "data": [7, 7, 2, 4, 1]}
    assert ask("ragged.gather", **rows, ix_offsets=[[0, 1, 1, 3]], ix=[-1, None, 0]) == {"offsets": [[0, 1, 1, 3]], "data": [1, None, 7]}
    assert ask("ragged.filter", **rows, mask_offsets=[[0, 2, 2, 5]], mask=[True, False, None, False, True])["data"] == [4, None, 2]
    assert ask("ragged.pad_to", **rows, target=2, clip=True) == {
        "offsets": [[0, 2, 4, 6]], "data": [4, 1, None, None, 7, 7], "sources": [0, 1, -1, -1, 2, 3],
    }
    assert ask("ragged.combinations", starts=[1, 0], sizes=[3, 1], n=2) == {"offsets": [[0, 3, 3], [0, 2, 4, 6]], "data": [1, 2, 1, 3, 2, 3]}
    assert ask("ragged.index", offsets=[[0, 2, 3]], data=[4, 5, 6], axis=1, index=-1) == {"offsets": [], "data": [5, 6]}
    pair = [{"offsets": [[0, 2, 2]], "data": [1, 2]}, {"offsets": [[0, 1, 2]], "data": [5, 6.5]}]
    assert ask("ragged.concatenate", arrays=pair, axis=1) == {"offsets": [[0, 3, 4]], "data": [1, 2, 5, 6.5]}
    assert [one["data"] for one in ask("ragged.cartesian", arrays=pair, axis=1)] == [[1, 2], [5, 5]]
    assert ask("ragged.sort", **rows, descending=True) == {
        "offsets": [[0, 2, 2, 5]], "data": [4, 1, 7, 7, 2], "sources": [0, 1, 2, 3, 4], "indices": [0, 1, 0, 1, 2],
    }
    assert ask("ragged.unique", **rows) == {"offsets": [[0, 2, 2, 4]], "data": [1, 4, 2, 7]}
    assert ask("ragged.run_lengths", **rows) == {"offsets": [[0, 2, 2, 4]], "data": [4, 1, 7, 2], "lengths": [1, 1, 2, 1]}
    for op, more in [("ragged.combinations", {"n": 1000}), ("ragged.pad_to", {"target": 1 << 40}), ("ragged.gather", {"ix": [9]})]:
        with pytest.raises(crd2idx.Refused):
            ask(op, offsets=[[0, 2000]], data=[0] * 2000, **more)


def of_kernel(op, given):
    """Returns what an array of these offsets or views answers, in the form of the facts."""
    ends = [begin + size for begin, size in zip(given["starts"], given["sizes"])] if "starts" in given else given["offsets"][-1]
    leaves = np.array(given.get("data", range(max(ends, default=0))), np.int64)
    a = Ragged.from_views(given["starts"], given["sizes"], leaves) if "starts" in given else Ragged(given["offsets"], leaves)
    above = (slice(None),) * given.get("axis", 0)
    if op == "combinations":
        found = a.combinations(given["n"], replacement=given["replacement"])
        return {"offsets": found.offsets[0].tolist(), "leaves": found.leaves.reshape(-1, max(given["n"], 1)).tolist()}
    if op == "pad_to":
        return {"sources": a.pad_to(given["target"], clip=given["clip"]).leaves.tolist()}
    key = {
        "slice": lambda: (*above, slice(given["start"], given["stop"], given["step"])),
        "index": lambda: (*above, given["index"]),
        "take": lambda: np.array(given["rows"], np.int64),
        "gather": lambda: Ragged(given["ix_offsets"], np.array(given["ix"], np.int64)),
    }[op]()
    found = a[key]
    found = found if isinstance(found, Ragged) else Ragged([], found)
    return {"data": found.leaves.tolist(), "offsets": [level.tolist() for level in found.offsets]}


def test_facts_of_kernels_of_awkward():
    """The facts are cases of `kernel-test-data.json` of scikit-hep/awkward (BSD 3-clause), as operations on arrays."""
    facts = [json.loads(line) for line in (pathlib.Path(__file__).parent / "ragged_kernels.jsonl").read_text().splitlines()]
    for fact in facts:
        assert of_kernel(fact["op"], fact["input"]) == fact["truth"], fact
    assert len(facts) == 199
