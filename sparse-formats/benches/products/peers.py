"""Runs scipy, NumPy and MKL on the inputs of sparse-formats/benches/products: reads the name of an operation, runs it once, prints its milliseconds.

Times are the running times of the thread. Without sparse_dot_mkl the times of MKL are NaN.

usage: peers.py FOLDER
"""
import sys, time

import numpy as np
import scipy.sparse

try:
    from sparse_dot_mkl import dot_product_mkl
except ImportError:
    dot_product_mkl = None

folder = sys.argv[1]
made = {}


def once(name, make):
    if name not in made:
        made[name] = make()
    return made[name]


def own(array):
    """Copies an array to fresh memory in huge pages. Arrays below 32 MB may reuse memory of the allocator with small pages."""
    memory = np.zeros(max(array.nbytes, 1 << 26), np.uint8)
    copy = memory[:array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


def csr(name):
    def make():
        read = lambda what, dtype: own(np.fromfile(f'{folder}/{name}.{what}', dtype=np.uint32 if dtype == np.int32 else dtype).astype(dtype))
        pointers = read('pointers', np.int32)
        side = len(pointers) - 1
        return scipy.sparse.csr_matrix((read('values', np.float64), read('indices', np.int32), pointers), shape=(side, side))
    return once(name, make)


def dense(name, width):
    return once(f'{name} {width}', lambda: own(np.random.default_rng(7).random((csr(name).shape[0], width))))


def sddmm(a, b):
    rows = np.repeat(np.arange(a.shape[0]), np.diff(a.indptr))
    return a.data * np.einsum('ij,ij->i', b[rows], b[a.indices])


def operation(name):
    """Returns a function that prepares the operands of an operation, and the function to time."""
    peer, what, width, which = name.split(' ', 3)
    a = csr(which)
    blocks = lambda: once(which + ' bsr', lambda: a.tobsr((4, 4)))
    if peer == 'mkl' and dot_product_mkl is None:
        return lambda: None, None
    return {
        'scipy spmv': (lambda: (a, dense(which, 1)[:, 0]), lambda x: x[0] @ x[1]),
        'scipy bsr': (lambda: (blocks(), dense(which, 1)[:, 0]), lambda x: x[0] @ x[1]),
        'scipy spmm': (lambda: (a, dense(which, int(width))), lambda x: x[0] @ x[1]),
        'mkl spmm': (lambda: (a, dense(which, int(width))), lambda x: dot_product_mkl(*x)),
        'numpy sddmm': (lambda: (a, dense(which, int(width))), lambda x: sddmm(*x)),
        'scipy spgemm': (lambda: a, lambda a: a @ a),
        'mkl sorted': (lambda: a, lambda a: dot_product_mkl(a, a, reorder_output=True)),
        'mkl unsorted': (lambda: a, lambda a: dot_product_mkl(a, a)),
    }[f'{peer} {what}']


for line in sys.stdin:
    prepare, run = operation(line.strip())
    argument = prepare()
    if run is None:
        print('NaN', flush=True)
        continue
    start = time.thread_time()
    result = run(argument)
    print((time.thread_time() - start) * 1e3, flush=True)
    del result
