"""Checkpoints of safetensors files, written by hand, that move to other ranks."""

import json
import os
import signal

import numpy as np
import pytest

from crd2idx import placement, reshard_checkpoint

TYPES = {"F32": np.float32, "F64": np.float64, "I64": np.int64, "F16": np.float16}


def save(path, tensors):
    """Writes arrays to a file of safetensors."""
    header, data = {}, b""
    for name, array in tensors.items():
        word = next(word for word, dtype in TYPES.items() if dtype == array.dtype)
        header[name] = {"dtype": word, "shape": list(array.shape), "data_offsets": [len(data), len(data) + array.nbytes]}
        data += array.tobytes()
    text = json.dumps(header).encode()
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)


def load(path):
    """Reads the arrays of a file of safetensors."""
    data = path.read_bytes()
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + size])
    header.pop("__metadata__", None)
    made = {}
    for name, about in header.items():
        first, last = (8 + size + offset for offset in about["data_offsets"])
        made[name] = np.frombuffer(data[first:last], TYPES[about["dtype"]]).reshape(about["shape"])
    return made


def spec(ranks, dtensor, **rule):
    return {"mesh": [["tp", ranks]], "files": "rank-{rank}.safetensors", "tensors": [{"name": "*", "dtensor": dtensor, **rule}]}


@pytest.fixture
def whole(tmp_path):
    rng = np.random.default_rng(0)
    tensors = {"a": rng.random((7, 6)).astype(np.float32), "b.weight": rng.integers(0, 99, (5, 3))}
    save(tmp_path / "whole" / "model.safetensors", tensors)
    return tensors


def test_arrays_of_numpy(tmp_path, whole):
    np.savez(tmp_path / "whole.npz", **whole, flag=np.array([True, False]), one=np.float16(3))
    arrays = {**spec(4, "[Shard(0)]"), "files": "rank-{rank}/{tensor}.npy"}
    arrays["tensors"] = [{"name": "one"}, {"name": "flag"}, *arrays["tensors"]]
    reshard_checkpoint(tmp_path, tmp_path / "four", {"files": "whole.npz"}, arrays)
    assert [len(np.load(tmp_path / f"four/rank-{rank}/a.npy")) for rank in range(4)] == [2, 2, 2, 1]
    reshard_checkpoint(tmp_path / "four", tmp_path / "one", arrays, {"files": "{tensor}.npy"}, verify=True)
    for name, array in {**whole, "flag": np.array([True, False]), "one": np.float16(3)}.items():
        found = np.load(tmp_path / "one" / f"{name}.npy")
        assert found.dtype == array.dtype and found.shape == array.shape and (found == array).all()
    np.savez_compressed(tmp_path / "whole.npz", **whole)
    with pytest.raises(ValueError, match="a.npy is compressed"):
        reshard_checkpoint(tmp_path, tmp_path / "five", {"files": "whole.npz"}, arrays)


def test_moves(tmp_path, whole):
    rows, columns = spec(4, "[Shard(0)]"), spec(3, "[Shard(1)]")
    planned = reshard_checkpoint(tmp_path / "whole", tmp_path / "four", target_spec=rows, dry_run=True)
    size = sum(array.nbytes for array in whole.values())
    assert (planned["tensors"], planned["files"], planned["bytes_read"]) == (2, 4, size) and not (tmp_path / "four").exists()
    done = reshard_checkpoint(str(tmp_path / "whole"), str(tmp_path / "four"), None, rows, verify=True, threads=1, memory=1 << 27)
    assert done.pop("compared") == 2 and {**done, "memory": 0} == {**planned, "memory": 0}
    assert sum(path.stat().st_size for path in (tmp_path / "four").glob("*.safetensors")) == done["bytes_written"]
    for rank in range(4):
        part = load(tmp_path / "four" / f"rank-{rank}.safetensors")
        for name, array in whole.items():
            (start, stop), *_ = placement(mesh={"tp": 4}, shape=array.shape, dtensor="[Shard(0)]")[rank][0] or [(0, 0)]
            assert np.array_equal(part[name], array[start:stop]) and part[name].dtype == array.dtype
    # Specifications in files, and a cast. Integers keep their type.
    for name, of in (("four", rows), ("three", columns)):
        (tmp_path / f"{name}.json").write_text(json.dumps(of))
    done = reshard_checkpoint(tmp_path / "four", tmp_path / "three", tmp_path / "four.json", tmp_path / "three.json", cast="f64")
    assert "compared" not in done and done["messages"] > 0
    assert np.array_equal(load(tmp_path / "three" / "rank-1.safetensors")["a"], whole["a"][:, 2:4].astype(np.float64))
    reshard_checkpoint(tmp_path / "three", tmp_path / "back", columns, shard_size=100)
    names = json.loads((tmp_path / "back" / "model.safetensors.index.json").read_text())["weight_map"]
    assert len(set(names.values())) > 1
    assert all(np.array_equal(load(tmp_path / "back" / names[name])[name], array) for name, array in whole.items())


