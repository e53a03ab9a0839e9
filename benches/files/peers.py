"""Reads names of operations from standard input, runs each once, and prints its milliseconds."""
import sys
import time
from pathlib import Path

import fast_matrix_market as fmm

folder = Path(sys.argv[1])
(data, (rows, columns)), shape = fmm.read_coo(folder / "a.mtx", parallelism=2)
from scipy.sparse import coo_array

matrix = coo_array((data, (rows, columns)), shape=shape)
for line in sys.stdin:
    what, threads = line.split()
    start = time.perf_counter()
    if what == "read":
        result = fmm.read_coo(folder / "a.mtx", parallelism=int(threads))
    else:
        result = fmm.mmwrite(folder / "peer.mtx", matrix, parallelism=int(threads))
    print((time.perf_counter() - start) * 1e3, flush=True)
    del result
