"""Compares ragged arrays with missing lists with Awkward Array on random arrays.

Where the two differ on purpose, the case says so:

* A missing value of an operand with fewer axes makes a missing list of Awkward Array, here missing leaves in the same lists.
* Awkward joins missing lists of the joined axis as empty ones: None beside None is []. Here it is missing.
* Positions of `argmin` and `argmax` along an axis before the last leave out missing lists there. Here they are coordinates.
* Sorting along an axis before the last moves missing lists to the end there, and is refused here. Sorting along the last axis of more than two
  axes moves or loses leaves there if lists are missing. Nested lists are the reference.
* `where` makes a list with a missing leaf, or an error, of a missing list there; here it is missing, as for all other functions of elements.
* A product of a missing list is empty there, if the other array has no option type at this level. Here it is missing.
* `drop_none` removes missing elements of the next axis there, if the elements of the given axis have no option type.
* `combinations` and `cartesian` have records there; here a combination is a list, and a product is an array for each operand.
* `run_lengths` is wrong there for arrays with missing lists of more than two axes. Nested lists are the reference.
"""

import copy
import os
import pickle

import numpy as np
import pytest

from crd2idx import Ragged

from test_ragged_lists import close, plain
from test_ragged_lists import same as same_answers

ak = pytest.importorskip("awkward")

CASES = int(os.environ.get("CRD2IDX_RAGGED_CASES", 1000))


def random_lists(rng, depth, leaf=0.2, lists=0.2, top=True, most=4):
    """Returns nested lists; leaves and lists are `None` with these probabilities."""
    if rng.random() < (leaf if depth == 0 else 0 if top else lists):
        return None
    if depth == 0:
        return int(rng.integers(-4, 5))
    return [random_lists(rng, depth - 1, leaf, lists, False, most) for _ in range(rng.integers(most + 1) if rng.random() < 0.9 else 0)]


def as_ragged(lists, depth, dtype=np.int64):
    """Converts nested lists to an array of this depth."""
    offsets, missing, level = [], [], lists
    for _ in range(depth - 1):
        missing.append(np.array([part is None for part in level], bool))
        level = [part or [] for part in level]
        offsets.append(np.concatenate([[0], np.cumsum([len(part) for part in level])]).astype(np.int64))
        level = [entry for part in level for entry in part]
    mask = np.array([leaf is None for leaf in level], bool)
    data = np.array([0 if leaf is None else leaf for leaf in level], dtype)
    return Ragged(offsets, np.ma.masked_array(data, mask), missing)


def random_pair(rng, depth=None, **chances):
    """Returns random nested lists, and both arrays of them. Awkward's array has one of several layouts."""
    depth = depth or int(rng.integers(1, 5))
    lists = random_lists(rng, depth, **chances)
    a = as_ragged(lists, depth)
    assert a.to_list() == lists
    b = a.to_awkward()
    if depth > 1 and rng.random() < 0.3:
        order = rng.permutation(len(b))
        a, b = a[order], b[order]
    return a, b


def same(ours, theirs):
    """Calls both functions as `test_ragged_lists.same` does, and checks the lists of a result."""
    equal = same_answers(ours, theirs)
    if equal and isinstance(plain(found := ours()), list):
        checked(found)
    return equal


def checked(found):
    """Tests that the parts of a result are valid, and that its missing lists have no elements."""
    if isinstance(found, Ragged):
        found._check()
        assert len(found.missing) == len(found.offsets)
        for level, lists in zip(found.offsets, found.missing):
            assert lists is None or not np.diff(level)[lists].any()


def case_exchange(rng):
    a, b = random_pair(rng)
    lists = a.to_list()
    for other in (a.to_awkward(), b, ak.from_iter(lists), ak.to_packed(b), ak.Array(b.layout.to_ByteMaskedArray(True)) if b.layout.is_option else b):
        assert Ragged.from_awkward(other).to_list() == lists
    assert a.to_arrow().to_pylist() == lists and Ragged.from_arrow(a.to_arrow()).to_list() == lists
    assert Ragged.from_arrow(ak.to_arrow(b, extensionarray=False)).to_list() == lists
    assert plain(Ragged.from_awkward(b, missing_lists="empty")) == emptied(lists, a.depth)
    assert pickle.loads(pickle.dumps(a)).to_list() == copy.deepcopy(a).to_list() == lists
    if any(level is not None for level in a.missing):
        for refused in (lambda: Ragged.from_awkward(b, missing_lists="refuse"), lambda: Ragged.from_arrow(a.to_arrow(), missing_lists="refuse")):
            with pytest.raises(ValueError, match="missing or null"):
                refused()
    return True


