"""Kernels of tile programs: compiled by NVRTC and ptxas, and run on this processor with a thread for each thread of the block."""
import ctypes
import pathlib
import re
import shutil
import subprocess
import tempfile

import numpy

import tools
from host import Refused
from nvidia import ARCHITECTURE, Cuda

PROGRAMS = tools.ROOT / "layout-choice/programs"
SHIM = pathlib.Path(__file__).with_name("tiles.hpp")
TYPES = {"f16": numpy.float16, "f32": numpy.float32, "i32": numpy.int32}


def softmax(a):
    return a - a.max(axis=1, keepdims=True)


def attention(q, k, v):
    s = q.astype(numpy.float32) @ k.T.astype(numpy.float32)
    p = numpy.exp(s - s.max(axis=1, keepdims=True)).astype(numpy.float16)
    return p.astype(numpy.float32) @ v.astype(numpy.float32)


# What each program computes: the arrays that are stored, from those that are loaded.
RESULTS = {
    "attention": attention,
    "epilogue": lambda a, b: (a.astype(numpy.float32) @ b.T.astype(numpy.float32)).astype(numpy.float16),
    "exchange": lambda a: (a + a.astype(numpy.float32).sum(axis=0)).astype(numpy.float16).T,
    "gemm": lambda a, b: a.astype(numpy.float32) @ b.T.astype(numpy.float32),
    "least": lambda a, b: numpy.repeat((a.min(axis=1) - b.max())[None], 16, axis=0),
    "rotate": lambda a: a.T,
    "softmax": softmax,
    "transpose": lambda a: a.T,
    "warps": lambda a: a.sum(axis=0),
}


def run(command):
    """Runs all programs. Returns a line with the sums, and the number of failures."""
    try:
        compile_cuda = compiler_of_cuda()
    except (tools.Missing, OSError) as error:
        compile_cuda, missing = None, f"; NVRTC and ptxas: skipped, {error}"
    else:
        missing = ""
    host, failed = shutil.which("c++"), 0
    for name, result in sorted(RESULTS.items()):
        program = PROGRAMS / f"{name}.tile"
        try:
            source = subprocess.run([command, "choose", program, "--to", "cuda"], capture_output=True, text=True, check=True).stdout
            if compile_cuda:
                compile_cuda(source)
            if host:
                execute(host, program.read_text(), source, result)
        except (Refused, subprocess.CalledProcessError) as error:
            failed += 1
            print(f"tile program {name}: {getattr(error, 'stderr', '') or error}")
    missing += "" if host else "; not run, there is no c++"
    return f"tile programs: {len(RESULTS) - failed} of {len(RESULTS)} kernels, {failed} fail{missing}", failed


def compiler_of_cuda():
    """Returns a function that compiles a source to machine code, and fails if threads need local memory."""
    cuda = Cuda()
    [header] = tools.wheels(["nvidia-cuda-runtime"], "cuda_fp16.h")
    folder = str(pathlib.Path(header).parent)

    def compiled(source):
        with tempfile.TemporaryDirectory() as at:
            ptx, code = pathlib.Path(at, "text.ptx"), pathlib.Path(at, "text.cubin")
            ptx.write_bytes(cuda.ptx(source, [f"--include-path={folder}"]))
            done = subprocess.run([cuda.ptxas, "-v", f"-arch=sm_{ARCHITECTURE}", ptx, "-o", code], capture_output=True, text=True)
            if done.returncode != 0 or not re.search(r"\b0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads", done.stderr):
                raise Refused(done.stderr)

    return compiled


def execute(compiler, program, source, result):
    """Compiles a kernel with the functions of the shim in place of instructions of PTX, and compares what it stores."""
    kernel = re.sub(r"__device__ __forceinline__ void \w+\([^)]*\) \{\n.*?\n\}\n", "", source, flags=re.DOTALL)
    kernel = re.sub(r"#include <cuda\w+\.h>\n", "", kernel)
    declared = re.findall(r"^global (\w+) (\w+) \(([\d, ]+)\)(?::\((\d+), 1\))?", program, re.MULTILINE)
    stored = set(re.findall(r"^(\w+)\[.*<-", program, re.MULTILINE))
    threads = int(re.search(r"^threads (\d+)", program, re.MULTILINE)[1])
    random, arrays, views = numpy.random.default_rng(7), [], {}
    for name, element, extents, pitch in declared:
        shape = tuple(map(int, extents.split(",")))
        whole = numpy.zeros((*shape[:-1], int(pitch or shape[-1])), TYPES[element])
        views[name] = whole[..., : shape[-1]]
        if name not in stored:
            views[name][...] = random.integers(-3, 4, shape) / 4
        arrays.append(whole)
    function = re.search(r"__launch_bounds__\(\d+\) (\w+)\(([^)]*)\)", kernel)
    taken = ", ".join(f"({part.rsplit(' ', 1)[0].replace('__restrict__', '')})arrays[{k}]" for k, part in enumerate(function[2].split(",")))
    run_all = f'extern "C" void run_block(void** arrays) {{ launch({threads}, [&] {{ {function[1]}({taken}); }}); }}\n'
    with tempfile.TemporaryDirectory() as at:
        text, built = pathlib.Path(at, "text.cpp"), pathlib.Path(at, "text.so")
        text.write_text(SHIM.read_text() + kernel + run_all)
        done = subprocess.run([compiler, "-std=c++20", "-O1", "-w", "-shared", "-fPIC", "-pthread", text, "-o", built], capture_output=True, text=True)
        if done.returncode != 0:
            raise Refused(done.stderr)
        pointers = (ctypes.c_void_p * len(arrays))(*[array.ctypes.data for array in arrays])
        ctypes.CDLL(str(built)).run_block(pointers)
    loaded = [views[name] for name, *_ in declared if name not in stored]
    [target] = [views[name] for name, *_ in declared if name in stored]
    wanted = result(*loaded)
    if not numpy.allclose(target.astype(numpy.float64), wanted.astype(numpy.float64), rtol=2e-3, atol=1e-3):
        worst = numpy.unravel_index(numpy.argmax(abs(target.astype(numpy.float64) - wanted)), wanted.shape)
        raise Refused(f"at {worst}: {target[worst]}, wanted {wanted[worst]}")
