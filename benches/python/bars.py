"""Measures the cost of calls from Python, and conversions compared with SciPy. Install the package in release (`pip install ./python`), then run `python benches/python/bars.py [ENTRIES]`.

A call is compared with a call of a method that does nothing. The time of a conversion is the least of interleaved rounds.
"""

import statistics
import sys
import time
import timeit

import numpy as np
import scipy.sparse

from crd2idx import Layout, Sparse

ENTRIES = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000


class Nothing:
    def __getitem__(self, _):
        return 0

    def size(self):
        return 0


def calls():
    layout, nested, nothing = Layout((32, 16)), Layout("((2,4),(3,5)):((3,6),(1,24))"), Nothing()
    print("nanoseconds a call, the least of 7")
    for what, run in {
        "layout[3, 5]": lambda: layout[3, 5],
        "layout((3, 5))": lambda: layout((3, 5)),
        "layout[100]": lambda: layout[100],
        "nested[((1, 2), (0, 4))]": lambda: nested[((1, 2), (0, 4))],
        "len(layout)": lambda: len(layout),
        "layout.size()": lambda: layout.size(),
        "layout.cosize()": lambda: layout.cosize(),
        "nothing[3, 5]": lambda: nothing[3, 5],
        "nothing.size()": lambda: nothing.size(),
    }.items():
        print(f"  {what:<28} {min(timeit.repeat(run, number=20_000, repeat=7)) / 20_000 * 1e9:8.0f}")


def conversions():
    rng = np.random.default_rng(1)
    extent = 1_000_000
    columns, values = [rng.integers(0, extent, ENTRIES) for _ in range(2)], rng.random(ENTRIES)
    print(f"milliseconds for {ENTRIES} entries of a square of side {extent}, COO to CSR with sums, the least and the median ratio of 5")
    for index in (np.int32, np.int64):
        narrow = [column.astype(index) for column in columns]
        theirs = scipy.sparse.coo_array((values, tuple(narrow)), shape=(extent, extent))

        def both():
            made = theirs.tocsr()
            made.sum_duplicates()
            return made

        ways = {
            "scipy tocsr, sum_duplicates": both,
            "scipy tocsr": lambda: theirs.tocsr(),
            "Sparse.from_coo": lambda: Sparse.from_coo(narrow, values, (extent, extent)),
            "Sparse.from_scipy, to, to_scipy": lambda: Sparse.from_scipy(theirs).to("CSR").to_scipy(),
        }
        times = {name: [] for name in ways}
        for _ in range(5):
            for name, run in ways.items():
                start = time.perf_counter()
                result = run()
                times[name].append((time.perf_counter() - start) * 1e3)
                del result
        base = times["scipy tocsr, sum_duplicates"]
        for name, took in times.items():
            ratio = statistics.median(a / b for a, b in zip(base, took))
            print(f"  {np.dtype(index).name} {name:<34} {min(took):8.0f} {ratio:6.2f}")


calls()
conversions()
