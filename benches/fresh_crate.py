#!/usr/bin/env python3
"""Measures the build time of a program of one line that uses the library: a clean debug build with default features.

usage: benches/fresh_crate.py [--runs 3]

The program depends on the committed library in two ways: by git, as a user does, and by path, which Cargo builds incrementally. Packages are fetched
before. Reports the number of packages, the least elapsed time, and the CPU time of that run. Standard library only.
"""
import argparse, os, shutil, subprocess, tempfile, time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAM = 'fn main() { println!("{}", crd2idx::layout!((4, 8):(8, 1)).crd2idx((1, 2))); }\n'


def build(folder):
    """Returns the elapsed seconds and the CPU seconds of a clean build."""
    shutil.rmtree(f'{folder}/target', ignore_errors=True)
    begin, clock = os.times(), time.monotonic()
    subprocess.run(['cargo', 'build', '--quiet', '--offline'], cwd=folder, check=True)
    end = os.times()
    return time.monotonic() - clock, end.children_user + end.children_system - begin.children_user - begin.children_system


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--runs', type=int, default=3)
    runs = parser.parse_args().runs
    for kind, source in (('git', f'git = "file://{ROOT}"'), ('path', f'path = "{ROOT}"')):
        with tempfile.TemporaryDirectory(prefix='fresh-crate-') as folder:
            os.mkdir(f'{folder}/src')
            open(f'{folder}/src/main.rs', 'w').write('use crd2idx::Layout;\n' + PROGRAM)
            open(f'{folder}/Cargo.toml', 'w').write(
                f'[package]\nname = "fresh"\nversion = "0.0.0"\nedition = "2024"\n[dependencies]\ncrd2idx = {{ {source} }}\n[workspace]\n')
            subprocess.run(['cargo', 'fetch', '--quiet'], cwd=folder, check=True)
            tree = subprocess.run(['cargo', 'tree', '--quiet', '--prefix', 'none', '--edges', 'normal,build', '--no-dedupe'],
                                  cwd=folder, check=True, capture_output=True, text=True).stdout
            packages = {' '.join(line.split()[:2]) for line in tree.splitlines() if line} - {'fresh v0.0.0'}
            wall, cpu = min(build(folder) for _ in range(runs))
            print(f'{kind:5} {len(packages)} packages  {wall:5.1f} s  CPU {cpu:5.1f} s')


main()
