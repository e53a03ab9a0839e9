"""Moves between placements, run by their runs on arrays and compared with NumPy."""

import numpy as np
import pytest

from crd2idx import Refused, placement, reshard

RULES = ["chunk", "balanced", {"block": 2}, {"block": 1}]


def end(rng, rank, partial):
    """Returns a random placement of a tensor with `rank` axes."""
    mesh = {name: int(rng.integers(1, 4)) for name in ("x", "y", "z")[: rng.integers(1, 4)]}
    made = {"mesh": mesh, "splits": [], "partial": {}}
    for axis in rng.permutation(list(mesh)):
        choice = rng.integers(3)
        if choice == 0 and rank:
            made["splits"].append({"dim": int(rng.integers(rank)), "axis": str(axis), "rule": RULES[rng.integers(len(RULES))]})
        elif choice == 1 and partial:
            made["partial"][str(axis)] = "sum"
    return made


def part(whole, ranges):
    """Returns the part of an array that a device has."""
    for axis, list_of_ranges in enumerate(ranges):
        indices = [i for start, stop in list_of_ranges for i in range(start, stop)]
        whole = np.take(whole, np.array(indices, int), axis)
    return whole


@pytest.mark.parametrize("seed", range(60))
def test_runs(seed):
    rng = np.random.default_rng(seed)
    shape = tuple(int(extent) for extent in rng.integers(0, 7, rng.integers(0, 4)))
    source, target = end(rng, len(shape), True), end(rng, len(shape), False)
    mesh = source["mesh"]
    # The summand of each device: its coordinate on the partial axes.
    partial = [axis for axis in mesh if axis in source["partial"]]
    coordinates = np.array(np.unravel_index(np.arange(np.prod(list(mesh.values()))), list(mesh.values())))
    of = np.zeros(coordinates.shape[1], int)
    for axis in partial:
        of = of * mesh[axis] + coordinates[list(mesh).index(axis)]
    summands = rng.integers(0, 100, (of.max() + 1, *shape))
    held = [part(summands[of[device]], ranges).reshape(-1) for device, ranges in enumerate(placement(shape=shape, **source))]
    plan = reshard(shape, source, target, runs=True)
    assert reshard(shape, source, target) == {"local": plan["local"], "moved": plan["moved"]}
    runs, stays = plan["runs"], plan["runs"]["source"] == plan["runs"]["target"]
    assert (runs["length"][stays].sum(), runs["length"][~stays].sum()) == (plan["local"], plan["moved"])
    for device, ranges in enumerate(placement(shape=shape, **target)):
        expected = part(summands.sum(0), ranges).reshape(-1)
        made = np.zeros_like(expected)
        for run in runs[runs["target"] == device]:
            made[run["target_offset"] :][: run["length"]] += held[run["source"]][run["source_offset"] :][: run["length"]]
        assert (made == expected).all()


def test_relabelled():
    source = {"mesh": {"tp": 2, "pp": 2}, "splits": [{"dim": 0, "axis": axis, "rule": "even"} for axis in ("tp", "pp")]}
    target = {**source, "mesh": {"pp": 2, "tp": 2}}
    assert reshard((8,), source, target) == {"local": 4, "moved": 4}
    plan = reshard((8,), source, target, runs=True, relabel=True)
    assert (plan["local"], plan["moved"], plan["takers"]) == (8, 0, [0, 2, 1, 3])
    assert (plan["runs"]["source"] == plan["runs"]["target"]).all()


def test_refusals():
    cyclic = {"mesh": {"x": np.int64(2)}, "splits": [{"dim": 0, "axis": "x", "rule": {"block": 1}}]}
    with pytest.raises(ValueError, match="1000000000 runs"):
        reshard((10**9,), cyclic, {"mesh": {"x": 2}, "spec": ["x"]}, runs=True)
    with pytest.raises(Refused, match="no axis `tp`"):
        placement(mesh={"x": 2}, shape=(4,), spec=["tp"])
    with pytest.raises(Refused, match="4 indices do not divide evenly among the 3 devices"):
        placement(mesh={"x": 3}, shape=(4,), spec=["x"])