def emptied(lists, depth):
    return lists if depth <= 1 else [emptied([] if one is None else one, depth - 1) for one in lists]


def random_key(rng, axes):
    """Returns integers, slices, `None` and `...` for at most these axes."""
    keys = []
    for _ in range(rng.integers(1, axes + 1)):
        kind, end = rng.random(), lambda: None if rng.random() < 0.4 else int(rng.integers(-3, 4))
        keys.append(int(rng.integers(-2, 2)) if kind < 0.4 else slice(end(), end(), int(rng.choice([1, 1, 2, -1]))))
    if rng.random() < 0.3:
        keys.insert(rng.integers(len(keys) + 1), Ellipsis)
    if rng.random() < 0.2:
        keys.insert(rng.integers(len(keys) + 1), None)
    return tuple(keys)


def nested_index(part, keys):
    """Applies integers, slices and `None` to nested lists."""
    if not keys:
        return part
    if keys[0] is None:
        return [nested_index(part, keys[1:])]
    if isinstance(keys[0], slice):
        return None if part is None else [nested_index(one, keys[1:]) for one in part[keys[0]]]
    return nested_index(None if part is None else part[keys[0]], keys[1:])


def case_basic_index(rng):
    a, b = random_pair(rng, leaf=rng.choice([0, 0.2]))
    key = random_key(rng, a.depth)
    named = sum(one is not None and one is not Ellipsis for one in key)
    at = key.index(Ellipsis) if Ellipsis in key else len(key)
    keys = [*key[:at], *[slice(None)] * (a.depth - named), *key[at + 1 :]]

    def want():
        part = a.to_list()
        for k, one in enumerate(keys):
            if not isinstance(one, int):
                return nested_index(part, keys[k:])
            part = part[one]
            if part is None and k + 1 < a.depth:
                # A row that is missing has no axes.
                return None
        return part

    return same(lambda: a[key], want)


def case_index_of_awkward(rng):
    a, b = random_pair(rng)
    key = tuple(slice(None) if rng.random() < 0.5 else 0 if rng.random() < 0.5 else slice(None, None, -1) for _ in range(rng.integers(1, a.depth + 1)))
    try:
        want = plain(b[key])
    except (IndexError, ValueError) as error:
        if "negative dimensions" in str(error):
            return False
        with pytest.raises(IndexError):
            a[key]
        return False
    assert close(plain(a[key]), want)
    return True


def case_array_index(rng):
    a, b = random_pair(rng, int(rng.integers(2, 5)), lists=0.3)
    axis = int(rng.integers(a.depth))
    sizes = [len(part) for part in present(a.to_list(), axis)]
    least = min(sizes, default=0)
    if not least:
        return False
    picks = rng.integers(-least, least, 3)
    key = (*[slice(None)] * axis, picks)
    want = last_axis(a.to_list(), axis + 1, lambda row: [row[k] for k in picks])
    assert plain(a[key]) == want
    checked(a[key])
    by_awkward(lambda: b[key], want)
    if axis + 1 < a.depth:
        # Elements of missing lists are missing. Awkward chooses from other lists then.
        sizes = [len(part) for part in present(want, axis + 1)]
        inner = rng.integers(-min(sizes), min(sizes), 3) if sizes and min(sizes) else None
        if inner is not None:
            want = last_axis(a.to_list(), axis + 1, lambda row: [None if row[k] is None else row[k][other] for k, other in zip(picks, inner)])
            assert plain(a[(*key, inner)]) == want
            checked(a[(*key, inner)])
    grid = (*[slice(None)] * axis, rng.integers(-least, least, (2, 2)) if least else np.zeros((2, 0), int))
    flat = (*[slice(None)] * axis, grid[-1].reshape(-1))
    try:
        want = a[flat]
    except IndexError:
        return True
    assert a[grid].flatten(axis + 1).to_list() == want.to_list()
    return True


