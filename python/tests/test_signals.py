"""Ctrl-C ends long work."""

import signal

import numpy as np
import pytest

from crd2idx import Sparse, einsum


class Interrupted(Exception):
    pass


@pytest.fixture
def soon():
    """Sends a signal during the work, and more signals until the work ends."""

    def handler(*_):
        raise Interrupted

    before = signal.signal(signal.SIGALRM, handler)
    yield lambda: signal.setitimer(signal.ITIMER_REAL, 0.03, 0)
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="signals of POSIX")
@pytest.mark.parametrize("ending", ["mtx", "tns", "mtx.gz", "npz", "zarr.zip"])
def test_files(tmp_path, soon, ending):
    count = 3_000_000
    large = Sparse("COO", (count, 1), [None, None], [np.arange(count), np.zeros(count, np.int64)], np.random.default_rng(1).random(count))
    path = tmp_path / f"a.{ending}"
    small = Sparse.from_numpy(np.eye(3))
    small.write(path)
    # Interrupted work leaves the file as it was, and no temporary file.
    with pytest.raises(Interrupted):
        soon()
        large.write(path, compressed=True)
    assert Sparse.read(path).stored == 3 and [each.name for each in tmp_path.iterdir()] == [path.name]
    small.write(path)
    if ending in ("mtx", "tns"):
        large.write(path)
        with pytest.raises(Interrupted):
            soon()
            Sparse.read(path)


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="signals of POSIX")
@pytest.mark.parametrize("subscripts", [None, "ij,jk,kl->il"])
def test_kernels(soon, subscripts):
    rng = np.random.default_rng(1)
    count, extent = 1_000_000, 10_000
    a = Sparse.from_coo([rng.integers(0, extent, count) for _ in range(2)], rng.random(count), (extent, extent))
    with pytest.raises(Interrupted):
        soon()
        a @ a if subscripts is None else einsum(subscripts, a, a, a)
    # The threads still work.
    assert np.allclose(a @ np.ones(extent), a.sum(1).to_numpy())
