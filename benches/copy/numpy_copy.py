#!/usr/bin/env python3
"""Runs NumPy's `copyto` on the cases of `relayout/tests/data/copies.json`: prints the time of a contiguous copy of the same bytes divided by the time of the case.

Compare the ratios with the ones that `cargo bench` prints in this folder; both are relative to memcpy. Usage: numpy_copy.py [PART OF A NAME]...
"""
import json
import re
import sys
import time
from pathlib import Path

import numpy as np

CASES = json.loads((Path(__file__).parent / "../../relayout/tests/data/copies.json").read_text())["cases"]
TYPES = {"f32": np.float32, "f64": np.float64, "u8": np.uint8, "u16": np.uint16}


def view(storage, layout, offset):
    shape, strides = ([int(n) for n in re.findall(r"-?\d+", part)] for part in layout.split(":"))
    return np.lib.stride_tricks.as_strided(storage[offset:], shape, [s * storage.itemsize for s in strides])


def least(run, rounds, calls):
    best = float("inf")
    for _ in range(rounds):
        begin = time.thread_time()
        for _ in range(calls):
            run()
        best = min(best, (time.thread_time() - begin) / calls)
    return best


for case in CASES:
    if "op" in case or "target_swizzle" in case or (len(sys.argv) > 1 and not any(part in case["id"] for part in sys.argv[1:])):
        continue
    dtype, count = TYPES[case["elem"]], case["elements"]
    a, b = np.ones(max(case["source_len"], count), dtype), np.zeros(max(case["target_len"], count), dtype)
    source, target = view(a, case["source"], case["source_offset"]), view(b, case["target"], case["target_offset"])
    rounds, calls = (40, 20) if case["size"] == "cache" else (7, 1)
    copy = least(lambda: np.copyto(b[:count], a[:count]), rounds, calls)
    own = least(lambda: np.copyto(target, source), rounds, calls)
    print(f"{case['id']} {copy / own:.2f}", flush=True)
