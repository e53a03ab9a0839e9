"""The work of one of four ranks in `test_moves.py`: random moves over MPI or Gloo, compared with NumPy, and moves that some ranks refuse.

`python move_worker.py mpi` runs under `mpiexec -n 4`, and `python move_worker.py torch RANK FILE` beside three others.
"""

import sys

import numpy as np
from test_plans import end, part

from crd2idx import _channels, placement
from crd2idx.moves import Move, MoveError

CASES = 120
REDUCTIONS = {"sum": np.add, "mean": np.add, "min": np.minimum, "max": np.maximum}


class Mpi:
    """The arrays and communicators of mpi4py."""

    types = ["f4", "i8", "c16", ">f8", "u1", "f2"]

    def __init__(self):
        from mpi4py import MPI

        self.world = MPI.COMM_WORLD
        self.rank = self.world.rank

    def first(self, size):
        """Returns the communicator of the first ranks."""
        return self.world.Split(0 if self.rank < size else 1, self.rank)

    @staticmethod
    def array(values, kind):
        return np.array(values, kind, order="C")

    @staticmethod
    def values(array):
        return array


class Torch:
    """The tensors and process groups of PyTorch."""

    types = ["float32", "bfloat16", "int64", "complex64", "uint8", "bfloat16"]

    def __init__(self):
        import torch
        import torch.distributed as dist

        self.torch, self.dist, self.rank = torch, dist, int(sys.argv[2])
        dist.init_process_group("gloo", init_method=f"file://{sys.argv[3]}", rank=self.rank, world_size=4)
        self.groups = {size: dist.new_group(range(size)) for size in range(1, 5)}
        self.world = dist.group.WORLD

    def first(self, size):
        """Returns the process group of the first ranks."""
        return self.groups[size]

    def array(self, values, kind):
        return self.torch.tensor(np.array(values, order="C"), dtype=getattr(self.torch, kind))

    def values(self, tensor):
        return (tensor.float() if tensor.dtype == self.torch.bfloat16 else tensor).numpy()


def summand_of(placed):
    """Returns the summand that each device of a placement has."""
    mesh = placed["mesh"]
    coordinates = np.array(np.unravel_index(np.arange(np.prod(list(mesh.values()))), list(mesh.values())))
    of = np.zeros(coordinates.shape[1], int)
    for axis in mesh:
        if axis in placed["partial"]:
            of = of * mesh[axis] + coordinates[list(mesh).index(axis)]
    return of


def random_move(rng, side, seed):
    """Runs one random move on the first ranks, and compares the new part of this rank."""
    while True:
        shape = tuple(int(extent) for extent in rng.integers(0, 9, rng.integers(0, 4)))
        source, target = end(rng, len(shape), True), end(rng, len(shape), False)
        if max(np.prod(list(placed["mesh"].values())) for placed in (source, target)) <= 4:
            break
    reduction, kind, relabel = list(REDUCTIONS)[rng.integers(4)], side.types[seed % len(side.types)], bool(rng.integers(2))
    source["partial"] = dict.fromkeys(source["partial"], reduction)
    move = Move(shape, source, target, relabel=relabel)
    of = summand_of(source)
    if reduction == "mean" and kind in ("i8", "u1", "int64", "uint8") or reduction in ("min", "max") and kind == "complex64":
        reduction, source["partial"] = "sum", dict.fromkeys(source["partial"], "sum")
        move = Move(shape, source, target, relabel=relabel)
    summands = rng.integers(0, 40, (of.max() + 1, *shape))
    if kind in ("f4", "float32", ">f8"):
        # Their sums depend on the order.
        summands = summands * 10.0 ** rng.integers(-9, 9, summands.shape)
    # Messages in pieces of 5 bytes.
    _channels.MOST_BYTES = 5 if seed % 2 else 1 << 30
    communicator = side.first(move.devices)
    if side.rank >= move.devices:
        return
    before, after = placement(shape=shape, **source), placement(shape=shape, **target)
    mine = part(summands[of[side.rank]], before[side.rank]) if side.rank < len(before) else None
    given = None if mine is None else side.array(mine if seed % 3 else mine.reshape(-1), kind)
    takers = list(range(len(after))) if move.takers is None else move.takers
    if side.rank not in takers:
        assert move.run(communicator, given) is None and move.run(communicator, given) is None
        return
    ranges = after[takers.index(side.rank)]
    typed = [side.array(part(summand, ranges), kind) for summand in summands]
    expected = typed[0]
    for summand in typed[1:]:
        if isinstance(side, Torch):
            expected = getattr(side.torch, {np.add: "add", np.minimum: "minimum", np.maximum: "maximum"}[REDUCTIONS[reduction]])(expected, summand)
        else:
            expected = REDUCTIONS[reduction](expected, summand)
    if reduction == "mean" and len(typed) > 1:
        expected = expected / len(typed) if isinstance(side, Torch) else expected / expected.dtype.type(len(typed))
    out = side.array(np.full(expected.shape, 99), kind) if seed % 5 == 0 else None
    made = move.run(communicator, given, out)
    assert out is None or made is out
    found, needed = (tuple(made.shape), made.dtype), (tuple(expected.shape), typed[0].dtype)
    assert found == needed and move.target_shapes[side.rank] == needed[0], (seed, found, needed, move.target_shapes)
    assert np.array_equal(side.values(made), side.values(expected)), (seed, made, expected)
    # The same move runs again.
    assert np.array_equal(side.values(move.run(communicator, given)), side.values(expected))


