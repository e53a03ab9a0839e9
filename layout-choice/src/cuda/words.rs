//! Names and types of C++, and values of a type.

use crate::program::ELEMENTS;
use crate::target::Target;
use alloc::format;
use alloc::string::{String, ToString};

/// The integer types of emitted expressions. NVRTC has no headers for them.
pub(super) const INTEGERS: &str = "#if defined(__CUDACC_RTC__)\n\
    typedef int int32_t;\ntypedef unsigned int uint32_t;\ntypedef long long int64_t;\ntypedef unsigned long long uint64_t;\n\
    #else\n#include <cstdint>\n#endif\n";

/// Returns a value as the type of an element.
pub(super) fn cast(element: &str, text: &str) -> String {
    match element {
        "f16" => format!("__float2half({text})"),
        "bf16" => format!("__float2bfloat16({text})"),
        _ => {
            let cuda = ELEMENTS.iter().find(|of| of.name == element).map_or("float", |of| of.cuda);
            format!("({cuda})({text})")
        }
    }
}

/// Tests whether a name is one that the kernel declares itself, or a word of C++.
pub(super) fn reserved(name: &str) -> bool {
    let words = "tid step loaded stored sent received sums left right join first alignas asm auto bool break case char class \
                 const continue default delete do double else enum extern float for goto if inline int long namespace new \
                 operator private public register return short signed sizeof static struct switch template this typedef union \
                 unsigned using virtual void volatile while and or not xor bitand bitor compl true false nullptr constexpr \
                 consteval constinit decltype protected try throw catch friend explicit typename noexcept thread_local \
                 static_cast reinterpret_cast const_cast dynamic_cast static_assert concept requires export mutable typeid \
                 wchar_t char8_t char16_t char32_t NULL threadIdx blockIdx blockDim gridDim warpSize main printf exp log sqrt \
                 abs min max pow sin cos tan floor ceil fabs fmin fmax int2 int3 int4 uint2 uint3 uint4 float2 float3 float4 \
                 half half2 dim3 assert malloc free memcpy memset";
    let begins = ["scratch", "words_", "at_", "tile_", "ldmatrix", "mma_", "matrix_", "__"];
    words.split_whitespace().any(|word| word == name) || begins.iter().any(|start| name.starts_with(start))
}

/// Returns a value as a number that C computes with.
pub(super) fn wide(element: &str, text: &str) -> String {
    match element {
        "f16" => format!("__half2float({text})"),
        "bf16" => format!("__bfloat162float({text})"),
        _ => text.to_string(),
    }
}

/// Returns the greatest value of a type, or the least.
pub(super) fn limit(element: &str, greatest: bool) -> String {
    let text = match (element, greatest) {
        ("f32", true) => "__int_as_float(0x7f800000)",
        ("f32", false) => "__int_as_float(0xff800000)",
        ("f64", true) => "__longlong_as_double(0x7ff0000000000000ll)",
        ("f64", false) => "__longlong_as_double(0xfff0000000000000ll)",
        ("i32", true) => "0x7fffffff",
        ("i32", false) => "-0x7fffffff - 1",
        ("i64", true) => "0x7fffffffffffffffll",
        ("i64", false) => "-0x7fffffffffffffffll - 1",
        ("u32", true) => "~0u",
        ("u64", true) => "~0ull",
        _ => "0",
    };
    text.into()
}

/// Replaces the names of CUDA that HIP spells otherwise. Shuffles of HIP take no mask.
pub(super) fn in_hip(text: &str) -> String {
    let names = [("__shfl_xor_sync(~0u, ", "__shfl_xor("), ("__shfl_sync(~0u, ", "__shfl("), ("__nv_bfloat16", "__hip_bfloat16")];
    names.iter().fold(text.into(), |text: String, (cuda, hip)| text.replace(cuda, hip))
}

/// Returns the lines that include the headers of a program.
pub(super) fn headers(target: Target, has: impl Fn(&str) -> bool) -> String {
    let (mut out, headers) = match target {
        Target::Nvidia => (String::new(), [("f16", "cuda_fp16.h"), ("bf16", "cuda_bf16.h")]),
        // HIPRTC has the functions of the device without this header.
        _ => (
            "#if !defined(__HIPCC_RTC__)\n#include <hip/hip_runtime.h>\n#endif\n".into(),
            [("f16", "hip/hip_fp16.h"), ("bf16", "hip/hip_bf16.h")],
        ),
    };
    headers.iter().filter(|(element, _)| has(element)).for_each(|(_, header)| out.push_str(&format!("#include <{header}>\n")));
    out
}
