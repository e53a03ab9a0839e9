"""Times what people do with sparse matrices in Python, beside SciPy and PyData sparse in the same run.

Install the package in release (`pip install ./python`) with `scipy` and `sparse`, then run `python benches/python/peers.py [ELEMENTS ...]`. Each number of
elements gives a table: our median in milliseconds, and how many times as long each peer takes. The rounds of all three are interleaved.
"""

import statistics
import sys
import time

import numpy as np
import scipy.sparse
import sparse

import crd2idx
from crd2idx import Sparse

SIZES = [int(text) for text in sys.argv[1:]] or [100, 200_000, 2_000_000]
# The least time of a row, in seconds.
PATIENCE = 0.6


def medians(ways):
    """Returns the median time of each way in milliseconds, or None for a way that is absent."""
    ways = [way for way in ways]
    for way in ways:
        if way:
            way()
    first = time.perf_counter()
    for way in ways:
        if way:
            way()
    # A round of short calls repeats each of them, so that the clock does not matter.
    once = time.perf_counter() - first
    inner = max(1, int(2e-4 / max(once, 1e-7)))
    rounds = max(5, min(200, int(PATIENCE / max(once * inner, 1e-7))))
    times = [[] for _ in ways]
    for _ in range(rounds):
        for way, taken in zip(ways, times):
            if way:
                start = time.perf_counter()
                for _ in range(inner):
                    way()
                taken.append((time.perf_counter() - start) / inner)
    return [statistics.median(taken) * 1e3 if taken else None for taken in times]


def random(count, extent, seed):
    """Returns a random square matrix of SciPy in compressed rows."""
    rng = np.random.default_rng(seed)
    rows, columns = (rng.integers(0, extent, count).astype(np.int32) for _ in range(2))
    return scipy.sparse.coo_array((rng.random(count), (rows, columns)), shape=(extent, extent)).tocsr()


def rows(count):
    """Yields the name of a row, and what we, SciPy and PyData sparse do."""
    extent = max(30, count // 10)
    rng = np.random.default_rng(7)
    left, right = random(count, extent, 1), random(count, extent, 2)
    a, b = Sparse.from_scipy(left.copy()), Sparse.from_scipy(right.copy())
    p, q = sparse.GCXS.from_scipy_sparse(left), sparse.GCXS.from_scipy_sparse(right)
    vector, matrix = rng.random(extent), rng.random((extent, 16))
    coo = left.tocoo()
    shuffled = rng.permutation(coo.nnz)
    at, values = [column[shuffled] for column in coo.coords], coo.data[shuffled]
    part, one = slice(extent // 4, extent // 2), extent // 3

    yield "a @ x", lambda: a @ vector, lambda: left @ vector, lambda: p @ vector
    yield "a @ X, 16 columns", lambda: a @ matrix, lambda: left @ matrix, lambda: p @ matrix
    yield "x @ a", lambda: vector @ a, lambda: vector @ left, None
    yield "a + b", lambda: a + b, lambda: left + right, lambda: p + q
    yield "a * b", lambda: a * b, lambda: left.multiply(right), lambda: p * q
    yield "a - b", lambda: a - b, lambda: left - right, lambda: p - q
    yield "maximum(a, b)", lambda: np.maximum(a, b), lambda: left.maximum(right), lambda: np.maximum(p, q)
    yield "2 * a", lambda: 2 * a, lambda: 2 * left, lambda: 2 * p
    yield "abs(a)", lambda: abs(a), lambda: abs(left), lambda: abs(p)
    yield "a.sum()", lambda: a.sum(), lambda: left.sum(), lambda: p.sum()
    yield "a.sum(0)", lambda: a.sum(0), lambda: left.sum(0), lambda: p.sum(0)
    yield "a.sum(1)", lambda: a.sum(1), lambda: left.sum(1), lambda: p.sum(1)
    yield "a.max(0)", lambda: a.max(0), lambda: left.max(0), lambda: p.max(0)
    yield "a.max(1)", lambda: a.max(1), lambda: left.max(1), lambda: p.max(1)
    yield "a.mean(0)", lambda: a.mean(0), lambda: left.mean(0), lambda: p.mean(0)
    yield "a[part], rows", lambda: a[part], lambda: left[part], lambda: p[part]
    yield "a[:, part], columns", lambda: a[:, part], lambda: left[:, part], lambda: p[:, part]
    yield "a[i], a row", lambda: a[one], lambda: left[one], lambda: p[one]
    yield "a[i, j]", lambda: a[one, one], lambda: left[one, one], lambda: p[one, one]
    yield "COO to CSR", lambda: Sparse.from_coo(at, values, left.shape), lambda: coo_to_csr(values, at, left.shape), lambda: sparse.GCXS.from_coo(sparse.COO(np.stack(at), values, left.shape), compressed_axes=[0])
    yield "CSR to CSC", lambda: a.to("CSC"), left.tocsc, lambda: p.change_compressed_axes([1])
    yield "a.T", lambda: a.T, lambda: left.T, lambda: p.T
    if count <= 2_000_000:
        yield "a @ b", lambda: a @ b, lambda: left @ right, lambda: p @ q
        # SciPy's rows are not sorted.
        yield "spgemm, unsorted", lambda: crd2idx.spgemm(a, b, sorted=False), lambda: left @ right, None


def coo_to_csr(values, at, shape):
    made = scipy.sparse.coo_array((values, tuple(at)), shape=shape).tocsr()
    made.sum_duplicates()
    return made


def main():
    for count in SIZES:
        for threads in (1, 2):
            crd2idx.set_threads(threads)
            print(f"{count} elements, {threads} threads")
            print(f"  {'':<22} {'ms':>10} {'SciPy':>8} {'PyData':>8}")
            for name, ours, scipys, pydatas in rows(count):
                # PyData sparse takes minutes for some rows of large matrices, and has no threads.
                mine, theirs, others = medians([ours, scipys, pydatas if count <= 200_000 and threads == 1 else None])
                ratio = [f"{time / mine:8.2f}" if time else f"{'':>8}" for time in (theirs, others)]
                print(f"  {name:<22} {mine:10.4f} {ratio[0]} {ratio[1]}", flush=True)


main()
