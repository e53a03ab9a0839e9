//! Reserved words: keywords, macros, and names that a language or its usual headers declare.
//!
//! The tables are text files with sorted lines. A line `sin~` stands for `sin` with every suffix of a
//! floating-point type, as in `sinf`. To reserve a word, add a line to a table.

use super::Language::{self, C, Cuda, Hip, Mlir, OpenCl, Rust, Wgsl};
use core::cmp::Ordering;
use layout_algebra::heap::*;

/// The words that a language or a library reserves.
pub(super) struct Words {
    /// Words that no name may be: keywords, types, macros, and functions that emitted text calls.
    pub everywhere: &'static str,
    /// Beginnings of other reserved words. A beginning in lower case is reserved only if a capital letter follows.
    pub beginnings: &'static [&'static str],
    /// Declared functions. No function, kernel or table may have such a name, but a parameter may.
    pub functions: &'static str,
    pub functions_beginnings: &'static [&'static str],
}

const NONE: Words = Words { everywhere: "", beginnings: &[], functions: "", functions_beginnings: &[] };

/// The keywords of C and C++, and the macros that compilers define. C and C++ share one table because C++ code includes C
/// headers.
const KEYWORDS: Words = Words { everywhere: include_str!("reserved/keywords.txt"), ..NONE };

/// The C library. C code includes two of its headers and is compiled with others. The headers of CUDA and HIP
/// include most of them.
const LIBRARY: Words =
    Words { everywhere: include_str!("reserved/library.txt"), functions: include_str!("reserved/library_functions.txt"), ..NONE };

/// Names that CUDA or HIP add. Both languages reserve all of them.
const GPU: Words = Words {
    everywhere: include_str!("reserved/gpu.txt"),
    beginnings: &["CUDART_", "CUDA_", "HIP_", "cuda", "hip"],
    functions: include_str!("reserved/gpu_functions.txt"),
    functions_beginnings: &["make_", "surf1D", "surf2D", "surf3D", "surfCubemap", "tex1D", "tex2D", "tex3D", "texCubemap"],
};

/// OpenCL C, all versions. The names of extensions are macros.
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

/// WGSL: keywords, reserved words and types. Names inside a function may hide declared functions.
const WGSL: Words = Words { everywhere: include_str!("reserved/wgsl.txt"), functions: include_str!("reserved/wgsl_functions.txt"), ..NONE };

/// Rust, all editions, with the values of the prelude. As the name of a parameter, such a value would be a pattern.
const RUST: Words = Words { everywhere: include_str!("reserved/rust.txt"), ..NONE };

const MLIR: Words = Words { everywhere: include_str!("reserved/mlir.txt"), ..NONE };

/// All tables of reserved words.
#[cfg(test)]
pub(super) const ALL: [&Words; 7] = [&KEYWORDS, &LIBRARY, &GPU, &OPENCL, &WGSL, &RUST, &MLIR];

/// The suffixes that the C library adds to functions and constants for floating-point types.
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

/// Returns true if `name` is reserved in a language. `in_file` is true for the name of a function, a kernel or a table,
/// which must also differ from declared functions.
pub(super) fn is_reserved(language: Language, name: &str, in_file: bool) -> bool {
    let has = |table: &str| {
        let root = |suffix: &str| name.strip_suffix(suffix).map(|root| format!("{root}~"));
        has_line(table, name) || SUFFIXES.iter().filter_map(|suffix| root(suffix)).any(|root| has_line(table, &root))
    };
    tables(language).iter().any(|words| has(words.everywhere) || in_file && has(words.functions))
}

/// Returns true if `name` begins like reserved words that are too many to list, or that differ between versions. A number
/// at the end of such a name does not make it valid.
pub(super) fn begins_reserved(language: Language, name: &str, in_file: bool) -> bool {
    let begins = |beginning: &&str| {
        let is_camel = beginning.bytes().all(|byte| byte.is_ascii_lowercase());
        name.strip_prefix(beginning).is_some_and(|rest| !is_camel || rest.starts_with(|c: char| c.is_ascii_uppercase()))
    };
    tables(language).iter().any(|words| words.beginnings.iter().any(begins) || in_file && words.functions_beginnings.iter().any(begins))
}

/// Returns true if a table of sorted lines contains this line.
fn has_line(table: &str, wanted: &str) -> bool {
    // A text looks up each of its names here. Loops over bytes are fast in development builds, too.
    let (table, wanted) = (table.as_bytes(), wanted.as_bytes());
    let (mut lo, mut hi) = (0, table.len());
    while lo < hi {
        let mut start = lo + (hi - lo) / 2;
        let mut end = start;
        while start > lo && table[start - 1] != b'\n' {
            start -= 1;
        }
        while end < hi && table[end] != b'\n' {
            end += 1;
        }
        match table[start..end].cmp(wanted) {
            Ordering::Equal => return true,
            Ordering::Less => lo = end + 1,
            Ordering::Greater => hi = start,
        }
    }
    false
}