def present(part, axis):
    """Returns the lists of an axis that are not missing."""
    return [part] if axis == 0 else [found for one in part if one is not None for found in present(one, axis - 1)]


def beside(rng, lists, axis, leaves, lost):
    """Returns lists like these down to an axis, with `leaves(length)` in the lists of that axis."""
    if lists is None:
        return None if rng.random() < 0.7 else ([] if axis else leaves(0))
    if rng.random() < lost:
        return None
    return leaves(len(lists)) if axis == 0 else [beside(rng, one, axis - 1, leaves, lost) for one in lists]


def same_lists(a, b, axis):
    """Tests whether two nested lists have the same lists above an axis, where neither has a missing one."""
    if a is None or b is None or axis == 0:
        return True
    return len(a) == len(b) and all(same_lists(x, y, axis - 1) for x, y in zip(a, b))


def reference(part, key, axis, choose):
    """Chooses by lists of indices or bools."""
    if part is None or key is None:
        return None
    return choose(part, key) if axis == 0 else [reference(one, other, axis - 1, choose) for one, other in zip(part, key)]


def case_gather(rng):
    a, b = random_pair(rng)
    axis = int(rng.integers(a.depth))

    def leaves(length):
        return [None if rng.random() < 0.2 else int(rng.integers(-length, length)) for _ in range(rng.integers(4))] if length else []

    lists = beside(rng, a.to_list(), axis, leaves, 0) if axis == 0 else [beside(rng, one, axis - 1, leaves, 0.15) for one in a.to_list()]
    key = as_ragged(lists, axis + 1)
    want = reference(a.to_list(), lists, axis, lambda part, key: [None if k is None else part[k] for k in key])
    if not same_lists(a.to_list(), lists, axis):
        # Lists of different lengths above the axis.
        with pytest.raises(IndexError):
            a[key]
        return False
    found = a[key]
    assert plain(found) == want
    checked(found)
    # Awkward mistakes the lists below a missing list of indices for others.
    return has_none(lists, axis - 1) or by_awkward(lambda: b[key.to_awkward()], want)


def case_filter(rng):
    a, b = random_pair(rng)
    axis = int(rng.integers(a.depth))

    def leaves(length):
        return [None if rng.random() < 0.2 else bool(rng.random() < 0.5) for _ in range(length)]

    lists = leaves(len(a)) if axis == 0 else [beside(rng, one, axis - 1, leaves, 0.15) for one in a.to_list()]
    key = as_ragged(lists, axis + 1, bool)
    want = reference(a.to_list(), lists, axis, lambda part, key: [part[k] if keep else None for k, keep in enumerate(key) if keep is not False])
    found = a[key]
    assert plain(found) == want
    checked(found)
    # Awkward mistakes the lists below a missing list of indices for others.
    return has_none(lists, axis - 1) or by_awkward(lambda: b[key.to_awkward()], want)


def by_awkward(theirs, want):
    """Compares with Awkward Array unless it refuses or cannot answer."""
    try:
        found = plain(theirs())
    except (IndexError, ValueError, TypeError, NotImplementedError):
        return False
    assert close(found, want), (found, want)
    return True


def case_reduce(rng):
    a, b = random_pair(rng, leaf=rng.choice([0, 0.2]))
    how, axis = str(rng.choice(["sum", "prod", "min", "max", "argmin", "argmax", "any", "all", "count", "count_nonzero", "mean"])), int(rng.integers(a.depth))
    if axis < a.depth - 1 and how in ("argmin", "argmax"):
        return True
    with np.errstate(all="ignore"):
        return same(lambda: getattr(a, how)(axis) if a.depth > 1 else getattr(a, how)(axis).leaves[0], lambda: getattr(ak, how)(b, axis=axis))


def case_reduce_all(rng):
    a, b = random_pair(rng)
    how = str(rng.choice(["sum", "prod", "min", "max", "any", "all", "count"]))
    if not len(a.leaves):
        return getattr(a, how)(None) in (0, 1, np.ma.masked)
    return same(lambda: getattr(a, how)(None), lambda: getattr(ak, how)(b, axis=None))


