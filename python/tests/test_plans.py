"""Moves between placements, run by their runs on arrays and compared with NumPy."""

import numpy as np
import pytest

from crd2idx import Refused, placement, reshard, reshard_kv_cache

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


@pytest.mark.parametrize("seed", range(12))
def test_caches(seed):
    """Every rank of the target gets all slots of its own tokens and heads, as a loop over the rules of vLLM says."""
    rng = np.random.default_rng(seed)
    layers, tokens, heads, dim = (int(rng.integers(1, high)) for high in (5, 14, 4, 4))

    def engine():
        pipeline, replicas, context = int(rng.integers(1, layers + 1)), int(rng.integers(1, 3)), int(rng.integers(1, 3))
        interleave = int(rng.integers(1, 3))
        divisors = [count for count in range(1, heads + 1) if heads % count == 0]
        ranks = heads * replicas * context if context * replicas > 1 else divisors[int(rng.integers(len(divisors)))]
        words = dict(tensor_parallel=ranks, pipeline_parallel=pipeline, decode_context_parallel=context, interleave=interleave)
        return dict(words, block=interleave * int(rng.integers(1, 4)), order=("NHD", "HND")[int(rng.integers(2))])

    def slots(about):
        """The element of each slot: by rank, layer, value, page and offset."""
        found = {}
        ranks, context, pipeline = (about[f"{name}_parallel"] for name in ("tensor", "decode_context", "pipeline"))
        least, more = divmod(layers, pipeline)
        counts = [least + (pipeline - 1 - more <= stage < pipeline - 1) for stage in range(pipeline)]
        of_stage = np.repeat(range(pipeline), counts)
        block, width = about["block"], max(heads // ranks, 1)
        for layer, value, token, head, k in np.ndindex(layers, 2, tokens, heads, dim):
            for rank in range(ranks):
                first = rank * heads // ranks
                if not first <= head < first + width or rank % context != token // about["interleave"] % context:
                    continue
                own = token if context == 1 else token // (about["interleave"] * context) * about["interleave"] + token % about["interleave"]
                page, slot, local = own // block, own % block, head - first
                offset = ((slot * width + local) if about["order"] == "NHD" else (local * block + slot)) * dim + k
                found[of_stage[layer] * ranks + rank, layer, value, page, offset] = (layer, value, token, head, k)
        return found

    source, target = engine(), engine()
    has, needs = slots(source), slots(target)
    runs = reshard_kv_cache(source, target, layers=layers, tokens=tokens, heads=heads, head_dim=dim)
    got = {}
    for run in runs.tolist():
        for k in range(run[-1]):
            place = (*run[5:9], run[9] + k)
            assert place not in got
            got[place] = has[(*run[:4], run[4] + k)]
    assert got == needs


def test_refused_caches():
    shape = dict(layers=1, tokens=3, heads=2, head_dim=2)
    with pytest.raises(ValueError, match="to.order: `NDH` is neither `NHD` nor `HND`"):
        reshard_kv_cache({"block": 2}, {"block": 2, "order": "NDH"}, **shape)
    assert len(reshard_kv_cache({"block": np.int64(2)}, {"block": 2}, **shape)) == 4
    with pytest.raises(ValueError, match="from: vLLM: `block` is 0"):
        reshard_kv_cache({"block": 0}, {"block": 2}, **shape)
    with pytest.raises(ValueError, match="from: unknown key `page`, allowed are block, order"):
        reshard_kv_cache({"page": 2}, {"block": 2}, **shape)
