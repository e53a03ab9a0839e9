//! Emitted OpenCL, run if there is a library for it: PoCL, or any other.

use super::cases::{Case, thinned};
use super::tool::{Folder, has, run};
use super::{graphs, layouts};
use crd2idx::program::{Language, Time};
use std::fmt::Write;
use std::process::Command;

/// Returns one work-item per function. It computes all samples, at their offsets in the buffers.
fn device(cases: &[Case]) -> String {
    let (mut out, mut calls) = (String::new(), String::new());
    let (mut from, mut to, mut bytes) = (0, 0, String::from("0"));
    for (k, case) in cases.iter().enumerate() {
        let source = case.emit(k, Language::OpenCl, "");
        out += &source.device;
        let (n, m, count) = (case.program.inputs().len(), case.program.outputs().len(), case.samples.len());
        writeln!(out, "static void check{k}(__global const long *in, __global long *out, __global const uchar *launches) {{").unwrap();
        writeln!(out, "    for (int s = 0; s < {count}; ++s) {{").unwrap();
        let mut arguments = case.arguments("row", source.host.as_ref().map(|_| Time::Thread));
        writeln!(out, "        __global const long *row = in + {from} + s * {n};\n        (void)row;").unwrap();
        if source.host.is_some() {
            writeln!(out, "        q{k}_launch launch;").unwrap();
            writeln!(out, "        for (int b = 0; b < (int)sizeof launch; ++b)").unwrap();
            writeln!(out, "            ((uchar *)&launch)[b] = launches[{bytes} + s * (int)sizeof launch + b];").unwrap();
            write!(bytes, " + {count} * (int)sizeof(q{k}_launch)").unwrap();
            arguments.push("launch".into());
        }
        let (arguments, result) = (arguments.join(", "), if m == 1 { source.integer.into() } else { format!("q{k}_result") });
        writeln!(out, "        const {result} got = q{k}({arguments});").unwrap();
        writeln!(out, "        __global long *here = out + {to} + s * {};", m + 1).unwrap();
        writeln!(out, "        for (int o = 0; o < {m}; ++o) here[o] = ((const {} *)&got)[o];", source.integer).unwrap();
        let valid = if case.program.has_conditions() { format!("q{k}_is_valid({arguments})") } else { "1".into() };
        writeln!(out, "        here[{m}] = {valid};\n    }}\n}}").unwrap();
        writeln!(calls, "    if (get_global_id(0) == {k}) check{k}(in, out, launches);").unwrap();
        from += n * count;
        to += (m + 1) * count;
    }
    format!("{out}__kernel void check(__global const long *in, __global long *out, __global const uchar *launches) {{\n{calls}}}\n")
}

