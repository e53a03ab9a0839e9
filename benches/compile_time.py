#!/usr/bin/env python3
"""Measures the compile time of one operation on layout types, and compares with CuTe under g++ if its headers are found.

usage: benches/compile_time.py [--runs 5] [--count 400] [--use constant|index] [--cute DIR...]

Generates a crate of `count` operations per kind (composition, logical_divide, crd2idx), and uses each result. Reports the median over
`runs` of (t(count) - t(0)) / count, where t is the CPU time of the compiler and its children, for `cargo check`, `cargo build` and
`cargo build --release` (without incremental compilation). Reports also the peak memory above the empty crate.
`--use constant` (the default) reads an index of the result as a constant, as the functions of CuTe do. `--use index` compiles a function that
indexes a layout of that type at a run-time coordinate.
The DIRs are the include folders of CuTe and of the CUDA headers it needs. Without them, the headers come from the Python packages that contain them. Standard library only.
"""
import argparse, json, os, re, shutil, statistics, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
KINDS = ['composition', 'logical_divide', 'crd2idx']


def run(command, cwd, env=None):
    """Returns the CPU seconds and the peak memory in MB of a command and its child processes."""
    pid = os.spawnvpe(os.P_NOWAIT, 'sh', ['sh', '-c', f'cd {cwd} && exec {command} >log 2>&1'], {**os.environ, **(env or {})})
    _, status, usage = os.wait4(pid, 0)
    if status:
        sys.exit(f'{command} failed:\n' + open(os.path.join(cwd, 'log')).read()[-3000:])
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def measure(write, command, cwd, count, runs, env=None):
    """Returns (ms per operation, MB above empty): medians over runs of the difference between `count` operations and none."""
    times, memory = [], []
    for n in (0, count):  # once to fill caches
        write(n, 'warm')
        run(command, cwd, env)
    for r in range(runs):
        pair = []
        for n in (0, count):
            write(n, str(r))
            pair.append(run(command, cwd, env))
        times.append((pair[1][0] - pair[0][0]) / count * 1000)
        memory.append(pair[1][1] - pair[0][1])
    return statistics.median(times), statistics.median(memory)


def rust_tuple(text):
    return re.sub(r'\d+', lambda m: f'Int<{m.group()}>', text.replace(' ', '').replace(')', ',)').replace(',,)', ',)'))


def rust_layout(text):
    shape, stride = (text if ':' in text else f'{text}:1').split(':')
    return f'Strided<{rust_tuple(shape)}, {rust_tuple(stride)}>'


def rust_source(kind, rows, use):
    lines = ['use layout_core::{layouts::*, number::*, ops::*, tensor::*, *};']
    for i, (layout, other, _) in enumerate(rows):
        a = rust_layout(layout)
        result = {'composition': f'Composition<{a}, {rust_layout(other) if kind != "crd2idx" else ""}>',
                  'logical_divide': f'LogicalDivide<{a}, {rust_layout(other) if kind != "crd2idx" else ""}>'}.get(kind)
        if kind == 'crd2idx':
            lines.append(f'pub fn f{i}() -> usize {{ Const::<{a}, {rust_tuple(other)}>::VALUE }}')
            if use == 'index':
                lines[-1] = f'pub fn f{i}(l: &{a}, c: usize) -> usize {{ l.crd2idx(c) }}'
        elif use == 'index':
            lines.append(f'pub fn f{i}(l: &{result}, c: usize) -> usize {{ l.crd2idx(c) }}')
        else:
            lines.append(f'pub fn f{i}() -> usize {{ Const::<{result}, Int<1>>::VALUE }}')
    return '\n'.join(lines) + '\n'


