//! Emitted OpenCL on a device, if there is a library with one: PoCL, or any other.

use super::c::{GRID, OPENCL};
use super::cases::{Case, cases};
use super::harness::{program, results};
use crate::emit::tool::{Folder, has, run};
use crd2idx::program::Language;
use std::process::Command;

/// Loads a library and passes arrays to its kernels. It exits with 77 without a library.
const DEVICE: &str = r#"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <vector>
static std::map<const void *, size_t> known;
#define KNOWN(array, bytes) known[array] = bytes
static void *library, *context, *queue, *binary;
template <class... A> static void *cl(const char *name, A... a) {
    void *(*found)(...) = (void *(*)(...))dlsym(library, name);
    if (!found) exit(77);
    return found(a...);
}
static void must(long error, const char *what) {
    if ((int)error) { printf("%s: %d\n", what, (int)error); exit(1); }
}
static void begin(const char *path) {
    for (const char *name : {"libOpenCL.so.1", "libOpenCL.so", "libpocl.so.2", "libOpenCL.dylib"})
        if (!library) library = dlopen(name, RTLD_NOW);
    void *platform = 0, *device = 0;
    if (!library || (int)(long)cl("clGetPlatformIDs", 1, &platform, (void *)0)) exit(77);
    if ((int)(long)cl("clGetDeviceIDs", platform, 0xFFFFFFFFul, 1, &device, (void *)0)) exit(77);
    static char source[1 << 23], log[1 << 14];
    FILE *file = fopen(path, "r");
    if (!file || !fread(source, 1, sizeof source - 1, file)) exit(1);
    const char *text = source;
    int error = 0;
    context = cl("clCreateContext", (void *)0, 1, &device, (void *)0, (void *)0, &error);
    must(error, "context");
    queue = cl("clCreateCommandQueue", context, device, 0ul, &error);
    must(error, "queue");
    binary = cl("clCreateProgramWithSource", context, 1, &text, (void *)0, &error);
    must(error, "program");
    error = (int)(long)cl("clBuildProgram", binary, 1, &device, "", (void *)0, (void *)0);
    if (error) cl("clGetProgramBuildInfo", binary, device, 0x1183, sizeof log - 1, log, (void *)0);
    must(error, error ? log : "build");
}
static void shape(unsigned groups, unsigned threads) { gridDim.x = groups, blockDim.x = threads; }
struct Buffer { void *buffer, *array; size_t bytes; };
template <class T> static void set(void *kernel, int k, T value, std::vector<Buffer> &) {
    must((long)cl("clSetKernelArg", kernel, k, sizeof value, &value), "number");
}
template <class T> static void set(void *kernel, int k, T *array, std::vector<Buffer> &buffers) {
    int error = 0;
    if (!known.count(array)) { printf("argument %d has no size\n", k); exit(1); }
    const size_t bytes = known[array];
    // An array without elements still needs a buffer.
    void *buffer = cl("clCreateBuffer", context, 1ul, bytes ? bytes : 1, (void *)0, &error);
    must(error, "buffer");
    if (bytes) must((long)cl("clEnqueueWriteBuffer", queue, buffer, 1, (size_t)0, bytes, (void *)array, 0, (void *)0, (void *)0), "write");
    must((long)cl("clSetKernelArg", kernel, k, sizeof buffer, &buffer), "array");
    buffers.push_back({buffer, (void *)array, bytes});
}
template <class... A> static void enqueue(const char *name, A... a) {
    int error = 0, k = 0;
    void *kernel = cl("clCreateKernel", binary, name, &error);
    must(error, name);
    std::vector<Buffer> buffers;
    (set(kernel, k++, a, buffers), ...);
    const size_t threads = (size_t)gridDim.x * blockDim.x, group = blockDim.x;
    must((long)cl("clEnqueueNDRangeKernel", queue, kernel, 1, (void *)0, &threads, &group, 0, (void *)0, (void *)0), name);
    for (auto &it : buffers) {
        std::vector<char> back(it.bytes);
        if (it.bytes) must((long)cl("clEnqueueReadBuffer", queue, it.buffer, 1, (size_t)0, it.bytes, back.data(), 0, (void *)0, (void *)0), "read");
        // Constants are unchanged, and must not be written.
        if (it.bytes && memcmp(it.array, back.data(), it.bytes)) memcpy(it.array, back.data(), it.bytes);
        cl("clReleaseMemObject", it.buffer);
    }
    cl("clReleaseKernel", kernel);
}
#undef GRID
#undef GROUPS
#undef ONE_GROUP
#define GRID(workgroup, call) shape(3, workgroup), call
#define GROUPS GRID
#define ONE_GROUP(workgroup, call) shape(1, workgroup), call
"#;

/// Returns the program in which every kernel is one of the device.
fn host(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("__kernel void ") {
        let (before, kernel) = rest.split_at(at);
        let name = &kernel["__kernel void ".len()..kernel.find('(').expect("parameters")];
        let parameters = &kernel[kernel.find('(').expect("parameters")..kernel.find('{').expect("a body")];
        let names: Vec<&str> = parameters
            .trim_matches(['(', ')', ' ', '\n'])
            .split(',')
            .map(|parameter| parameter.rsplit([' ', '*']).next().unwrap_or_default())
            .collect();
        out += &format!("{before}static inline void {name}{parameters}{{ enqueue(\"{name}\", {}); }}\n", names.join(", "));
        out += &format!("__kernel void {name}_here{parameters}");
        rest = &kernel[kernel.find('{').expect("a body")..];
    }
    (out + rest).replace("int main(void) {\n", "int main(int, char **names) {\n    begin(names[1]);\n")
}

/// Runs the kernels of these cases; says so if there is no device.
pub fn on_device(name: &str, cases: &[Case]) {
    let text = host(&program(Language::OpenCl, cases, &format!("{GRID}{OPENCL}{DEVICE}")));
    if !has("g++") {
        return;
    }
    let mut device = String::new();
    for (k, case) in cases.iter().enumerate() {
        let texts = case.emit(k, Language::OpenCl, "");
        let sources = [Some(texts.visit), texts.parents, texts.leaf_rows];
        sources.into_iter().flatten().for_each(|source| device += &source.device);
    }
    let folder = Folder::new(name);
    let (kernels, source, binary) = (folder.write("emitted.cl", &device), folder.write("host.cpp", &text), folder.0.join("program"));
    run(Command::new("g++").args(["-std=gnu++17", "-w", "-pthread"]).arg(&source).arg("-o").arg(&binary).arg("-ldl"), &text);
    let mut command = Command::new(&binary);
    command.arg(&kernels);
    if command.output().expect("the program runs").status.code() == Some(77) {
        println!("skipped: there is no OpenCL library with a device");
        return;
    }
    assert_eq!(run(&mut command, &device), results(cases).to_string());
}

#[test]
#[ignore = "builds kernels with every compiler of the machine, for minutes"]
fn opencl_on_a_device_is_the_array() {
    on_device("ragged-device", &cases(8, 25, false));
}
