"""Kernels of tile programs: compiled by NVRTC and ptxas, and run on this processor with a thread for each thread of the block.

Kernels in HIP run only here, for all targets of AMD. Their matrix instructions are functions of the shim."""
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
    "attention_cdna3": attention,
    "epilogue": lambda a, b: (a.astype(numpy.float32) @ b.T.astype(numpy.float32)).astype(numpy.float16),
    "exchange": lambda a: (a + a.astype(numpy.float32).sum(axis=0)).astype(numpy.float16).T,
    "gemm": lambda a, b: a.astype(numpy.float32) @ b.T.astype(numpy.float32),
    "gemm_cdna3": lambda a, b: a.astype(numpy.float32) @ b.T.astype(numpy.float32),
    "gemm_rdna3": lambda a, b: a.astype(numpy.float32) @ b.T.astype(numpy.float32),
    "least": lambda a, b: numpy.repeat((a.min(axis=1) - b.max())[None], 16, axis=0),
    "rotate": lambda a: a.T,
    "softmax": softmax,
    "transpose": lambda a: a.T,
    "warps": lambda a: a.sum(axis=0),
}
# The matrix instructions with which the programs of NVIDIA run on targets of AMD.
AMD = {
    "cdna3": ["mfma.16x16x16.f16", "mfma.32x32x8.f16"],
    "cdna4": ["mfma.16x16x32.f16"],
    "rdna3": ["wmma.rdna3.16x16x16.f16"],
    "rdna4": ["wmma.rdna4.16x16x16.f16"],
}


def variants(name):
    """Returns a program and its translations to the targets of AMD, each with its target."""
    text = (PROGRAMS / f"{name}.tile").read_text()
    stated = re.search(r"^target (\w+)", text, re.MULTILINE)
    if stated:
        return [(stated[1], text)]
    # The first product of this program holds its sums otherwise than the second one wants them, on AMD.
    others = {} if name == "attention" else AMD

    def translation(target, instruction):
        own = re.sub(r"^tile .*$", rf"\g<0>\ntarget {target}", text, count=1, flags=re.MULTILINE).replace("m16n8k16.f16", instruction)
        # A single warp becomes a single wave.
        return own.replace("threads 32\n", "threads 64\n") if target.startswith("cdna") else own

    translated = [
        (target, translation(target, instruction))
        for target, instructions in others.items()
        for instruction in (instructions if "m16n8k16" in text else instructions[:1])
    ]
    return [("nvidia", text), *translated]


def run(command):
    """Runs all programs. Returns a line with the sums, and the number of failures."""
    try:
        compile_cuda = compiler_of_cuda()
    except (tools.Missing, OSError) as error:
        compile_cuda, missing = None, f"; NVRTC and ptxas: skipped, {error}"
    else:
        missing = ""
    host, count, failed = shutil.which("c++"), 0, 0
    for name, result in sorted(RESULTS.items()):
        for target, program in variants(name):
            count += 1
            language = "cuda" if target == "nvidia" else "hip"
            try:
                call = [command, "choose", "-", "--to", language]
                source = subprocess.run(call, input=program, capture_output=True, text=True, check=True).stdout
                if compile_cuda and language == "cuda":
                    compile_cuda(source)
                if host:
                    execute(host, program, source, result, 64 if target.startswith("cdna") else 32)
            except (Refused, subprocess.CalledProcessError) as error:
                failed += 1
                print(f"tile program {name} for {target}: {getattr(error, 'stderr', '') or error}")
    missing += "" if host else "; not run, there is no c++"
    return f"tile programs: {count - failed} of {count} kernels, {failed} fail{missing}", failed


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


def execute(compiler, program, source, result, lanes):
    """Compiles a kernel with the functions of the shim in place of instructions, for warps of these lanes, and compares what it stores."""
    kernel = re.sub(r"__device__ __forceinline__ void (ldmatrix|mma)_\w+\([^)]*\) \{\n.*?\n\}\n", "", source, flags=re.DOTALL)
    kernel = re.sub(r"#include <(cuda|hip/)\w+\.h>\n", "", kernel)
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
        done = subprocess.run([compiler, "-std=c++20", "-O1", "-w", "-shared", "-fPIC", "-pthread", f"-DLANES={lanes}", text, "-o", built], capture_output=True, text=True)
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