def bench_rust(data, arguments):
    root = tempfile.mkdtemp(prefix='compile-time-')
    os.makedirs(f'{root}/src')
    core = os.path.join(os.path.dirname(HERE), 'layout-core')
    open(f'{root}/Cargo.toml', 'w').write(
        f'[package]\nname = "bench"\nversion = "0.0.0"\nedition = "2024"\n[dependencies]\nlayout-core = {{ path = "{core}" }}\n[workspace]\n')
    env = {'CARGO_INCREMENTAL': '0', 'CARGO_TARGET_DIR': f'{root}/target', 'CARGO_TERM_QUIET': 'true'}
    for kind in KINDS:
        rows = data[kind][:arguments.count]

        def write(n, mark):
            open(f'{root}/src/lib.rs', 'w').write(rust_source(kind, rows[:n], arguments.use) + f'// {mark} {n}\n')
        for mode in ('check', 'build', 'build --release'):
            ms, mb = measure(write, f'cargo {mode}', root, len(rows), arguments.runs, env)
            print(f'{kind:15} cargo {mode:16} {ms:8.3f} ms/operation {mb:7.0f} MB above empty', flush=True)
    shutil.rmtree(root)


def cute_tuple(text):
    text = re.sub(r'\d+', lambda m: f'Int<{m.group()}>{{}}', text.replace(' ', ''))
    return text.replace('(', 'make_tuple(')


def cute_layout(text):
    shape, stride = (text if ':' in text else f'{text}:1').split(':')
    return f'make_layout({cute_tuple(shape)}, {cute_tuple(stride)})'


def cute_source(kind, rows):
    lines = ['#include <cute/layout.hpp>', 'using namespace cute;']
    for i, (layout, other, _) in enumerate(rows):
        a = cute_layout(layout)
        if kind == 'crd2idx':
            lines.append(f'int f{i}() {{ return {a}({cute_tuple(other)}); }}')
        else:
            lines.append(f'int f{i}() {{ return {kind}({a}, {cute_layout(other)})(Int<1>{{}}); }}')
    return '\n'.join(lines) + '\n'


# For each Python package, the path of the CuTe header that it contains.
CUTE_PACKAGES = {
    'nvidia-cutlass': r'cute/layout\.hpp',
    'nvidia-cuda-runtime-cu12': r'cuda_runtime_api\.h',
    'nvidia-cuda-cccl-cu12': r'cuda/std/utility',
    'nvidia-cuda-nvcc-cu12': r'crt/host_defines\.h',
}


def cute_headers(given):
    if given:
        return given
    folders = []
    for package, file in CUTE_PACKAGES.items():
        shown = subprocess.run([sys.executable, '-m', 'pip', 'show', '-f', package], capture_output=True, text=True).stdout
        location = re.search(r'^Location: (.*)$', shown, re.M)
        header = re.search(rf'^\s+(\S*){file}$', shown, re.M)
        if not (location and header):
            return None
        folders.append(os.path.join(location.group(1), header.group(1)))
    return folders


def bench_cute(data, arguments):
    folders = cute_headers(arguments.cute)
    if not folders or not shutil.which('g++'):
        print(f'CuTe: skipped (no g++, or no headers: pip install {" ".join(CUTE_PACKAGES)}, or --cute DIR...)')
        return
    include = ' '.join(f'-I {folder}' for folder in folders)
    root = tempfile.mkdtemp(prefix='compile-time-cute-')
    for kind in KINDS:
        rows = data[kind][:arguments.count]

        def write(n, _):
            open(f'{root}/f.cpp', 'w').write(cute_source(kind, rows[:n]))
        ms, mb = measure(write, f'g++ -std=c++17 -O2 -w {include} -c f.cpp -o f.o', root, len(rows), min(arguments.runs, 3))
        print(f'{kind:15} CuTe, g++ -O2       {ms:8.3f} ms/operation {mb:7.0f} MB above empty', flush=True)
    shutil.rmtree(root)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--runs', type=int, default=5)
    parser.add_argument('--count', type=int, default=400)
    parser.add_argument('--use', choices=['constant', 'index'], default='constant')
    parser.add_argument('--cute', nargs='+', help='include folders of CuTe and the CUDA headers it needs')
    arguments = parser.parse_args()
    data = json.load(open(f'{HERE}/data/compile_bench.json'))
    bench_rust(data, arguments)
    bench_cute(data, arguments)


main()