def case_positions_along_outer_axes(rng):
    a, _ = random_pair(rng, int(rng.integers(2, 4)), leaf=0)
    axis = int(rng.integers(a.depth - 1))
    places, most = a.argmax(axis), a.max(axis)

    def leaf(part, path):
        for k in path:
            if part is None or k >= len(part):
                return None
            part = part[k]
        return part

    for path, place in paths(plain(places), []):
        source = [*path[:axis], place, *path[axis:]]
        assert leaf(a.to_list(), source) == leaf(plain(most), path)
    return True


def paths(part, path):
    """Returns the coordinates of all leaves that are present, and these leaves."""
    if isinstance(part, list):
        return [found for k, one in enumerate(part) for found in paths(one, [*path, k])]
    return [] if part is None else [(path, part)]


def case_sort(rng):
    a, b = random_pair(rng)
    descending = bool(rng.random() < 0.5)
    want = last_axis(a.to_list(), a.depth, lambda row: sorted(row, key=lambda leaf: (leaf is None, 0 if leaf is None else -leaf if descending else leaf)))
    assert a.sort(-1, descending).to_list() == plain(taken(a, a.argsort(-1, descending))) == want
    if a.depth < 3:
        return same(lambda: a.sort(-1, descending), lambda: ak.sort(b, axis=-1, ascending=not descending))
    return True


def last_axis(part, depth, f):
    """Returns lists in which those of the last axis are replaced."""
    return None if part is None else f(part) if depth == 1 else [last_axis(one, depth - 1, f) for one in part]


def taken(a, places):
    return a[places] if a.depth > 1 else a[places.leaves]


def case_sort_along_outer_axes(rng):
    a, b = random_pair(rng, int(rng.integers(2, 5)), leaf=0)
    axis = int(rng.integers(a.depth - 1))
    if any(lists is not None for lists in a.missing[axis:]):
        with pytest.raises(ValueError, match="missing list"):
            a.sort(axis)
        return False
    want = last_axis(a.to_list(), axis, lambda row: [None if one is None else plain(as_ragged(one, a.depth - axis).sort(0)) for one in row]) if axis else None
    if axis:
        # Awkward loses leaves of the lists beside missing ones.
        assert a.sort(axis).to_list() == want
        return True
    return same(lambda: a.sort(axis), lambda: ak.sort(b, axis=axis))


def case_structure(rng):
    a, b = random_pair(rng)
    axis, n, clip = int(rng.integers(a.depth)), int(rng.integers(5)), bool(rng.random() < 0.5)
    assert same(lambda: a.local_index(axis), lambda: ak.local_index(b, axis=axis))
    assert same(lambda: a.num(axis) if axis else a.num(0).leaves[0], lambda: ak.num(b, axis=axis))
    assert same(lambda: a.pad_to(n, axis, clip), lambda: ak.pad_none(b, n, axis=axis, clip=clip))
    assert sorted(one for one in a.flatten(None).to_list() if one is not None) == sorted(ak.flatten(b, axis=None).to_list())
    filled = a.pad_to(n, -1, clip, value=7)
    assert filled.pad_to(0).to_list() == filled.to_list() == last_axis(a.to_list(), a.depth, lambda row: (row[:n] if clip else row) + [7] * (n - len(row)))
    return axis == 0 or same(lambda: a.flatten(axis), lambda: ak.flatten(b, axis=axis))


def case_unflatten(rng):
    a, b = random_pair(rng)
    sizes = []
    while sum(sizes) < len(a):
        sizes.append(min(int(rng.integers(1, 4)), len(a) - sum(sizes)))
    assert not sizes or same(lambda: a.unflatten(sizes), lambda: ak.unflatten(b, sizes))
    if sizes:
        assert a.unflatten(sizes).flatten(1).to_list() == a.to_list()
    if a.depth > 1 and len(a):
        assert a.unflatten(1, 1).flatten(2).to_list() == a.to_list()
    return True


def case_missing(rng):
    a, b = random_pair(rng, leaf=0.3)
    axis = int(rng.integers(a.depth))
    present = last_axis(a.to_list(), axis + 1, lambda row: [one for one in row if one is not None])
    assert plain(a.drop_none(axis)) == present
    checked(a.drop_none(axis))
    if option_type(b, axis):
        by_awkward(lambda: ak.drop_none(b, axis=axis), present)
    value = 7 if axis == a.depth - 1 else []
    assert same(lambda: a.fill_none(value, axis), lambda: ak.fill_none(b, value, axis=axis))
    return same(lambda: a.is_none(axis), lambda: ak.is_none(b, axis=axis))


