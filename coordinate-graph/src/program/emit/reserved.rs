//! Reserved words: keywords, macros, and names that a language or the headers of a text declare.
//!
//! The tables are files of sorted lines. A line `sin~` stands for `sin` with every suffix of a floating-point type, as in `sinf`.

use super::Language::{self, C, Cuda, Hip, Mlir, OpenCl, Rust, Wgsl};
use core::cmp::Ordering;
use layout_algebra::heap::*;

/// The words that a language or a library reserves.
pub(super) struct Words {
    /// Words that no name may be: keywords, types, macros, and functions that the text calls.
    pub everywhere: &'static str,
    /// The beginnings of further such words. A beginning in lower case is followed by a capital.
    pub beginnings: &'static [&'static str],
    /// Declared functions. No function, kernel or table may have such a name, but a parameter may.
    pub functions: &'static str,
    pub functions_beginnings: &'static [&'static str],
}

const NONE: Words = Words { everywhere: "", beginnings: &[], functions: "", functions_beginnings: &[] };

/// The keywords of C and C++ together, as C++ includes headers in C, and macros that compilers define.
const KEYWORDS: Words = Words { everywhere: include_str!("reserved/keywords.txt"), ..NONE };

/// The C library. C code includes two of its headers and is compiled with others; the headers of CUDA and HIP include most.
const LIBRARY: Words =
    Words { everywhere: include_str!("reserved/library.txt"), functions: include_str!("reserved/library_functions.txt"), ..NONE };

/// The further names of CUDA and of HIP, reserved in both languages.
const GPU: Words = Words {
    everywhere: include_str!("reserved/gpu.txt"),
    beginnings: &["CUDART_", "CUDA_", "HIP_", "cuda", "hip"],
    functions: include_str!("reserved/gpu_functions.txt"),
    functions_beginnings: &["make_", "surf1D", "surf2D", "surf3D", "surfCubemap", "tex1D", "tex2D", "tex3D", "texCubemap"],
};

/// OpenCL C of every version. The names of extensions are macros.
const OPENCL: Words = Words {
    everywhere: include_str!("reserved/opencl.txt"),
    beginnings: &[
        "cl_amd_",
        "cl_arm_",
        "cl_clang_",
        "cl_ext_",
        "cl_img_",
        "cl_intel_",
        "cl_khr_",
        "cl_nv_",
        "cl_pocl_",
        "cl_qcom_",
        "cles_khr_",
    ],
    functions: include_str!("reserved/opencl_functions.txt"),
    functions_beginnings: &["convert_", "intel_"],
};

/// WGSL: keywords, reserved words, types. Names inside of a function may hide declared functions.
const WGSL: Words = Words { everywhere: include_str!("reserved/wgsl.txt"), functions: include_str!("reserved/wgsl_functions.txt"), ..NONE };

/// Rust of every edition, with the values of the prelude, which would be patterns in place of a parameter.
const RUST: Words = Words { everywhere: include_str!("reserved/rust.txt"), ..NONE };

const MLIR: Words = Words { everywhere: include_str!("reserved/mlir.txt"), ..NONE };

/// Every table.
#[cfg(test)]
pub(super) const ALL: [&Words; 7] = [&KEYWORDS, &LIBRARY, &GPU, &OPENCL, &WGSL, &RUST, &MLIR];

/// The suffixes of functions and constants of the C library for floating-point types.
pub(super) const SUFFIXES: [&str; 8] = ["", "f", "l", "f32", "f32x", "f64", "f64x", "f128"];

fn tables(language: Language) -> &'static [&'static Words] {
    match language {
        C => &[&KEYWORDS, &LIBRARY],
        Cuda | Hip => &[&KEYWORDS, &LIBRARY, &GPU],
        OpenCl => &[&KEYWORDS, &OPENCL],
        Wgsl => &[&WGSL],
        Rust => &[&RUST],
        Mlir => &[&MLIR],
    }
}

/// Tests whether `name` is reserved in a language; with `in_file`, for a function, a kernel or a table.
pub(super) fn is_reserved(language: Language, name: &str, in_file: bool) -> bool {
    let has = |table: &str| {
        let root = |suffix: &str| name.strip_suffix(suffix).map(|root| format!("{root}~"));
        has_line(table, name) || SUFFIXES.iter().filter_map(|suffix| root(suffix)).any(|root| has_line(table, &root))
    };
    tables(language).iter().any(|words| has(words.everywhere) || in_file && has(words.functions))
}

/// Tests whether `name` begins like reserved words that are too many to list or differ by version. A number at its end does not make it free.
pub(super) fn begins_reserved(language: Language, name: &str, in_file: bool) -> bool {
    let begins = |beginning: &&str| {
        let is_camel = beginning.bytes().all(|byte| byte.is_ascii_lowercase());
        name.strip_prefix(beginning).is_some_and(|rest| !is_camel || rest.starts_with(|c: char| c.is_ascii_uppercase()))
    };
    tables(language).iter().any(|words| words.beginnings.iter().any(begins) || in_file && words.functions_beginnings.iter().any(begins))
}

/// Tests whether a table of sorted lines has this one.
fn has_line(table: &str, wanted: &str) -> bool {
    let (mut lo, mut hi) = (0, table.len());
    while lo < hi {
        let middle = lo + (hi - lo) / 2;
        let start = table[lo..middle].rfind('\n').map_or(lo, |at| lo + at + 1);
        let end = table[start..hi].find('\n').map_or(hi, |at| start + at);
        match table[start..end].cmp(wanted) {
            Ordering::Equal => return true,
            Ordering::Less => lo = end + 1,
            Ordering::Greater => hi = start,
        }
    }
    false
}
