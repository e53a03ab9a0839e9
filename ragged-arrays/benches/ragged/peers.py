"""Runs awkward, NumPy and PyArrow on the inputs of ragged-arrays/benches/ragged.

Each input line names a library, an array and an operation. The program runs it once and prints its milliseconds of CPU time.

usage: peers.py FOLDER
"""
import sys, time

import awkward
import numpy as np
import pyarrow
import pyarrow.compute

pyarrow.set_cpu_count(1)
folder = sys.argv[1]
made = {}


class Data:
    def __init__(self, name):
        self.lengths = np.fromfile(f'{folder}/{name}.lengths', dtype=np.int64)
        self.leaves = np.fromfile(f'{folder}/{name}.leaves', dtype=np.float64)
        self.rows = np.arange(len(self.lengths), dtype=np.int64)
        self.numbers = self.rows.astype(np.float64)
        self.offsets = np.concatenate([[0], np.cumsum(self.lengths)])
        self.starts = self.offsets[:-1]
        self.filled = self.lengths > 0
        self.awkward = awkward.Array(awkward.contents.ListOffsetArray(awkward.index.Index64(self.offsets), awkward.contents.NumpyArray(self.leaves)))
        self.arrow = pyarrow.LargeListArray.from_arrays(pyarrow.array(self.offsets), pyarrow.array(self.leaves))


def data(name):
    if name not in made:
        made[name] = Data(name)
    return made[name]


def local(a):
    return np.arange(len(a.leaves)) - np.repeat(a.starts, a.lengths)


def by_row(ufunc, a, empty):
    # reduceat returns the next element for an empty row, so leave these rows out.
    out = np.full(len(a.lengths), empty)
    out[a.filled] = ufunc.reduceat(a.leaves, a.starts[a.filled])
    return out


OPERATIONS = {
    ('awkward', 'I'): lambda a: awkward.broadcast_arrays(a.rows, a.awkward)[0],
    ('numpy', 'I'): lambda a: np.repeat(a.rows, a.lengths),
    ('arrow', 'I'): lambda a: pyarrow.compute.list_parent_indices(a.arrow),
    ('numpy', 'S'): lambda a: np.repeat(a.starts, a.lengths),
    ('awkward', 'local_index'): lambda a: awkward.local_index(a.awkward, axis=1),
    ('numpy', 'local_index'): local,
    ('awkward', 'add'): lambda a: a.awkward + a.numbers,
    ('numpy', 'add'): lambda a: a.leaves + np.repeat(a.numbers, a.lengths),
    ('awkward', 'sum 1'): lambda a: awkward.sum(a.awkward, axis=1),
    ('numpy', 'sum 1'): lambda a: by_row(np.add, a, 0.0),
    ('awkward', 'max 1'): lambda a: awkward.max(a.awkward, axis=1),
    ('numpy', 'max 1'): lambda a: by_row(np.maximum, a, np.nan),
    ('awkward', 'argmax 1'): lambda a: awkward.argmax(a.awkward, axis=1),
    ('awkward', 'mean 1'): lambda a: awkward.mean(a.awkward, axis=1),
    ('awkward', 'sum 0'): lambda a: awkward.sum(a.awkward, axis=0),
    ('numpy', 'sum 0'): lambda a: np.bincount(local(a), weights=a.leaves),
    ('awkward', 'argsort'): lambda a: awkward.argsort(a.awkward, axis=1, stable=True),
    ('awkward', 'sort'): lambda a: awkward.sort(a.awkward, axis=1, stable=True),
    ('numpy', '|i - j|'): lambda a: np.abs(np.repeat(a.rows, a.lengths) - local(a)),
}

for line in sys.stdin:
    library, name, operation = line.rstrip('\n').split(' ', 2)
    run = OPERATIONS.get((library, operation))
    # awkward reads all leaves once for every element of the longest row here, which takes minutes.
    if run is None or (library, name, operation) == ('awkward', 'power', 'sum 0'):
        print('nan', flush=True)
        continue
    a = data(name)
    start = time.process_time()
    result = run(a)
    print((time.process_time() - start) * 1e3, flush=True)
    del result