def option_type(array, axis):
    """Tests whether the elements of an axis have an option type."""
    kind = array.type.content
    for _ in range(axis):
        kind = kind.content.content if isinstance(kind, ak.types.OptionType) else kind.content
    return isinstance(kind, ak.types.OptionType)


def case_ufunc(rng):
    a, b = random_pair(rng)
    lists = [beside_lists(rng, one, a.depth - 1) for one in a.to_list()]
    c = as_ragged(lists, a.depth)
    d = c.to_awkward()
    assert same(lambda: -a * 2, lambda: -b * 2) and same(lambda: a == a, lambda: b == b) and same(lambda: np.hypot(a, 1), lambda: np.hypot(b, 1))
    want = [both(one, other, lambda x, y: x + y) for one, other in zip(a.to_list(), lists)]
    assert plain(a + c) == plain(c + a) == want
    checked(a + c)
    condition = [both(one, other, lambda x, y: x if x > y else y) for one, other in zip(a.to_list(), lists)]
    assert plain(Ragged.where(a > c, a, c)) == condition
    return by_awkward(lambda: b + d, want)


def beside_lists(rng, part, depth):
    """Returns lists like these, with other leaves, and other missing ones."""
    if rng.random() < 0.2:
        return None
    if depth == 0:
        return int(rng.integers(-4, 5))
    if part is None:
        return random_lists(rng, depth, top=True)
    return [beside_lists(rng, one, depth - 1) for one in part]


def both(x, y, f):
    if x is None or y is None:
        return None
    return [both(one, other, f) for one, other in zip(x, y)] if isinstance(x, list) else f(x, y)


def case_ufunc_of_fewer_axes(rng):
    a, b = random_pair(rng, int(rng.integers(2, 5)))
    axis = int(rng.integers(a.depth - 1))
    lists = number_each(rng, a.to_list(), axis)
    c = as_ragged(lists, axis + 1)
    want = [spread(one, other, axis) for one, other in zip(a.to_list(), lists)]
    assert plain(a + (c if axis else c.leaves)) == want
    return by_awkward(lambda: b + c.to_awkward(), want)


def number_each(rng, lists, axis):
    """Returns a number for each element of an axis; missing lists above have random ones."""
    if axis == 0:
        return [int(rng.integers(-4, 5)) for _ in lists]
    return [(None if rng.random() < 0.5 else []) if one is None else None if rng.random() < 0.1 else number_each(rng, one, axis - 1) for one in lists]


def spread(part, number, axis):
    if part is None or number is None:
        return None
    if axis:
        return [spread(one, other, axis - 1) for one, other in zip(part, number)]
    return [spread(one, number, 0) for one in part] if isinstance(part, list) else part + number


def case_concatenate(rng):
    a, b = random_pair(rng)
    axis = int(rng.integers(a.depth))
    if axis == 0:
        other = random_lists(rng, a.depth)
    else:
        other = [beside_part(rng, one, axis - 1, a.depth - 1) for one in a.to_list()]
    c = as_ragged(other, a.depth)
    want = joined(a.to_list(), other, axis)
    found = Ragged.concatenate([a, c], axis)
    assert found.to_list() == want
    checked(found)
    return has_none(a.to_list(), axis) or has_none(other, axis) or by_awkward(lambda: ak.concatenate([b, c.to_awkward()], axis=axis), want)


def beside_part(rng, part, axis, depth):
    """Returns lists like these above an axis, and random ones from the axis on."""
    if rng.random() < 0.2:
        return None
    if axis == 0 or part is None:
        return random_lists(rng, depth, top=True)
    return [beside_part(rng, one, axis - 1, depth - 1) for one in part]


def joined(a, b, axis):
    if axis == 0:
        return None if a is None and b is None else (a or []) + (b or [])
    if a is None or b is None:
        return None
    return [joined(one, other, axis - 1) for one, other in zip(a, b)]


def has_none(lists, axis):
    """Tests whether a list of an axis is missing."""
    return axis > 0 and any(one is None or has_none(one, axis - 1) for one in lists)