/// Returns the program that copies the buffers to the device and compares. It exits with 77 without a library or a device.
fn host(cases: &[Case]) -> String {
    let (mut out, mut prepare) = (String::new(), String::new());
    let (mut inputs, mut wanted, mut sizes) = (Vec::new(), Vec::new(), String::from("1"));
    for (k, case) in cases.iter().enumerate() {
        for sample in &case.samples {
            inputs.extend(&sample.inputs);
            wanted.extend(sample.outputs.iter().copied().chain([sample.valid.into()]));
        }
        let Some(host) = case.emit(k, Language::OpenCl, "").host else { continue };
        out += &host;
        let count = case.samples.len();
        write!(sizes, " + {count} * sizeof(q{k}_launch)").unwrap();
        let rows = case.rows(["{", "}"], "ll", |sample| sample.inputs.clone());
        writeln!(prepare, "    {{\n        static const long long in[][{}] = {rows};", case.program.inputs().len()).unwrap();
        writeln!(prepare, "        for (int s = 0; s < {count}; ++s) {{").unwrap();
        let arguments = case.arguments("in[s]", Some(Time::Launch)).join(", ");
        writeln!(prepare, "            const q{k}_launch launch = q{k}_prepare({arguments});").unwrap();
        writeln!(prepare, "            memcpy(to, &launch, sizeof launch);\n            to += sizeof launch;\n        }}\n    }}").unwrap();
    }
    let list = |numbers: &[i64]| numbers.iter().map(|number| format!("{number}ll")).collect::<Vec<_>>().join(",");
    format!(
        "#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
{out}
static const long long inputs[] = {{{}}};
static const long long wanted[] = {{{}}};
static char source[1 << 23], log_text[1 << 14];
static unsigned char launches[{sizes}];
static void *library;
typedef void *(*call)();
static call cl(const char *name) {{
    call found = (call)dlsym(library, name);
    if (!found) exit(77);
    return found;
}}
#define INT(name, ...) ((int (*)())cl(name))(__VA_ARGS__)
static void must(int error, const char *what) {{
    if (error) {{
        printf(\"%s: %d %s\\n\", what, error, log_text);
        exit(1);
    }}
}}
int main(int count, char **names) {{
    unsigned char *to = launches;
{prepare}
    (void)to;
    for (int k = 2; k < count && !library; ++k) library = dlopen(names[k], RTLD_NOW);
    void *platform = 0, *device = 0;
    const size_t work = {}, bytes = sizeof wanted;
    if (!library || INT(\"clGetPlatformIDs\", 1, &platform, (void *)0)) return 77;
    if (INT(\"clGetDeviceIDs\", platform, (unsigned long)0xFFFFFFFF, 1, &device, (void *)0)) return 77;
    FILE *file = fopen(names[1], \"r\");
    if (!file || fread(source, 1, sizeof source - 1, file) == 0) return 1;
    const char *text = source;
    int error = 0;
    void *none = 0, *context = cl(\"clCreateContext\")(none, 1, &device, none, none, &error);
    must(error, \"context\");
    void *queue = cl(\"clCreateCommandQueue\")(context, device, (unsigned long)0, &error);
    must(error, \"queue\");
    void *program = cl(\"clCreateProgramWithSource\")(context, 1, &text, none, &error);
    must(error, \"program\");
    error = INT(\"clBuildProgram\", program, 1, &device, \"\", none, none);
    if (error) INT(\"clGetProgramBuildInfo\", program, device, 0x1183, sizeof log_text - 1, log_text, none);
    must(error, \"build\");
    void *kernel = cl(\"clCreateKernel\")(program, \"check\", &error);
    must(error, \"kernel\");
    // Flags of the buffers: read and write, copied from the host.
    void *in = cl(\"clCreateBuffer\")(context, 1ul | 32ul, sizeof inputs, inputs, &error);
    must(error, \"inputs\");
    void *out = cl(\"clCreateBuffer\")(context, 1ul, bytes, none, &error);
    must(error, \"outputs\");
    void *shared = cl(\"clCreateBuffer\")(context, 1ul | 32ul, sizeof launches, launches, &error);
    must(error, \"launches\");
    must(INT(\"clSetKernelArg\", kernel, 0, sizeof in, &in), \"argument 0\");
    must(INT(\"clSetKernelArg\", kernel, 1, sizeof out, &out), \"argument 1\");
    must(INT(\"clSetKernelArg\", kernel, 2, sizeof shared, &shared), \"argument 2\");
    must(INT(\"clEnqueueNDRangeKernel\", queue, kernel, 1, none, &work, none, 0, none, none), \"run\");
    long long *got = malloc(bytes);
    must(INT(\"clEnqueueReadBuffer\", queue, out, 1, (size_t)0, bytes, got, 0, none, none), \"read\");
    int wrong = 0;
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; ++k)
        if (got[k] != wanted[k] && ++wrong < 20) printf(\"result %zu: %lld instead of %lld\\n\", k, got[k], wanted[k]);
    printf(\"%zu\", sizeof wanted / sizeof *wanted);
    return wrong > 0;
}}
",
        list(&inputs),
        list(&wanted),
        cases.len()
    )
}

#[test]
fn opencl_is_the_evaluation() {
    let (graphs, layouts) = (graphs::cases(), layouts::cases(4, 40));
    let some = thinned(&(0..graphs.len()).collect::<Vec<_>>(), 60);
    let graphs = graphs.into_iter().enumerate().filter(|(k, _)| some.contains(k)).map(|(_, case)| case);
    let cases: Vec<Case> = graphs.chain(layouts).collect();
    let (device, host) = (device(&cases), host(&cases));
    if !has("cc") {
        return;
    }
    let folder = Folder::new("opencl");
    let (text, source, program) = (folder.write("emitted.cl", &device), folder.write("host.c", &host), folder.0.join("program"));
    run(Command::new("cc").args(["-std=gnu11", "-O0", "-w"]).arg(&source).arg("-o").arg(&program).arg("-ldl"), &host);
    let mut command = Command::new(&program);
    command.arg(&text).args(["libOpenCL.so.1", "libOpenCL.so", "libpocl.so.2", "libOpenCL.dylib"]);
    let code = command.output().expect("the program runs").status.code();
    if code == Some(77) {
        println!("skipped: there is no OpenCL library with a device");
        return;
    }
    let compared: usize = run(&mut command, &device).parse().expect("a number");
    assert_eq!(compared, cases.iter().map(|case| case.samples.len() * (1 + case.program.outputs().len())).sum::<usize>());
}