def test_sums(tmp_path):
    parts = [np.full((2, 2), value, np.float32) for value in (1, 2, 4)]
    for rank, part in enumerate(parts):
        save(tmp_path / "parts" / f"rank-{rank}.safetensors", {"w": part})
    source = {**spec(3, "[Replicate()]"), "tensors": [{"name": "*", "splits": [], "partial": {"tp": "sum"}}]}
    reshard_checkpoint(tmp_path / "parts", tmp_path / "sum", source, verify=True)
    assert (load(tmp_path / "sum" / "model.safetensors")["w"] == 7).all()


def test_progress(tmp_path, whole):
    seen = []
    reshard_checkpoint(tmp_path / "whole", tmp_path / "four", None, spec(4, "[Shard(0)]"), progress=lambda done, all: seen.append((done, all)))
    size = sum(array.nbytes for array in whole.values())
    assert seen[-1] == (size, size)


def test_refusals(tmp_path, whole):
    rows, source, target = spec(4, "[Shard(0)]"), tmp_path / "whole", tmp_path / "four"
    with pytest.raises(ValueError, match="cast: `int4` is not one of f64"):
        reshard_checkpoint(source, target, None, rows, cast="int4")
    with pytest.raises(ValueError, match="preset: `gpt` is neither"):
        reshard_checkpoint(source, target, None, {**rows, "preset": "gpt"})
    with pytest.raises(ValueError, match="name ends in .toml or .json"):
        (tmp_path / "spec.yaml").write_text("")
        reshard_checkpoint(source, target, None, tmp_path / "spec.yaml")
    with pytest.raises(FileNotFoundError, match="rank-0.safetensors"):
        reshard_checkpoint(source, target, rows)
    with pytest.raises(FileNotFoundError, match="absent.toml"):
        reshard_checkpoint(source, target, None, tmp_path / "absent.toml")
    assert not target.exists()
    reshard_checkpoint(source, target, None, rows)
    with pytest.raises(FileExistsError, match="rank-0.safetensors"):
        reshard_checkpoint(source, target, None, rows)
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError):
        reshard_checkpoint(source, tmp_path / "file", None, rows)
    (target / "rank-2.safetensors").write_bytes(b"\0" * 4)
    with pytest.raises(ValueError, match="rank-2.safetensors"):
        reshard_checkpoint(target, tmp_path / "back", rows)
    with pytest.raises(TypeError, match="progress is True, False or a function"):
        reshard_checkpoint(source, tmp_path / "other", None, rows, progress=3)


class Interrupted(Exception):
    pass


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="signals of POSIX")
@pytest.mark.parametrize("how", ["signal", "progress"])
def test_interrupted(tmp_path, how):
    """A run that a signal or the report of its progress stopped is continued by the same call."""
    rng = np.random.default_rng(1)
    tensors = {f"t{k}": rng.random((1000, 1000)).astype(np.float32) for k in range(24)}
    save(tmp_path / "whole" / "model.safetensors", tensors)
    rows, target = spec(4, "[Shard(1)]"), tmp_path / "four"

    def raises(*_):
        raise Interrupted

    before = signal.signal(signal.SIGALRM, raises)
    try:
        with pytest.raises(Interrupted):
            if how == "signal":
                signal.setitimer(signal.ITIMER_REAL, 0.03, 0)
            reshard_checkpoint(tmp_path / "whole", target, None, rows, memory=1 << 16, threads=1, progress=raises if how == "progress" else None)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert not any(name.startswith("rank") for name in (os.listdir(target) if target.exists() else []))
    assert reshard_checkpoint(tmp_path / "whole", target, None, rows, memory=1 << 16, threads=1, verify=True)["compared"] == 24


def test_arguments(tmp_path):
    for wrong in ({"memory": 0}, {"threads": -1}, {"shard_size": 0}):
        with pytest.raises(ValueError, match=f"{next(iter(wrong))} is .*; at least 1 is needed"):
            reshard_checkpoint(tmp_path, tmp_path / "b", **wrong)
    with pytest.raises(ValueError, match="dry_run and verify exclude each other"):
        reshard_checkpoint(tmp_path, tmp_path / "b", dry_run=True, verify=True)
    save(tmp_path / "a" / "model.safetensors", {"t": np.arange(8, dtype=np.float32)})
    mesh = {"mesh": {"tp": np.int64(2)}, "files": "rank-{rank}.safetensors", "tensors": [{"name": "*", "dtensor": "[Shard(0)]"}]}
    assert reshard_checkpoint(tmp_path / "a", tmp_path / "b", None, mesh, verify=True)["compared"] == 1
