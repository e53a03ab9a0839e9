"""Writes rechunker.tsv: the bytes of the plans of Rechunker (pip install rechunker==0.5.4), for the cases of its tests and for random ones."""
import random
from math import ceil, prod

from rechunker.algorithm import multistage_rechunking_plan

# The cases of tests/test_algorithm.py: shape, source chunks, target chunks, bytes of an element, least memory, most memory.
CASES = [
    ((8,), (1,), (1,), 4, 4, 4),
    ((8,), (1,), (1,), 4, 4, 8),
    ((8,), (1,), (2,), 4, 4, 8),
    ((8,), (1,), (2,), 4, 4, 16),
    ((8,), (1,), (2,), 4, 4, 17),
    ((16,), (3,), (7,), 4, 4, 32),
    ((8, 8), (1, 8), (8, 1), 4, 4, 32),
    ((8, 8), (1, 8), (8, 1), 4, 4, 64),
    ((8, 8), (1, 8), (8, 1), 4, 4, 256),
    ((8, 8), (1, 8), (8, 1), 4, 4, 512),
    ((100, 100), (100, 1), (1, 100), 1, 1, 100),
    ((100, 100), (100, 1), (1, 100), 1, 10, 100),
    ((1000, 50, 1800, 3600), (1, 5, 1800, 3600), (1000, 1, 60, 60), 4, 4, 1_000_000_000),
    ((1000, 50, 1800, 3600), (1, 5, 1800, 3600), (1000, 1, 60, 60), 4, 4, 3_000_000_000),
]


def drawn(seed):
    """Returns a case as the strategy of those tests draws it."""
    r = random.Random(seed)
    shape = [r.randint(1, 10_000) for _ in range(3)]
    source, target = ([r.randint(1, n) for n in shape] for _ in range(2))
    return tuple(shape), tuple(source), tuple(target), 4, 4, 4 * max(prod(source), prod(target)) * r.choice([1, 2, 8])


def covered(shape, boxes, chunks):
    """Counts the elements of whole chunks that all boxes overlap."""
    total = 1
    for n, box, chunk in zip(shape, boxes, chunks):
        along = 0
        for start in range(0, n, box):
            first, last = start // chunk, (min(start + box, n) - 1) // chunk
            along += min((last + 1) * chunk, n) - first * chunk
        total *= along
    return total


print("# shape\tsource chunk\ttarget chunk\tbytes of an element, memory, bytes read and written")
for shape, source, target, size, least, most in CASES + [drawn(seed) for seed in range(60)]:
    stages = multistage_rechunking_plan(shape, source, target, size, least, most)
    elements, before = 0, source
    for read, between, write in stages:
        if read in (write, between):
            elements += covered(shape, write, before) + prod(shape)
        else:
            elements += covered(shape, read, before) + covered(shape, write, between) + 2 * prod(shape)
        before = write
    # A chunk at the end of an axis is whole in memory.
    padded = prod(ceil(min(w, n) / t) * t for n, t, w in zip(shape, target, stages[-1][2]))
    words = [shape, source, target, (size, max(most, size * padded, size * prod(source)), size * elements)]
    print("\t".join(",".join(map(str, word)) for word in words))