def case_tuples(rng):
    a, b = random_pair(rng, int(rng.integers(2, 4)), most=3)
    axis, replacement = int(rng.integers(a.depth)), bool(rng.random() < 0.5)
    theirs = ak.combinations(b, 2, axis=axis, replacement=replacement)
    ours = a.combinations(2, axis, replacement)
    checked(ours)
    take = (*[slice(None)] * (axis + 1),)
    for k in (0, 1):
        assert plain(ours[(*take, k)]) == plain(theirs[str(k)])
    if axis:
        lists = [beside_part(rng, one, axis - 1, a.depth - 1) for one in a.to_list()]
        c = as_ragged(lists, a.depth)
        first, second = Ragged.cartesian([a, c], axis)
        checked(first)
        want = reference(a.to_list(), lists, axis, lambda x, y: [one for one in x for _ in y])
        assert first.to_list() == want and second.to_list() == reference(a.to_list(), lists, axis, lambda x, y: [other for _ in x for other in y])
        return has_none(a.to_list(), axis) or has_none(lists, axis) or by_awkward(lambda: ak.unzip(ak.cartesian([b, c.to_awkward()], axis=axis))[0], want)
    return True


def case_runs(rng):
    a, b = random_pair(rng)

    def lengths(row):
        ends = [k for k in range(len(row)) if k + 1 == len(row) or row[k] != row[k + 1]]
        return [end - begin for begin, end in zip([-1, *ends], ends)]

    assert plain(a.run_lengths()) == last_axis(a.to_list(), a.depth, lengths)
    checked(a.run_lengths())

    def distinct(row):
        return sorted({one for one in row if one is not None}) + [None] * (None in row)

    assert plain(a.unique()) == last_axis(a.to_list(), a.depth, distinct)
    if a.depth == 1:
        return True
    return same(lambda: Ragged.softmax(a.fill_none(1)), lambda: ak.softmax(ak.fill_none(b, 1, axis=-1), axis=-1))


OPERATIONS = {name[5:]: case for name, case in list(globals().items()) if name.startswith("case_")}


