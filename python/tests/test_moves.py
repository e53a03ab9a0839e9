"""Moves between ranks: lists and batches against brute force, and moves that four processes run."""

import importlib.util
import os
import pathlib
import pickle
import shutil
import socket
import subprocess
import sys

import numpy as np
import pytest
from test_plans import end, part

from crd2idx import placement, reshard
from crd2idx.moves import Move, MoveError

WORKER = pathlib.Path(__file__).with_name("move_worker.py")
FIELDS = ["source", "target", "summand", "source_offset", "target_offset", "length"]


def elements(runs):
    """Returns the moved elements: sorted rows of source, target, summand and the two offsets."""
    rows = [(*(int(run[field]) for field in FIELDS[:3]), int(run["source_offset"]) + k, int(run["target_offset"]) + k) for run in runs for k in range(run["length"])]
    return sorted(rows)


def touching(runs):
    """Returns the number of pairs of runs that could be one run."""
    starts = {tuple(int(run[field]) for field in FIELDS[:5]) for run in runs}
    ends = [tuple(int(run[field]) + (int(run["length"]) if "offset" in field else 0) for field in FIELDS[:5]) for run in runs]
    return sum(stop in starts for stop in ends)


@pytest.mark.parametrize("seed", range(60))
def test_lists(seed):
    rng = np.random.default_rng(seed)
    shape = tuple(int(extent) for extent in rng.integers(0, 7, rng.integers(0, 4)))
    source, target = end(rng, len(shape), True), end(rng, len(shape), False)
    move = Move(shape, source, target)
    for side, shapes in ((source, move.source_shapes), (target, move.target_shapes)):
        parts = placement(shape=shape, **side)
        assert shapes[: len(parts)] == [tuple(sum(stop - start for start, stop in axis) for axis in ranges) for ranges in parts]
        assert shapes[len(parts) :] == [None] * (move.devices - len(parts))
    plain = reshard(shape, source, target, runs=True)
    assert elements(move.runs()) == elements(plain["runs"]) and touching(move.runs()) == 0
    assert move.reduction == ("sum" if source["partial"] else None)
    lists = [move.lists(rank) for rank in range(move.devices)]
    # Both sides of each message agree, and every run is in one list.
    for rank, mine in enumerate(lists):
        assert all((lists[peer].receive[rank] == runs).all() for peer, runs in mine.send.items())
        assert all((lists[peer].send[rank] == runs).all() for peer, runs in mine.receive.items())
        assert (mine.local["source"] == rank).all() and (mine.local["target"] == rank).all()
        summands = [runs["summand"][0] for runs in mine.receive.values()]
        assert summands == sorted(summands) and all(len(set(runs["summand"])) == 1 for runs in mine.receive.values())
    every = [runs for mine in lists for runs in (mine.local, *mine.send.values())]
    assert sorted(row for runs in every for row in elements(runs)) == elements(plain["runs"])


@pytest.mark.parametrize("seed", range(40))
def test_batch(seed):
    """A batch and NIXL's lists copy bytes of one large memory."""
    rng = np.random.default_rng(seed)
    shape = tuple(int(extent) for extent in rng.integers(0, 7, rng.integers(0, 4)))
    source, target = end(rng, len(shape), False), end(rng, len(shape), False)
    move = Move(shape, source, target)
    whole, size = rng.integers(0, 1 << 40, shape), 8
    memory, base = np.zeros(1 << 16, np.uint8), 0
    addresses = {"source": {}, "target": {}}
    before, after = placement(shape=shape, **source), placement(shape=shape, **target)
    for name, parts in (("source", before), ("target", after)):
        for device, ranges in enumerate(parts):
            addresses[name][device] = base
            data = part(whole, ranges).reshape(-1).view(np.uint8)
            if name == "source":
                memory[base : base + data.size] = data
            base += data.size
    assert base <= memory.size

    def check(rows):
        copied = memory.copy()
        for dst, src, count in rows:
            copied[dst : dst + count] = memory[src : src + count]
        for device, ranges in enumerate(after):
            data = part(whole, ranges).reshape(-1).view(np.uint8)
            assert (copied[addresses["target"][device] :][: data.size] == data).all()

    batch = move.batch(addresses["source"], addresses["target"], size)
    assert all(array.dtype == np.uint64 for array in batch)
    check(zip(*(array.tolist() for array in batch), strict=True))
    assert batch.sizes.size == move.runs().size
    ids = [10 + device for device in range(move.devices)]
    rows = []
    for (one, other), (local, remote) in move.descriptors(addresses["source"], addresses["target"], size, ids=ids).items():
        assert one != other and (local[:, 1] == remote[:, 1]).all() and (local[:, 2] == ids[one]).all() and (remote[:, 2] == ids[other]).all()
        rows += [(int(dst), int(src), int(count)) for (src, count, _), (dst, _, _) in zip(local, remote, strict=True)]
    for device in range(move.devices):
        own = move.batch(addresses["source"], addresses["target"], size, source=device, target=device)
        rows += zip(*(array.tolist() for array in own), strict=True)
    check(rows)


