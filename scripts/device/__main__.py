"""Compiles and runs the texts that the command emits. Needs no GPU.

usage: python3 scripts/device [BINARY]      (BINARY: the command, target/debug/crd2idx by default)

NVRTC and ptxas compile CUDA and HIP, mlir-opt parses MLIR. C runs on this processor, OpenCL on PoCL, WGSL on llvmpipe. Results are compared with those of
the command: layouts and graphs at their coordinates, kernels over ragged arrays, copies of plans. Instruction counts of CUDA are compared with functions
written by hand. Tools are installed under target/device. A target whose tools are not available is skipped, and its line says so.
"""
import multiprocessing
import pathlib
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor

import tools


def main():
    command = sys.argv[1] if len(sys.argv) > 1 else str(tools.ROOT / "target/debug/crd2idx")
    try:
        tools.environment()
        tools.wheels(["numpy"], "numpy/__init__.py")
    except (tools.Missing, OSError, subprocess.SubprocessError) as error:
        print(f"NVRTC, ptxas, nvdisasm, cc, PoCL, llvmpipe, mlir-opt: skipped, {error}")
        return 0
    # The packages that these modules import exist only in the environment.
    import cases
    from host import C
    from mlir import Mlir
    from nvidia import Cuda, Hip
    from opencl import OpenCl
    import tiles
    from twins import twins
    from wgsl import Wgsl

    command = str(pathlib.Path(command).resolve())
    all_cases = cases.every(command)
    # A compiler mostly uses one processor, so run one target per processor at a time.
    with ProcessPoolExecutor(multiprocessing.cpu_count(), multiprocessing.get_context("fork")) as pool:
        jobs = [pool.submit(twins, command), pool.submit(tiles.run, command), *(pool.submit(run, command, target, all_cases) for target in (OpenCl, Cuda, Hip, Mlir, Wgsl, C))]
        sums = [job.result() for job in jobs]
    print("\n".join(line for line, _ in sums))
    return 1 if any(failed for _, failed in sums) else 0


def run(command, target, all_cases):
    """Runs all cases on a target. Returns a line with the sums, and the number of failures."""
    from host import Refused

    start, texts, results, without, failed = time.monotonic(), 0, 0, 0, 0
    try:
        device = target()
    except tools.Missing as error:
        return f"{target.name}: skipped, {error}", 0
    for case in all_cases:
        check = getattr(device, case.kind, None)
        if check is None:
            continue
        source, why = case.of(command, device.language)
        if source is None and case.may_lack(device.language, why):
            without += 1
            continue
        texts += 1
        try:
            if source is None:
                raise Refused(why)
            results += check(case, source, case.of(command, "opencl", host=True, like=device.language)[0])
        except (Refused, ValueError, KeyError) as error:
            failed += 1
            print(f"{case.title} in {target.name}:\n{error if isinstance(error, Refused) else repr(error)}")
    line = f"{target.name}: {texts - failed} of {texts} texts, {failed} fail"
    line += (f", {results} results" if results else "") + (f"; {without} have none" if without else "")
    return f"{line} ({time.monotonic() - start:.0f} s)", failed


if __name__ == "__main__":
    sys.exit(main())
