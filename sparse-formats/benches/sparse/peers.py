"""Runs scipy and PyData sparse on the inputs of sparse-formats/benches/sparse: reads the name of an operation, runs it once, prints its milliseconds.

usage: peers.py FOLDER
"""
import sys, time

import numpy as np
import scipy.sparse
import sparse

folder = sys.argv[1]
made = {}


def once(name, make):
    if name not in made:
        made[name] = make()
    return made[name]


def column(name, k):
    return np.fromfile(f'{folder}/{name}.{k}', dtype=np.uint32)


def values(name):
    return np.fromfile(f'{folder}/{name}.values', dtype=np.float64)


def matrix(name):
    n = 10 ** 6
    return once(name, lambda: scipy.sparse.coo_array((values(name), (column(name, 0).astype(np.int32), column(name, 1).astype(np.int32))), shape=(n, n)))


def csr(name):
    return once(name + '.csr', lambda: matrix(name).tocsr())


def csc(name):
    return once(name + '.csc', lambda: csr(name).tocsc())


def vector():
    return once('x', lambda: np.arange(10 ** 6) / 10 ** 6)


SHAPE = (1000, 800, 600, 400)


def parts():
    return once('parts', lambda: (np.stack([column('rank4', k) for k in range(4)]), values('rank4')))


def coo():
    return once('rank4', lambda: sparse.COO(*parts(), shape=SHAPE))


def gcxs():
    return once('gcxs', lambda: sparse.GCXS.from_coo(coo(), compressed_axes=(0, 1)))


def operation(name):
    """Returns a function that prepares the operands of an operation, and the function to time."""
    what, _, which = name.partition(' ')
    return {
        'csr': (lambda: matrix(which), lambda a: a.tocsr()),
        'csc': (lambda: csr(which), lambda a: a.tocsc()),
        'spmv': (lambda: (csr(which), vector()), lambda a: a[0] @ a[1]),
        'spmv-csc': (lambda: (csc(which), vector()), lambda a: a[0] @ a[1]),
        'build': (parts, lambda a: sparse.COO(*a, shape=SHAPE)),
        'gcxs': (coo, lambda a: sparse.GCXS.from_coo(a, compressed_axes=tuple(int(x) for x in which.split(',')))),
        # PyData sparse has no fibers; the nearest operation is another order of a list.
        'csf': (parts, lambda a: sparse.COO(*a, shape=SHAPE)),
        'recsf': (coo, lambda a: a.transpose((2, 0, 1, 3))),
        'regcxs': (gcxs, lambda a: a.change_compressed_axes(tuple(int(x) for x in which.split(',')))),
    }[what]


for line in sys.stdin:
    prepare, run = operation(line.strip())
    argument = prepare()
    start = time.perf_counter()
    result = run(argument)
    print((time.perf_counter() - start) * 1e3, flush=True)
    del result
