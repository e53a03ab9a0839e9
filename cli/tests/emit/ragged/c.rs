//! Emitted C, sanitized if possible; and CUDA, HIP and OpenCL behind a shim: system threads act as the threads of a workgroup.

use super::cases::{Case, cases};
use super::harness::{program, results};
use crate::emit::tool::{Folder, has, run};
use crd2idx::program::Language;
use std::process::Command;

/// Every kernel is a loop.
const LOOPS: &str = "#define GRID(workgroup, call) call\n";

/// Kernels run in three workgroups, or in one. Threads that wait for each other are system threads, watched by a sanitizer.
pub const GRID: &str = "#include <cstdint>
#include <cstddef>
#include <pthread.h>
#include <thread>
#include <vector>
struct Three { unsigned x; };
static thread_local Three threadIdx, blockIdx;
static Three blockDim, gridDim;
// Barriers alternate: a thread that leaves one late must not see what another did after it.
static pthread_barrier_t barriers[4];
static thread_local unsigned phase;
static void wait() { pthread_barrier_wait(&barriers[phase++ % 4]); }
template <class F> static void grid(unsigned groups, unsigned threads, F f) {
    gridDim.x = groups, blockDim.x = threads;
    for (auto &barrier : barriers) pthread_barrier_init(&barrier, 0, threads);
    std::vector<std::thread> team;
    for (unsigned t = 0; t < threads; ++t) {
        team.emplace_back([=] {
            for (unsigned g = 0; g < groups; ++g) {
                threadIdx.x = t, blockIdx.x = g;
                f();
                wait();
            }
        });
    }
    for (auto &thread : team) thread.join();
    for (auto &barrier : barriers) pthread_barrier_destroy(&barrier);
}
#define GROUPS(workgroup, call) grid(3, workgroup, [&] { call; })
#define ONE_GROUP(workgroup, call) grid(1, workgroup, [&] { call; })
// These kernels have no barriers: one thread may run them all.
template <class F> static void alone(unsigned groups, unsigned threads, F f) {
    gridDim.x = groups, blockDim.x = threads;
    for (blockIdx.x = groups; blockIdx.x-- > 0;)
        for (threadIdx.x = threads; threadIdx.x-- > 0;) f();
}
#define GRID(workgroup, call) alone(3, workgroup, [&] { call; })
";

const CUDA: &str = "#define __host__
#define __device__
#define __global__
#define __forceinline__ inline
#define __shared__ static
#define __syncthreads() wait()
static inline uint64_t __umul64hi(uint64_t a, uint64_t b) { return (uint64_t)((unsigned __int128)a * b >> 64); }
";

pub const OPENCL: &str = "#include <climits>
#include <sys/types.h>
#define __kernel
#define __global
#define __constant static const
#define __local static
#define CLK_LOCAL_MEM_FENCE 1
#define barrier(fence) wait()
static inline size_t get_global_id(int) { return (size_t)blockIdx.x * blockDim.x + threadIdx.x; }
static inline size_t get_global_size(int) { return (size_t)gridDim.x * blockDim.x; }
static inline size_t get_local_id(int) { return threadIdx.x; }
static inline size_t get_group_id(int) { return blockIdx.x; }
static inline size_t get_num_groups(int) { return gridDim.x; }
template <class T> static inline T min(T a, T b) { return a < b ? a : b; }
template <class T> static inline T max(T a, T b) { return a > b ? a : b; }
static inline ulong mul_hi(ulong a, ulong b) { return (ulong)((unsigned __int128)a * b >> 64); }
";

/// Runs the C of these cases; `None` without a compiler.
pub fn c(name: &str, cases: &[Case]) -> Option<String> {
    let text = program(Language::C, cases, &format!("#include <stdint.h>\n{LOOPS}"));
    let flags = [&WARNINGS[..], &["-std=gnu11"]].concat();
    compared(name, "cc", "emitted.c", &text, &flags, &["-fsanitize=address,undefined", "-fno-sanitize-recover=all"])
}

/// Runs the CUDA or HIP of these cases.
pub fn cuda(name: &str, language: Language, cases: &[Case]) -> Option<String> {
    let text = program(language, cases, &format!("{GRID}{CUDA}"));
    let flags = [&WARNINGS[..], &["-std=c++17", "-pthread"]].concat();
    compared(name, "g++", "emitted.cpp", &text, &flags, &["-fsanitize=thread"])
}

/// Runs the OpenCL of these cases.
pub fn opencl(name: &str, cases: &[Case]) -> Option<String> {
    let text = program(Language::OpenCl, cases, &format!("{GRID}{OPENCL}"));
    let flags = [&WARNINGS[..], &["-std=gnu++17", "-pthread"]].concat();
    compared(name, "g++", "emitted.cpp", &text, &flags, &["-fsanitize=thread"])
}

/// Returns those of these flags with which the compiler can link a program.
fn sanitizer(compiler: &str, folder: &Folder, flags: &[&'static str]) -> Vec<&'static str> {
    let probe = folder.write("probe.c", "int main(void) { return 0; }");
    let mut command = Command::new(compiler);
    let works = command.args(flags).arg(&probe).arg("-o").arg(folder.0.join("probe")).output().is_ok_and(|output| output.status.success());
    let runs = works && Command::new(folder.0.join("probe")).output().is_ok_and(|output| output.status.success());
    if runs { flags.to_vec() } else { Vec::new() }
}

/// Compiles and runs. Returns the number of compared results.
pub fn compared(name: &str, compiler: &str, file: &str, text: &str, flags: &[&str], sanitizers: &[&'static str]) -> Option<String> {
    if !has(compiler) {
        return None;
    }
    let folder = Folder::new(name);
    let found = sanitizer(compiler, &folder, sanitizers);
    let (source, binary) = (folder.write(file, text), folder.0.join("program"));
    let mut command = Command::new(compiler);
    run(command.args(flags).args(found).arg(&source).arg("-o").arg(&binary), text);
    Some(run(&mut Command::new(&binary), text))
}

const WARNINGS: [&str; 5] = ["-O0", "-Wall", "-Wextra", "-Werror", "-Wno-sign-compare"];

/// Checks that the number of compared results, if any, is complete.
pub fn agrees(compared: Option<String>, cases: &[Case]) {
    assert!(compared.as_ref().is_none_or(|compared| *compared == results(cases).to_string()), "{compared:?}");
}

#[test]
#[ignore = "builds kernels with every compiler of the machine, for minutes"]
fn c_is_the_array() {
    let cases = cases(1, 120, false);
    let count = |views: bool| cases.iter().filter(|case| case.leaf_rows.is_none() == views && !case.leaves.is_empty()).count();
    assert!(count(true) > 12 && count(false) > 60, "{} with views, {} without", count(true), count(false));
    agrees(c("ragged-c", &cases), &cases);
}

#[test]
#[ignore = "builds kernels with every compiler of the machine, for minutes"]
fn cuda_is_the_array() {
    for (language, seed, count) in [(Language::Cuda, 2, 30), (Language::Hip, 3, 10)] {
        let cases = cases(seed, count, false);
        agrees(cuda(&format!("ragged-{language}"), language, &cases), &cases);
    }
}

#[test]
#[ignore = "builds kernels with every compiler of the machine, for minutes"]
fn opencl_is_the_array() {
    let cases = cases(4, 30, false);
    agrees(opencl("ragged-opencl", &cases), &cases);
}
