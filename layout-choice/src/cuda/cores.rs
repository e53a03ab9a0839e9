//! Products of matrices by the instructions of AMD, through the functions that the compiler has for them.

use alloc::format;
use alloc::string::String;

/// A matrix instruction of AMD, as the compiler knows it.
struct Builtin {
    atom: &'static str,
    /// The types of the sums and of the factors.
    types: [&'static str; 2],
    name: &'static str,
    /// The type of a factor in the call: its elements, and their number. One element is no vector.
    factor: (&'static str, usize),
    /// The type of the sums in the call, likewise.
    sums: (&'static str, usize),
}

macro_rules! builtins {
    ($($atom:literal $sums:ident $of:ident: $name:literal $factor:literal $count:literal, $sum:literal $sums_count:literal;)*) => {
        &[$(Builtin {
            atom: $atom,
            types: [stringify!($sums), stringify!($of)],
            name: $name,
            factor: ($factor, $count),
            sums: ($sum, $sums_count),
        }),*]
    };
}

/// The builtins of LLVM's AMDGPU back end.
const BUILTINS: &[Builtin] = builtins! {
    "mfma.16x16x4.f32" f32 f32: "mfma_f32_16x16x4f32" "float" 1, "float" 4;
    "mfma.16x16x16.f16" f32 f16: "mfma_f32_16x16x16f16" "_Float16" 4, "float" 4;
    "mfma.16x16x16.f16" f32 bf16: "mfma_f32_16x16x16bf16_1k" "short" 4, "float" 4;
    "mfma.32x32x8.f16" f32 f16: "mfma_f32_32x32x8f16" "_Float16" 4, "float" 16;
    "mfma.32x32x8.f16" f32 bf16: "mfma_f32_32x32x8bf16_1k" "short" 4, "float" 16;
    "mfma.16x16x32.i8" i32 i8: "mfma_i32_16x16x32_i8" "long" 1, "int" 4;
    "mfma.32x32x16.i8" i32 i8: "mfma_i32_32x32x16_i8" "long" 1, "int" 16;
    "mfma.16x16x32.f16" f32 f16: "mfma_f32_16x16x32_f16" "_Float16" 8, "float" 4;
    "mfma.16x16x32.f16" f32 bf16: "mfma_f32_16x16x32_bf16" "__bf16" 8, "float" 4;
    "mfma.32x32x16.f16" f32 f16: "mfma_f32_32x32x16_f16" "_Float16" 8, "float" 16;
    "mfma.32x32x16.f16" f32 bf16: "mfma_f32_32x32x16_bf16" "__bf16" 8, "float" 16;
    "wmma.rdna3.16x16x16.f16" f32 f16: "wmma_f32_16x16x16_f16_w32" "_Float16" 16, "float" 8;
    "wmma.rdna3.16x16x16.f16" f32 bf16: "wmma_f32_16x16x16_bf16_w32" "short" 16, "float" 8;
    "wmma.rdna3.16x16x16.i8" i32 i8: "wmma_i32_16x16x16_iu8_w32" "int" 4, "int" 8;
    "wmma.rdna3.16x16x16.i8" i32 u8: "wmma_i32_16x16x16_iu8_w32" "int" 4, "int" 8;
    "wmma.rdna4.16x16x16.f16" f32 f16: "wmma_f32_16x16x16_f16_w32_gfx12" "_Float16" 8, "float" 8;
    "wmma.rdna4.16x16x16.f16" f32 bf16: "wmma_f32_16x16x16_bf16_w32_gfx12" "short" 8, "float" 8;
    "wmma.rdna4.16x16x16.i8" i32 i8: "wmma_i32_16x16x16_iu8_w32_gfx12" "int" 2, "int" 8;
    "wmma.rdna4.16x16x16.i8" i32 u8: "wmma_i32_16x16x16_iu8_w32_gfx12" "int" 2, "int" 8;
};

/// Returns the name of the helper of an instruction of AMD, such as `matrix_mfma_f32_16x16x16f16`; `None` if the compiler has no function.
pub(super) fn name(atom: &str, [sums, a, b]: [&str; 3]) -> Option<String> {
    let found = BUILTINS.iter().find(|of| of.atom == atom && of.types == [sums, a] && a == b)?;
    // Signed and unsigned factors are arguments of one function.
    Some(format!("matrix_{}{}", found.name, if a == "u8" { "_u8" } else { "" }))
}

/// Returns the text of a helper, or `None` if it is not one of AMD.
pub(super) fn helper(name: &str) -> Option<String> {
    let given = name.strip_prefix("matrix_")?;
    let (builtin, unsigned) = given.strip_suffix("_u8").map_or((given, false), |builtin| (builtin, true));
    let of = BUILTINS.iter().find(|of| of.name == builtin)?;
    let declared = |(ty, count): (&str, usize), name: &str| match count {
        1 => format!("    typedef {ty} {name};\n"),
        _ => format!("    typedef {ty} {name} __attribute__((vector_size({count} * sizeof({ty}))));\n"),
    };
    let arguments = match (builtin.starts_with("mfma"), of.types[0]) {
        (true, _) => "x, y, z, 0, 0, 0",
        (false, "i32") if unsigned => "false, x, false, y, z, false",
        (false, "i32") => "true, x, true, y, z, false",
        _ => "x, y, z",
    };
    Some(format!(
        "__device__ __forceinline__ void {name}({}* d, const unsigned* a, const unsigned* b) {{\n{}{}    factor x, y;\n    sum z;\n    \
         __builtin_memcpy(&x, a, sizeof(x));\n    __builtin_memcpy(&y, b, sizeof(y));\n    __builtin_memcpy(&z, d, sizeof(z));\n    \
         z = __builtin_amdgcn_{builtin}({arguments});\n    __builtin_memcpy(d, &z, sizeof(z));\n}}\n",
        of.sums.0,
        declared(of.factor, "factor"),
        declared(of.sums, "sum"),
    ))
}