def test_joined():
    """Runs of whole rows are one run, whatever the copies are."""
    mesh = {"x": 2, "y": 2}
    move = Move((8, 6), {"mesh": mesh, "spec": [["x", "y"]]}, {"mesh": mesh, "spec": ["x"]})
    assert move.lists(0).send[1][["source_offset", "target_offset", "length"]].tolist() == [(0, 0, 12)]
    assert move.runs(target=3)[["source", "length"]].tolist() == [(2, 12), (3, 12)]
    dsts, srcs, sizes = move.batch([0, 1000, 2000, 3000], [4000, 5000, 6000, 7000], 2, target=3)
    assert (dsts.tolist(), srcs.tolist(), sizes.tolist()) == ([7000, 7024], [2000, 3000], [24, 24])


def test_refusals():
    rows, whole = {"mesh": {"x": 2}, "spec": ["x"]}, {"mesh": {"x": 2}, "spec": [None]}
    move = Move((4,), rows, whole)
    with pytest.raises(ValueError, match="device 1 has no source address"):
        move.batch({0: 0}, {0: 0, 1: 64}, 4)
    assert move.batch({0: 0}, {1: 64}, 4, source=0, target=1).srcs.tolist() == [0]
    with pytest.raises(ValueError, match="an element has 0 bytes"):
        move.batch([0, 8], [16, 32], 0)
    with pytest.raises(ValueError, match="does not end below 2"):
        move.batch([0, 8], [16, 2**64 - 15], 4)
    assert move.batch([0, 8], [16, 2**64 - 16], 4).dsts.tolist() == [16, 2**64 - 16, 24, 2**64 - 8]
    with pytest.raises(ValueError, match="the source has 2 summands"):
        Move((4,), {**whole, "partial": {"x": "sum"}}, rows).batch([0, 16], [32, 64], 4)
    with pytest.raises(ValueError, match="there is no device 2: the move has 2 devices"):
        move.lists(2)
    with pytest.raises(TypeError, match="the communicator is a NoneType"):
        move.run(None, np.zeros(2))


def environment():
    """Returns the environment of a worker, which imports the package and the tests beside it."""
    paths = [str(WORKER.parent), *(path for path in sys.path if path)]
    # Open MPI refuses root and more ranks than cores without these.
    allow = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe"}
    return {**os.environ, **allow, "PYTHONPATH": os.pathsep.join(paths)}


def example(kind, folder):
    """Writes the example of the page for a library to a file, and returns its path."""
    page = (pathlib.Path(__file__).parents[2] / "docs/do/move-between-ranks.md").read_text()
    script = folder / "move.py"
    script.write_text(page.split(f"```python,{kind}\n")[1].split("```")[0])
    return str(script)


def test_mpi(tmp_path):
    """Four processes of MPI run random moves, and the example of the page."""
    pytest.importorskip("mpi4py")
    beside = pathlib.Path(sys.executable).parent / "mpiexec"
    mpiexec = str(beside) if beside.exists() else shutil.which("mpiexec")
    if mpiexec is None:
        pytest.skip("there is no mpiexec")
    for arguments, times in (([str(WORKER), "mpi"], 4), ([example("mpi", tmp_path)], 0)):
        # Without the module, a rank that fails leaves the others waiting.
        command = [mpiexec, "-n", "4", sys.executable, "-m", "mpi4py", *arguments]
        done = subprocess.run(command, env=environment(), capture_output=True, text=True, timeout=300)
        # The lines of ranks may run into each other.
        assert done.returncode == 0 and done.stdout.count("moved") == times, done.stdout + done.stderr


def test_torch(tmp_path):
    """Four processes of Gloo run random moves, and the example of the page."""
    if importlib.util.find_spec("torch") is None:
        pytest.skip("there is no torch")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    store, script = str(tmp_path / "store"), example("torch", tmp_path)
    for arguments, text in ((lambda rank: [str(WORKER), "torch", str(rank), store], "moved"), (lambda _: [script], "")):
        ranks = []
        for rank in range(4):
            one = {"RANK": str(rank), "WORLD_SIZE": "4", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
            pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
            ranks.append(subprocess.Popen([sys.executable, *arguments(rank)], env={**environment(), **one}, **pipes))
        try:
            texts = [rank.communicate(timeout=300)[0] for rank in ranks]
        finally:
            for rank in ranks:
                rank.kill()
        assert [rank.returncode for rank in ranks] == [0] * 4 and all(text in each for each in texts), "\n".join(texts)


def test_errors_of_moves():
    error = MoveError({1: {"kind": "shape", "message": "part is small", "found": 3, "needed": 4}})
    again = pickle.loads(pickle.dumps(error))
    assert (again.faults, str(again)) == (error.faults, "rank 1: part is small")
    move = Move((4,), {"mesh": [("x", 2)], "spec": ["x"]}, {"mesh": {"x": 2}, "spec": [None]})
    for device in (-1, 2, 99):
        with pytest.raises(ValueError, match=f"there is no device {device}: the move has 2 devices"):
            move.runs(source=device)
        with pytest.raises(ValueError, match="there is no device"):
            move.batch({0: 0, 1: 0}, {0: 100, 1: 100}, 4, target=device)
    with pytest.raises(ValueError, match="the placement to has no `mesh`; its keys are spec"):
        Move((4,), {"mesh": {"x": 2}}, {"spec": [None]})