def refused(side, move, given, out=None):
    """Returns the faults of a move that some ranks refuse, and checks that every rank has the same."""
    try:
        move.run(side.world, given, out)
    except MoveError as error:
        return {rank: (fault["kind"], fault.get("found"), fault.get("needed")) for rank, fault in error.faults.items()}, str(error)
    raise AssertionError("no rank refused")


def refusals(side):
    """Checks that all ranks raise if one refuses, and that a valid move runs afterwards."""
    kinds = ("f4", "f8") if isinstance(side, Mpi) else ("float32", "float64")
    rows, columns = {"mesh": {"x": 4}, "spec": ["x", None]}, {"mesh": {"x": 4}, "spec": [None, "x"]}
    move, rank = Move((8, 4), rows, columns), side.rank
    good = side.array(np.zeros((2, 4)), kinds[0])
    faults, text = refused(side, move, side.array(np.zeros((3 if rank == 2 else 2, 4)), kinds[0]))
    assert faults == {2: ("shape", 12, 8)} and text == "rank 2: part has the shape (3, 4), and the plan needs (2, 4)"
    assert refused(side, move, None if rank in (1, 3) else good)[0] == {1: ("shape", 0, 8), 3: ("shape", 0, 8)}
    assert refused(side, move, [1.0] * 8 if rank == 1 else good)[0] == {1: ("type", None, None)}
    faults, text = refused(side, move, side.array(np.zeros((2, 4)), kinds[rank == 3]))
    assert faults == {3: ("type", None, None)} and "float64" in text and "float32" in text
    strided = side.array(np.zeros((2, 8)), kinds[0])[:, ::2]
    assert refused(side, move, strided if rank == 0 else good)[0] == {0: ("layout", None, None)}
    assert refused(side, move, good, good.reshape(8, 1) if rank == 0 else None)[0] == {0: ("memory", 32, 0)}
    two = Move((8, 4), {"mesh": {"x": 2}, "spec": ["x", None]}, {"mesh": {"x": 2}, "spec": [None, "x"]})
    assert refused(side, two if rank == 1 else move, good)[0] == {1: ("ranks", 4, 2)}
    other = Move((8, 4), rows, rows)
    assert refused(side, other if rank == 3 else move, good)[0] == {3: ("plan", None, None)}
    # A rank with another plan has other parts, which are no fault of their own.
    turned = Move((4, 8), rows, columns)
    assert refused(side, turned if rank == 3 else move, good)[0] == {3: ("plan", None, None)}
    # The stride of a single element is any number.
    each = Move((4,), {"mesh": {"x": 4}, "spec": ["x"]}, {"mesh": {"x": 4}, "spec": [None]})
    one = side.array(np.arange(10.0) + rank, kinds[0])[::5][:1]
    assert side.values(each.run(side.world, one)).tolist() == side.values(side.array(np.arange(4.0), kinds[0])).tolist()
    mean = Move((8, 4), {"mesh": {"x": 4}, "spec": [None], "partial": {"x": "mean"}}, rows)
    whole = side.array(np.zeros((8, 4)), "i8" if isinstance(side, Mpi) else "int64")
    assert set(refused(side, mean, whole)[0].values()) == {("type", None, None)}
    assert tuple(move.run(side.world, good).shape) == (8, 1)
    try:
        move.run("world", good)
    except TypeError as error:
        assert "it must be an Intracomm of mpi4py or a ProcessGroup" in str(error)
    else:
        raise AssertionError("a text is no communicator")


if __name__ == "__main__":
    side = Mpi() if sys.argv[1] == "mpi" else Torch()
    for seed in range(CASES):
        random_move(np.random.default_rng(seed), side, seed)
    _channels.MOST_BYTES = 1 << 30
    refusals(side)
    print("moved")
    if isinstance(side, Torch):
        side.dist.barrier()
        side.dist.destroy_process_group()