@pytest.mark.parametrize("name", OPERATIONS)
def test_missing_lists_agree_with_awkward(name):
    rng = np.random.default_rng(sorted(OPERATIONS).index(name))
    answered = 0
    for k in range(max(CASES // len(OPERATIONS), 1)):
        state = rng.bit_generator.state
        try:
            answered += bool(OPERATIONS[name](rng))
        except Exception as error:
            raise AssertionError(f"{name}, case {k}, generator {state}") from error
    if os.environ.get("CRD2IDX_RAGGED_CASES"):
        print(name, answered, CASES // len(OPERATIONS))


def test_lists_of_python():
    lists = [[[1, 2], None], None, [], [[], [None]]]
    a = Ragged.from_list(lists)
    assert a.to_list() == lists and a.depth == 3 and [level is not None for level in a.missing] == [True, True]
    assert Ragged.from_list([None, None]).depth == 1 and Ragged.from_list([[], None]).to_list() == [[], None]
    assert Ragged.from_list([np.ma.masked, [1]]).to_list() == [None, [1]]
    assert a[1] is np.ma.masked and a[0, 1] is np.ma.masked and a[1, 0, 0] is np.ma.masked and a[0].to_list() == [[1, 2], None]
    assert [None if row is np.ma.masked else row.to_list() for row in a] == lists
    with pytest.raises(ValueError, match="both lists and leaves"):
        Ragged.from_list([[1], 2, None])
    with pytest.raises(IndexError):
        a[4]


def test_marks_of_lists():
    a = Ragged([[0, 2, 3, 3]], [1, 2, 3], [[False, True, False]])
    assert a.to_list() == [[1, 2], None, []] and a.leaves.tolist() == [1, 2] and a.offsets[0].tolist() == [0, 2, 2, 2]
    assert Ragged([[1, 3, 4]], [0, 1, 2, 3, 0], [[True, False]]).to_list() == [None, [3]]
    assert Ragged([[0, 1]], [1], [[False]]).missing == Ragged([[0, 1]], [1], [None]).missing == [None]
    for wrong in ([], [[True]], [[True, False, False], None], [[[True]] * 3]):
        with pytest.raises(ValueError, match="marks|shape"):
            Ragged([[0, 2, 3, 3]], [1, 2, 3], wrong)


def test_other_layouts_of_awkward():
    content = ak.contents.ListOffsetArray(ak.index.Index64(np.array([0, 2, 2, 3])), ak.contents.NumpyArray(np.array([1, 2, 3])))
    indexed = ak.contents.IndexedOptionArray(ak.index.Index64(np.array([2, -1, 0])), content)
    bits = ak.contents.BitMaskedArray(ak.index.IndexU8(np.array([5], np.uint8)), content, True, 3, True)
    regular = ak.contents.RegularArray(ak.contents.NumpyArray(np.arange(6)), 2)
    masked = ak.contents.ByteMaskedArray(ak.index.Index8(np.array([0, 1, 0], np.int8)), regular, True)
    unmasked = ak.contents.UnmaskedArray(content)
    for layout in (indexed, bits, masked, unmasked):
        array = ak.Array(layout)
        assert Ragged.from_awkward(array).to_list() == array.to_list()
    assert str(Ragged.from_list([[1], None]).to_awkward().type) == "2 * option[var * int64]"
    assert Ragged.from_awkward(ak.Array([None, None])).to_list() == [None, None] == ak.Array([None, None]).to_list()
    assert Ragged.from_awkward(ak.Array([[None], None])).to_list() == [[None], None]


def test_lists_of_arrow():
    pa = pytest.importorskip("pyarrow")
    lists = [[1, 2], None, [3, None], None]
    for kind in (pa.list_(pa.int64()), pa.large_list(pa.int32()), pa.list_(pa.int64(), 2), pa.list_view(pa.int64()), pa.large_list_view(pa.float64())):
        array = pa.array(lists, kind)
        for part in (array, array[1:], array[1:2], pa.chunked_array([array, array[2:]])):
            found = Ragged.from_arrow(part)
            assert found.to_list() == part.to_pylist() and found.to_arrow().to_pylist() == part.to_pylist()
            found._check()
    nested = pa.array([[[1], None], None, [[None], []]])
    assert Ragged.from_arrow(nested).to_list() == Ragged.from_arrow(nested).to_arrow().to_pylist() == nested.to_pylist()
    with pytest.raises(ValueError, match="null"):
        Ragged.from_arrow(nested, missing_lists="refuse")


def test_missing_lists_that_are_filled_or_refused():
    a = Ragged.from_list([[[1, 2], None], None, [[3]]])
    assert a.fill_none([], 0).to_list() == [[[1, 2], None], [], [[3]]] and a.fill_none([[7], None], 0).to_list() == [[[1, 2], None], [[7], None], [[3]]]
    assert a.fill_none([0.5], 1).to_list() == [[[1, 2], [0.5]], None, [[3]]] and a.fill_none(0).to_list() == a.to_list()
    for value, axis in ((0, 0), ([1], 0), ([[1]], 1)):
        with pytest.raises(ValueError, match="axis"):
            a.fill_none(value, axis)
    for axis in (0, 1):
        with pytest.raises(ValueError, match="axis . has|missing list"):
            a.sort(axis)
    with pytest.raises(ValueError, match="missing list"):
        Ragged.from_list([None, [1]]).unflatten([0, 1], 1)
    with pytest.raises(ValueError, match="missing"):
        a.unflatten(np.ma.masked_array([1, 2], [True, False]))
    assert a.padded(-1).tolist() == [[[1, 2], [-1, -1]], [[-1, -1], [-1, -1]], [[3, -1], [-1, -1]]]
    with pytest.raises(ValueError):
        Ragged.from_list([[1], None]) + Ragged.from_list([[1], None, [2]])
    with pytest.raises(ValueError):
        Ragged.from_list([[1], None, [1]]) + Ragged.from_list([[1, 2], None, None])
    assert (Ragged.from_list([[1, 2], None]) * np.array([[1, 2], [3, 4]])).to_list() == [[1, 4], None]
    assert np.concatenate([Ragged.from_list([[1], None]), Ragged.from_list([None, [2]])], axis=1).to_list() == [[1], [2]]
    assert Ragged([], np.ma.masked_array([5, 1, 3], [False, True, False])).argmin(0).leaves.tolist() == [2]


@pytest.mark.parametrize("leaf", [2**53 + 1, True])
def test_filled_lists_keep_the_type(leaf):
    a = Ragged.from_list([[leaf], None])
    filled = a.fill_none([], axis=0)
    assert filled.leaves.dtype == a.leaves.dtype and filled.to_list() == [[leaf], []]
